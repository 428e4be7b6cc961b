"""Runs and studies. Everything of a run is in its Solution, as read-only arrays without a copy."""
from __future__ import annotations

import functools
import html
import json
import os
import pathlib
import pickle
import re
from typing import Any, Iterable, Iterator, Mapping, Sequence

import numpy as np

from . import _core
from .keywords import check_threads, in_python, problem_of, scenario_of
from .pages import Page, page
from .parts import check_forces, taking_part
from .tables import Table, html_table, nearest, numbers_or_texts

_SETTINGS: dict[str, Any] = {"threads": None, "output": "", "overwrite": False, "format": "", "resume": False}


class RunError(RuntimeError):
    """A run that ended before its time: .status, .time [s], .culprit (name, quantity, value, why), .solution up to there."""

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution.message)
        self.solution = solution
        self.status: str = solution.status
        self.time: float = solution.t_end
        self.culprit: dict[str, Any] = solution.culprit

    def __reduce__(self) -> Any:
        return RunError, (self.solution,)


class KeptRecord:
    """A record of a run as Python keeps it in another process or file: numbers and report, and the page that was kept."""

    def __init__(self, record: Any, card: tuple[str, str] | None) -> None:
        self.quantities = [{**q, "values": np.array(q["values"])} for q in record.quantities]
        for name in ("state", "key", "status", "t_end", "culprit", "events", "python_calls", "python_seconds"):
            setattr(self, name, getattr(record, name))
        self._text, self._json = record.text(), record.json()
        self._card = card
        try:
            self._scenario: bytes | str = pickle.dumps(record.scenario)
        except Exception as error:  # elements of one's own, which no file can hold
            self._scenario = str(error)

    @property
    def scenario(self) -> Any:
        if isinstance(self._scenario, str):
            raise _core.UsageError(f"the scenario did not come with this solution from another process or file: {self._scenario}")
        return pickle.loads(self._scenario)

    def card(self) -> tuple[str, str]:
        if self._card is None:
            raise _core.UsageError("this solution came from another process or file without its page: call sol.keep_page() where "
                                   "it is run, before it is pickled, or return sol.show() from there")
        return self._card

    def text(self) -> str:
        return str(self._text)

    def json(self) -> str:
        return str(self._json)


class Unbegun:
    """What there is to say of a run whose set-up ended with an exception of code of one's own."""

    quantities: list[Any] = []
    events: list[Any] = []
    state = None
    key, status = "", "exception"
    t_end, python_calls, python_seconds = 0.0, 0, 0.0

    def __init__(self, text: str, scenario: Any) -> None:
        self.scenario = scenario
        name, _, why = text.rpartition(" threw an exception: ")
        self.culprit = {"name": name, "quantity": "exception", "value": None, "why": why}
        self.message = f"exception in the set-up: {name}{': ' if name else ''}{why}"

    def text(self) -> str:
        return self.message + "\n"

    def json(self) -> str:
        return json.dumps({"problem": self.scenario.problem, "stepper": self.scenario.stepper, "verdict": "failed", "error": "",
                           "termination": self.message, "remarks": [], "culprit": self.culprit, "worst": {}, "bodies": 0, "steps": 0,
                           "time": 0.0, "energy_error_is_absolute": False, "wall_time_s": 0.0})


_ITEM = re.compile(r'\S+ "(.*?)" \([^()]*\)(?: on (.*)|,.*)?', re.DOTALL)


def _plain(item: str) -> str:
    """hip, of 'joint "hip" (revolute) on link'. Names may hold quotation marks."""
    found = _ITEM.fullmatch(item) or re.search(r'"(.*)"', item)
    return found.group(1) if found else item


def _body_of(item: str) -> str:
    """link, of the same."""
    found = _ITEM.fullmatch(item)
    return found.group(2) or "" if found else item.rpartition(" on ")[2]


_ALONG_AXIS = ("angle", "angle_rate", "displacement", "displacement_rate")


@functools.cache
def _without_axis() -> tuple[str, ...]:
    """How items of joints end that have markers, and no axis that a turn could be about."""
    return tuple(f"({row['name']})" for row in _core.joints()
                 if row["markers"] and not any(m["name"] == "axis_a" for m in row["members"]))


