"""Sweeps, ensembles and comparisons are tables, with the bits of single runs."""
import concurrent.futures
import multiprocessing
import pickle
import tempfile
import unittest

import catena
import numpy as np
import pandas


def shard(arguments):
    folder, number = arguments
    return catena.sweep("helix_chain", "n=2,3,4", "end energy/kinetic", end=0.02, folder=folder, shard=number, shards=2).attrs["ok"]


class Study(unittest.TestCase):
    def test_an_ensemble_has_the_bits_of_single_runs(self):
        scenarios = [catena.Scenario(problem="helix_chain", set={"n": n}, end=0.02) for n in (3, 4, 5)]
        for scenario, sol in zip(scenarios, catena.ensemble(scenarios)):
            self.assertTrue(np.array_equal(sol.q, catena.run(scenario).q))

    def test_a_row_of_an_ensemble_that_makes_no_sense_is_a_row(self):
        good = catena.Scenario(problem="helix_chain", set={"n": 3}, end=0.02)
        bad = catena.Scenario(problem="helix_chain", set={"n": 0}, end=0.02)
        first, second = catena.ensemble([bad, good], threads=2)
        self.assertFalse(first.ok)
        self.assertEqual(first.status, "refused")
        self.assertIn("n", first.message)
        self.assertIn("<details>", first.report()._repr_html_())
        self.assertTrue(second.ok)

    def test_an_ensemble_has_a_table_for_pandas(self):
        rows = [{"set": {"n": 3}}, {"set": {"n": 4}, "rho_inf": 0.5}, {"set": {"n": 0}}]
        sols = catena.ensemble([catena.Scenario(problem="helix_chain", end=0.02, **row) for row in rows])
        frame = sols.to_pandas()
        self.assertTrue(pandas.DataFrame(sols.table).equals(frame))
        self.assertEqual(list(frame["n"]), [3, 4, 0])
        self.assertEqual(list(frame["option.rho_inf"][:2]), [0.8, 0.5])
        self.assertNotIn("option.index", frame)  # of all rows the same
        self.assertEqual(list(frame["status"]), ["ok", "ok", "refused"])
        self.assertIn("out of range", frame["error"][2])
        self.assertEqual(list(frame["t [s]"]), [sol.t_end for sol in sols])
        self.assertEqual(list(frame["end energy/kinetic [J]"][:2]), [sol["energy/kinetic"][-1] for sol in sols[:2]])
        self.assertEqual(frame["end bodies/position z of link 4 [m]"][1], sols[1].bodies["link 4"].position[-1, 2])
        self.assertTrue(np.isnan(frame["end bodies/position z of link 4 [m]"][0]))
        self.assertIn("<td>4</td>", sols._repr_html_())
        self.assertEqual(list(sols.table["problem"]), ["helix_chain"] * 3)
        from arms import pendulum
        models = catena.ensemble([catena.Scenario(model=pendulum(), step=h, end=0.02) for h in (1e-2, 5e-3)])
        self.assertEqual(list(models.table["problem"]), ["", ""])  # texts, not nan

    def test_steps_that_no_run_can_have_are_refused(self):  # they ended the interpreter
        for step in (-1, 0, float("nan"), float("inf"), 1e-300, 1e-12):
            with self.assertRaisesRegex(catena.UsageError, f"^steps={float(step):g}"):
                catena.compare("simple_pendulum", ["generalized_alpha"], steps=[step], end=0.2)
        with self.assertRaisesRegex(catena.UsageError, "^end=0: the run begins at 0 s"):
            catena.compare("simple_pendulum", ["generalized_alpha"], end=0)

    def test_an_ensemble_names_culprits(self):
        [sol] = sols = catena.ensemble([catena.Scenario(problem="heavy_top", set={"spin": 10000}, step=0.1, end=1, max_newton_iterations=2)])
        self.assertNotEqual(sol.status, "ok")
        self.assertEqual(list(sols.table["culprit"]), [sol.culprit["name"]])

    def test_a_sweep_is_a_table_for_pandas(self):
        table = catena.sweep("helix_chain", "n=2,3,4", ["end energy/kinetic"], end=0.02)
        frame = table.to_pandas()
        self.assertEqual(list(frame["n"]), [2, 3, 4])
        self.assertTrue(pandas.DataFrame(table).equals(frame))
        self.assertEqual(pickle.loads(pickle.dumps(table)).attrs, table.attrs)
        [column] = [name for name in table if name.startswith("end energy/kinetic")]
        alone = catena.run("helix_chain", set={"n": 3}, end=0.02)
        self.assertEqual(frame[column][1], alone["energy/kinetic"][-1])
        self.assertEqual(table.attrs["ok"], 3)

    def test_processes_work_on_shards_of_one_table(self):
        with tempfile.TemporaryDirectory() as folder:
            with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
                done = list(pool.map(shard, [(folder, 1), (folder, 2)]))
        self.assertEqual(sum(done), 3)

    def test_dask_works_on_shards_of_one_table(self):
        import dask
        with tempfile.TemporaryDirectory() as folder:
            parts = [dask.delayed(shard)((folder, number)) for number in (1, 2)]
            with dask.config.set({"multiprocessing.context": "spawn"}):
                done = dask.compute(*parts, scheduler="processes", num_workers=2)
        self.assertEqual(sum(done), 3)

    def test_a_sweep_of_a_model_varies_options(self):
        from arms import pendulum
        table = catena.sweep(pendulum(), "option.rho_inf=0.5,0.9", "end energy/total", step=1e-2, end=0.1)
        self.assertEqual(table.rows, 2)

    def test_wrong_arguments_are_answered_with_the_right_ones(self):
        self.assertEqual([sol.status for sol in catena.ensemble(["simple_pendulum"], threads=np.int64(1))], ["ok"])
        self.assertEqual(catena.compare("simple_pendulum", "generalized_alpha", steps=1e-2, end=0.1).rows, 1)
        for said, work in (("^threads=-1: ", lambda: catena.ensemble([], threads=-1)),
                           ("^threads=-1: ", lambda: catena.sweep("helix_chain", "n=2", end=0.01, threads=-1)),
                           ("^threads_of_row=-5: ", lambda: catena.ensemble([], threads_of_row=-5)),
                           ("^row_seconds=nan: ", lambda: catena.ensemble([], row_seconds=float("nan"))),
                           ("^a list of Scenarios", lambda: catena.ensemble("helix_chain")),
                           ("^a Model, a Scenario, .* not 3", lambda: catena.ensemble([3])),
                           ("^vary=.*a text or a list of texts", lambda: catena.sweep("helix_chain", {"n": [2]}, end=0.01)),
                           ('^samples=4: .* vary="k=uniform', lambda: catena.sweep("helix_chain", "n=2", samples=4, end=0.01)),
                           ("^steps='fine': numbers", lambda: catena.compare("simple_pendulum", steps="fine")),
                           ("are compared, not Scenario", lambda: catena.compare(catena.Scenario(problem="simple_pendulum")))):
            with self.assertRaisesRegex(catena.UsageError, said):
                work()
        wrong = catena.ensemble([catena.Scenario(problem="helix_chain", set={"n": 0})])
        self.assertEqual(wrong[0].message, 'set={"n": 0} of helix_chain: 0 is out of range [1, 10000000]')
        self.assertEqual(wrong.table["error"][0], wrong[0].message)

    def test_wrong_words_of_a_sweep_are_refused(self):
        with self.assertRaises(catena.UsageError):
            catena.sweep("helix_chain", "n=", end=0.02)

    def test_a_comparison_has_a_row_for_each_run(self):
        table = catena.compare("simple_pendulum", ["generalized_alpha", "dormand_prince:control=fixed"], steps=[1e-2, 5e-3], end=0.2)
        self.assertEqual(table.rows, 4)
        errors = table[[name for name in table if name.startswith("position") and "largest" in name][0]]
        self.assertTrue(np.all(errors > 0.0))
        # generalized_alpha is of order 2: half of the step, a fourth of the error, with the slack of the audit (2^0.2)
        self.assertGreater(errors[0] / errors[1], 2.0 ** 1.8)

    def test_a_model_is_compared_as_a_problem_is(self):
        from arms import pendulum
        table = catena.compare([pendulum(), "simple_pendulum"], "generalized_alpha", steps=[1e-2, 5e-3], end=0.2)
        self.assertEqual(list(table["problem"]), ["model 1"] * 2 + ["simple_pendulum"] * 2)
        errors = table[[name for name in table if name.startswith("position") and "largest" in name][0]]
        self.assertGreater(errors[0] / errors[1], 2.0 ** 1.8)  # of order 2, with the slack of the audit
        with self.assertRaisesRegex(catena.UsageError, "end"):
            catena.compare(pendulum(), "generalized_alpha", steps=[1e-2])

    def test_a_model_with_elements_of_its_own_is_compared(self):
        def arm(own):
            model = catena.Model(gravity=(0, 0, -9.81))
            model.body("bob", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0))
            if own:
                model.own_joint(lambda A, t: catena.dot(A.x, A.x) - 1.0, "bob", name="rod")
            else:
                model.distance("ground", "bob", length=1.0)
            return model
        table = catena.compare([arm(True), arm(False)], ["generalized_alpha"], steps=[1e-2, 5e-3], end=0.2)
        self.assertEqual(list(table["problem"]), ["model 1"] * 2 + ["model 2"] * 2)
        errors = table[[name for name in table if name.startswith("position") and "largest" in name][0]]
        self.assertGreater(errors[0] / errors[1], 2.0 ** 1.8)
        self.assertTrue(np.allclose(errors[:2], errors[2:], rtol=1e-6), errors)  # the same motion

    def test_a_stepper_is_held_to_its_promises_on_a_model(self):
        from arms import arm, pendulum
        table = catena.audit("generalized_alpha", pendulum(), end=0.5, steps=50)
        self.assertTrue(table["ok"].all(), table.attrs["text"])
        self.assertEqual((set(table["problem"]), table.attrs["pairs"]), ({"model"}, 2))
        orders = {check: order for check, order in zip(table["check"], table["measured"]) if check.startswith("order")}
        self.assertTrue(orders and all(1.8 <= order <= 2.5 for order in orders.values()), orders)
        pushed = pendulum()  # elements of one's own take part
        pushed.own_force(lambda A, t: A.wrench(-0.1 * A.v), "link", name="drag")
        self.assertTrue(catena.audit("generalized_alpha", pushed, end=0.2, steps=20)["ok"].all())
        for reversible in (False, True):
            turned = catena.audit("rattle", arm(), end=0.2, steps=20, reversible=reversible)
            self.assertEqual("returns when turned back" in turned["check"], reversible)
            self.assertTrue(turned["ok"].all(), turned.attrs["text"])
        with self.assertRaisesRegex(catena.UsageError, '^stepper rattle was not run on the model: .*"drag"'):
            catena.audit("rattle", pushed, end=0.2, steps=20)
        with self.assertRaisesRegex(catena.UsageError, "end"):
            catena.audit("generalized_alpha", pendulum())
        with self.assertRaisesRegex(catena.UsageError, "have their own"):
            catena.audit("generalized_alpha", "simple_pendulum", end=1.0)
        with self.assertRaises(catena.UsageError) as caught:
            catena.audit("generalized_alpha", "pendulum")
        self.assertEqual(str(caught.exception).count("rotary_pendulum"), 1)
        with self.assertRaisesRegex(catena.UsageError, "by its name, or a Model"):
            catena.audit("generalized_alpha", 3)


if __name__ == "__main__":
    unittest.main()
