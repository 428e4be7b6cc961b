"""What methods are made of: KKT matrices as scipy has them, residuals, the own factorisation."""
import unittest

import catena
import numpy as np
from arms import arm


class Methods(unittest.TestCase):
    def setUp(self):
        self.system = catena.System(arm())
        self.state = self.system.initial_state()

    def test_the_index_1_system_gives_the_consistent_accelerations(self):
        system, state = self.system, self.state
        at_rest = system.evaluate(state)  # a = lambda = 0: balance is -f, acceleration the bias
        right = np.concatenate([-at_rest["balance"], -at_rest["acceleration"]])
        matrix = system.kkt(state)
        self.assertEqual(matrix.shape, (20, 20))
        self.assertEqual(abs(matrix - matrix.T).max(), 0.0)
        import scipy.sparse.linalg
        theirs = scipy.sparse.linalg.spsolve(matrix, right)
        system.make_consistent(state)
        # condition of the matrix about 1e3
        self.assertLess(np.abs(theirs - np.concatenate([state.a, state.lambda_])).max(), 1e-11)
        self.assertLess(np.abs(system.evaluate(state)["balance"]).max(), 1e-11)

    def test_the_own_factorisation_solves_a_matrix_given_block_by_block(self):
        rng = np.random.default_rng(1)
        matrix = catena.KktMatrix(primal=[3, 2], dual=[2], incidences=[(0, 0), (0, 1)], couplings=[(0, 1)])
        for k, n in enumerate((3, 2)):
            half = rng.standard_normal((n, n))
            matrix.set("H", k, half @ half.T + 5.0 * np.eye(n))
            matrix.set("C", k, rng.standard_normal((2, n)))
        coupling = 0.1 * rng.standard_normal((3, 2))
        matrix.set("H_upper", 0, coupling)
        matrix.set("H_lower", 0, coupling.T)
        right = rng.standard_normal(7)
        factor = matrix.factorize()
        self.assertEqual((factor.status, factor.negative_pivots), ("ok", 2))
        self.assertLess(np.abs(matrix.to_scipy() @ factor.solve(right) - right).max(), 1e-12)

    def test_wrong_blocks_are_refused(self):
        matrix = catena.KktMatrix(primal=[3])
        for work in (lambda: matrix.set("H", 0, np.eye(2)), lambda: matrix.set("H", 1, np.eye(3)),
                     lambda: matrix.set("G", 0, np.eye(3)), lambda: catena.KktMatrix(primal=[3], incidences=[(0, 0)])):
            with self.assertRaises(catena.UsageError):
                work()

    def test_blocks_that_would_be_misread_are_refused(self):
        matrix = catena.KktMatrix(primal=[2, 6], dual=[3], incidences=[(0, 1)])
        for said, work in {"H 0 of a symmetric matrix is not symmetric": lambda: matrix.set("H", 0, [[1, 5], [2, 1]]),
                           "C has 3 rows, not 6": lambda: matrix.set("C", 0, np.ones((6, 3))),
                           r"incidences: \(0, 0\) is there twice": lambda: catena.KktMatrix([2], [1], [(0, 0), (0, 0)]),
                           r"couplings: \(0, 1\) is there twice": lambda: catena.KktMatrix([2, 2], couplings=[(0, 1), (1, 0)]),
                           "h=nan: a number from 0 on": lambda: self.system.kkt(self.state, h=float("nan")),
                           "h=-0.1: a number from 0 on": lambda: self.system.kkt(self.state, h=-0.1)}.items():
            with self.assertRaisesRegex(catena.UsageError, said):
                work()
        catena.KktMatrix([2], symmetric=False).set("H", 0, [[1, 5], [2, 1]])
        matrix.set("C", 0, np.ones(18))

    def test_a_refused_block_leaves_the_matrix_as_it_was(self):
        matrix = catena.KktMatrix([2])
        matrix.set("H", 0, [[2, 1], [1, 3]])
        for wrong, said in (([[1, 0.5], [0, 1]], "not symmetric"), ([[np.nan, 0], [0, 1]], "^H 0: its numbers must be finite")):
            with self.assertRaisesRegex(catena.UsageError, said):
                matrix.set("H", 0, wrong)
            self.assertEqual(matrix.to_scipy().toarray().tolist(), [[2, 1], [1, 3]])

    def test_several_right_hand_sides_are_solved(self):
        factor = self.system.kkt_matrix(self.state).factorize()
        right = np.random.default_rng(2).standard_normal((20, 3))
        for solve in (factor.solve, factor.solve_transposed):
            self.assertTrue(np.array_equal(solve(right)[:, 1], solve(right[:, 1])))
            self.assertEqual(solve(right[:, :0]).shape, (20, 0))

    def test_retract_and_difference_are_inverse(self):
        delta = 0.1 * np.arange(12)
        moved = self.system.retract(self.state.q, delta)
        self.assertLess(np.abs(self.system.difference(self.state.q, moved) - delta).max(), 1e-14)

    def test_residuals_are_those_of_plain_arrays_too(self):
        system, state = self.system, self.state
        state.v += 0.1 * np.arange(12)
        system.make_consistent(state)
        state.t = 0.25
        ours = system.evaluate(state)
        theirs = system.evaluate(state.q.copy(), list(state.v), a=state.a, lambda_=state.lambda_, t=0.25)
        self.assertEqual(sorted(ours), sorted(theirs))
        for name, values in ours.items():
            self.assertTrue(np.array_equal(values, theirs[name]), name)
        at_rest = system.evaluate(q=state.q)
        self.assertEqual(at_rest["kinetic"], 0.0)
        self.assertGreater(np.abs(at_rest["balance"]).max(), 1.0)
        for wrong in (lambda: system.evaluate(state.q[1:]), lambda: system.evaluate(state.q, state.a[:3]), lambda: system.evaluate(state, t=1.0)):
            with self.assertRaises(catena.UsageError):
                wrong()

    def test_a_state_of_another_system_is_refused(self):
        with self.assertRaises(catena.UsageError):
            self.system.evaluate(catena.State())


if __name__ == "__main__":
    unittest.main()