class Item:
    """What was recorded of one body, joint or force: .position, .angle, .force, ...: arrays, the instants first."""

    def __init__(self, name: str, values: dict[str, Any], lacks: str = "") -> None:
        self._name = name
        self._values = values
        self._lacks = lacks

    def __getattr__(self, quantity: str) -> Any:
        if quantity.startswith("__"):
            raise AttributeError(quantity)
        try:
            return self._values[quantity]
        except KeyError:
            lacks = self._lacks if quantity in _ALONG_AXIS else ""
            lacks = lacks or f'nothing was recorded as "{quantity}" of "{self._name}"'
            raise AttributeError(f"{lacks}; there are {', '.join(self._values) or 'none'}{nearest(quantity, self._values)}") from None

    def __getitem__(self, quantity: str) -> Any:
        return getattr(self, quantity)

    def __dir__(self) -> list[str]:
        return list(self._values)

    def __repr__(self) -> str:
        return f'<"{self._name}": {", ".join(self._values)}>'


def _like(name: Any, known: Sequence[str]) -> str:
    """Names like one that is missing, or the first of those that there are."""
    most = 20
    more = f" and {len(known) - most} more" if len(known) > most else ""
    return nearest(str(name), known[:10000]) or f"; there are {', '.join(known[:most]) or 'none'}{more}"


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
            if not self._items:
                raise KeyError(f'there is no {self._kind} "{name}": nothing was recorded of any, which record="standard,joints" does '
                               "where a run gets beyond its start") from None
            raise KeyError(f'there is no {self._kind} "{name}"{_like(name, list(self._items))}') from None

    def __contains__(self, name: object) -> bool:
        return getattr(name, "_catena_name", name) in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<{len(self)} of kind {self._kind}>"


def _figure(value: float | None, digits: int) -> str:
    """For people; None, as JSON has what is no number, is such."""
    return "not a number" if value is None else f"{value:.{digits}g}"


class Report(str):
    """What the program prints after a run; a notebook shows how it ended, what is to be said against it, and its figures."""

    facts: dict[str, Any]

    def __new__(cls, text: str, facts: Mapping[str, Any] | None = None) -> Report:
        made = super().__new__(cls, text)
        made.facts = dict(facts or {})
        return made

    def _repr_html_(self) -> str:
        facts, culprit = self.facts, self.facts["culprit"]
        said = [f"{r['key']}: {r['text']}" for r in facts["remarks"]]
        if culprit["name"]:
            value = "" if culprit["value"] is None else f" {culprit['value']:.4g}"
            said.insert(0, f"{culprit['name']}: {culprit['quantity']}{value}")
        absolute = " [J]" if facts["energy_error_is_absolute"] else ", relative"
        figures = [("time reached [s]", "time"), ("end asked for [s]", "end"), ("steps", "steps"),
                   ("repeated steps", "rejected_steps"), ("step [s]", "step"), ("smallest step [s]", "smallest_step"),
                   ("largest energy error" + absolute, "energy_error_max"),
                   ("largest position residual", "position_residual_max"),
                   ("largest velocity residual", "velocity_residual_max"),
                   ("largest acceleration residual", "acceleration_residual_max"), ("bodies", "bodies"),
                   ("constraint rows", "constraint_rows"), ("Newton iterations a step", "newton_iterations_per_step"),
                   ("factorizations", "factorizations"), ("wall time [s]", "wall_time_s")]
        facts |= {f"python_{name}": value for name, value in facts.get("python", {}).items()}
        figures += [("calls of own code in Python", "python_calls"), ("time in them [s]", "python_seconds")]
        rows = [(name, _figure(facts[key], 6)) for name, key in figures if key in facts]
        worst = [(f"worst {name}", f"{_figure(w['value'], 3)} at {_figure(w['time'], 6)} s, {w['constraint']}")
                 for name, w in facts["worst"].items() if w["constraint"]]
        return "".join([
            f"<b>{html.escape(facts['problem'] or 'a model')}, {html.escape(facts['stepper'])}: "
            f"{html.escape(facts['verdict'])}</b><p>{html.escape(facts['error'] or facts['termination'])}</p>",
            "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in said) + "</ul>" if said else "",
            html_table(["figure", "value"], rows + worst) if facts["bodies"] else "",
            f"<details><summary>Everything</summary><pre>{html.escape(self)}</pre></details>"])


