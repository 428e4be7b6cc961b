#!/usr/bin/env python3
"""Assesses and draws the results of scripts/demo.

main_job.py FOLDER    FOLDER holds box_chain/, helix_chain/ (`catena run --output`), helix_half.json and
helix_quarter.json (`--json`, half and a quarter of the step). Prints the figures beside the expected ones, writes
FOLDER/plots/*.png and *.svg. Exit code 1: a figure is wrong; 2: a picture could not be drawn.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import plot_data
from results import Run
from verdicts import Verdicts, box_chain, helix_chain

PICTURES = ("helix_chain", "box_chain", "energy", "residuals", "path")


def draw(here, data, pictures):
    if shutil.which("gnuplot") is None:
        print("main_job: gnuplot is missing (Debian: gnuplot-nox), no pictures", file=sys.stderr)
        return False
    good = True
    for name in PICTURES:
        for form in ("png", "svg"):
            variables = f"format='{form}'; picture='{pictures / name}'; plots='{here}'; data='{data}'"
            done = subprocess.run(["gnuplot", "-e", variables, str(here / f"{name}.gp")], check=False)
            good = good and done.returncode == 0
    return good


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder, here = Path(sys.argv[1]), Path(__file__).resolve().parent
    boxes, helix = Run(folder / "box_chain"), Run(folder / "helix_chain")
    halves = [json.loads((folder / f"helix_{part}.json").read_text()) for part in ("half", "quarter")]

    verdicts = Verdicts()
    box_chain(boxes, verdicts)
    helix_chain(helix, halves, verdicts)

    data, pictures = folder / "plots" / "data", folder / "plots"
    data.mkdir(parents=True, exist_ok=True)
    plot_data.box_energy(boxes, data)
    plot_data.box_paths(boxes, data)
    plot_data.box_faces(boxes, data)
    plot_data.helix_shapes(helix, data)
    drawn = draw(here, data, pictures)

    print(f"\ntime series in {folder}/box_chain and {folder}/helix_chain")
    if drawn:
        print(f"pictures in {pictures}: {', '.join(PICTURES)} (png, svg)")
    if verdicts.failed:
        print(f"{verdicts.failed} figures are WRONG")
        sys.exit(1)
    print("all figures as expected")
    sys.exit(0 if drawn else 2)


if __name__ == "__main__":
    main()
