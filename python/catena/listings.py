"""What there is to build and run with. Everything comes from the listings of the C++ types, with units and ranges."""
from __future__ import annotations

import textwrap
from typing import Any

from . import _core
from .tables import nearest

Listing = dict[str, Any]


def _by_name(rows: list[Listing]) -> dict[str, Listing]:
    return {row["name"]: row for row in rows}


def joints() -> dict[str, Listing]:
    """Joints and other constraints by name, each with its members."""
    return _by_name(_core.joints())


def forces() -> dict[str, Listing]:
    """Forces by name, each with its members."""
    return _by_name(_core.forces())


def functions() -> dict[str, Listing]:
    """Functions of one number by name: drives take them as {"type": "sine", "amplitude": 1.0, ...}."""
    return _by_name(_core.functions())


def steppers() -> dict[str, Listing]:
    """Steppers by name, each with its options."""
    return _by_name(_core.steppers())


def problems() -> dict[str, Listing]:
    """Problems by name, each with its parameters."""
    return _by_name(_core.problems())


def quantities() -> dict[str, Listing]:
    """What can be recorded, by name, with unit, frame and shape."""
    return _by_name(_core.quantities())


def member_lines(rows: list[Listing]) -> list[str]:
    """A line a member: name, unit, default, range and meaning."""
    lines = []
    for row in rows:
        unit = f" [{row['unit']}]" if row["unit"] not in ("", "1") else ""
        default = "" if row["default"] in ("", None) else f", default {row['default']}"
        lines += textwrap.wrap(f"{row['name']}{unit}: {row['meaning']} ({row['range']}{default})", 110,
                               subsequent_indent="    ")
    return lines


def help_on(name: str) -> str:
    """What a joint, force, function, stepper or problem of that name takes, as text."""
    for kind, listing in (("joint", joints), ("force", forces), ("function", functions), ("stepper", steppers),
                          ("problem", problems)):
        row = listing().get(name)
        if row is None:
            continue
        members = row.get("members", row.get("options", row.get("parameters", [])))
        return "\n".join([f"{kind} {name}: {row['summary']}", *("  " + line for line in member_lines(members))])
    known = [*joints(), *forces(), *functions(), *steppers(), *problems()]
    hint = nearest(name, known) or "; joints(), forces(), functions(), steppers() and problems() list what there is"
    raise _core.UsageError(f'there is no "{name}"{hint}')
