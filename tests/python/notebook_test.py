"""The notebooks of the tutorial run in a fresh kernel and print what they say; the first has a moving chain within five cells."""
import base64
import html
import json
import os
import pathlib
import re
import tempfile
import unittest
import zlib

import nbclient
import nbformat
import numpy as np

TUTORIAL = pathlib.Path(os.environ["CATENA_SOURCE"], "docs/tutorial")


def numbers(coded):
    """Doubles of a page."""
    return np.frombuffer(zlib.decompress(base64.b64decode(coded["data"])), "<f8")


def card_of(page):
    """The first card of a page that is in a frame."""
    text = html.unescape(re.search(r'srcdoc="(.*?)"', page, re.S)[1])
    return json.loads(re.search(r'<script type="application/json" id="catena-data">(.*?)</script>', text, re.S)[1])["cards"][0]


class Notebooks(unittest.TestCase):
    def executed(self, name):
        """The cells of code, each with the output that is stored, before and after a run."""
        stored = nbformat.read(TUTORIAL / name, as_version=4)
        nbformat.validate(stored)
        fresh = nbformat.from_dict(json.loads(json.dumps(stored)))
        with tempfile.TemporaryDirectory() as folder:
            for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
                os.environ[variable] = f"{folder}/jupyter"
            os.environ.pop("MPLBACKEND", None)  # the kernel has its own
            os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # no warnings of a debugger that is not used
            nbclient.NotebookClient(fresh, timeout=100, kernel_name="python3",
                                    resources={"metadata": {"path": folder}}).execute()
        cells = [(a, b) for a, b in zip(stored.cells, fresh.cells) if a.cell_type == "code"]
        for before, after in cells:
            printed = "".join(o.text for o in after.outputs if o.output_type == "stream" and o.name == "stdout")
            if before.outputs:
                self.assertEqual(printed, before.outputs[0].text, before.source)
        return [after for _, after in cells]

    def shown(self, cell, kind):
        [data] = [o.data for o in cell.outputs if o.output_type in ("execute_result", "display_data")]
        return data[kind]

    def test_a_moving_chain_in_five_cells(self):
        cells = self.executed("1_first_chain.ipynb")
        self.assertLessEqual(len(cells), 5)
        self.assertIn("fit to run", self.shown(cells[2], "text/html"))
        if os.environ["CATENA_PAGE"] == "ON":
            card = card_of(self.shown(cells[-1], "text/html"))
            times = numbers(card["frames"]["times"])
            self.assertEqual((len(card["scene"]["bodies"]), times[0], times[-1]), (10, 0.0, 2.0))
            self.assertGreater(len(times), 100)

    def test_a_checkout_that_is_not_built_builds_the_module(self):
        import catena
        module = pathlib.Path(catena.__file__).parent.parent
        stored = nbformat.read(TUTORIAL / "1_first_chain.ipynb", as_version=4)
        before = dict(os.environ)
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for folder in ("docs/tutorial", "build/release", "bin"):
                (root / folder).mkdir(parents=True)
            # In place of a build: what cmake is asked for, and a link to the module that is there once it has built it.
            (root / "bin/cmake").write_text(f'#!/bin/sh\necho "$@" >>{root}/asked\n[ "$1" != --build ] || ln -s {module} {root}/build/release/python\n')
            (root / "bin/cmake").chmod(0o755)
            os.environ["PATH"] = f"{root}/bin:{before['PATH']}"
            os.environ["PYTHONPATH"] = os.pathsep.join(
                p for p in before.get("PYTHONPATH", "").split(os.pathsep) if p and pathlib.Path(p).resolve() != module.resolve())
            try:
                fresh = nbformat.from_dict(json.loads(json.dumps(stored)))
                fresh.cells = [c for c in fresh.cells if c.cell_type == "code"][:2]
                nbclient.NotebookClient(fresh, timeout=100, kernel_name="python3",
                                        resources={"metadata": {"path": str(root / "docs/tutorial")}}).execute()
                self.assertEqual((root / "asked").read_text().splitlines(),
                                 ["--preset release -S ../..", "--build ../../build/release --target catena_python"])
            finally:
                os.environ.clear()
                os.environ.update(before)

    def test_a_joint_of_python_moves(self):
        cells = self.executed("2_own_joint.ipynb")
        if os.environ["CATENA_PAGE"] == "ON":
            self.assertEqual(card_of(self.shown(cells[-1], "text/html"))["events"][0]["name"], "turns back")

    def test_a_stepper_of_python_has_its_order(self):
        self.executed("3_own_stepper.ipynb")

    def test_a_file_is_checked_run_and_plotted(self):
        cells = self.executed("4_file_to_plot.ipynb")
        self.assertTrue(any("image/png" in o.get("data", {}) for cell in cells for o in cell.outputs))


if __name__ == "__main__":
    unittest.main()
