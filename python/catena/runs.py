"""Runs and studies. Everything of a run is in its Solution, as read-only arrays without a copy."""
from __future__ import annotations

import functools
import html
import json
import os
import pathlib
import re
from typing import Any, Iterable, Iterator, Mapping, Sequence

import numpy as np

from . import _core
from .pages import Page, page
from .tables import Table, html_table

_SETTINGS = ("threads", "output", "overwrite", "format", "resume")


class RunError(RuntimeError):
    """A run that ended before its time: .status, .time [s], .culprit (name, quantity, value, why), .solution up to there."""

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution.message)
        self.solution = solution
        self.status: str = solution.status
        self.time: float = solution.t_end
        self.culprit: dict[str, Any] = solution.culprit


def _plain(item: str) -> str:
    """hip, of 'joint "hip" (revolute) on link'."""
    found = re.search(r'"(.*)"', item)
    return found.group(1) if found else item


class Item:
    """What was recorded of one body, joint or force: .position, .angle, .force, ...: arrays, the instants first."""

    def __init__(self, name: str, values: dict[str, Any]) -> None:
        self._name = name
        self._values = values

    def __getattr__(self, quantity: str) -> Any:
        if quantity.startswith("__"):
            raise AttributeError(quantity)
        try:
            return self._values[quantity]
        except KeyError:
            hint = _core.nearest_hint(quantity, list(self._values), 3)
            raise AttributeError(f'nothing was recorded as "{quantity}" of "{self._name}"; there are '
                                 f"{', '.join(self._values) or 'none'} {hint}".rstrip()) from None

    def __getitem__(self, quantity: str) -> Any:
        return getattr(self, quantity)

    def __dir__(self) -> list[str]:
        return list(self._values)

    def __repr__(self) -> str:
        return f'<"{self._name}": {", ".join(self._values)}>'


class Items(Mapping[str, Item]):
    """Items by name."""

    def __init__(self, kind: str, items: dict[str, Item]) -> None:
        self._kind = kind
        self._items = items

    def __getitem__(self, name: str) -> Item:
        name = getattr(name, "_catena_name", name)
        try:
            return self._items[name]
        except KeyError:
            hint = _core.nearest_hint(name, list(self._items)[:10000], 3)
            raise KeyError(f'there is no {self._kind} "{name}" {hint}'.rstrip()) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<{len(self)} of kind {self._kind}>"


