"""A report as PDF, printed by a browser that is installed; without one the HTML page stands alone."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
SECONDS = 180


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
        options = [f"--user-data-dir={profile}/profile", "--no-pdf-header-footer", f"--print-to-pdf={made}"]
        command = [program, *FLAGS, *options, page.resolve().as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=seconds, check=True)
            shutil.move(made, target)
        except (OSError, subprocess.SubprocessError) as error:
            return None, f"no PDF: {Path(program).name} could not print {page.name} ({type(error).__name__})"
    return target, f"PDF in {target}"
