"""Running the command line in a process of its own, and killing it in the middle."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import ROOT

PROGRAM = (  # a process that was started in the background may have been told to ignore Ctrl-C
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from vinci_lab.cli import main; main()"
)


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-c", PROGRAM, *map(str, arguments)]


def start(*arguments: object, **more: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    return subprocess.Popen(
        command(*arguments), cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(*arguments: object, code: int = 0, **more: str) -> tuple[str, str]:
    """Run to the end and return what was printed."""
    process = start(*arguments, **more)
    out, err = process.communicate()
    assert process.returncode == code, (process.returncode, out, err)
    return out, err


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def wait_for_blocks(process: subprocess.Popen[str], folder: Path, number: int = 1) -> None:
    """Wait until some blocks are finished, or the process is."""
    while process.poll() is None and len(list((folder / "places").glob("part-*.parquet"))) < number:
        time.sleep(0.005)


def kill_and_resume(folder: Path, arguments: Sequence[object], kills: int, seed: int) -> tuple[int, int]:
    """Kill runs at random moments after their first file, go on each time, and finish.

    Returns how many were killed in the middle of the games, and how many temporary or orphaned files that left behind.
    """
    source, hit, torn = random.Random(seed), 0, 0
    for _ in range(kills):
        before = len(list((folder / "places").glob("part-*.parquet")))
        process = start(*arguments, "--out", folder)
        wait_for_blocks(process, folder, before + 1)
        time.sleep(source.random() * 0.15)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        hit += process.returncode == -signal.SIGKILL and b'"digest": null' in (folder / "run.json").read_bytes()
        done = {path.name for path in (folder / "places").glob("part-*.parquet")}
        torn += sum(path.name.startswith(".") for path in folder.glob("*/.*"))
        torn += sum(path.name not in done for path in folder.glob("turns/part-*"))
    finish(*arguments, "--out", folder)
    return hit, torn
