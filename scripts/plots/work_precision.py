"""Diagrams of work and precision for the gallery: the largest error over the time in stepping, log-log, a curve a stepper.

Their numbers are those of docs/theory/method_comparison.md, times to an error, and of docs/gallery/work_precision.json, which
`scripts/gallery --timed` measures of the problems that are not there. A diagram is a text of SVG, the same from the same numbers.
"""
import html
import json
import math
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

STUDY = "docs/theory/method_comparison.md"
MEASURED = "docs/gallery/work_precision.json"
# Colours and marks of steppers, the same in all diagrams.
COLOURS = {"generalized_alpha": "#2f6db5", "hht": "#d9822b", "newmark": "#3c9a5f", "alpha_rattle": "#a84a8c", "rattle": "#6b5b95",
           "discrete_action": "#8a8f98", "lie_dae": "#7a4a1e", "lie_bdf": "#b8a000", "radau": "#5a3fd6", "dormand_prince": "#c0392b",
           "dop853": "#e57373", "ida": "#30343a", "runge_kutta_4": "#16a2b8"}
MARKS = ('<circle cx="{x}" cy="{y}" r="3.2" {s}/>', '<rect x="{x}" y="{y}" width="6" height="6" transform="translate(-3 -3)" {s}/>',
         '<path d="M{x} {y}m0 -4l3.8 6.6h-7.6z" {s}/>', '<path d="M{x} {y}m0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z" {s}/>')
ROUNDOFF = 1e-12  # an error below that is no error of a method, and other instruction sets have another one
WIDE, HIGH, LEFT, RIGHT, TOP, BELOW = 560, 300, 62, 150, 14, 44


@dataclass
class Diagram:
    error: str  # "position [m]"
    source: str  # what was measured, by what, on what, as Markdown
    curves: dict = field(default_factory=dict)  # of a stepper: points (milliseconds, error)


def studied(root):
    """By problem or name of a file: the diagrams that the study of all methods has."""
    found, text = {}, (root / STUDY).read_text(encoding="utf-8")
    commit = re.search(r"^(Commit [^:]*): `scripts/method_comparison --repeat", text, re.M)[1]
    for name, body in re.findall(r"^### (\w+): [^\n]*\n(.*?)(?=^##)", text, re.M | re.S):
        said, lines = re.match(r"\s*`([\w.]+)`([^,]*),", body), [line for line in body.split("\n") if line.startswith("|")]
        columns = [cell.strip() for cell in lines[0].strip("|").split("|")]
        targets = {k: float(re.match(r"ms to (\S+)", c)[1]) for k, c in enumerate(columns) if c.startswith("ms to")}
        if not targets:  # a motion that is not compared
            continue
        bodies = any(c.startswith("ms to") and c.endswith(" m") for c in columns)
        diagram = Diagram("position [m]" if bodies else "coordinates",
                          f"Times to an error, `{said[1]}`{said[2]}, from [the methods compared](../theory/method_comparison.md#results) "
                          f"({commit[0].lower()}{commit[1:]})")
        for line in lines[2:]:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            points = [(float(cells[k]), error) for k, error in targets.items() if k < len(cells) and re.match(r"[\d.]", cells[k])]
            if points:
                diagram.curves[re.match(r"`(\w+)`", cells[0])[1]] = points
        found[said[1]] = diagram
    return found


def measured(root):
    """By the name of an entry: what scripts/gallery --timed has measured."""
    file = root / MEASURED
    if not file.exists():
        return {}
    found = {}
    for name, it in json.loads(file.read_text(encoding="utf-8")).items():
        found[name] = Diagram(it["error"], f"Errors over the time in stepping, `{it['command']}` ({it['machine']})",
                              {stepper: [tuple(p) for p in points] for stepper, points in it["curves"].items()})
    return found


def diagram_of(entry, of_study, of_gallery):
    """None where nothing was measured."""
    return of_study.get(Path(entry.argument).name if entry.kind == "model_files" else entry.name) or of_gallery.get(entry.name)


def finer(compared):
    """The arguments of a comparison with all halvings of its steps and all decades of its tolerances, for curves."""
    out = list(compared)
    for option, factor in (("--steps", 2.0), ("--tolerances", 10.0)):
        if option not in out:
            continue
        at = out.index(option) + 1
        ends = [float(x) for x in out[at].split(",")]
        count = round(math.log(ends[0] / ends[-1]) / math.log(factor))
        out[at] = ",".join(f"{ends[0] / factor ** k:.6g}" for k in range(count + 1))
    return out


def curves_of(problem):
    """Of a problem in compare.json: what the error is of, and the points of each stepper, those of roundoff left out."""
    runs = [run for run in problem["runs"] if run["status"] == "ok"]
    part = "position" if any((run.get("largest_error") or {}).get("position") is not None for run in runs) else "coordinates"
    curves = {}
    for run in runs:
        error = (run.get("largest_error") or {}).get(part)
        if error and error >= ROUNDOFF:
            options = "".join(f":{k}={v}" for k, v in (run.get("options") or {}).items() if k != "tolerance")
            curves.setdefault(run["stepper"] + options, []).append((round(1e3 * run["undisturbed_seconds"], 5), float(f"{error:.3g}")))
    return ("position [m]" if part == "position" else part), {stepper: sorted(points) for stepper, points in curves.items()}