class Solution:
    """What a run gives. t [s]; q, v, a, lambda_: instants x numbers; bodies["link 3"].position; sol["hip"].angle, .force.

    sol["energy/total"] is any quantity by its name, sol.units its unit, sol.frames its frame. A name that several have is refused:
    sol.bodies["link"], sol.joints["link"], sol.quantities["link"] say which, and sol[link] does. All arrays are views on the
    numbers of the run: read-only, and alive as long as they are used. It pickles. force and torque of a joint are those on the body that
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
        self._of: dict[str, str] = {}
        for q in record.quantities:
            name, values = q["name"], q["values"]
            self.units[name], self.frames[name], self.meanings[name] = q["unit"], q["frame"], q["meaning"]
            self.items[name], self._components[name], self._of[name] = q["items"], q["components"], q["of"]
            values.flags.writeable = False
            if not q["components"]:
                values = values[:, :, 0]
            self.quantities[name] = values if q["items"] else values[:, 0]
        self._lookup: tuple[Items, Items] | None = None
        self._card: tuple[str, str] | None = None

    def __reduce__(self) -> Any:
        return Solution, (self.record if isinstance(self.record, KeptRecord) else KeptRecord(self.record, self._card),)

    def keep_page(self) -> Solution:
        """Makes the data of the page now, so that show() works in another process too; returns this solution.

        Without it a pickle has numbers and report: the data of a page take longer to make than the rest of it.
        """
        if self._card is None:
            self._card = self.record.card() if isinstance(self.record, KeptRecord) else _core.page_card(self.record)
        return self

    def _find(self) -> tuple[Items, Items]:
        if self._lookup is None:
            bodies: dict[str, dict[str, Any]] = {}
            others: dict[str, dict[str, Any]] = {}
            lacks: dict[str, str] = {}
            for name, items in self.items.items():
                _, _, member = name.partition("/")
                if not member and self._of[name]:  # of one's own, without a group
                    member = name
                for k, item in enumerate(items if member else []):
                    body = self._of[name] == "body"
                    values = (bodies if body else others).setdefault(item if body else _plain(item), {})
                    if name.startswith("joints/") and member in _ALONG_AXIS and item.endswith(_without_axis()):
                        lacks[_plain(item)] = (f"{item} has no axis, and so no angle and no displacement: sol.bodies[...].orientation "
                                               "has the turns of its bodies")
                    else:
                        values.setdefault(member, self.quantities[name][:, k])
            self._lookup = (Items("body", {n: Item(n, v) for n, v in bodies.items()}),
                            Items("joint or force", {n: Item(n, v, lacks.get(n, "")) for n, v in others.items()}))
        return self._lookup

    @property
    def bodies(self) -> Items:
        """Bodies that move, by name: position [m], orientation, velocity [m/s], angular_velocity [rad/s]."""
        return self._find()[0]

    @property
    def joints(self) -> Items:
        """Joints and forces by name: angle [rad], displacement [m], force [N], torque [N m], work [J], ..."""
        return self._find()[1]

    def __contains__(self, name: Any) -> bool:
        try:
            self[name]
        except KeyError:
            return False
        return True

    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, _core.Body):
            return self.bodies[name.name]
        if isinstance(name, (_core.Joint, _core.Force)):
            return self.joints[name.name]
        if not isinstance(name, str):
            raise KeyError(f'quantities, bodies, joints and forces have names: sol["energy/total"] say, not sol[{name!r}]')
        if "/" in name and name in self.quantities:
            return self.quantities[name]
        bodies, joints = self._find()
        ways: dict[str, Mapping[str, Any]] = {"quantities": self.quantities, "bodies": bodies, "joints": joints}
        found = [way for way, items in ways.items() if name in items]
        if len(found) > 1:
            raise KeyError(f'several things are called "{name}": ' + " or ".join(f'sol.{way}["{name}"]' for way in found) + " says which")
        if found:
            return ways[found[0]][name]
        raise KeyError(f'there is no "{name}" in this solution{_like(name, list(dict.fromkeys([*bodies, *joints, *self.quantities])))}')

    @functools.cached_property
    def reaction_on(self) -> dict[str, str]:
        """By the name of a joint, the body that its force and torque act on: the second one, where it moves."""
        return {_plain(item): _body_of(item) for item in self.items.get("reactions/force", self.items.get("reactions/torque", []))}

    def _numbers(self, name: str, what: str) -> Any:
        """What is the same in every run; without instants where a run ended before the first."""
        if name in self.quantities:
            return self.quantities[name]
        if not self.quantities:
            return np.zeros(0 if name == "time" else (0, 0))
        raise _core.UsageError(f'the {what} were not recorded: run(..., record="standard") or record="{name}" has them; recorded are '
                               f"{', '.join(self.quantities)}")

    t = property(lambda self: self._numbers("time", "instants"), doc="Instants [s].")
    q = property(lambda self: self._numbers("q", "coordinates"), doc="Coordinates, instants x numbers.")
    v = property(lambda self: self._numbers("v", "velocities"), doc="Velocities, instants x numbers.")
    a = property(lambda self: self._numbers("a", "accelerations"), doc="Accelerations, instants x numbers.")
    lambda_ = property(lambda self: self._numbers("lambda", "multipliers"), doc="Multipliers, instants x rows.")
    status = property(lambda self: "refused" if self.facts["error"] else self.record.status,
                      doc='How it ended: "ok", "event", "stopped", or why it failed, a text ("not_finite", "inconsistent_start", '
                      '"exception", ...: docs/reference/statuses.md); "refused": a row of an ensemble that makes no sense, which was '
                      'not run: message says why.')
    ok = property(lambda self: self.status in ("ok", "event"),
                  doc="Whether it came to its end, or to an event that ends it; a run that was stopped did not.")
    message = property(lambda self: in_python(self.facts["error"]) or self.facts["termination"],
                       doc="How it ended, a line: with time and culprit where it failed.")
    verdict = property(lambda self: self.facts["verdict"], doc='"ok", "remarks", "failed", or "error" where nothing was run.')
    remarks = property(lambda self: self.facts["remarks"], doc="What is to be said against the result.")
    events = property(lambda self: self.record.events, doc='Roots of events in their order, a list of dicts: name, t [s], rising.')
    culprit = property(lambda self: self.record.culprit, doc='Who caused a failure, a dict: name (joint "hip" (revolute); "" where nobody '
                       'did), quantity, its value in SI units, and why.')
    t_end = property(lambda self: self.record.t_end, doc="Of the last state [s].")
    state = property(lambda self: self.record.state, doc="The last state accepted.")
    scenario = property(lambda self: self.record.scenario, doc="Completed: with everything that was left empty.")
    key = property(lambda self: self.record.key, doc="The hash of all that determines the result, as Scenario.key().")

    @functools.cached_property
    def facts(self) -> dict[str, Any]:
        """The report as the program writes it (docs/reference/command_line.md lists the keys).

        "python": calls of code of one's own and the seconds in them, of the process while it ran; missing without such calls
        and in rows of an ensemble.
        """
        facts: dict[str, Any] = json.loads(self.record.json())
        if self.record.python_calls:
            facts["python"] = {"calls": self.record.python_calls, "seconds": self.record.python_seconds}
        return facts

    def report(self) -> Report:
        """What the program prints after a run, a text; a notebook shows it as tables."""
        text, python = self.record.text(), self.facts.get("python")
        if python:
            part = python["seconds"] / max(self.facts["wall_time_s"], python["seconds"])
            text += (f"Python              {python['calls']} calls of own code, {python['seconds']:.3g} s, "
                     f"{100 * part:.0f} % of the time of the run\n")
        return Report(text, self.facts)

    def columns(self, units: bool = False) -> dict[str, Any]:
        """Every number over time: {"bodies/position x of link 3": array}, with units "... of link 3 [m]"."""
        out: dict[str, Any] = {}
        for name, values in self.quantities.items():
            items, components = self.items[name], self._components[name]
            flat = values.reshape(len(values), -1) if values.ndim > 1 else values[:, None]
            unit = "" if not units or self.units[name] in ("", "1") or "own" in self.units[name] else f" [{self.units[name]}]"
            titles = [f"{name}{' ' + c if c else ''}{' of ' + i if i else ''}{unit}" for i in items or [""]
                      for c in components or [""]]
            out.update(zip(titles, flat.T))
        return out

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the time as its index; attrs["units"] are the units of the quantities."""
        import pandas

        columns = self.columns()
        frame = pandas.DataFrame(columns, index=pandas.Index(columns.pop("time", self.t), name="time [s]"))
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
        return show(self, height)

    def __repr__(self) -> str:
        return f"<catena.Solution: {self.message}; {len(self.t)} instants of {self.facts.get('bodies', len(self.bodies))} bodies>"

    def _repr_html_(self) -> str:
        rows = [(name, self.units[name], "x".join(map(str, values.shape)), self.meanings[name])
                for name, values in self.quantities.items()]
        remarks = "".join(f"<li>{html.escape(r['text'])}</li>" for r in self.remarks)
        return (f"<b>catena.Solution</b>: {html.escape(self.message)}" + (f"<ul>{remarks}</ul>" if remarks else "")
                + html_table(["quantity", "unit", "shape", "meaning"], rows))


