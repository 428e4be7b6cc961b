"""pip makes a wheel from a checkout without a network, and it works alone."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(os.environ["CATENA_SOURCE"])


class Wheel(unittest.TestCase):
    def test_a_wheel_is_made_without_a_network_and_runs_alone(self):
        environment = {**os.environ, "CATENA_BUILD_FOLDER": os.environ["CATENA_BUILD"], "PIP_NO_INDEX": "1"}
        environment.pop("PYTHONPATH", None)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "-w", folder],
                                  capture_output=True, text=True, env=environment, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            [wheel] = pathlib.Path(folder).glob("catena-*.whl")
            self.assertIn("-cp3", wheel.name)  # of one version of the interpreter, and of one machine
            zipfile.ZipFile(wheel).extractall(f"{folder}/alone")
            program = "import catena; print(catena.__file__, catena.run('simple_pendulum', end=0.1).status)"
            said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder,
                                  env={**environment, "PYTHONPATH": f"{folder}/alone"}, check=True).stdout
            self.assertIn(f"{folder}/alone", said)
            self.assertTrue(said.endswith(" ok\n"), said)
            self.assertIn("py.typed", " ".join(zipfile.ZipFile(wheel).namelist()))


if __name__ == "__main__":
    unittest.main()
