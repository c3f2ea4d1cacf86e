"""Private notebook servers on loopback with settings and runtime files of their own, stopped when a test run ends."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.conftest import ROOT

PATIENCE = 60.0  # seconds a server may take to answer
SETTINGS = {  # no pop-ups, and a kernel without a question
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"autoStartDefaultKernel": True},
}
LAB = (
    "--no-browser",
    "--allow-root",
    "--ServerApp.port_retries=0",
    "--LabApp.expose_app_in_browser=True",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)


def free_port() -> int:
    """Return a port of the loopback interface that nobody listens to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def private_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a server that reads and writes no settings of the person who runs the tests."""
    settings = folder / "config" / "lab" / "user-settings" / "@jupyterlab"
    for name, values in SETTINGS.items():
        path = settings / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "PYTHONPATH": str(ROOT),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_PLATFORM_DIRS": "1",
    }


def answers(url: str) -> bool:
    """Say whether a server answers, with whatever status."""
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except urllib.error.HTTPError as error:
        error.close()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def served(command: Sequence[str], url: str, folder: Path) -> Iterator[None]:
    """Run a server while the block lasts, and wait until it answers."""
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as file:
        server = subprocess.Popen(
            command, cwd=folder, env=private_environment(folder), stdin=subprocess.DEVNULL, stdout=file, stderr=file
        )
    try:
        end = time.monotonic() + PATIENCE
        while not answers(url):
            assert server.poll() is None, f"{command[0]} stopped:\n{log.read_text(encoding='utf-8')}"
            assert time.monotonic() < end, f"{url} does not answer:\n{log.read_text(encoding='utf-8')}"
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@contextlib.contextmanager
def jupyterlab(folder: Path, token: str) -> Iterator[str]:
    """Serve a folder in JupyterLab and yield the address."""
    base = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "jupyterlab", *LAB, "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}"]
    with served(command, f"{base}/api/status?token={token}", folder):
        yield base
