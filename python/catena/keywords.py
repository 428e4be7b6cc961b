"""What is asked for, and what is wrong with it in the words of Python: the library speaks those of the command line."""
from __future__ import annotations

import numbers
import os
import re
from typing import Any, Mapping

from . import _core

KEYWORDS = [*(n for n in dir(_core.Scenario) if isinstance(getattr(_core.Scenario, n), property)), "set", "threads", "output",
            "overwrite", "format", "resume", "events", "controllers", "check"]


def _quoted(text: str) -> str:
    """A value as it is written in Python, as far as the text says it."""
    return text if re.fullmatch(r"[-+]?([0-9.]+(e[-+]?[0-9]+)?|nan|inf)", text) else f'"{text}"'


def _of_parameter(found: re.Match[str]) -> str:
    name, value, problem, rest = found.groups()
    said = f'set={{"{name}": {_quoted(value)}}}'
    return f"{said}: a Model has no parameters" if not problem else f"{said} of {problem}: {rest}".replace("no option", "no parameter")


def _of_option(found: re.Match[str]) -> str:
    name, value, stepper, rest = found.groups()
    said, lacks = f"{name}={_quoted(value)}", re.match(r'no option "[^"]*"; there are (.*)', rest)
    if not lacks:
        return f"{said} (option of {stepper}): {rest}"
    hint = _core.nearest_hint(name, KEYWORDS, 3)
    return f'{said}: {stepper} has no option "{name}", nor is it another keyword' + (f": {hint}" if hint else (
        f'; a parameter of a problem is given by set={{"{name}": {_quoted(value)}}}; options are {lacks[1]}; keywords are '
        f"{', '.join(KEYWORDS)}"))


_WORDS = [(r"^(?:--)?option (\w+)=(.*?) \(stepper (.*?)\): (.*)", _of_option),
          (r"^--set ([^\s=]+)=(.*?) \(problem (.*?)\): (.*)", _of_parameter),
          (r"^--output (.*?): ", lambda found: f'output="{found[1]}": '),
          (r"^--([a-z_]+) (\S.*?): ", lambda found: f"{found[1]}={_quoted(found[2])}: "),
          (r"--vary (\S+)", r'vary="\1"'), (r"--keep (\S+)", r'keep="\1"'), (r"--output DIR", "output=folder"),
          (r"resume that run by `catena resume [^`]*`", "resume that run by resume=True"),
          (r"--(overwrite|resume)\b", r"\1=True"), (r"--([a-z_]+)", r"\1")]


def in_python(text: str) -> str:
    """A line a complaint, as the command line has it, in the words of Python."""
    lines = []
    for line in text.split("\n"):
        for pattern, words in _WORDS:
            line = re.sub(pattern, words, line)  # type: ignore[arg-type]
        lines.append(line)
    return "\n".join(lines)


def _say(self: Any, text: Any = "") -> None:
    ValueError.__init__(self, in_python(str(text)))


def check_threads(threads: Any) -> None:
    if threads is not None and (not isinstance(threads, numbers.Integral) or threads < 0):
        raise _core.UsageError(f"threads={threads!r}: a whole number belongs here, 0 for all that the machine has")


def scenario_of(what: Any, members: dict[str, Any]) -> Any:
    """A Scenario of what is run and its keywords."""
    if isinstance(what, _core.Scenario):
        if members:
            raise _core.UsageError("a Scenario says all that is run: make another one to change it")
        return what
    if isinstance(what, _core.Model):
        return _core.Scenario(model=what, **members)
    if not isinstance(what, (str, os.PathLike)):
        raise _core.UsageError(f"a Model, a Scenario, or the name of a problem or of a model file belongs here, not {what!r}")
    return _core.Scenario(problem=os.fspath(what), **members)


def problem_of(what: Any, members: dict[str, Any]) -> Any:
    """A Scenario of what is looked at and not run: of the keywords it takes the parameters alone."""
    for name, value in members.items():
        if name not in ("set", "parameters"):
            raise _core.UsageError(f'{name}={value!r}: nothing is run here, and set={{...}} is the only keyword; a parameter of a '
                                   f'problem is given by set={{"{name}": {value!r}}}')
    return scenario_of(what, members)


_make_scenario, _make_system = _core.Scenario.__init__, _core.System.__init__


def _scenario(self: Any, *what: Any, **members: Any) -> None:
    if what:
        keyword = "model" if isinstance(what[0], _core.Model) else "problem"
        raise _core.UsageError(f"Scenario({what[0]!r}): it takes keywords alone, {keyword}={what[0]!r} say")
    if isinstance(members.get("problem"), _core.Model):
        raise _core.UsageError(f"problem={members['problem']!r}: a name or a file belongs here; a Model is model=...")
    model = members.get("model")
    if model is not None and not isinstance(model, _core.Model):
        raise _core.UsageError(f"model={model!r}: a Model belongs here; a name or a file is problem={str(model)!r}")
    for name in ("set", "parameters", "options"):
        if not isinstance(members.get(name) or {}, Mapping):
            raise _core.UsageError(f'{name}={members[name]!r}: a dict belongs here, {name}={{"n": 3}} say')
    _make_scenario(self, **members)


def _system(self: Any, what: Any, **parameters: Any) -> None:
    if isinstance(what, _core.Model) and parameters:
        raise _core.UsageError(f"System(model, {', '.join(parameters)}=...): a Model has no parameters")
    _make_system(self, what, **parameters)


_core.ModelError.member = ""  # where none is named
_core.UsageError.__init__ = _say  # type: ignore[method-assign]
_core.Scenario.__init__ = _scenario  # type: ignore[method-assign]
_core.System.__init__ = _system  # type: ignore[method-assign]
