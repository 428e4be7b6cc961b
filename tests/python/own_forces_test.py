"""Forces of Python over arrays are those of Python one by one, at one call an evaluation."""
import unittest

import catena
import numpy as np

COUNT = 20


class Calls:
    """A function that counts how often it is called."""

    def __init__(self, function):
        self.function, self.count = function, 0

    def __call__(self, *arguments):
        self.count += 1
        return self.function(*arguments)


def bodies(count=COUNT):
    model = catena.Model(gravity=(0, 0, -9.81))
    for k in range(count):
        model.body(f"b{k}", mass=1.0 + 0.01 * k, inertia=(0.1, 0.2, 0.25), position=(k, 0.1 * k, 0),
                   velocity=(0.1, 0.2, 0.01 * k), angular_velocity=(0.3, -0.2, 0.5))
    return model


COEFFICIENT = 0.3 + 0.1 * np.arange(COUNT)  # [N s/m]
AT = np.array([0.1, 0.2, 0.3])


def drag_of(k):
    return lambda A, t: A.wrench(-COEFFICIENT[k] * (1.0 + t) * A.v, torque=-0.1 * A.omega)


def drag(A, t):
    return A.wrench(-COEFFICIENT[A.element, None] * (1.0 + t) * A.v, torque=-0.1 * A.omega)


def spring(A, B, t):
    d = B.point((0, 0, 0.1)) - A.point(AT)
    pull = 5.0 * (1.0 - 0.5 / np.sqrt((d * d).sum(axis=-1, keepdims=True))) * d
    return A.wrench(pull, at=AT), B.wrench(-pull, at=(0, 0, 0.1))


def spring_energy(A, B, t):
    d = B.point((0, 0, 0.1)) - A.point(AT)
    return 2.5 * (np.sqrt((d * d).sum(axis=-1)) - 0.5)**2


def spring_one(A, B, t):
    d = B.point((0, 0, 0.1)) - A.point(AT)
    pull = 5.0 * (1.0 - 0.5 / np.sqrt(catena.dot(d, d))) * d
    return A.wrench(pull, at=AT), B.wrench(-pull, at=(0, 0, 0.1))


def energy_one(A, B, t):
    d = B.point((0, 0, 0.1)) - A.point(AT)
    return 2.5 * (np.sqrt(catena.dot(d, d)) - 0.5)**2


def with_springs(model, at_once, functions=(spring, spring_energy)):
    pairs = [("ground" if k == 0 else f"b{k - 1}", f"b{k}") for k in range(COUNT)]
    if at_once:
        model.own_forces(functions[0], pairs, name="spring", potential=functions[1])
    else:
        for k, pair in enumerate(pairs):
            model.own_force(functions[0], *pair, name=f"spring {k}", potential=functions[1])
    return model


