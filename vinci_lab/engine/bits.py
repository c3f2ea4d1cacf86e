"""Sets of small numbers as the bits of one integer.

A set of provinces, tiles or seats is an ``int64`` whose bit ``p`` is 1 when ``p`` is a member; members run from 0 to 62
so that every set is non-negative. Union is ``|``, intersection ``&``, difference ``a & ~b``.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from vinci_lab.engine.jit import kernel

CAPACITY = 63


def lowest(members: int) -> int:
    """Return the smallest member of a non-empty set."""
    members = int(members)
    return (members & -members).bit_length() - 1


def count(members: int) -> int:
    """Return how many members a set has."""
    return int(members).bit_count()


@intrinsic
def _trailing_zeros(typing_context: Any, members: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic
def _population(typing_context: Any, members: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@overload(lowest, jit_options={"cache": True}, inline="always")
def _lowest_compiled(members: Any) -> Any:
    def implementation(members: Any) -> Any:
        return _trailing_zeros(members)

    return implementation


@overload(count, jit_options={"cache": True}, inline="always")
def _count_compiled(members: Any) -> Any:
    def implementation(members: Any) -> Any:
        return _population(members)

    return implementation


@kernel
def member(number: int) -> int:
    """Return the set that holds one number."""
    return 1 << number


@kernel
def first(number: int) -> int:
    """Return the set of the members below a number; the form does not overflow for 63."""
    return ~(-1 << number)


@kernel
def contains(members: int, number: int) -> bool:
    """Return whether a number is a member of a set."""
    return (members >> number) & 1 == 1


@kernel
def grow(start: int, within: int, neighbours: Any) -> int:
    """Return the members of ``within`` that can be walked to from ``start`` by steps inside ``within``.

    Parameters
    ----------
    start, within : int
        Sets; the walk starts from the members of both.
    neighbours : (n,) int64 array
        ``neighbours[p]`` is the set of places next to ``p``.
    """
    reached = start & within
    edge = reached
    while edge:
        place = lowest(edge)
        edge &= edge - 1
        fresh = neighbours[place] & within & ~reached
        reached |= fresh
        edge |= fresh
    return reached
