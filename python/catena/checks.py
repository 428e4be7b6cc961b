"""What `catena check` finds, for people and programs."""
from __future__ import annotations

import functools
import html
import json
from typing import Any

from . import _core
from .keywords import problem_of
from .tables import html_table


class Check:
    """Whether a model is fit to run, and what it is: sizes, freedoms, redundant rows, parts, scales, start, derivatives.

    .fit; .errors, why it cannot be run or would run wrongly; .remarks; .facts, everything by the keys that
    docs/howto/check_a_model.md lists; .text, what the program prints. A notebook shows it as tables.
    """

    def __init__(self, text: str, facts: str) -> None:
        self.text = text
        self._json = facts

    @functools.cached_property
    def facts(self) -> dict[str, Any]:
        """Everything, by the keys that docs/howto/check_a_model.md lists."""
        facts: dict[str, Any] = json.loads(self._json)
        return facts

    @property
    def fit(self) -> bool:
        """Whether nothing speaks against a run: there are no errors."""
        return bool(self.facts["fit"])

    @property
    def errors(self) -> list[str]:
        """Why it cannot be run or would run wrongly, a text each."""
        return list(self.facts["errors"])

    @property
    def remarks(self) -> list[str]:
        """What is unusual and may be meant, a text each."""
        return list(self.facts["remarks"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<catena.Check: {self._verdict()}; {self.facts['degrees_of_freedom']} degrees of freedom>"

    def _verdict(self) -> str:
        return "fit to run" if self.fit else "not fit to run"

    def _repr_html_(self) -> str:
        facts = self.facts
        said = [("error", e) for e in self.errors] + [("remark", r) for r in self.remarks]
        sizes = [("degrees of freedom", facts["degrees_of_freedom"]), ("bodies", facts["bodies"]),
                 ("constraints", facts["constraints"]), ("position rows", facts["position_rows"]),
                 ("velocity rows", facts["velocity_rows"]), ("independent rows", facts["independent_rows"]),
                 ("forces", facts["forces"]),
                 ("largest position residual at the start", f"{facts['initial_state']['position_residual']:.3g}"),
                 ("wrong derivatives", len(facts["wrong_derivatives"]))]
        kinds = [(k["type"], k["count"], k["rows"]) for k in facts["kinds"]]
        motions = [(n, "; ".join(f"{b['body']} {b['moves']}" for b in motion["bodies"]))
                   for n, motion in enumerate(facts["free_motions"], 1)]
        return "".join([
            f"<b>catena.Check</b>: {self._verdict()}",
            "<ul>" + "".join(f"<li>{kind}: {html.escape(text)}</li>" for kind, text in said) + "</ul>" if said else "",
            html_table(["", "number"], sizes),
            html_table(["joint or force", "number", "rows"], kinds) if kinds else "",
            html_table(["free motion", "bodies"], motions) if motions else "",
            f"<details><summary>Everything</summary><pre>{html.escape(self.text)}</pre></details>"])


def check(what: Any, **members: Any) -> Check:
    """Checks a Model, or a problem or model file by name, before it is run, as `catena check` does; set: its parameters.

    What is wrong with the motion is in .errors; FileError and ModelError are raised for what is no model at all.
    """
    return Check(*_core.check(problem_of(what, members)))
