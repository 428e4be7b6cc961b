"""Joints, forces, controllers, quantities, events and steppers of Python obey the contracts of C++."""
import textwrap
import unittest

import catena
import numpy as np
from arms import pendulum


def consistent(model):
    system = catena.System(model)
    state = system.initial_state()
    system.make_consistent(state)
    return system, state


def two_bodies():
    model = catena.Model(gravity=(0, 0, -9.81))
    model.body("a", mass=1.0, inertia=(0.1, 0.2, 0.25), position=(1, 0, 0), orientation=(0.8, 0.6, 0, 0),
               angular_velocity=(0.3, -0.2, 0.5), velocity=(0.1, 0.2, -0.3))
    model.body("b", mass=2.0, inertia=(0.3, 0.2, 0.25), position=(0, 1, 0), angular_velocity=(-0.1, 0.4, 0.2))
    return model


class Ball:
    """A ball joint of one's own."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __call__(self, A, B, t):
        return B.point(self.b) - A.point(self.a)


class Own(unittest.TestCase):
    def faults(self, model):
        system = catena.System(model)
        return system.check_derivatives(system.initial_state())

    def test_derivatives_of_a_gap_between_two_bodies_are_those_of_differences(self):
        model = two_bodies()

        def gap(A, B, t):
            d = B.point((0.1, 0.2, -0.3)) - A.point((0.2, 0.0, 0.1))
            return [catena.dot(d, A.direction((0, 0, 1))) + 0.1 * np.sin(3.0 * t), catena.dot(A.direction((1, 0, 0)), B.direction((0, 1, 0)))]

        model.own_joint(gap, "a", "b", rows=2, name="odd")
        self.assertEqual(self.faults(model), [])

    def test_derivatives_of_a_rate_are_those_of_differences(self):
        model = two_bodies()
        model.own_joint(lambda A, t: catena.dot(A.direction((0, 1, 0)), A.point_velocity((0.1, 0, 0))) - 0.1 * t, "a",
                        level="velocity", name="blade")
        model.own_joint(lambda A, B, t: catena.dot(A.direction((0, 1, 0)), B.point_velocity((0, 0, 1)) - A.v), "a", "b",
                        level="velocity", name="slip")
        self.assertEqual(self.faults(model), [])

    def test_derivatives_of_forces_are_those_of_differences(self):
        model = two_bodies()
        model.own_force(lambda A, t: A.wrench(-0.3 * A.point_velocity((0.1, 0, 0)) * t, at=(0.1, 0, 0)), "a", name="drag")

        def spring(A, B, t):
            d = B.point((0, 0, 1)) - A.point((1, 0, 0))
            pull = d * (5.0 * (np.sqrt(catena.dot(d, d)) - 0.5) / np.sqrt(catena.dot(d, d)))
            return [A.wrench(pull, at=(1, 0, 0)), B.wrench(-pull, at=(0, 0, 1))]

        model.own_force(spring, "a", "b", name="spring")
        self.assertEqual(self.faults(model), [])

    def test_a_ball_joint_of_python_moves_as_that_of_the_library(self):
        def model(own):
            m = two_bodies()
            m.bodies["b"].position = (1.3, 0.4, 0.0)
            ends = m.bodies["a"], m.bodies["b"]
            m.joint("spherical", "ground", ends[0], name="top", at=(0, 0, 0))
            if own:
                a = [0.3, 0.4 * (0.64 - 0.36), -2 * 0.48 * 0.4]  # (0.3, 0.4, 0) turned back by the orientation of a
                m.own_joint(Ball(a, (0, 0, 0)), *ends, rows=3, name="ball")
            else:
                m.joint("spherical", *ends, name="ball", at=(1.3, 0.4, 0.0))
            return catena.run(m, step=1e-2, end=0.2)

        mine, theirs = model(True), model(False)
        # Newton's iterations end below 1e-10 of the motion, and the errors of 20 steps add up.
        self.assertLess(np.abs(mine.q - theirs.q).max(), 1e-8)

    def test_a_gap_that_asks_for_velocities_gets_an_error_that_names_rates(self):
        model = two_bodies()
        with self.assertRaises(Exception) as caught:
            model.own_joint(lambda A, t: A.v[0], "a")
        self.assertIn("level='velocity'", str(caught.exception))

    def test_a_number_with_derivatives_and_an_array_go_in_either_order(self):
        model = two_bodies()

        def gap(A, t):
            arm = np.array([0.1, 0.2, 0.3])
            left, right = A.x[0] * arm + t * A.R[0], arm * A.x[0] + A.R[0] * t
            self.assertEqual((type(left), left.shape), (np.ndarray, (3,)))
            return [catena.dot(left, left) - catena.dot(right, right) + A.x[0], catena.dot(A.x[1] - arm, 1.0 / (arm + 2.0))]

        model.own_joint(gap, "a", rows=2, name="either")
        self.assertEqual(self.faults(model), [])

    def test_a_wrong_number_of_rows_is_said(self):
        with self.assertRaises(Exception) as caught:
            two_bodies().own_joint(lambda A, t: [A.x[0], A.x[1]], "a", rows=1)
        self.assertIn("returns 2 numbers, not 1", str(caught.exception))

    def test_a_potential_closes_the_balance_of_energy(self):
        model = catena.Model()
        model.body("mass", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
        model.own_force(lambda A, t: A.wrench(-4.0 * A.x), "mass", potential=lambda A, t: 2.0 * (A.x @ A.x), name="spring")
        sol = catena.run(model, step=1e-3, end=1.0, stepper="runge_kutta_4")
        self.assertLess(np.abs(sol["energy/error"]).max(), 1e-9)  # h^4 of a motion of size and rate 2
        self.assertAlmostEqual(sol.bodies["mass"].position[-1, 0], np.cos(2.0), delta=1e-9)

    def test_so_does_that_of_a_force_with_values(self):
        model = catena.Model()
        model.body("mass", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
        model.own_force(lambda A, t, values: A.wrench(-4.0 * A.x), "mass", potential=lambda A, t: 2.0 * (A.x @ A.x), values=True)
        sol = catena.run(model, step=1e-3, end=1.0, stepper="runge_kutta_4")
        self.assertAlmostEqual(sol["energy/potential"][0], 2.0, delta=1e-15)
        self.assertLess(np.abs(sol["energy/error"]).max(), 1e-9)  # h^4 of a motion of size and rate 2

    def test_an_event_ends_a_run_at_its_root(self):
        event = catena.Event("level", lambda s: s.q[2] + 0.1, direction="falling", terminal=True)
        sol = catena.run(pendulum(), step=1e-2, end=1.0, events=[event])
        self.assertEqual(sol.status, "event")
        self.assertEqual(sol.events[0]["name"], "level")
        self.assertAlmostEqual(sol.bodies["link"].position[-1, 2], -0.1, delta=1e-6)

    def test_a_controller_sets_what_a_force_reads(self):
        model = catena.Model()
        model.body("mass", mass=2.0, inertia=(1, 1, 1))
        model.own_force(lambda A, t, values: A.wrench([values[0], 0.0, 0.0]), "mass", values=True, name="thrust")
        seen = []

        class Push(catena.Controller):
            period = 0.1
            force = "thrust"
            memory = (1.0,)

            def sample(self, state, values, memory):
                seen.append(state.t)
                values[0] = memory[0]
                memory[0] += 1.0

        sol = catena.run(model, step=0.05, end=0.2, stepper="runge_kutta_4", controllers=[Push()])
        self.assertTrue(np.allclose(seen[:2], [0.0, 0.1]))
        # 1 N for 0.1 s, then 2 N for 0.1 s, on 2 kg
        self.assertAlmostEqual(sol.bodies["mass"].velocity[-1, 0], 0.15, delta=1e-12)

    def test_a_quantity_is_recorded_and_has_its_unit(self):
        catena.add_quantity("tip/height", lambda at: at.positions[-1, 2], unit="m", meaning="of the last body")
        catena.add_quantity("bodies/speed", lambda at: np.linalg.norm(at.velocities, axis=1), unit="m/s", of="body")
        sol = catena.run(pendulum(), step=1e-2, end=0.1)
        self.assertTrue(np.array_equal(sol["tip/height"], sol.bodies["link"].position[:, 2]))
        self.assertEqual(sol.units["tip/height"], "m")
        self.assertAlmostEqual(sol.bodies["link"].speed[-1], np.linalg.norm(sol.bodies["link"].velocity[-1]))

    def test_a_stepper_of_python_is_held_to_its_promises(self):
        # The program of the docstring: its lines are those with deeper indentation.
        program = [line for line in catena.Stepper.__doc__.splitlines() if line.startswith(" " * 8)]
        names = {"catena": catena}
        exec(textwrap.dedent("\n".join(program[:-1])), names)
        audit = eval(program[-1].strip(), names)
        self.assertIs(bool(audit), True)

        class Boaster(names["ProjectedEuler"]):
            name = "boaster"
            order_q = order_v = order_lambda = 2

        catena.add_stepper("boaster", Boaster)
        checks = catena.audit("boaster", "simple_pendulum")
        failed = [check for check, ok in zip(checks["check"], checks["ok"]) if not ok]
        self.assertTrue(any("order" in check for check in failed), failed)

    def test_a_callback_that_raises_ends_the_run_with_its_text(self):
        def broken(state):
            raise ValueError("no such luck")

        with self.assertRaises(catena.RunError) as caught:
            catena.run(pendulum(), step=1e-2, end=0.1, events=[catena.Event("broken", broken)])
        self.assertIn("no such luck", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
