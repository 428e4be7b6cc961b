"""A run gives the bits of the program, as arrays without a copy; failures are exceptions with status, time and culprit."""
import base64
import gc
import json
import os
import pathlib
import pickle
import re
import subprocess
import tempfile
import threading
import time
import unittest
import zlib

import catena
import numpy as np
from arms import arm, pendulum


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sol = catena.run(arm(), rho_inf=0.9, step=1e-3, end=1.0)

    def test_the_arm_of_the_readme_ends_where_the_program_of_the_readme_does(self):
        text = (f"forearm at z = {self.sol.bodies['forearm'].position[-1, 2]:.6f} m, "
                f"elbow at {self.sol['elbow'].angle[-1]:.4f} rad, shoulder carries {self.sol['shoulder'].force[-1, 2]:.4f} N")
        readme = pathlib.Path(os.environ["CATENA_SOURCE"], "README.md").read_text(encoding="utf-8")
        self.assertIn(text, readme)

    def test_every_number_has_the_bits_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "arm.yaml")
            file.write_text(arm().to_yaml(), encoding="utf-8")
            subprocess.run([os.environ["CATENA_PROGRAM"], "run", str(file), "--stepper", "generalized_alpha", "--option",
                            "rho_inf=0.9", "--step", "1e-3", "--end", "1", "--json", f"{folder}/run.json"],
                           check=True, capture_output=True)
            report = json.loads(pathlib.Path(folder, "run.json").read_text(encoding="utf-8"))
        keys = {"position": "positions", "orientation": "quaternions", "velocity": "velocities",
                "angular_velocity": "angular_velocities"}
        for k, name in enumerate(report["body_names"]):
            for member, key in keys.items():
                self.assertEqual(list(self.sol.bodies[name][member][-1]), report[key][k], (name, member))
        self.assertEqual(list(self.sol.lambda_[-1]), report["multipliers"])

    def test_arrays_are_views_that_cannot_be_written_and_keep_their_owner(self):
        sol = catena.run(pendulum(), step=1e-2, end=0.1)
        position, angle = sol.bodies["link"].position, sol["hip"].angle
        self.assertTrue(np.shares_memory(position, sol.q))
        with self.assertRaises(ValueError):
            position[0, 0] = 1.0
        before = position.copy(), angle.copy()
        del sol
        gc.collect()
        junk = [np.ones(10000) for _ in range(100)]  # would take the memory if it were free
        self.assertTrue(np.array_equal(before[0], position) and np.array_equal(before[1], angle))
        self.assertEqual(len(junk), 100)

    def test_shapes_units_and_frames(self):
        sol = self.sol
        n = len(sol.t)
        self.assertEqual(sol.bodies["forearm"].position.shape, (n, 3))
        self.assertEqual((sol.q.shape, sol.v.shape, sol.lambda_.shape), ((n, 14), (n, 12), (n, 8)))
        self.assertEqual((sol.units["bodies/position"], sol.frames["bodies/position"]), ("m", "world"))
        self.assertEqual(sol.units["joints/angle"], "rad")
        self.assertEqual(sol["energy/total"].shape, (n,))
        self.assertEqual(sol.reaction_on["elbow"], "forearm")

    def test_a_wrong_option_is_answered_with_the_right_name(self):
        with self.assertRaises(catena.UsageError) as caught:
            catena.run(pendulum(), stepper="generalized_alpha", rho_infy=0.8)
        self.assertIn('did you mean "rho_inf"', str(caught.exception))
        with self.assertRaises(catena.UsageError) as caught:
            catena.run(pendulum(), stepper="generalised_alpha")
        self.assertIn('did you mean "generalized_alpha"', str(caught.exception))
        with self.assertRaises(catena.UsageError) as caught:
            catena.run(pendulum(), rho_inf=2.0)
        self.assertIn("out of range [0, 1]", str(caught.exception))

    def test_a_wrong_name_of_a_result_has_a_hint(self):
        with self.assertRaises(KeyError) as caught:
            self.sol["elbw"]
        self.assertIn("elbow", str(caught.exception))
        with self.assertRaises(AttributeError) as caught:
            self.sol["elbow"].angel
        self.assertIn("angle", str(caught.exception))

    def test_a_run_that_fails_raises_with_status_time_and_culprit(self):
        model = pendulum()
        model.own_force(lambda A, t: A.wrench([0.0, 0.0, 1.0 / 0.0 if t > 0.05 else 0.0]), "link", name="bad")
        with self.assertRaises(catena.RunError) as caught:
            catena.run(model, step=1e-2, end=0.1)
        error = caught.exception
        self.assertEqual(error.status, "exception")
        self.assertAlmostEqual(error.time, 0.05, delta=0.011)
        self.assertIn("bad", error.culprit["name"])
        self.assertIn("ZeroDivisionError", str(error))
        self.assertGreater(len(error.solution.t), 3)
        self.assertFalse(catena.run(model, step=1e-2, end=0.1, check=False).ok)

    def test_problems_of_the_library_have_their_parameters(self):
        sol = catena.run("helix_chain", set={"n": 5}, end=0.01)
        self.assertEqual(len(sol.bodies), 5)
        with self.assertRaises(catena.UsageError):
            catena.run("helix_chain", set={"nn": 5}, end=0.01)

    def test_the_interpreter_is_not_locked_in_a_run(self):
        ticks = 0
        running = True

        def tick():
            nonlocal ticks
            while running:
                ticks += 1
                time.sleep(1e-3)

        thread = threading.Thread(target=tick)
        thread.start()
        catena.run("helix_chain", set={"n": 50}, end=0.2)
        during = ticks
        running = False
        thread.join()
        self.assertGreater(during, 3)

    def test_scenarios_pickle_and_give_the_same_key(self):
        for scenario in (catena.Scenario(model=arm(), rho_inf=0.9, end=0.1), catena.Scenario(problem="helix_chain", set={"n": 4})):
            other = pickle.loads(pickle.dumps(scenario))
            self.assertEqual(other, scenario)
            self.assertEqual(other.key(), scenario.key())

    def test_states_pickle(self):
        state = self.sol.state
        other = pickle.loads(pickle.dumps(state))
        for member in ("q", "v", "a", "lambda_"):
            self.assertTrue(np.array_equal(getattr(other, member), getattr(state, member)))
        self.assertEqual(other.t, state.t)

    def test_pandas_and_xarray_take_a_solution(self):
        frame = self.sol.to_pandas()
        self.assertEqual(frame["joints/angle of joint \"elbow\" (revolute)"].iloc[-1], self.sol["elbow"].angle[-1])
        data = self.sol.to_xarray()
        self.assertEqual(data["bodies/position"].attrs["units"], "m")
        self.assertEqual(data["bodies/position"].shape, (len(self.sol.t), 2, 3))

    def test_results_go_to_a_folder_too(self):
        with tempfile.TemporaryDirectory() as folder:
            catena.run(pendulum(), step=1e-2, end=0.1, output=f"{folder}/out", format="csv")
            self.assertTrue(any(pathlib.Path(folder, "out").glob("*.csv")))

    def test_a_frame_shows_the_motion_or_says_why_there_is_no_page(self):
        sol = catena.run(pendulum(), step=1e-2, end=0.1)
        if os.environ["CATENA_PAGE"] != "ON":
            with self.assertRaises(catena.SinkError):
                sol.show()
            return
        page = sol.show()
        self.assertEqual(page.remark, "")
        self.assertIn('"frames":{', page.text)
        self.assertTrue(page._repr_html_().startswith('<iframe srcdoc="'))
        self.assertIn('"kind":"model"', catena.show(pendulum()).text)

    @unittest.skipUnless(os.environ["CATENA_PAGE"] == "ON", "the build has no page")
    def test_a_frame_shows_the_run_that_there_is(self):
        model = pendulum()
        drag = [0.5]
        model.own_force(lambda A, t: A.wrench(-drag[0] * A.v), "link", name="drag")  # no file can hold it
        half = catena.Event("half", lambda s: s.t - 0.05)
        sol = catena.run(model, step=1e-2, end=0.1, events=[half])
        drag[0] = 500.0  # a second run would be another one
        page = sol.show()
        self.assertEqual(page.remark, "")
        card = json.loads(re.search(r'id="catena-data">(.*?)</script>', page.text, re.S)[1])["cards"][0]
        numbers = lambda coded: np.frombuffer(zlib.decompress(base64.b64decode(coded["data"])), "<f8")
        self.assertTrue(np.array_equal(numbers(card["time"]), sol.t))
        self.assertTrue(np.array_equal(numbers(card["frames"]["times"]), sol.t))
        series = {s["name"]: numbers(s["values"]) for s in card["series"]}
        self.assertTrue(np.array_equal(series["energy/total"], sol["energy/total"]))
        self.assertEqual([e["name"] for e in card["events"]], ["half"])
        self.assertEqual(card["manifest"]["stepper"], "generalized_alpha")

    @unittest.skipUnless(os.environ["CATENA_PAGE"] == "ON", "the build has no page")
    def test_a_page_without_coordinates_says_why_nothing_moves(self):
        page = catena.run(pendulum(), step=1e-2, end=0.1, record="energy").show()
        self.assertIn("motion is not shown", page.remark)
        self.assertNotIn('"frames":{', page.text)

    def test_a_notebook_shows_the_quantities(self):
        self.assertIn("bodies/position", self.sol._repr_html_())


if __name__ == "__main__":
    unittest.main()
