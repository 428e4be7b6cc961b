"""Tables with named columns, which pandas takes as they are."""
from __future__ import annotations

import csv
import html
import io
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from . import _core


def nearest(name: str, known: Iterable[str]) -> str:
    """What goes behind "there is no NAME": names like it, or nothing."""
    hint = _core.nearest_hint(name, list(known), 3)
    return f"; {hint}" if hint else ""


def html_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A plain table, every cell escaped."""
    cells = "".join(f"<th>{html.escape(str(h))}</th>" for h in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def numbers_or_texts(cells: Sequence[str]) -> Any:
    """A column of numbers, nan where a cell is empty, or of texts where one of them is no number."""
    try:
        return np.array([float(c) if c else np.nan for c in cells])
    except ValueError:
        return np.array(cells, dtype=object)


class Table(dict[str, Any]):  # a dict, which is the only mapping that pandas.DataFrame takes
    """Columns by name: a dict of arrays of equal length. pandas.DataFrame(table) is table.to_pandas()."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        super().__init__(columns)
        self.attrs: dict[str, Any] = {}
        self.series: Table | None = None

    @classmethod
    def from_csv(cls, text: str) -> Table:
        """Of text as RFC 4180 says; columns of numbers become numbers, empty cells nan."""
        rows = list(csv.reader(io.StringIO(text)))
        head = rows[0] if rows else []
        return cls({name: numbers_or_texts([row[k] for row in rows[1:]]) for k, name in enumerate(head)})

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]]) -> Table:
        """Of rows with the same keys."""
        return cls({name: np.array([row[name] for row in rows]) for name in (rows[0] if rows else {})})

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(next(iter(self.values()))) if self else 0

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self)

    def __repr__(self) -> str:
        return f"<catena.Table: {self.rows} rows of {', '.join(self)}>"

    def _repr_html_(self) -> str:
        most = 50
        lines = [[_short(column[k]) for column in self.values()] for k in range(min(self.rows, most))]
        return html_table(list(self), lines) + (f"<p>and {self.rows - most} rows more</p>" if self.rows > most else "")


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)
