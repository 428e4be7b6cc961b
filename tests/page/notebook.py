"""notebook.py FILE FAILED: what a notebook shows of a run, in a page of its own: the output of a cell, as Jupyter puts it there;
and the page of a run that a force of Python ends."""
import pathlib
import sys

import catena

sol = catena.run("helix_chain", set={"n": 5}, end=1.0, every=20)
pathlib.Path(sys.argv[1]).write_text(f"<!DOCTYPE html><title>notebook</title>{sol.show()._repr_html_()}", encoding="utf-8")

model = catena.Model()
model.body("sail", mass=1.0, inertia=(0.01, 0.01, 0.01), shape={"box": (0.2, 0.2, 0.2)}, position=(2.0, 0, 0))
model.body("anchor", mass=1.0, inertia=(0.01, 0.01, 0.01), shape={"box": (0.2, 0.2, 0.2)})
model.spherical("ground", "anchor", name="buoy", at=(0, 0, 0))
model.own_force(lambda A, t: A.wrench([0.0, 0.1 if t < 0.3 else float("nan"), 0.0]), "sail", name="wind")
catena.run(model, step=1e-2, end=1.0, check=False).show().save(sys.argv[2])