def ticks(low, high):
    """Powers of ten between two of them, at most seven."""
    every = -(-(high - low) // 6)
    return range(low, high + 1, max(1, every))


def power(k):
    return f"{10 ** k:g}" if -2 <= k <= 3 else f'10<tspan dy="-5" font-size="8">{"−" if k < 0 else ""}{abs(k)}</tspan>'


def svg(diagram, title):
    """The diagram as a text."""
    points = [p for curve in diagram.curves.values() for p in curve]
    (x0, x1), (y0, y1) = ((math.floor(math.log10(min(v))), max(math.floor(math.log10(min(v))) + 1, math.ceil(math.log10(max(v)))))
                          for v in zip(*points))
    bottom, end = HIGH - BELOW, WIDE - RIGHT

    def x(ms):
        return f"{LEFT + (end - LEFT) * (math.log10(ms) - x0) / (x1 - x0):.1f}"

    def y(error):
        return f"{bottom - (bottom - TOP) * (math.log10(error) - y0) / (y1 - y0):.1f}"

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" '
           f'font-family="sans-serif" font-size="11" fill="#333" role="img">', f"<title>{html.escape(title)}</title>",
           f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>']
    for k in ticks(x0, x1):
        out.append(f'<path d="M{x(10.0 ** k)} {TOP}V{bottom}" stroke="#ddd"/>'
                   f'<text x="{x(10.0 ** k)}" y="{bottom + 15}" text-anchor="middle">{power(k)}</text>')
    for k in ticks(y0, y1):
        out.append(f'<path d="M{LEFT} {y(10.0 ** k)}H{end}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{float(y(10.0 ** k)) + 4:.1f}" text-anchor="end">{power(k)}</text>')
    out.append(f'<path d="M{LEFT} {TOP}V{bottom}H{end}" fill="none" stroke="#888"/>')
    out.append(f'<text x="{(LEFT + end) / 2:g}" y="{HIGH - 10}" text-anchor="middle">time in stepping [ms]</text>')
    out.append(f'<text transform="translate(14 {(TOP + bottom) / 2:g}) rotate(-90)" text-anchor="middle">'
               f"largest error of {html.escape(diagram.error)}</text>")
    for row, (stepper, curve) in enumerate(sorted(diagram.curves.items())):
        plain = stepper.partition(":")[0]
        colour = COLOURS.get(plain, "#000")
        mark, style = MARKS[list(COLOURS).index(plain) % len(MARKS) if plain in COLOURS else 0], f'fill="{colour}"'
        line = "L".join(f"{x(ms)} {y(error)}" for ms, error in curve)
        height = TOP + 8 + 17 * row
        out.append(f'<g><title>{html.escape(stepper)}</title><path d="M{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
                   + "".join(mark.format(x=x(ms), y=y(error), s=style) for ms, error in curve)
                   + f'<path d="M{end + 10} {height}h18" stroke="{colour}" stroke-width="1.5"/>'
                   + mark.format(x=end + 19, y=height, s=style)
                   + f'<text x="{end + 33}" y="{height + 4}">{html.escape(stepper)}</text></g>')
    return "\n".join([*out, "</svg>", ""])


def self_test(program):
    """A comparison, its curves and their diagram; and a diagram whose every mark is where its numbers say."""
    arguments = ["simple_pendulum", *finer(["--steps", "8e-3,2e-3", "--tolerances", "1e-4,1e-6", "--end", "0.2",
                                            "--steppers", "rattle,dormand_prince:stiffness_check=false"]), "--repeat", "2"]
    assert arguments[2] == "0.008,0.004,0.002" and arguments[4] == "0.0001,1e-05,1e-06", arguments
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "compare", *arguments, "--output", folder], check=True, capture_output=True)
        error, curves = curves_of(json.loads(Path(folder, "compare.json").read_text(encoding="utf-8"))["problems"][0])
    assert error == "position [m]" and {name: len(points) for name, points in curves.items()} == {"rattle": 3, "dormand_prince:stiffness_check=false": 3}
    assert all(ms > 0 and 0 < e < 0.1 for points in curves.values() for ms, e in points), curves
    read = ElementTree.fromstring(svg(Diagram(error, "", curves), "a & b"))
    assert len([g for g in read if g.tag.endswith("}g")]) == 2
    known = svg(Diagram("x", "", {"generalized_alpha": [(1.0, 1e-2), (10.0, 1e-4), (100.0, 1e-6)]}), "")
    across, down = (WIDE - RIGHT - LEFT) / 2, (HIGH - BELOW - TOP) / 2
    for k in range(3):
        assert f'cx="{LEFT + k * across:.1f}" cy="{TOP + k * down:.1f}"' in known, (k, known)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "--self-test":
        sys.exit("work_precision.py --self-test CATENA")
    self_test(sys.argv[2])
