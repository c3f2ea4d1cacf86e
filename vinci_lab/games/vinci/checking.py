"""Vinci: what is wrong with a map or an edition that somebody made, found in a folder."""

from __future__ import annotations

from pathlib import Path

from vinci_lab.datafiles import Problems
from vinci_lab.engine.ruleset import Checked, DataError, Ruleset
from vinci_lab.games.vinci import ruleset
from vinci_lab.games.vinci.geometry import disagreements, read_geometry
from vinci_lab.games.vinci.ruleset_checks import PLAYERS

ORDINARY_PLAYERS = 4


def check_folder(folder: Path) -> list[Checked]:
    """Return what is found in a folder: each map and each edition with all that is wrong about it.

    Parameters
    ----------
    folder : Path
        Laid out like ``data/`` or like ``data/vinci``, a folder of maps, or the folder of one edition.
    """
    if (folder / "vinci").is_dir():
        folder = folder / "vinci"
    editions = [path.parent for path in sorted((*folder.glob("rules.toml"), *folder.glob("*/rules.toml")))]
    named = {path.name.removesuffix("_provinces.csv") for path in _found(folder, "*_provinces.csv")}
    maps = [path for path in _found(folder, "*.toml") if path.name not in ("rules.toml", "agents.toml")]
    orphans = sorted(named - {path.stem for path in maps})
    return [
        *(check_map(path) for path in maps),
        *(
            Checked(name, (f"{name}_provinces.csv: must stand beside {name}.toml, which is missing",))
            for name in orphans
        ),
        *(check_edition(path) for path in editions),
    ]


def _found(folder: Path, pattern: str) -> list[Path]:
    return sorted((*folder.glob(pattern), *folder.glob(f"maps/{pattern}")))


def check_map(path: Path) -> Checked:
    """Check a map by its ``.toml``: its tables with the shipped edition's rules, then its shapes against them."""
    name = f"map {path.stem}"
    try:
        rules = ruleset.load(ORDINARY_PLAYERS, map=str(path.resolve()))
    except DataError as error:
        return Checked(name, error.problems)
    return Checked(name, tuple(_shape_problems(rules)), rules)


def check_edition(folder: Path) -> Checked:
    """Check an edition by its folder, for every number of players, on the map it names."""
    name = f"edition {folder.resolve().name}"
    data = folder.resolve().parent.parent
    root = data if (data / "vinci" / "maps").is_dir() else None
    problems: dict[str, None] = {}
    rules = None
    for players in PLAYERS:
        try:
            loaded = ruleset.load(players, str(folder.resolve()), data=root)
            rules = loaded if players == ORDINARY_PLAYERS else rules
        except DataError as error:
            problems |= dict.fromkeys(error.problems)
    return Checked(name, tuple(problems), None if problems else rules)


def _shape_problems(rules: Ruleset) -> list[str]:
    """Return where the shapes of a map are broken or disagree with its tables; none for a map without shapes."""
    path, problems = Path(rules.sources["shapes"]), Problems()
    if path.is_file():
        geometry = read_geometry(path, path.name, problems)
        for sentence in disagreements(geometry, rules.content["map"]) if geometry else ():
            problems.add_at(path.name, sentence)
    return list(problems.sentences)
