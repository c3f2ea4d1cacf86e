"""The one decorator every compiled function wears, and the folder its machine code is kept in.

Numba's own cache looks only at the file that defines a function, so a kernel would keep its old behaviour after an edit
elsewhere. The folder is therefore named by a hash of all kernel sources: another source, another folder.

Environment
-----------
VINCI_LAB_JIT
    ``0`` runs every kernel as plain Python, slowly and with the same results.
NUMBA_CACHE_DIR
    Where to keep machine code instead of the user's cache folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types

JIT = os.environ.get("VINCI_LAB_JIT", "1") != "0"
KERNEL_SOURCES = (
    "engine/*.py",
    "agents/*.py",
    "games/*/rules.py",
    "games/*/rules_*.py",
    "games/*/heuristics*.py",
    "games/*/measures*.py",
    "simulation/driver.py",
)
FOLDERS_KEPT = 4
PACKAGE = Path(__file__).resolve().parents[1]

Function = TypeVar("Function", bound=Callable[..., Any])


def source_hash() -> str:
    """Return a short hash of every source file that holds kernels."""
    digest = hashlib.blake2b(digest_size=8)
    for pattern in KERNEL_SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _cache_root() -> Path:
    """Return a writable folder for machine code: the asked-for one, the user's cache, or a temporary one."""
    asked = os.environ.get("NUMBA_CACHE_DIR")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for root in (Path(asked) if asked else home / "vinci_lab", Path(tempfile.gettempdir()) / "vinci_lab"):
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(root, os.W_OK):
            return root
    return Path(tempfile.mkdtemp(prefix="vinci_lab_"))


def _age(path: Path) -> float:
    """Return when a folder was last used; 0 if another process has just removed it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _open_cache() -> Path:
    """Choose this version's cache folder, remove the oldest of the others, and tell Numba."""
    root = _cache_root()
    folder = root / f"kernels-{source_hash()}"
    folder.mkdir(exist_ok=True)
    os.utime(folder)
    others = sorted(root.glob("kernels-*"), key=_age, reverse=True)
    for old in others[FOLDERS_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    return folder


CACHE_FOLDER = _open_cache() if JIT else None


def kernel(function: Function | None = None, *, inner: bool = False, wraps_around: bool = False) -> Any:
    """Compile a function with the house settings, or leave it plain Python when the JIT is off.

    Parameters
    ----------
    function : callable
        A function of NumPy records, arrays and numbers.
    inner : bool
        True for kernels that only other kernels call: they get no Python wrapper, which saves compile time. Called from
        Python they would crash.
    wraps_around : bool
        True where unsigned integers overflow on purpose; silences NumPy's warning when the JIT is off.
    """
    if function is None:
        return functools.partial(kernel, inner=inner, wraps_around=wraps_around)
    if JIT:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", no_cpython_wrapper=inner)(function)
        compiled.get_call_template = functools.partial(_template_for_any_value, compiled.get_call_template)
        return compiled
    return _without_overflow_warning(function) if wraps_around else function


def _template_for_any_value(find: Callable[..., Any], arguments: Any, named: Any) -> Any:
    """Look a kernel up by its arguments' types alone; Numba would compile it again for each constant among them."""
    return find([types.unliteral(one) for one in arguments], {key: types.unliteral(one) for key, one in named.items()})


def _without_overflow_warning(function: Function) -> Function:
    @functools.wraps(function)
    def quiet(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return cast(Function, quiet)


@functools.cache
def announce_compilation() -> None:
    """Say once on stderr that the kernels are being compiled, if the cache folder is still empty."""
    if CACHE_FOLDER is not None and not any(CACHE_FOLDER.rglob("*.nbc")):
        print("vinci_lab: compiling the rules for this machine (once, about half a minute)", file=sys.stderr)
