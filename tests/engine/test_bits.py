from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vinci_lab.engine import bits
from vinci_lab.engine.jit import kernel

places = st.integers(0, bits.CAPACITY - 1)
sets = st.frozensets(places)
no_deadline = settings(deadline=None)  # the first example may compile


def as_bits(members: Any) -> int:
    return sum(1 << place for place in members)


def as_set(number: int) -> frozenset[int]:
    return frozenset(place for place in range(bits.CAPACITY) if number >> place & 1)


@kernel
def lowest_compiled(members: int) -> int:
    return bits.lowest(members)


@kernel
def count_compiled(members: int) -> int:
    return bits.count(members)


@no_deadline
@given(sets.filter(bool))
def test_lowest_is_the_smallest_member_compiled_or_not(members: frozenset[int]) -> None:
    assert bits.lowest(as_bits(members)) == lowest_compiled(as_bits(members)) == min(members)


@no_deadline
@given(sets)
def test_count_is_the_number_of_members_compiled_or_not(members: frozenset[int]) -> None:
    assert bits.count(as_bits(members)) == count_compiled(as_bits(members)) == len(members)


@no_deadline
@given(sets, places)
def test_a_member_is_contained_and_nothing_else_is(members: frozenset[int], place: int) -> None:
    assert bits.contains(as_bits(members), place) == (place in members)
    assert as_set(bits.member(place)) == {place}


@no_deadline
@given(sets, sets)
def test_operators_are_union_intersection_and_difference(first: frozenset[int], second: frozenset[int]) -> None:
    one, two = as_bits(first), as_bits(second)
    assert as_set(one | two) == first | second
    assert as_set(one & two) == first & second
    assert as_set(one & ~two) == first - second


@pytest.mark.parametrize("place", [0, 31, 32, 61, 62])
def test_the_largest_places_stay_non_negative(place: int) -> None:
    assert bits.member(place) == 1 << place
    assert lowest_compiled(bits.member(place)) == place


def walked(start: frozenset[int], within: frozenset[int], steps: set[tuple[int, int]]) -> set[int]:
    reached = set(start & within)
    while fresh := {b for a, b in steps if a in reached and b in within} - reached:
        reached |= fresh
    return reached


@no_deadline
@given(sets, sets, st.sets(st.tuples(places, places), max_size=200))
def test_grow_reaches_what_a_walk_inside_the_set_reaches(
    start: frozenset[int], within: frozenset[int], steps: set[tuple[int, int]]
) -> None:
    neighbours = np.zeros(bits.CAPACITY, np.int64)
    for first, second in steps:
        neighbours[first] |= 1 << second
    reached = bits.grow(as_bits(start), as_bits(within), neighbours)
    assert as_set(int(reached)) == walked(start, within, steps)
