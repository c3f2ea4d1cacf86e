"""Sphinx settings of the documentation; ``make docs`` builds it."""

from vinci_lab import __version__

project = "vinci_lab"
author = "vinci_lab contributors"
copyright = author
release = __version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"vinci_lab {release}"
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nitpicky = True
