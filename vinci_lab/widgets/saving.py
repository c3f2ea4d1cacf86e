"""Rows as files: written to a folder, and as a link for those whose browser is not on the machine with the folder."""

from __future__ import annotations

import base64
import html
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from vinci_lab.simulation.files import frame_csv, write_bytes

LARGEST_LINK = 3_000_000  # bytes a link may hold
KINDS = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


def packed(frame: pd.DataFrame, kind: str, about: Mapping[str, Any]) -> bytes:
    """Return rows as the content of a file.

    Parameters
    ----------
    frame : DataFrame
        Rows.
    kind : {"csv", "parquet"}
        Of file. In CSV no cell is taken for a formula by a spreadsheet.
    about : mapping
        Where the rows come from; kept in the metadata of Parquet as ``vinci_lab``.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if kind not in KINDS:
        raise ValueError(f"kind: must be one of {', '.join(KINDS)}, got {kind!r}")
    if kind == "csv":
        return frame_csv(frame).encode()
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), b"vinci_lab": json.dumps(about).encode()})
    written = io.BytesIO()
    pyarrow.parquet.write_table(table, written, compression="zstd")
    return written.getvalue()


def save_rows(frame: pd.DataFrame, folder: Path, name: str, kind: str, about: Mapping[str, Any]) -> tuple[Path, str]:
    """Write rows to a file, whole or not at all.

    Returns
    -------
    path : Path
        The file ``folder/name.kind``, which is replaced.
    link : str
        HTML that offers the same content from the browser, without any server; empty if it is too large.
    """
    content = packed(frame, kind, about)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.{kind}"
    write_bytes(path, content)
    if len(content) > LARGEST_LINK:
        return path, ""
    data = base64.b64encode(content).decode("ascii")
    shown = html.escape(path.name, quote=True)
    return path, f'<a download="{shown}" href="data:{KINDS[kind]};base64,{data}">download {shown}</a>'
