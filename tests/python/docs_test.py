"""The listings of the documents that import catena run, and print what the documents say."""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["CATENA_SOURCE"])
sys.path.append(str(ROOT / "tests/docs"))
from documents import documents, listings  # noqa: E402


def modules(path):
    """The parts of the program of a document, each with the output that follows it or None."""
    found = listings(path, ROOT)
    for k, listing in enumerate(found):
        if listing.mark in ("module", "module shows"):
            behind = found[k + 1] if k + 1 < len(found) else None
            yield listing, behind.text if behind is not None and behind.mark == "module says" else None


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
        for listing, said in modules(path):
            if listing.mark == "module shows" and os.environ["CATENA_PAGE"] != "ON":
                continue
            count += 1
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(listing.text, listing.where(), "exec"), names)
            if said is not None:
                self.assertEqual(out.getvalue(), said, listing.where())
        return count

    def test_the_program_of_the_readme_is_short(self):
        [(listing, _)] = list(modules(ROOT / "README.md"))
        lines = [line for line in listing.text.splitlines() if line.split("#")[0].strip()]
        self.assertLessEqual(len(lines), 15)


if __name__ == "__main__":
    unittest.main()
