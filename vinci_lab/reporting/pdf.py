"""A report as PDF, printed by a browser that is installed; without one the HTML page stands alone."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from vinci_lab.engine.picture import NAMESPACE, Picture

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
SECONDS = 180
SVG = re.compile(r"<svg\b[^>]*>.*?</svg>", re.DOTALL)
SIZE = re.compile(r'\b(width|height)="(\d+)"')
SCALE = 2.0


def find_browser() -> str | None:
    """Return the path of a browser that prints, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def print_page(page: Path, browser: str | None = None, seconds: float = SECONDS) -> tuple[Path | None, str]:
    """Print an HTML page to a PDF file of the same name beside it.

    Parameters
    ----------
    page : path
        An HTML file.
    browser : str, optional
        What prints; the first Chromium or Chrome on the path if left out.
    seconds : float
        After which it is given up.

    Returns
    -------
    Path or None
        The PDF; None if there is none, and then no older one is left beside a newer page.
    str
        A sentence on it.
    """
    target = page.with_suffix(".pdf")
    target.unlink(missing_ok=True)
    program = browser or find_browser()
    if program is None:
        return (
            None,
            f"no PDF: there is no Chromium or Chrome on this machine; {page.name} can be printed by any browser",
        )
    with tempfile.TemporaryDirectory() as profile:
        made = Path(profile) / "report.pdf"
        light = Path(profile) / "page.html"
        light.write_text(with_pixels(page.read_text(encoding="utf-8")), encoding="utf-8")
        options = [f"--user-data-dir={profile}/profile", "--no-pdf-header-footer", f"--print-to-pdf={made}"]
        command = [program, *FLAGS, *options, light.as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=seconds, check=True)
            shutil.move(made, target)
        except (OSError, subprocess.SubprocessError) as error:
            return None, f"no PDF: {Path(program).name} could not print {page.name} ({type(error).__name__})"
    return target, f"PDF in {target}"


def with_pixels(html: str) -> str:
    """Return a page on which drawings with patterns are pixels: printed as shapes, each would take megabytes."""
    return SVG.sub(lambda found: _pixels(found[0]) if "<pattern" in found[0] else found[0], html)


def _pixels(svg: str) -> str:
    """Return an inline drawing as an image of the page."""
    size = {name: int(value) for name, value in SIZE.findall(svg[: svg.index(">")])}
    picture = Picture(svg.replace("<svg", f'<svg xmlns="{NAMESPACE}"', 1), size["width"], size["height"])
    return f'<img alt="" src="data:image/png;base64,{base64.b64encode(picture.png(SCALE)).decode()}">'
