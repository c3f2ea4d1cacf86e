"""Jupyter's servers started for a person: loopback only, with a token, asking no other machine for anything."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
HERE = Path(__file__).parent
PAGE = HERE / "play.ipynb"
NEEDLESS = ["jupyterlab-jupytext"]  # extensions of JupyterLab that fail on a page, for want of its editor
ASKED = "VINCI_LAB_PLAY"  # what the page is to open, as JSON
MISSING = "{package} is not installed; to have it: pip install 'vinci-lab[lab]'"
QUIET = "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"


def require(package: str, name: str) -> None:
    """Raise a sentence that says what to install if a package is missing.

    Parameters
    ----------
    package : str
        To import.
    name : str
        As people know it.

    Raises
    ------
    ValueError
        If it cannot be found.
    """
    if importlib.util.find_spec(package) is None:
        raise ValueError(MISSING.format(package=name))


def free_port() -> int:
    """Return a port of the loopback interface that nobody listens to."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def environment(asked: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Return the environment of a server: its page's template, its kernels' Python, and what is to be played."""
    paths = [str(HERE / "share"), os.environ.get("JUPYTER_PATH", "")]
    found = {
        **os.environ,
        "JUPYTER_PATH": os.pathsep.join(path for path in paths if path),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }
    if asked is not None:
        found[ASKED] = json.dumps(asked)
    return found


def voila_command(port: int, token: str) -> list[str]:
    """Return the command that serves the page of a game.

    Parameters
    ----------
    port : int
        Of the loopback interface.
    token : str
        Without which the page shows nothing.
    """
    options = ["--no-browser", "--template=vinci_lab", f"--port={port}", f"--Voila.ip={HOST}", f"--token={token}"]
    options += [f"--VoilaConfiguration.extension_denylist={json.dumps(NEEDLESS)}"]
    return [sys.executable, "-m", "voila", str(PAGE), *options]


def lab_command(folder: Path, port: int | None, opens: bool) -> list[str]:
    """Return the command that serves notebooks in JupyterLab, which makes its own token.

    Parameters
    ----------
    folder : path
        With the notebooks.
    port : int or None
        Of the loopback interface; JupyterLab's choice if None.
    opens : bool
        Whether to open a browser.
    """
    options = [f"--ServerApp.ip={HOST}", f"--ServerApp.root_dir={folder}", QUIET]
    options += [f"--ServerApp.port={port}"] if port is not None else []
    options += [] if opens else ["--no-browser"]
    options += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # as in a container
    return [sys.executable, "-m", "jupyterlab", *options]


def serve_page(asked: Mapping[str, Any], port: int | None, opens: bool, say: Callable[[str], object]) -> int:
    """Serve the page of a game until it is interrupted, and return the server's exit code.

    Parameters
    ----------
    asked : mapping
        What is to be played.
    port : int or None
        Of the loopback interface; a free one if None.
    opens : bool
        Whether to open a browser.
    say : callable
        Told the address.
    """
    port, token = port or free_port(), secrets.token_hex(16)
    address = f"http://{HOST}:{port}/"
    server = subprocess.Popen(voila_command(port, token), env=environment(asked), stdin=subprocess.DEVNULL)
    try:
        while server.poll() is None and not _answers(address):
            time.sleep(0.1)
        if server.poll() is None:
            say(f"the game is at {address}?token={token}; Ctrl-C ends it")
            if opens:
                webbrowser.open(f"{address}?token={token}")
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        server.terminate()
        server.wait()


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=5).close()
    except urllib.error.HTTPError as error:  # it asks for the token: it is there
        error.close()
    except OSError:
        return False
    return True


def asked(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return what the page is to open: what :func:`environment` was given, or nothing."""
    found: dict[str, Any] = json.loads(environ.get(ASKED, "{}"))
    return found
