"""Execute the notebooks and write them with their outputs: ``python -m tests.notebooks``, or ``make notebooks``.

Each notebook is a Python file with cells, ``notebooks/NAME.py``, beside which stands the executed ``NAME.ipynb``. Edit
the Python file. ``--small`` plays few games, for the tests; ``--out FOLDER`` writes elsewhere.
"""

from __future__ import annotations

import argparse
import base64
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient

from vinci_lab.widgets.still import fewer_colors

FOLDER = Path(__file__).parents[1] / "notebooks"
LARGE = 40_000  # bytes of a picture that is worth making smaller
SMALL = {
    "GAMES": "300",
    "OTHERS": "100",
    "MOST": "300",
    "PYTHON": "4",
    "LADDER": "1",
    "FAST": "200",
    "VALUES": "[100, 120, 140]",
}
ALIVE = "application/vnd.jupyter.widget-view+json"


def sources() -> list[Path]:
    """Return the notebooks as Python files, in their order."""
    return sorted(FOLDER.glob("*.py"))


def read(path: Path) -> Any:
    """Return a notebook without outputs, the same for the same file."""
    notebook = jupytext.read(path, fmt="py:percent")
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def make_small(notebook: Any) -> None:
    """Let a notebook play few games."""
    for cell in notebook.cells:
        if "parameters" in cell.metadata.get("tags", []):
            for name, value in SMALL.items():
                cell.source = re.sub(rf"^{name} = .*$", f"{name} = {value}", cell.source, flags=re.MULTILINE)


def execute(path: Path, is_small: bool = False) -> Any:
    """Return a notebook with its outputs; an exception in a cell is raised."""
    notebook = read(path)
    if is_small:
        make_small(notebook)
    with tempfile.TemporaryDirectory() as folder:
        place = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=900, kernel_name="python3", resources=place).execute()
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [_still(output) for output in cell.outputs if not _is_announcement(output)]
    return notebook


def _is_announcement(output: Any) -> bool:
    """Say whether an output only tells that the rules are compiled for this machine."""
    return output.get("name") == "stderr" and str(output.get("text", "")).startswith("vinci_lab: compiling")


def _still(output: Any) -> Any:
    """Return an output as it is stored: a picture in the place of a widget, and small pictures."""
    data = output.get("data", {})
    if "image/png" in data:
        data.pop(ALIVE, None)
        png = base64.b64decode(data["image/png"])
        if len(png) > LARGE:
            data["image/png"] = base64.b64encode(min(png, fewer_colors(png), key=len)).decode("ascii")
    if output.get("output_type") == "execute_result" and "image/png" in data:
        data["text/plain"] = str(data.get("text/plain", ""))[:200]
    return output


def build(path: Path, folder: Path, is_small: bool) -> str:
    """Execute a notebook, write it, and say how large it is."""
    target = folder / f"{path.stem}.ipynb"
    nbformat.write(execute(path, is_small), target)
    return f"{target}: {target.stat().st_size:,} bytes"


def main() -> None:
    """Execute all notebooks, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="such as 01_tour; all if left out")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--at-once", type=int, default=2)
    asked = parser.parse_args()
    chosen = [path for path in sources() if not asked.names or path.stem in asked.names]
    with ThreadPoolExecutor(asked.at_once) as workers:
        for line in workers.map(lambda path: build(path, asked.out, asked.small), chosen):
            print(line, flush=True)


if __name__ == "__main__":
    main()