class Vectorised(unittest.TestCase):
    def test_bits_are_those_of_forces_one_by_one_at_one_call_an_evaluation(self):
        for stepper in ("runge_kutta_4", "dormand_prince"):
            apart, together = bodies(), bodies()
            single, all_of_them = [Calls(drag_of(k)) for k in range(COUNT)], Calls(drag)
            for k, function in enumerate(single):
                apart.own_force(function, f"b{k}", name=f"drag {k}")
            together.own_forces(all_of_them, together.bodies.values(), name="drag")
            for function in (*single, all_of_them):
                function.count = 0
            expected = catena.run(apart, stepper=stepper, step=1e-2, end=0.2)
            sol = catena.run(together, stepper=stepper, step=1e-2, end=0.2)
            self.assertTrue(np.array_equal(sol.q, expected.q), stepper)
            self.assertTrue(np.array_equal(sol["energy/total"], expected["energy/total"]), stepper)
            self.assertGreater(all_of_them.count, 0)
            self.assertEqual(all_of_them.count, single[0].count)
            self.assertEqual(COUNT * all_of_them.count, sum(f.count for f in single))

    def test_an_implicit_run_makes_one_more_call_a_matrix_with_differences_or_given_derivatives(self):
        given = Calls(lambda A, t: (np.zeros((len(A.x), 6, 6)), self.damping(A, t)))
        counts, ends = [], []
        for derivatives in (None, given):
            model, function = bodies(), Calls(drag)
            model.own_forces(function, [f"b{k}" for k in range(COUNT)], derivatives=derivatives)
            function.count = given.count = 0
            ends.append(catena.run(model, step=1e-2, end=0.2).q[-1])
            counts.append((function.count, given.count))
        self.assertGreater(counts[1][1], 0)
        self.assertEqual(counts[0], (sum(counts[1]), 0))
        # Newton's iterations end below 1e-10 of the motion, and the errors of 20 steps add up.
        self.assertLess(np.abs(ends[0] - ends[1]).max(), 1e-8)

    @staticmethod
    def damping(A, t):
        D = np.zeros((len(A.x), 6, 6))
        for i in range(3):
            D[:, i, i] = COEFFICIENT[A.element] * (1.0 + t)
            D[:, 3 + i, 3 + i] = 0.1
        return D

    def test_derivatives_by_differences_and_given_ones_are_checked(self):
        def faults(model):
            system = catena.System(model)
            return system.check_derivatives(system.initial_state())

        self.assertEqual(faults(with_springs(bodies(), True)), [])
        for factor in (1.0, 2.0):
            model = bodies()
            model.own_forces(drag, model.bodies.values(),
                             derivatives=lambda A, t: (np.zeros((len(A.x), 6, 6)), factor * self.damping(A, t)))
            self.assertEqual(faults(model) == [], factor == 1.0)

    def test_forces_between_pairs_move_as_one_by_one_and_close_the_balance_of_energy(self):
        seven = ["ida"] if "ida" in catena.steppers() else []  # coordinates a body
        for stepper in ["runge_kutta_4", "generalized_alpha", *seven]:
            counted = Calls(spring), Calls(spring_energy)
            model = with_springs(bodies(), True, counted)
            for function in counted:
                function.count = 0
            sol = catena.run(model, stepper=stepper, step=1e-3, end=0.1)
            single = Calls(spring_one), Calls(energy_one)
            model = with_springs(bodies(), False, single)
            for function in single:
                function.count = 0
            expected = catena.run(model, stepper=stepper, step=1e-3, end=0.1)
            # Sums of products in another order; implicit steps end their iterations below 1e-10 of the motion.
            self.assertLess(np.abs(sol.q - expected.q).max(), 1e-13 if stepper == "runge_kutta_4" else 1e-8)
            self.assertLess(np.abs(sol["energy/error"] - expected["energy/error"]).max(), 1e-9)
            if stepper == "runge_kutta_4":
                self.assertEqual([COUNT * f.count for f in counted], [f.count for f in single])
                self.assertLess(np.abs(sol["energy/error"]).max(), 1e-9)  # h^4 of a motion of size and rate 5

    def test_bits_and_calls_do_not_depend_on_threads(self):
        many = 600  # three chunks of an evaluation
        seen = []
        for threads in (1, 2):
            model = bodies(many)
            function = Calls(lambda A, t: A.wrench(-0.5 * A.v))
            model.own_forces(function, model.bodies.values())
            function.count = 0
            seen.append((catena.run(model, stepper="runge_kutta_4", step=1e-2, end=0.05, threads=threads), function.count))
        self.assertTrue(np.array_equal(seen[0][0].q, seen[1][0].q))
        self.assertEqual(seen[0][1], seen[1][1])
        self.assertGreater(seen[0][1], 0)

    def test_a_failure_names_the_force(self):
        def bad_number(A, t):
            return A.wrench(-np.where((A.element[:, None] == 3) & (t > 0.05), np.nan, 1.0) * A.v)

        def broken(A, t):
            if 3 in A.element and t > 0.05:
                raise ValueError("no such luck")
            return A.wrench(-A.v)

        def caught(add):
            model = bodies()
            add(model)
            with self.assertRaises(catena.RunError) as failure:
                catena.run(model, stepper="runge_kutta_4", step=1e-2, end=0.1)
            return failure.exception

        alone = caught(lambda m: m.own_force(lambda A, t: A.wrench(A.v * (np.nan if t > 0.05 else -1.0)), "b3", name="drag of b3"))
        for function, status in ((bad_number, alone.status), (broken, "exception")):
            error = caught(lambda m: m.own_forces(function, m.bodies.values(), name="drag"))
            self.assertEqual((error.status, error.culprit["name"]), (status, 'force "drag of b3" (python)'))
            self.assertEqual(error.culprit["name"], alone.culprit["name"])

    def test_a_wrong_shape_is_answered_with_the_right_one(self):
        def add(function, model, between=None, **more):
            model.own_forces(function, between or ["b0", "b1", "b2"], **more)

        zeros = np.zeros
        wrong = [
            (lambda A, t: zeros((3, 5)), {}, "shape (3, 5), not (3, 6)"),
            (lambda A, t: zeros(6), {}, "shape (6,), not (3, 6)"),
            (lambda A, B, t: zeros((2, 6)), {"between": [("b0", "b1"), ("b1", "b2"), ("ground", "b2")]}, "shape (6,), not (3, 6)"),
            (lambda A, B, t: [zeros((1, 6))], {"between": [("b0", "b1")]}, "1 arrays, not 2: one of shape (1, 6) a body"),
            (drag, {"potential": lambda A, t: zeros((3, 1))}, "potential returns an array of shape (3, 1), not (3,)"),
            (drag, {"derivatives": lambda A, t: (zeros((3, 6)), zeros((3, 6, 6)))}, "shape (3, 6), not (3, 6, 6)"),
        ]
        for function, more, text in wrong:
            model = bodies(3)
            with self.assertRaises(Exception) as caught:
                add(function, model, **more)
            self.assertIn(text, str(caught.exception))
            self.assertEqual(model.forces, [])
    def test_names_and_bodies_are_refused_by_name_and_leave_the_model_alone(self):
        model = bodies(3)
        model.own_force(lambda A, t: A.wrench(-A.v), "b0", name="drag of b2")
        for between, more in ((["b0", "b1", "b2"], {"name": "drag"}), (["b0", "b0"], {"name": ["x"]}), ([], {}),
                              ([("b0", "b1"), "b2"], {"name": "mixed"})):
            with self.assertRaises(ValueError):
                model.own_forces(drag, between, **more)
            self.assertEqual(len(model.forces), 1)
        model.own_forces(drag, ["b0", "b0"], name=["x", "y"])
        self.assertEqual([row[0] for row in model.forces], ["drag of b2", "x", "y"])


if __name__ == "__main__":
    unittest.main()