class Solution:
    """What a run gives. t [s]; q, v, a, lambda_: instants x numbers; bodies["link 3"].position; sol["hip"].angle, .force.

    sol["energy/total"] is any quantity by its name, sol.units its unit, sol.frames its frame. All arrays are views on the
    numbers of the run: read-only, and alive as long as they are used. force and torque of a joint are those on the body that
    sol.reaction_on["hip"] names: the second one, where it moves.
    """

    def __init__(self, record: Any) -> None:
        self.record = record
        self.quantities: dict[str, Any] = {}
        self.units: dict[str, str] = {}
        self.frames: dict[str, str] = {}
        self.meanings: dict[str, str] = {}
        self.items: dict[str, list[str]] = {}
        self._components: dict[str, list[str]] = {}
        self.reaction_on: dict[str, str] = {}
        for q in record.quantities:
            name, values = q["name"], q["values"]
            self.units[name], self.frames[name], self.meanings[name] = q["unit"], q["frame"], q["meaning"]
            self.items[name], self._components[name] = q["items"], q["components"]
            if not q["components"]:
                values = values[:, :, 0]
            self.quantities[name] = values if q["items"] else values[:, 0]
        self._lookup: tuple[Items, Items] | None = None

    def _find(self) -> tuple[Items, Items]:
        if self._lookup is None:
            bodies: dict[str, dict[str, Any]] = {}
            others: dict[str, dict[str, Any]] = {}
            for name, items in self.items.items():
                group, _, member = name.partition("/")
                for k, item in enumerate(items if member else []):
                    to = bodies if group == "bodies" else others
                    values = self.quantities[name][:, k]
                    if group == "reactions":
                        self.reaction_on[_plain(item)] = item.rpartition(" on ")[2]
                    to.setdefault(_plain(item), {})[member] = values
            self._lookup = (Items("body", {n: Item(n, v) for n, v in bodies.items()}),
                            Items("joint or force", {n: Item(n, v) for n, v in others.items()}))
        return self._lookup

    @property
    def bodies(self) -> Items:
        """Bodies that move, by name: position [m], orientation, velocity [m/s], angular_velocity [rad/s]."""
        return self._find()[0]

    @property
    def joints(self) -> Items:
        """Joints and forces by name: angle [rad], displacement [m], force [N], torque [N m], work [J], ..."""
        return self._find()[1]

    def __getitem__(self, name: Any) -> Any:
        name = getattr(name, "_catena_name", name)
        if name in self.quantities:
            return self.quantities[name]
        bodies, joints = self._find()
        for items in (joints, bodies):
            if name in items:
                return items[name]
        known = [*self.quantities, *list(joints)[:10000], *list(bodies)[:10000]]
        raise KeyError(f'there is no "{name}" in this solution {_core.nearest_hint(name, known, 3)}'.rstrip())

    t = property(lambda self: self.quantities["time"], doc="Instants [s].")
    q = property(lambda self: self.quantities["q"], doc="Coordinates, instants x numbers.")
    v = property(lambda self: self.quantities["v"], doc="Velocities, instants x numbers.")
    a = property(lambda self: self.quantities["a"], doc="Accelerations, instants x numbers.")
    lambda_ = property(lambda self: self.quantities["lambda"], doc="Multipliers, instants x rows.")
    status = property(lambda self: self.record.status)
    ok = property(lambda self: self.record.status in ("ok", "event") and not self.facts["error"])
    message = property(lambda self: self.facts["error"] or self.facts["termination"])
    verdict = property(lambda self: self.facts["verdict"], doc='"ok", "remarks" or "failed".')
    remarks = property(lambda self: self.facts["remarks"], doc="What is to be said against the result.")
    events = property(lambda self: self.record.events)
    culprit = property(lambda self: self.record.culprit)
    t_end = property(lambda self: self.record.t_end, doc="Of the last state [s].")
    state = property(lambda self: self.record.state, doc="The last state accepted.")
    scenario = property(lambda self: self.record.scenario, doc="Completed: with everything that was left empty.")
    key = property(lambda self: self.record.key)

    @functools.cached_property
    def facts(self) -> dict[str, Any]:
        """The report as the program writes it (docs/reference/command_line.md lists the keys)."""
        facts: dict[str, Any] = json.loads(self.record.json())
        return facts

    def report(self) -> str:
        """What the program prints after a run."""
        text: str = self.record.text()
        return text

    def columns(self) -> dict[str, Any]:
        """Every number over time: {"bodies/position x of link 3": array}."""
        out: dict[str, Any] = {}
        for name, values in self.quantities.items():
            items, components = self.items[name], self._components[name]
            flat = values.reshape(len(values), -1) if values.ndim > 1 else values[:, None]
            titles = [f"{name}{' ' + c if c else ''}{' of ' + i if i else ''}" for i in items or [""]
                      for c in components or [""]]
            out.update(zip(titles, flat.T))
        return out

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the time as its index; attrs["units"] are the units of the quantities."""
        import pandas

        columns = self.columns()
        frame = pandas.DataFrame(columns, index=pandas.Index(columns.pop("time"), name="time [s]"))
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_xarray(self) -> Any:
        """An xarray.Dataset with the dimensions time, item and component of each quantity, and units as attributes."""
        import xarray

        out = {}
        for name, values in self.quantities.items():
            if name == "time":
                continue
            dims, coordinates = ["time"], {}
            for kind, labels in (("item", self.items[name]), ("component", self._components[name])):
                if labels:
                    dims.append(f"{name} {kind}")
                    coordinates[f"{name} {kind}"] = labels
            attributes = {"units": self.units[name], "frame": self.frames[name], "long_name": self.meanings[name]}
            out[name] = xarray.DataArray(values, dims=dims, coords=coordinates, attrs=attributes)
        return xarray.Dataset(out, coords={"time": ("time", self.t, {"units": "s"})})

    def show(self, height: int = 720) -> Page:
        """The report with the motion, as `catena report` makes it, in a frame of a notebook.

        It shows the instants of this run; the motion needs the coordinates, which record="standard" has.
        """
        return page(self.record, pathlib.Path(self.scenario.problem or "model").stem, height)

    def __repr__(self) -> str:
        return f"<catena.Solution: {self.message}; {len(self.t)} instants of {len(self.bodies)} bodies>"

    def _repr_html_(self) -> str:
        rows = [(name, self.units[name], "x".join(map(str, values.shape)), self.meanings[name])
                for name, values in self.quantities.items()]
        remarks = "".join(f"<li>{html.escape(r['text'])}</li>" for r in self.remarks)
        return (f"<b>catena.Solution</b>: {html.escape(self.message)}" + (f"<ul>{remarks}</ul>" if remarks else "")
                + html_table(["quantity", "unit", "shape", "meaning"], rows))


def show(what: Any, height: int = 720, **members: Any) -> Page:
    """A Model, problem or model file at its start, as `catena view` shows it: bodies, joint frames."""
    scenario = _scenario(what, members)
    return page(scenario, scenario.problem or "model", height)


def _scenario(what: Any, members: dict[str, Any]) -> Any:
    if isinstance(what, _core.Scenario):
        if members:
            raise _core.UsageError("a Scenario says all that is run: make another one to change it")
        return what
    if isinstance(what, _core.Model):
        return _core.Scenario(model=what, **members)
    return _core.Scenario(problem=os.fspath(what), **members)


def run(what: Any, *, events: Iterable[Any] = (), controllers: Iterable[Any] = (), check: bool = True,
        **members: Any) -> Solution:
    """Runs a Model, a problem or model file by name, or a Scenario, with the interpreter unlocked; Ctrl-C ends it.

    stepper, step [s], end [s], tolerance, every (K-th step), record ("energy,reactions:hip"), backend, seed and set, a dict of
    parameters of a problem, are members of the Scenario; threads, output (a folder), overwrite, format and resume say where it is
    computed; every other keyword is an option of the stepper (catena.help_on("generalized_alpha")). A wrong one is answered with
    the right names (UsageError). Raises RunError with status, time and culprit where the run fails, unless check=False.
    """
    settings = {name: members.pop(name) for name in _SETTINGS if members.get(name) is not None}
    solution = Solution(_core.run(_scenario(what, members), settings, list(events), list(controllers)))
    if check and not solution.ok:
        raise RunError(solution)
    return solution


def ensemble(scenarios: Iterable[Any], *, threads: int = 0, threads_of_row: int = 1,
             row_seconds: float = 0.0) -> list[Solution]:
    """Runs many Scenarios on all threads (threads=0), with the interpreter unlocked; a row that fails is a row.

    Each row has the bits that run() gives alone. Own elements and quantities of Python take the lock: their rows wait in turn.
    """
    records = _core.ensemble(list(scenarios), threads, threads_of_row, row_seconds)
    return [Solution(record) for record in records]


def sweep(what: Any, vary: str | Sequence[str], keep: str | Sequence[str] = (), *, samples: int = 0,
          sampling: str = "random", sample_seed: int = 0, folder: str | os.PathLike[str] = "", threads: int = 0,
          shard: int = 1, shards: int = 1, **members: Any) -> Table:
    """A table of runs that differ in what varies: sweep("helix_chain", "n=5,10,20", "max energy/kinetic", end=0.1).

    vary and keep as `catena sweep --vary`, `--keep` (docs/howto/run_a_sweep.md): lists, ranges, distributions; reductions over
    time. With a folder, a killed sweep continues, and shards of several processes, of concurrent.futures or Dask, work on one
    table; without, it stays in memory. .attrs has the numbers of rows, ok and failed; a row that fails does not touch others.
    """
    texts = [[x] if isinstance(x, str) else list(x) for x in (vary, keep)]
    out = _core.sweep(_scenario(what, members), texts[0], texts[1], samples, sampling, sample_seed, os.fspath(folder),
                      threads, shard, shards)
    table = Table.from_csv(out.pop("csv"))
    series = out.pop("series")
    table.attrs = out
    table.series = Table.from_csv(series) if series else None
    return table


def compare(problems: str | Sequence[str], steppers: str | Sequence[str] = (), *, steps: Sequence[float] = (),
            tolerances: Sequence[float] = (), end: float | None = None, repeat: int = 1,
            set: Mapping[str, Any] | None = None) -> Table:
    """Errors and costs of methods on problems, a row a run: compare("heavy_top", ["generalized_alpha:rho_inf=0.5", "ida"]).

    Errors are distances from an exact solution or from two others, nan where there is none: docs/reference/compare.md has the
    columns.
    """
    names = [[x] if isinstance(x, str) else list(x) for x in (problems, steppers)]
    return Table.from_csv(_core.compare(names[0], dict(set or {}), names[1], list(steps), list(tolerances), end, repeat))


def audit(stepper: str, problem: str = "", **options: Any) -> Table:
    """Holds a stepper to its promises: is my integrator of order 2? audit("mine")["ok"].all().

    One row a check, with what was measured and the bound. problem: one of the audit's cases; all of them take minutes.
    """
    out = _core.audit(stepper, {name: str(value) for name, value in options.items()}, problem)
    table = Table.from_rows(out["checks"])
    table.attrs = {"text": out["text"], "pairs": out["pairs"]}
    return table
