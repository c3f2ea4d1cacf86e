"""Reports: a run as one self-contained HTML page, a PDF where a browser can print, and tables."""

from __future__ import annotations

from vinci_lab.reporting.parts import Drawing, Missing, Part, Section
from vinci_lab.reporting.pdf import print_page
from vinci_lab.reporting.study import Study, make_study, write_study

__all__ = ["Drawing", "Missing", "Part", "Section", "Study", "make_study", "print_page", "write_study"]
