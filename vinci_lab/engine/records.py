"""Records that all games share: the events an action causes, a plan, and a list of candidate plans.

A record is one element of a structured NumPy array with ``np.record`` scalars, so that ``record.field`` works compiled
and in plain Python alike. The first field names the layout; compiled code tells records apart by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from vinci_lab.engine.jit import kernel

EVENT_CAPACITY = 192
EVENT_WIDTH = 20
PLAN_CAPACITY = 160
PLANS = 24
FORBIDDEN_FIELDS = frozenset(name for name in dir(np.recarray) if not name.startswith("_"))

EVENTS = np.dtype(
    [
        ("events", np.int64),
        ("is_on", np.int64),  # 0 writes nothing, which is faster
        ("length", np.int64),  # rows written; may pass the capacity, which callers must treat as an error
        ("rows", np.int64, (EVENT_CAPACITY, EVENT_WIDTH)),  # kind, then the fields of that kind
    ]
)
PLAN = np.dtype([("plan", np.int64), ("length", np.int64), ("actions", np.int64, (PLAN_CAPACITY,))])
PLAN_LIST = np.dtype(
    [
        ("plan_list", np.int64),
        ("length", np.int64),
        ("lengths", np.int64, (PLANS,)),
        ("values", np.float64, (PLANS,)),
        ("actions", np.int64, (PLANS, PLAN_CAPACITY)),
    ]
)


def policy_layout(tag: str, names: Sequence[str], estimates: tuple[int, int] = (1, 1)) -> np.dtype[Any]:
    """Return the layout of a fast policy: a float64 field per parameter, and room for what it works out beforehand."""
    return np.dtype(
        [
            (f"{tag}_policy", np.int64),
            *((name, np.float64) for name in names),
            ("estimates", np.float64, estimates),
        ]
    )


def mask_layout(tag: str, actions: int) -> np.dtype[Any]:
    """Return the layout of a record that holds one mask of actions."""
    return np.dtype([(f"{tag}_mask", np.int64), ("allowed", np.uint8, (actions,))])


def as_records(layout: np.dtype[Any]) -> np.dtype[Any]:
    """Return a layout whose scalars have attributes, for ``np.zeros`` inside a kernel."""
    return np.dtype((np.record, layout))


def new_records(layout: np.dtype[Any], number: int) -> Any:
    """Return ``number`` zeroed records of a layout, with attribute access to their fields."""
    return np.zeros(number, layout).view(np.recarray)


def new_record(layout: np.dtype[Any]) -> Any:
    """Return one zeroed record of a layout."""
    return new_records(layout, 1)[0]


def copy_record(record: Any) -> Any:
    """Return an independent copy of a record."""
    copies = new_records(record.dtype, 1)
    copies[0] = record
    return copies[0]


def copy_into(source: Any, target: Any) -> None:
    """Overwrite a record with another of the same layout."""
    for name in source.dtype.names:
        target[name] = source[name]


@intrinsic
def _copy_bytes(typing_context: Any, source: Any, target: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cgutils.raw_memcpy(builder, arguments[1], arguments[0], context.get_constant(types.intp, source.size), 1)
        return context.get_dummy_value()

    return types.void(source, target), generate


@overload(copy_into, jit_options={"cache": True}, inline="always")
def _copy_into_compiled(source: Any, target: Any) -> Any:
    if source != target:
        return None

    def implementation(source: Any, target: Any) -> Any:
        return _copy_bytes(source, target)

    return implementation


def check_layout(layout: np.dtype[Any]) -> None:
    """Raise ``ValueError`` when a field name would hide an attribute of NumPy's arrays."""
    clashes = sorted(set(layout.names or ()) & FORBIDDEN_FIELDS)
    if clashes:
        raise ValueError(
            f"layout {(layout.names or ('?',))[0]}: fields {', '.join(clashes)} are names of ndarray methods"
        )


@kernel
def add_to_plan(plan: Any, action: int) -> None:
    """Append an action to a plan; a full plan is left as it is, and goes on in the next call."""
    if plan.length < PLAN_CAPACITY:
        plan.actions[plan.length] = action
        plan.length += 1


@kernel(inner=True)
def emit(events: Any, kind: int, values: tuple[int, ...]) -> None:
    """Append an event: its kind, then the values of its fields. Writes nothing unless events are on."""
    if events.is_on:
        if events.length < EVENT_CAPACITY:
            events.rows[events.length, 0] = kind
            for place in range(len(values)):
                events.rows[events.length, 1 + place] = values[place]
        events.length += 1