def show(what: Any, height: int = 720, **members: Any) -> Page:
    """A Model, problem or model file at its start, as `catena view` shows it; a Solution as its show() does.

    A list of them is one page: show([a, b]) has both runs, and "Second run" lays one over the other.
    """
    several = what if isinstance(what, (list, tuple)) else [what]
    cards, titles = [], []
    for one in several:
        if not isinstance(one, Solution):
            scenario = problem_of(one, members)
            cards.append(_core.page_card(scenario))
            titles.append(scenario.problem or "model")
            continue
        kept = isinstance(one.record, KeptRecord)  # whose scenario may have stayed behind
        if members:
            raise _core.UsageError(f"a solution is shown as it was run: {', '.join(members)} belong to run()")
        cards.append(one._card or (one.record.card() if kept else _core.page_card(one.record)))
        titles.append(pathlib.Path((one.facts["problem"] if kept else one.scenario.problem) or "model").stem)
    return page(cards, ", ".join(dict.fromkeys(titles)), height)


def _scenario_text(self: Any) -> str:
    what = self.problem if self.model is None else f"model of {len(self.model.bodies)} bodies"
    return f"Scenario({what}{', stepper=' if self.stepper else ''}{self.stepper})"


_core.Scenario.__repr__ = _scenario_text


def run(what: Any, *, events: Iterable[Any] = (), controllers: Iterable[Any] = (), check: bool = True,
        **members: Any) -> Solution:
    """Runs a Model, a problem or model file by name, or a Scenario, with the interpreter unlocked; Ctrl-C ends it.

    stepper, step [s], end [s], tolerance, every (K-th step), record ("energy,reactions:hip"), backend, seed and set, a dict of
    parameters of a problem, are members of the Scenario; threads, output (a folder), overwrite, format and resume say where it is
    computed; every other keyword is an option of the stepper (catena.help_on("generalized_alpha")). A wrong one is answered with
    the right names (UsageError). Raises RunError with status, time and culprit where the run fails, unless check=False.
    """
    given = {name: members.pop(name, None) for name in _SETTINGS}
    settings = {name: default if given[name] is None else given[name] for name, default in _SETTINGS.items()}
    settings["output"] = os.fspath(settings["output"])
    check_threads(settings["threads"])
    if settings["resume"] and not settings["output"]:
        raise _core.UsageError("resume=True needs output=..., the folder of the run that continues")
    scenario = scenario_of(what, members)
    who = taking_part(events, controllers)
    if who[1] and scenario.model is not None:
        check_forces(who[1], scenario.model)
    try:
        record = _core.run(scenario, settings, *who)
    except RuntimeError as error:  # of code of one's own, before there is a run
        if type(error) is not RuntimeError:
            raise
        record = Unbegun(str(error), scenario)
    solution = Solution(record)
    if check and not solution.ok:
        raise RunError(solution)
    return solution


