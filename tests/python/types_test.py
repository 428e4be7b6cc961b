"""What type checkers know of the module is what it lists, and mypy --strict accepts the programs of the documents."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import catena
from docs_test import ROOT, listings, modules


# Of what runs and studies return, the names and kinds that programs rely on.
RESULTS = """
import numpy as np
import catena

sol = catena.run("helix_chain", end=0.01)
report: catena.Report = sol.report()
text: str = report
shown: str = report._repr_html_()
sols: catena.Ensemble = catena.ensemble([catena.Scenario(problem="helix_chain", end=0.01)])
first: catena.Solution = sols[0]
table: catena.Table = sols.table
names: list[str] = list(table)
catena.show([sol, first, catena.Model()]).save("page.html")
system = catena.System("helix_chain")
residuals: dict[str, object] = system.evaluate(np.zeros(7), v=[0.0] * 6, t=0.5)
errors: catena.Table = catena.compare([catena.Model(), "heavy_top"], "ida", steps=[1e-2], end=1.0)
"""


class Types(unittest.TestCase):
    def test_all_that_is_public_has_a_docstring(self):
        core = catena._core
        kinds = [getattr(catena, name) for name in catena.__all__ if isinstance(getattr(catena, name), type)]
        kinds += [core.StepTools, core.Instant, core.Factor, core.Joint, core.Force]
        lacking = []
        for kind in kinds:
            for name, value in vars(kind).items():
                if not name.startswith("_") and (isinstance(value, property) or callable(value)):
                    lines = [line for line in (value.__doc__ or "").splitlines() if line.strip() and not line.startswith(f"{name}(self")]
                    if not lines:
                        lacking.append(f"{kind.__name__}.{name}")
        self.assertEqual(" ".join(lacking), "")

    def test_stubs_are_what_the_module_lists(self):
        done = subprocess.run([sys.executable, str(ROOT / "scripts/python_stubs"), "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_mypy_strict_accepts_the_readme_and_the_tutorial_and_refuses_a_mistyped_keyword(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for path in (ROOT / "README.md", ROOT / "docs/tutorial/1_first_chain.md", ROOT / "docs/tutorial/2_own_joint.md",
                         ROOT / "docs/tutorial/3_own_stepper.md", ROOT / "docs/tutorial/4_file_to_plot.md"):
                files.append(pathlib.Path(folder, f"program_{len(files)}.py"))
                files[-1].write_text("\n".join(listing.text for listing, _ in modules(listings(path, ROOT))), encoding="utf-8")
            files.append(pathlib.Path(folder, "results.py"))
            files[-1].write_text(RESULTS, encoding="utf-8")
            wrong = pathlib.Path(folder, "wrong.py")
            wrong.write_text("import catena\ncatena.Model().revolute('ground', 'a', axs=(0, 0, 1))\n", encoding="utf-8")
            environment = {**os.environ, "MYPYPATH": str(ROOT / "python")}
            environment.pop("PYTHONPATH", None)
            # One call: most of its time goes into the stubs of numpy, which are kept for the next one.
            done = subprocess.run(["/usr/bin/mypy", "--strict", "--follow-imports=silent", "--ignore-missing-imports", "--cache-dir",
                                   f"{os.environ['CATENA_BUILD']}/mypy", *map(str, files), str(wrong)],
                                  capture_output=True, text=True, env=environment, cwd=folder)
            lines = done.stdout.splitlines()
            self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
            self.assertIn("axs", lines[0])
            self.assertTrue(lines[0].startswith("wrong.py:2: error"), done.stdout)
            self.assertTrue(all(line.startswith(("wrong.py", "Found")) or ": note: " in line for line in lines), done.stdout)


if __name__ == "__main__":
    unittest.main()
