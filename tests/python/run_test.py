"""A run gives the bits of the program, as arrays without a copy; failures are exceptions with status, time and culprit."""
import base64
import concurrent.futures
import gc
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

import catena
import numpy as np
from arms import arm, pendulum


def failing():
    model = pendulum()
    model.own_force(lambda A, t: A.wrench([0.0, 0.0, 1.0 / 0.0 if t > 0.05 else 0.0]), "link", name="bad")
    return catena.run(model, step=1e-2, end=0.1)


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

    def test_a_wrong_keyword_is_answered_in_the_words_of_python(self):
        model = pendulum()
        for said, members in (('^setp=0.001: .* nor is it another keyword: did you mean "step"', {"setp": 1e-3}),
                              ("^rho_inf=3 .option of generalized_alpha.: 3 is out of range", {"rho_inf": 3}),
                              ('^end="10 kg": ', {"end": "10 kg"}), ('^set={"n": 3}: a Model has no parameters$', {"set": {"n": 3}}),
                              ('^set={"arm.length": 3}: a Model has no parameters$', {"set": {"arm.length": 3}}),
                              ("^overwrite=True needs output=folder", {"overwrite": True}), ("^set=.*: a dict belongs here", {"set": ["n"]}),
                              ("^threads=-1: a whole number", {"threads": -1}), ("^threads='x': a whole number", {"threads": "x"}),
                              ("^model='arm': a Model belongs here", {"model": "arm"})):
            with self.assertRaisesRegex(catena.UsageError, said):
                catena.Scenario(**members) if "model" in members else catena.run(model, **members)
        for said, members in (('^n=3: .* nor is it another keyword; .* set={"n": 3}; options are rho_inf, .* keywords are .*step', {"n": 3}),
                              ('^set={"nn": 3} of helix_chain: no parameter "nn": did you mean "n"', {"set": {"nn": 3}})):
            with self.assertRaisesRegex(catena.UsageError, said):
                catena.run("helix_chain", **members)
        with self.assertRaisesRegex(catena.UsageError, "the name of a problem .* not 3"):
            catena.run(3)
        for name in (0, None):
            with self.assertRaisesRegex(KeyError, "have names"):
                self.sol[name]
        with self.assertRaisesRegex(catena.UsageError, "^System.model, nn=.*: a Model has no parameters"):
            catena.System(model, nn=4)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "arm.yaml")
            file.write_text(model.to_yaml(), encoding="utf-8")
            with self.assertRaisesRegex(catena.UsageError, 'no parameter "foo"'):
                catena.read(str(file), foo=3)

    def test_a_wrong_name_of_a_result_has_a_hint(self):
        with self.assertRaises(KeyError) as caught:
            self.sol["elbw"]
        self.assertIn("elbow", str(caught.exception))
        with self.assertRaises(AttributeError) as caught:
            self.sol["elbow"].angel
        self.assertIn("angle", str(caught.exception))
        with self.assertRaisesRegex(KeyError, 'there is no "nope" in this solution; there are upper arm, forearm, shoulder'):
            self.sol["nope"]
        for name, said in (("revol", '^there is no "revol"; did you mean "revolute"'), ("nope", "; joints.., forces.., .* list what there is$")):
            with self.assertRaisesRegex(catena.UsageError, said):
                catena.help_on(name)

    def test_a_name_of_several_things_is_refused_and_the_things_are_not(self):
        model = catena.Model(gravity=(0, 0, -9.81))
        body = model.body("hip", mass=1, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0))
        joint = model.revolute("ground", body, name="hip", at=(0, 0, 0), axis=(0, 1, 0))
        other = model.body("a", mass=1, inertia=(0.1, 0.1, 0.1), position=(2, 0, 0))
        sol = catena.run(model, step=1e-2, end=0.02)
        with self.assertRaisesRegex(KeyError, r'sol.bodies\["hip"\] or sol.joints\["hip"\] says which'):
            sol["hip"]
        with self.assertRaisesRegex(KeyError, r'sol.quantities\["a"\] or sol.bodies\["a"\] says which'):
            sol["a"]
        self.assertIs(sol[body], sol.bodies["hip"])
        self.assertIs(sol[joint], sol.joints["hip"])
        self.assertIs(sol[other], sol.bodies["a"])
        self.assertEqual(sol.a.shape, sol.quantities["a"].shape)

    def test_names_may_hold_quotation_marks(self):
        model = catena.Model(gravity=(0, 0, -9.81))
        model.body('pipe 6" long', mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0))
        model.revolute("ground", 'pipe 6" long', name='hip "on" wall', at=(0, 0, 0), axis=(0, 1, 0))
        sol = catena.run(model, step=1e-2, end=0.02)
        self.assertEqual(sol.reaction_on, {'hip "on" wall': 'pipe 6" long'})
        self.assertEqual(sol['hip "on" wall'].force.shape, (3, 3))
        self.assertEqual(sol['hip "on" wall'].angle.shape, (3,))

    def test_a_daemon_thread_does_not_keep_the_interpreter_from_its_exit(self):
        program = ("import catena, threading, time\n"
                   "work = lambda: catena.run('helix_chain', set={'n': 20}, step=1e-4, end=100, record='energy')\n"
                   "threading.Thread(target=work, daemon=True).start()\n"
                   "time.sleep(0.2)\n")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_ball_joint_has_no_angle(self):
        self.assertEqual(dir(self.sol["shoulder"]), ["force", "torque"])
        with self.assertRaisesRegex(AttributeError, r'joint "shoulder" \(spherical\) has no axis, and so no angle'):
            self.sol["shoulder"].angle
        alone = catena.run(arm(), step=1e-2, end=0.02, record="joints")
        self.assertEqual([dir(alone.joints[name]) for name in ("shoulder", "elbow")],
                         [[], ["angle", "angle_rate", "displacement", "displacement_rate"]])

    def test_a_scenario_without_a_keyword_names_it(self):
        for said, work in {"takes keywords alone, problem='helix_chain' say": lambda: catena.Scenario("helix_chain"),
                           "takes keywords alone, model=": lambda: catena.Scenario(arm()),
                           "a name or a file belongs here; a Model is model=": lambda: catena.Scenario(problem=arm())}.items():
            with self.assertRaisesRegex(catena.UsageError, said):
                work()

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

    def test_a_run_that_fails_at_its_start_has_no_instants(self):
        model = pendulum()
        pull = [0.0]
        model.own_force(lambda A, t: A.wrench([0.0, 0.0, pull[0]]), "link", name="bad")
        pull[0] = np.nan
        with self.assertRaises(catena.RunError) as caught:
            catena.run(model, step=1e-2, end=0.1)
        for sol in (caught.exception.solution, pickle.loads(pickle.dumps(caught.exception)).solution):
            self.assertIn("0 instants", repr(sol))
            self.assertEqual((sol.t.shape, sol.q.shape, sol.v.shape, sol.a.shape, sol.lambda_.shape), ((0,), *[(0, 0)] * 4))
            self.assertEqual((len(sol.to_pandas()), sol.to_xarray().sizes["time"], sol.reaction_on), (0, 0, {}))
            self.assertIn("bad", sol._repr_html_())
            with self.assertRaisesRegex(KeyError, 'no body "link": nothing was recorded'):
                sol.bodies["link"]

    def test_what_was_not_recorded_is_said_with_what_records_it(self):
        sol = catena.run(pendulum(), step=1e-2, end=0.1, record="time")
        for name, member in (("q", "q"), ("v", "v"), ("a", "a"), ("lambda", "lambda_")):
            with self.assertRaisesRegex(catena.UsageError, f'were not recorded: run.*"standard".*record="{name}".*recorded are time'):
                getattr(sol, member)
            self.assertEqual(getattr(catena.run(pendulum(), step=1e-2, end=0.1, record=name), member).shape[0], 11)

    def test_the_body_that_a_reaction_acts_on_is_found_first(self):
        self.assertEqual(catena.run(arm(), step=1e-2, end=0.02).reaction_on, {"shoulder": "upper arm", "elbow": "forearm"})

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

    def test_solutions_pickle_with_all_that_is_read_from_them(self):
        other = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(self.sol))))
        self.assertEqual(list(other.quantities), list(self.sol.quantities))
        for name, values in self.sol.quantities.items():
            self.assertTrue(np.array_equal(other[name], values), name)
            self.assertFalse(other[name].flags.writeable)
        self.assertTrue(np.array_equal(other.bodies["forearm"].position, self.sol.bodies["forearm"].position))
        self.assertEqual((other.units, other.facts, other.report(), other.status, other.key, other.events),
                         (self.sol.units, self.sol.facts, self.sol.report(), self.sol.status, self.sol.key, self.sol.events))
        self.assertEqual((other.scenario, other.state.t), (self.sol.scenario, self.sol.state.t))
        self.assertEqual(other._repr_html_(), self.sol._repr_html_())

    @unittest.skipUnless(os.environ["CATENA_PAGE"] == "ON", "the build has no page")
    def test_a_solution_from_elsewhere_shows_the_same_page(self):
        sol = catena.run(arm(), step=1e-2, end=0.2)
        with self.assertRaisesRegex(catena.UsageError, r"sol.keep_page\(\) where it is run"):
            pickle.loads(pickle.dumps(sol)).show()
        with self.assertRaisesRegex(catena.UsageError, "keep_page"):
            pickle.loads(pickle.dumps(sol)).keep_page()
        moved = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(sol.keep_page())).keep_page()))
        cards = lambda page: re.search(r'"cards":(.*?)</script>', page.text, re.S)[1]  # without the time at which it was written
        self.assertEqual(cards(moved.show()), cards(sol.show()))
        self.assertEqual(cards(catena.show([moved, sol])), cards(catena.show([sol, sol])))
        self.assertIn('"frames":{', moved.show().text)

    def test_a_failure_in_another_process_has_its_status_time_and_culprit(self):
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            with self.assertRaises(catena.RunError) as caught:
                pool.submit(failing).result()
        error = caught.exception
        self.assertEqual(error.status, "exception")
        self.assertAlmostEqual(error.time, 0.05, delta=0.011)
        self.assertIn("bad", error.culprit["name"])
        self.assertGreater(len(error.solution.t), 3)
        with self.assertRaisesRegex(catena.UsageError, "another process"):  # no file can hold its force
            error.solution.scenario
        self.assertIn("exception", error.solution._repr_html_())

    def test_calls_of_python_are_counted_with_their_time(self):
        calls = []
        event = catena.Event("late", lambda s: calls.append(s.t) or time.sleep(1e-3) or s.t - 5.0)
        sol = catena.run(pendulum(), step=1e-2, end=0.2, events=[event])
        python = sol.facts["python"]
        self.assertEqual(python["calls"], len(calls))
        self.assertGreaterEqual(len(calls), 20)
        self.assertGreater(python["seconds"], 1e-3 * len(calls))
        self.assertLess(python["seconds"], sol.facts["wall_time_s"])
        self.assertRegex(sol.report(), rf"Python +{len(calls)} calls of own code, .* % of the time of the run")
        self.assertIn(f"<td>calls of own code in Python</td><td>{len(calls)}</td>", sol.report()._repr_html_())
        self.assertNotIn("python", self.sol.facts)
        self.assertNotIn("own code", self.sol.report())

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

    def test_what_the_file_records_is_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "model.yaml")
            text = arm().to_yaml() + "\nrun: {end: 0.01, step: 1e-3"
            file.write_text(text + ", record: energy}\n", encoding="utf-8")
            names = catena.run(str(file)).quantities
            self.assertIn("energy/kinetic", names)
            self.assertNotIn("bodies/position", names)
            self.assertIn("bodies/position", catena.run(str(file), record="standard").quantities)
            file.write_text(text + "}\n", encoding="utf-8")
            self.assertIn("bodies/position", catena.run(str(file)).quantities)

    def test_results_go_to_a_folder_too(self):
        with tempfile.TemporaryDirectory() as folder:
            catena.run(pendulum(), step=1e-2, end=0.1, output=f"{folder}/out", format="csv")
            self.assertTrue(any(pathlib.Path(folder, "out").glob("*.csv")))

    def test_the_program_shows_the_folder_of_a_run(self):
        if os.environ["CATENA_PAGE"] != "ON":
            self.skipTest("built without the page")
        with tempfile.TemporaryDirectory() as folder:
            def report(out):
                return subprocess.run([os.environ["CATENA_PROGRAM"], "report", out], capture_output=True, text=True)

            catena.run("four_bar", end=0.01, output=f"{folder}/problem")
            catena.run(pendulum(), step=1e-2, end=0.1, output=f"{folder}/model")
            facts = json.loads(pathlib.Path(folder, "model", "report.json").read_text(encoding="utf-8"))
            self.assertEqual((facts["verdict"], facts["exit_status"]), ("ok", None))
            for name, lacks in (("problem", ""), ("model", "the motion is not shown: .*: only the program that made it can")):
                done = report(f"{folder}/{name}")
                self.assertEqual(done.returncode, 0, done.stderr)
                if os.environ["CATENA_HDF5"] != "1":
                    lacks = "there are no curves and no motion: .* has no results.h5"
                self.assertRegex(done.stderr, lacks if lacks else "^$")
                self.assertTrue(pathlib.Path(folder, name, "report.html").exists())
            pathlib.Path(folder, "model", "report.json").unlink()
            self.assertRegex(report(f"{folder}/model").stderr, "a run that did not finish.*the program that made it")

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
        cards = lambda page: json.loads(re.search(r'id="catena-data">(.*?)</script>', page.text, re.S)[1])["cards"]
        self.assertEqual([card["kind"] for card in cards(catena.show(sol))], ["run"])
        other = catena.run(pendulum(), step=1e-2, end=0.2)
        both = cards(catena.show([sol, other, pendulum()]))
        self.assertEqual([card["kind"] for card in both], ["run", "run", "model"])
        self.assertEqual([card["report"]["end"] for card in both[:2]], [0.1, 0.2])
        with self.assertRaisesRegex(catena.UsageError, "as it was run"):
            catena.show(sol, step=1e-3)

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

    def test_a_report_is_the_text_of_the_program_and_tables_in_a_notebook(self):
        report = self.sol.report()
        self.assertIn("Newton iterations", report)
        shown = report._repr_html_()
        self.assertIn(f"<td>steps</td><td>{self.sol.facts['steps']}</td>", shown)
        self.assertIn(f"<td>largest position residual</td><td>{self.sol.facts['position_residual_max']:.6g}</td>", shown)
        self.assertEqual(pickle.loads(pickle.dumps(report))._repr_html_(), shown)
        model = pendulum()
        model.own_force(lambda A, t: A.wrench([0.0, 0.0, 1.0 / 0.0 if t > 0.05 else 0.0]), "link", name="<bad>")
        shown = catena.run(model, step=1e-2, end=0.1, check=False).report()._repr_html_()
        self.assertIn("failed</b>", shown)
        self.assertIn("<li>force &quot;&lt;bad&gt;&quot; (python): exception</li>", shown)

    def test_a_notebook_shows_the_quantities(self):
        self.assertIn("bodies/position", self.sol._repr_html_())


if __name__ == "__main__":
    unittest.main()
