"""Vinci: the small vocabulary the models of the data are written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model

PLAIN = ConfigDict(strict=True, extra="forbid", frozen=True)


def model(name: str, kind: type, fields: Mapping[str, Any]) -> type[BaseModel]:
    """Return a model of some fields of one type."""
    definitions: dict[str, Any] = {field: (kind, allowed) for field, allowed in fields.items()}
    return create_model(name, __config__=PLAIN, **definitions)


def whole(lowest: int, highest: int) -> Any:
    """Return a field for whole numbers of a range."""
    return Field(ge=lowest, le=highest, description=f"a whole number from {lowest} to {highest}")


def one_of(words: Sequence[str]) -> Any:
    """Return a field for one of some words."""
    return Field(pattern=f"^({'|'.join(words)})$", description=f"one of {', '.join(words)}")


def text(longest: int) -> Any:
    """Return a field for one printable line."""
    return Field(
        min_length=1, max_length=longest, pattern=r"^\P{C}*$", description=f"1 to {longest} printable characters"
    )


def paragraph(longest: int) -> Any:
    """Return a field for some printable lines, perhaps none."""
    return Field(max_length=longest, pattern=r"^(\P{C}|\n)*$", description=f"up to {longest} printable characters")


def switch() -> Any:
    """Return a field for a truth value."""
    return Field(description="yes or no (true or false in TOML)")
