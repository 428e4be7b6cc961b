"""Sweeps, ensembles and comparisons are tables, with the bits of single runs."""
import concurrent.futures
import multiprocessing
import tempfile
import unittest

import catena
import numpy as np


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
        self.assertIn("n", first.message)
        self.assertTrue(second.ok)

    def test_a_sweep_is_a_table_for_pandas(self):
        table = catena.sweep("helix_chain", "n=2,3,4", ["end energy/kinetic"], end=0.02)
        frame = table.to_pandas()
        self.assertEqual(list(frame["n"]), [2, 3, 4])
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


if __name__ == "__main__":
    unittest.main()
