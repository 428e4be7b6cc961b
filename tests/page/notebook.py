"""notebook.py FILE: what a notebook shows of a run, in a page of its own: the output of a cell, as Jupyter puts it there."""
import pathlib
import sys

import catena

sol = catena.run("helix_chain", set={"n": 5}, end=1.0, every=20)
pathlib.Path(sys.argv[1]).write_text(f"<!DOCTYPE html><title>notebook</title>{sol.show()._repr_html_()}", encoding="utf-8")
