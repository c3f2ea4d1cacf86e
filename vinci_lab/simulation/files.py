"""Writing files whole, one writer at a time, and in words a spreadsheet takes for words."""

from __future__ import annotations

import csv
import io
import os
import re
import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vinci_lab.engine.ruleset import DataError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    import pandas as pd

LOCK_FILE = ".lock"
TEMPORARY = ".{}.part"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four: full-width
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a temporary file beside ``path`` and rename it, so that the name never holds half a file."""
    temporary = path.with_name(TEMPORARY.format(path.name))
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole."""
    write_whole(path, lambda temporary: temporary.write_bytes(content))


class FolderLock:
    """Keeps a second writer out of a folder, for as long as the process lives or until it is released.

    The lock is the operating system's, on the file ``.lock``: a killed process leaves nothing locked. The file stays
    behind, empty.

    Parameters
    ----------
    folder : path
        An existing folder.

    Raises
    ------
    DataError
        If another process, or another call in this one, is writing to the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(self._descriptor)
        except OSError as error:
            holder = os.read(self._descriptor, 200).decode(errors="replace").strip() or "another process"
            os.close(self._descriptor)
            if not isinstance(error, (BlockingIOError, PermissionError)):
                raise  # the file system knows no locks
            raise DataError(
                [f"{folder}: {holder} is writing to this folder; wait until it has finished, or name another folder"]
            ) from None
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode())

    def release(self) -> None:
        """Let others write."""
        try:
            os.ftruncate(self._descriptor, 0)
        finally:
            os.close(self._descriptor)


def _lock(descriptor: int) -> None:
    """Lock an open file or raise ``OSError``, without waiting."""
    if sys.platform == "win32":
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # beyond the text, which others may then read
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def harmless(cell: Any) -> Any:
    """Return a cell of a CSV file that no spreadsheet takes for a formula.

    Text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line break gets an apostrophe in front; numbers, and
    text that is nothing but a number, stay what they are.

    References
    ----------
    OWASP, CSV injection.
    """
    is_risky = isinstance(cell, str) and cell.startswith(FORMULA) and not NUMBER.fullmatch(cell)
    return f"'{cell}" if is_risky else cell


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a CSV file as text, every cell harmless."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([harmless(cell) for cell in header])
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def frame_csv(frame: pd.DataFrame, float_format: str | None = None, header: bool = True) -> str:
    """Return a DataFrame as the text of a CSV file without its index, every cell harmless."""
    import pandas as pd

    safe = frame.rename(columns=harmless)
    for place, dtype in enumerate(frame.dtypes):
        if isinstance(dtype, pd.CategoricalDtype):
            words = [harmless(word) for word in dtype.categories]
            codes = frame.iloc[:, place].cat.codes
            if words != list(dtype.categories):
                safe.isetitem(place, pd.Categorical.from_codes(codes, pd.Index(words)))
        elif not (pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype)):
            safe.isetitem(place, frame.iloc[:, place].map(harmless).array)
    return safe.to_csv(index=False, float_format=float_format, lineterminator="\n", header=header)
