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

    def test_mypy_strict_accepts_the_program_of_the_readme(self):
        [(listing, _)] = list(modules(ROOT / "README.md"))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "arm.py")
            wrong = pathlib.Path(folder, "wrong.py")
            file.write_text(listing.text, encoding="utf-8")
            wrong.write_text("import catena\ncatena.Model().revolute('ground', 'a', axs=(0, 0, 1))\n", encoding="utf-8")
            environment = {**os.environ, "MYPYPATH": str(ROOT / "python")}
            environment.pop("PYTHONPATH", None)
            command = ["/usr/bin/mypy", "--strict", "--follow-imports=silent", "--cache-dir", f"{folder}/cache"]
            done = subprocess.run([*command, str(file)], capture_output=True, text=True, env=environment)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            done = subprocess.run([*command, str(wrong)], capture_output=True, text=True, env=environment)
            self.assertIn("axs", done.stdout)


if __name__ == "__main__":
    unittest.main()
