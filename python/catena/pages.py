"""The page of `catena report` and `catena view` in a notebook."""
from __future__ import annotations

import html
import pathlib
import tempfile
from typing import Any

from . import _core


class Page:
    """One HTML file with everything in it: a notebook shows it in a frame, save() writes it. remark: what it lacks, and why."""

    def __init__(self, text: str, remark: str, height: int) -> None:
        self.text, self.remark, self.height = text, remark, height

    def save(self, file: str) -> None:
        """Writes it; a browser opens it from disk."""
        pathlib.Path(file).write_text(self.text, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<catena page of {len(self.text)} characters>"

    def _repr_html_(self) -> str:
        remark = f"<p>{html.escape(self.remark)}</p>" if self.remark else ""
        return (f'<iframe srcdoc="{html.escape(self.text)}" title="catena" allowfullscreen '
                f'style="width:100%;height:{self.height}px;border:0"></iframe>{remark}')


def page(cards: list[tuple[str, str]], title: str, height: int) -> Page:
    """Of cards of runs and of models at their start, as _core.page_card() makes them: data and what they lack."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "page.html")
        _core.write_page(str(file), title, [data for data, _ in cards])
        return Page(file.read_text(encoding="utf-8"), "; ".join(remark for _, remark in cards if remark), height)