class Ensemble(list[Solution]):
    """Solutions in the order of their scenarios, with a table of them, a row each: .table, .to_pandas()."""

    @functools.cached_property
    def table(self) -> Table:
        """Columns as of a sweep: row, what was run, status, verdict, culprit, error, t [s], steps, and "end ..." of every
        number that was recorded, nan in rows that do not have it. What was run: problem, parameters and stepper, and of the
        other members and options those that differ. pandas.DataFrame(sols.table) is sols.to_pandas()."""
        given: list[dict[str, str]] = []
        for sol in self:
            scenario = sol.scenario
            row = {"problem": scenario.problem, **scenario.parameters}
            row |= {"stepper": scenario.stepper} if scenario.stepper else {}
            row |= {name: str(getattr(scenario, name)) for name in ("step", "end", "tolerance", "backend")
                    if getattr(scenario, name) not in (None, "")}
            given.append(row | {f"option.{name}": value for name, value in scenario.options.items()})
        always = {"problem", "stepper"}.union(*(sol.scenario.parameters for sol in self))
        names = [name for name in dict.fromkeys(n for row in given for n in row)
                 if name in always or len({row[name] for row in given if name in row}) > 1]
        out: dict[str, Any] = {"row": np.arange(len(self))}
        for name in names:
            cells = [row.get(name, "") for row in given]
            out[name] = np.array(cells, dtype=object) if name in ("problem", "stepper", "backend") else numbers_or_texts(cells)
        texts = {"status": [s.status for s in self], "verdict": [s.verdict for s in self],
                 "culprit": [s.culprit["name"] for s in self], "error": [in_python(s.facts["error"]) for s in self]}
        out |= {name: np.array(column, dtype=object) for name, column in texts.items()}
        out |= {"t [s]": np.array([s.t_end for s in self]), "steps": np.array([s.facts["steps"] for s in self])}
        ends: dict[str, Any] = {}
        for k, sol in enumerate(self):
            for name, values in sol.columns(units=True).items():
                if name != "time [s]" and len(values):
                    ends.setdefault(f"end {name}", np.full(len(self), np.nan))[k] = values[-1]
        return Table(out | ends)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the table."""
        return self.table.to_pandas()

    def __repr__(self) -> str:
        return f"<catena.Ensemble: {len(self)} solutions, {sum(not s.ok for s in self)} failed>"

    def _repr_html_(self) -> str:
        plain = {name: column for name, column in self.table.items() if not name.startswith("end ")}
        return html.escape(repr(self)) + Table(plain)._repr_html_()


def ensemble(scenarios: Iterable[Any], *, threads: int = 0, threads_of_row: int = 1, row_seconds: float = 0.0) -> Ensemble:
    """Runs many Scenarios, Models or problems on all threads (threads=0), with the interpreter unlocked; a row that fails is a row.

    Each row has the bits that run() gives alone. Own elements and quantities of Python take the lock: their rows wait in turn.
    """
    check_threads(threads)
    if isinstance(scenarios, (str, os.PathLike, _core.Model, _core.Scenario)) or not isinstance(scenarios, Iterable):
        raise _core.UsageError(f"a list of Scenarios, Models or names of problems belongs here, not {scenarios!r}")
    if threads_of_row < 1:
        raise _core.UsageError(f"threads_of_row={threads_of_row}: a whole number from 1 on belongs here")
    if not row_seconds >= 0.0:
        raise _core.UsageError(f"row_seconds={row_seconds}: a time in seconds belongs here, 0 for no limit")
    records = _core.ensemble([scenario_of(one, {}) for one in scenarios], threads, threads_of_row, row_seconds)
    return Ensemble(Solution(record) for record in records)


def sweep(what: Any, vary: str | Sequence[str], keep: str | Sequence[str] = (), *, samples: int = 0,
          sampling: str = "random", sample_seed: int = 0, folder: str | os.PathLike[str] = "", threads: int = 0,
          shard: int = 1, shards: int = 1, **members: Any) -> Table:
    """A table of runs that differ in what varies: sweep("helix_chain", "n=5,10,20", "max energy/kinetic", end=0.1).

    vary and keep as `catena sweep --vary`, `--keep` (docs/howto/run_a_sweep.md): lists, ranges, distributions; reductions over
    time. With a folder, a killed sweep continues, and shards of several processes, of concurrent.futures or Dask, work on one
    table; without, it stays in memory. .attrs has the numbers of rows, ok and failed; a row that fails does not touch others.
    """
    check_threads(threads)
    if isinstance(vary, Mapping):
        raise _core.UsageError(f'vary={vary!r}: a text or a list of texts belongs here, "n=5,10,20" say')
    texts = [[x] if isinstance(x, str) else list(x) for x in (vary, keep)]
    out = _core.sweep(scenario_of(what, members), texts[0], texts[1], samples, sampling, sample_seed, os.fspath(folder),
                      threads, shard, shards)
    table = Table.from_csv(out.pop("csv"))
    series = out.pop("series")
    table.attrs = out
    table.series = Table.from_csv(series) if series else None
    return table


def compare(problems: Any, steppers: str | Sequence[str] = (), *, steps: float | Sequence[float] = (),
            tolerances: float | Sequence[float] = (), end: float | None = None, repeat: int = 1,
            set: Mapping[str, Any] | None = None) -> Table:
    """Errors and costs of methods on problems, a row a run: compare("heavy_top", ["generalized_alpha:rho_inf=0.5", "ida"]).

    Errors are distances from an exact solution or from two others, nan where there is none: docs/reference/compare.md has the
    columns. problems: names, model files and Models, one or several; a Model needs `end`, and is "model 1", "model 2", ... in the
    table.
    """
    several = list(problems) if isinstance(problems, (list, tuple)) else [problems]
    methods = [steppers] if isinstance(steppers, str) else list(steppers)
    for one in several:
        if not isinstance(one, (str, os.PathLike, _core.Model)):
            raise _core.UsageError(f"names of problems, model files and Models are compared, not {one!r}")
    if end is None and any(isinstance(p, _core.Model) for p in several):
        raise _core.UsageError("a Model has no end of its own: compare(model, ..., end=2.0)")
    models = {f"model {k}": p for k, p in enumerate(several, 1) if isinstance(p, _core.Model)}
    names = [f"model {k}" if isinstance(p, _core.Model) else os.fspath(p) for k, p in enumerate(several, 1)]
    return Table.from_csv(_core.compare(names, models, dict(set or {}), methods, _floats("steps", steps),
                                        _floats("tolerances", tolerances), end, repeat))


def _floats(name: str, values: Any) -> list[float]:
    try:
        return [float(x) for x in np.atleast_1d(values)]
    except (TypeError, ValueError):
        raise _core.UsageError(f"{name}={values!r}: numbers belong here, {name}=[1e-2, 5e-3] say") from None


def audit(stepper: str, problem: Any = "", *, end: float | None = None, steps: int = 100, reversible: bool = False,
          **options: Any) -> Table:
    """Holds a stepper to its promises: is my integrator of order 2? audit("mine")["ok"].all().

    One row a check, with what was measured and the bound. problem: one of the audit's cases; all of them take minutes. Or a
    Model, with the end [s] of its runs and the number of steps of the coarsest one, to be chosen so that neither roundoff nor
    higher terms hide the order: short of chaos, and steps well below the shortest period. reversible: its equations of motion
    are, without dampers or friction, and time reversal is checked where it is promised. A model has no known digits; one that
    the method refuses raises UsageError.
    """
    model, redundant = None, False
    if isinstance(problem, _core.Model):
        if end is None:
            raise _core.UsageError('a Model has no end of its own: audit("...", model, end=1.0)')
        facts = problem.check().facts
        redundant = facts["independent_rows"] < facts["position_rows"] + facts["velocity_rows"]
        model, problem = problem, ""
    elif not isinstance(problem, str):
        raise _core.UsageError("audit() takes one of the audit's problems by its name, or a Model")
    elif end is not None or steps != 100 or reversible:
        raise _core.UsageError("end, steps and reversible are those of a Model; the audit's problems have their own")
    out = _core.audit(stepper, {name: str(value) for name, value in options.items()}, problem, model, end or 0.0, steps,
                      reversible, redundant)
    table = Table.from_rows(out["checks"])
    table.attrs = {"text": out["text"], "pairs": out["pairs"]}
    return table
