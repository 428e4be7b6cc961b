"""The listings of the documents that import catena run, and print what the documents say."""
import ast
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["CATENA_SOURCE"])
sys.path.append(str(ROOT / "tests/docs"))
from documents import documents, listings, modules  # noqa: E402


class Documents(unittest.TestCase):
    def test_every_program_runs_and_prints_what_is_said(self):
        count = 0
        for path in documents(ROOT):
            with tempfile.TemporaryDirectory() as folder:
                for listing in listings(path, ROOT):
                    if listing.mark.startswith("file "):
                        pathlib.Path(folder, listing.mark.removeprefix("file ")).write_text(listing.text, encoding="utf-8")
                before = os.getcwd()
                os.chdir(folder)
                try:
                    count += self.run_parts(path)
                finally:
                    os.chdir(before)
        self.assertGreaterEqual(count, 6)

    def run_parts(self, path):
        count, names = 0, {"__name__": "listing"}
        for listing, said in modules(listings(path, ROOT)):
            program = ast.parse(listing.text, listing.where())
            if listing.mark == "module shows" and os.environ["CATENA_PAGE"] != "ON":
                program.body.pop()  # what is shown needs the page
            count += 1
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(program, listing.where(), "exec"), names)
            if said is not None:
                self.assertEqual(out.getvalue(), said, listing.where())
        return count

    def test_every_step_of_the_tutorial_is_in_both_languages(self):
        pages = sorted((ROOT / "docs/tutorial").glob("*.md"))
        self.assertEqual(len(pages), 4)
        for path in pages:
            found = listings(path, ROOT)
            alone = []
            for k, listing in enumerate(found):
                behind = found[k + 1].mark if k + 1 < len(found) else ""
                if listing.mark == "piece":
                    self.assertIn(found[k - 1].mark, ("module", "module shows"), listing.where())
                elif listing.mark in ("module", "module shows") and behind != "piece":
                    alone.append(listing.text.strip())
            self.assertLessEqual(set(alone), {"sol.show()"}, path)
            self.assertGreaterEqual(sum(listing.mark == "piece" for listing in found), 2)

    def test_the_program_of_the_readme_is_short(self):
        [(listing, _)] = list(modules(listings(ROOT / "README.md", ROOT)))
        lines = [line for line in listing.text.splitlines() if line.split("#")[0].strip()]
        self.assertLessEqual(len(lines), 15)


if __name__ == "__main__":
    unittest.main()
