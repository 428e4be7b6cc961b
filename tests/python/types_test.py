"""What type checkers know of the module is what it lists, and mypy --strict accepts the programs of the documents."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from docs_test import ROOT, modules


class Types(unittest.TestCase):
    def test_stubs_are_what_the_module_lists(self):
        done = subprocess.run([sys.executable, str(ROOT / "scripts/python_stubs"), "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_mypy_strict_accepts_the_readme_and_the_tutorial_and_refuses_a_mistyped_keyword(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for path in (ROOT / "README.md", ROOT / "docs/tutorial/1_first_chain.md", ROOT / "docs/tutorial/2_own_joint.md",
                         ROOT / "docs/tutorial/3_own_stepper.md", ROOT / "docs/tutorial/4_file_to_plot.md"):
                files.append(pathlib.Path(folder, f"program_{len(files)}.py"))
                files[-1].write_text("\n".join(listing.text for listing, _ in modules(path)), encoding="utf-8")
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
