"""Joints, forces, controllers, quantities, events and steppers of Python obey the contracts of C++."""
import concurrent.futures
import math
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
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


def fallen(drag):
    """Where the end of a pendulum is that a force of Python brakes; a function of a module goes to another process by its name."""
    model = pendulum()
    model.own_force(lambda A, t: A.wrench(-drag * A.v), "link", name="drag")
    return catena.run(model, step=1e-2, end=0.1).q[-1].tolist()


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

    def test_a_wrong_number_of_rows_of_one_joint_names_the_keyword(self):
        with self.assertRaisesRegex(catena.ModelError, "it returns 2 numbers, not 1: give rows=2"):
            pendulum().own_joint(lambda A, t: [A.x[0], A.x[1]], "link", name="it")

    def test_a_wrong_number_of_rows_is_said(self):
        with self.assertRaises(Exception) as caught:
            two_bodies().own_joint(lambda A, t: [A.x[0], A.x[1]], "a", rows=1)
        self.assertIn("returns 2 numbers, not 1", str(caught.exception))

    def test_a_function_that_is_wrong_at_the_start_is_a_mistake_of_the_model_by_its_name(self):
        wrench = [0.0] * 6
        cases = {
            'joint "it": ValueError: it returns 2 numbers, not 1': lambda m: m.own_joint(lambda A, t: [A.x[0], t], "link", name="it"),
            'joint "it": TypeError: a number with derivatives .* np.sin say': lambda m: m.own_joint(lambda A, t: math.sin(A.x[0]), "link", name="it"),
            'joint "it": TypeError: .*real number, not NoneType': lambda m: m.own_joint(lambda A, t: None, "link", name="it"),
            'joint "it": there is no body "lnk"; did you mean "link"': lambda m: m.own_joint(lambda A, t: A.x[1], "lnk", name="it"),
            'joint "it": level is': lambda m: m.own_joint(lambda A, t: A.x[1], "link", level="vel", name="it"),
            "joint of link: a function belongs here, not 3": lambda m: m.own_joint(3, "link"),
            "bodies are given as .* not 3": lambda m: m.own_joint(lambda A, t: A.x[1], 3),
            'force "it": ValueError: it returns 5 numbers, not 6': lambda m: m.own_force(lambda A, t: wrench[1:], "link", name="it"),
            'force "it": TypeError: a number with derivatives .* np.sin say': lambda m: m.own_force(lambda A, t: A.wrench([math.tan(A.x[0]), 0, 0]), "link", name="it"),
            'force "it": TypeError: .* no callable cbrt': lambda m: m.own_force(lambda A, t: A.wrench(-np.cbrt(A.v)), "link", name="it"),
            'force "it": ZeroDivisionError': lambda m: m.own_force(lambda A, t: 1 / 0, "link", name="it"),
            'forces "it of link": ValueError: .*shape .2, 5., not .1, 6.': lambda m: m.own_forces(lambda A, t: np.zeros((2, 5)), ["link"], name="it"),
            'joints "it of link": TypeError: numpy.floor has no': lambda m: m.own_joints(lambda A, t: np.floor(A.x[:, 1]), ["link"], name="it"),
            'force "it": TypeError: a number with derivatives': lambda m: m.varying_force("link", force=(1, 0, 0), factor=math.sin, name="it")}
        for said, add in cases.items():
            model = pendulum()
            with self.assertRaisesRegex(catena.ModelError, f"^{said}") as caught:
                add(model)
            self.assertEqual((caught.exception.member, len(model.joints), len(model.forces)), ("", 1, 0))

    def test_functions_of_numpy_keep_derivatives(self):
        model = pendulum()
        model.own_force(lambda A, t: A.wrench(-np.tanh(A.v / 0.01)), "link", name="friction")
        self.assertEqual(self.faults(model), [])
        sol = catena.run(model, stepper="generalized_alpha", step=1e-3, end=0.05)
        self.assertTrue(sol.ok)
        self.assertLess(sol["energy/total"][-1], sol["energy/total"][0])
        model.own_joint(lambda A, t: np.sinh(A.x[1]) + np.cosh(A.x[1]) - 1.0 + np.arctan(A.x[1]), "link", name="plane")
        self.assertEqual(self.faults(model), [])

    def test_one_that_raises_in_the_set_up_of_a_run_is_a_run_error_by_its_name(self):
        model, broken = pendulum(), []
        model.own_joint(lambda A, t: [1, 2] if broken else A.x[1], "link", name="it")
        broken.append(True)
        with self.assertRaisesRegex(catena.RunError, 'joint "it" .python.: ValueError: it returns 2 numbers, not 1') as caught:
            catena.run(model, step=1e-2, end=0.1)
        error = caught.exception
        self.assertEqual((error.status, error.time, error.culprit["name"]), ("exception", 0.0, 'joint "it" (python)'))
        self.assertIn("set-up", error.solution.report()._repr_html_() + error.solution._repr_html_())
        self.assertEqual(pickle.loads(pickle.dumps(error)).culprit, error.culprit)

    def test_what_takes_part_in_a_run_is_checked_before(self):
        class Deaf(catena.Controller):
            period = "x"

        class Forgetful(catena.Controller):
            memory = "x"

        event = catena.Event("low", lambda s: 1.0)
        for said, members in (("^events=.*a list", {"events": event}), ("^events: a catena.Event .* not 3", {"events": [3]}),
                              ("^name of an event is a text", {"events": [catena.Event(3, event.value)]}),
                              ('^event "low": value is a function', {"events": [catena.Event("low", 3)]}),
                              ("^controllers: .*Deaf.*makes one", {"controllers": [Deaf]}), ("period is a number", {"controllers": [Deaf()]}),
                              ("memory is a list of numbers", {"controllers": [Forgetful()]})):
            with self.assertRaisesRegex(catena.UsageError, said):
                catena.run(pendulum(), end=0.1, **members)
        for period in (-0.02, float("nan"), float("inf")):
            late = catena.Controller()
            late.period = period
            with self.assertRaisesRegex(catena.UsageError, f'^controller "controller": period is a number of seconds, .* not {period}$'):
                catena.run(pendulum(), end=0.1, controllers=[late])
        with self.assertRaisesRegex(catena.UsageError, '^quantity "none": a function'):
            catena.add_quantity("none", 3)

    def test_a_controller_of_a_force_that_is_not_there_is_refused_with_the_nearest_names(self):
        def thrown(what):
            controller = catena.Controller()
            controller.force = "thrst"
            catena.run(what, step=1e-2, end=0.1, controllers=[controller])

        model = pendulum()
        model.own_force(lambda A, t, values: A.wrench([values[0], 0.0, 0.0]), "link", values=True, name="thrust")
        with self.assertRaisesRegex(catena.UsageError, '^controller "controller": there is no force "thrst"; did you mean "thrust"'):
            thrown(model)
        with self.assertRaises(catena.RunError) as caught:  # of a problem by its name, whose model the run makes
            thrown("simple_pendulum")
        self.assertEqual(str(caught.exception).count('"controller"'), 1)

    def test_names_are_unique_and_can_be_typed(self):
        with self.assertRaisesRegex(catena.UsageError, "a name is made of letters, digits and _"):
            catena.add_stepper("a b=,", catena.Stepper)
        events = [catena.Event("low", lambda s: 1.0), catena.Event("low", lambda s: 1.0)]
        with self.assertRaisesRegex(catena.UsageError, 'the name "low" is there twice'):
            catena.run(pendulum(), end=0.01, events=events)
        controllers = [catena.Controller(), catena.Controller()]
        with self.assertRaisesRegex(catena.UsageError, 'controllers: the name "controller" is there twice: .*name = "..."'):
            catena.run(pendulum(), end=0.01, controllers=controllers)

    def test_a_wrench_of_what_are_no_three_numbers_is_said(self):
        for said, wrench in {r"force is three numbers, not an array of shape \(2,\)": lambda A: A.wrench([0, 0]),
                             r"at is three numbers, not an array of shape \(1,\)": lambda A: A.wrench([0, 0, 1], at=[1]),
                             r"torque is three numbers, not an array of shape \(\)": lambda A: A.wrench([0, 0, 1], torque=1)}.items():
            with self.assertRaisesRegex(catena.ModelError, said):
                pendulum().own_force(lambda A, t: wrench(A), "link", name="f")
            with self.assertRaisesRegex(catena.ModelError, said):
                pendulum().own_forces(lambda A, t: wrench(A), ["link"])

    def test_one_body_is_a_list_of_one(self):
        model = pendulum()
        model.own_forces(lambda A, t: A.wrench([0, 0, 1]), "link")
        self.assertEqual(model.forces[-1][2], ["link"])
        with self.assertRaisesRegex(catena.UsageError, "a list of bodies, or of pairs, belongs here and is empty"):
            model.own_forces(lambda A, t: A.wrench([0, 0, 1]), [])

    def test_a_promise_that_is_none_is_refused(self):
        def stepper(**promises):
            return type("Mine", (catena.Stepper,), promises)

        for said, wrong in (("order_q is a whole number, not 'two'", stepper(order_q="two")), ("symmetric is True or False", stepper(symmetric="yes")),
                            ('orderq is none of its promises: did you mean "order_q"', stepper(orderq=2)),
                            ("derives from catena.Stepper", stepper()()), ("derives from catena.Stepper", object)):
            with self.assertRaisesRegex(catena.UsageError, said):
                catena.add_stepper("promising", wrong)
        catena.add_stepper("promising", stepper(order_q=np.int64(1), symmetric=np.bool_(True), _orderq=2))
        self.assertEqual(catena.steppers()["promising"]["orders"], (1, 0, 0))

    def test_a_stepper_that_no_run_can_make_or_whose_name_is_taken_is_refused(self):
        class Needy(catena.Stepper):
            def __init__(self, damping):
                self.damping = damping

        with self.assertRaisesRegex(catena.UsageError, r'^stepper "needy": a run makes it by Needy\(\), which raises TypeError: .*damping'):
            catena.add_stepper("needy", Needy)
        self.assertNotIn("needy", catena.steppers())
        taken = type("Taken", (catena.Stepper,), {})
        catena.add_stepper("taken", taken)
        for name in ("taken", "radau"):
            with self.assertRaisesRegex(catena.UsageError, name):
                catena.add_stepper(name, taken)

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

    def test_a_quantity_of_bodies_or_joints_is_found_by_their_names(self):
        catena.add_quantity("climb", lambda at: at.positions[:, 2], of="body", standard=False)
        catena.add_quantity("mine/climb_rate", lambda at: at.velocities[:, 2], of="body", standard=False)
        catena.add_quantity("wear", lambda at: [at.t], of="joint", standard=False)
        sol = catena.run(pendulum(), step=1e-2, end=0.1, record="standard,climb,mine/climb_rate,wear")
        link = sol.bodies["link"]
        self.assertTrue(np.array_equal(link.climb, link.position[:, 2]))
        self.assertTrue(np.array_equal(link.climb_rate, link.velocity[:, 2]))
        self.assertTrue(np.array_equal(sol["hip"].wear, sol.t))
        self.assertTrue(np.array_equal(pickle.loads(pickle.dumps(sol)).bodies["link"].climb, link.climb))

    def test_a_model_with_code_of_python_says_why_it_does_not_pickle(self):
        def with_joint(model):
            model.own_joint(lambda A, t: A.x[1], "link", name="plane")

        def with_force(model):
            model.own_force(lambda A, t: A.wrench(-0.1 * A.v), "link", name="drag")

        def with_forces(model):
            model.own_forces(lambda A, t: A.wrench(-0.1 * A.v), ["link"], name="drags")

        for add, name in ((with_joint, 'joint "plane"'), (with_force, 'force "drag"'), (with_forces, 'force "drags of link"')):
            model = pendulum()
            add(model)
            for asked in (lambda: pickle.dumps(model), lambda: pickle.dumps(catena.Scenario(model=model, end=1.0)), model.to_yaml):
                with self.assertRaisesRegex(catena.ModelError, f"^{name}: a function of Python, .* builds the model"):
                    asked()
        with_force(model := model.copy())  # of more than one, the first and how many
        with_joint(model)
        with self.assertRaisesRegex(catena.ModelError, '^joint "plane" and 2 more: '):
            pickle.dumps(model)
        sol = catena.run(model, step=1e-2, end=0.02)
        with self.assertRaisesRegex(catena.UsageError, 'did not come with this solution .*: joint "plane"'):
            pickle.loads(pickle.dumps(sol)).scenario

    def test_what_builds_a_model_with_code_of_python_goes_to_another_process(self):
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            there = pool.submit(fallen, 0.5).result()
        self.assertEqual(there, fallen(0.5))
        self.assertNotEqual(there, fallen(0.0))

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

    def test_who_watches_a_run_cannot_change_it_and_may_keep_what_it_saw(self):
        kept, refused = [], []

        def watched(state):
            for change in (lambda: state.q.__setitem__(0, 5.0), lambda: setattr(state, "q", np.zeros(0)), lambda: setattr(state, "t", 1.0),
                           lambda: catena.System(model).make_consistent(state)):
                try:
                    change()
                except ValueError as error:
                    refused.append(str(error))
            kept.append((state, state.q, state.q.copy()))
            return 1.0

        class Watcher(catena.Controller):
            def sample(self, state, values, memory):
                watched(state)
                kept_arrays.append(values)

        kept_arrays, instants = [], []
        catena.add_quantity("watched", lambda at: instants.append(at) or watched(at.state), standard=False)
        model = pendulum()
        plain = catena.run(model, step=1e-2, end=0.05, record="standard")
        sol = catena.run(model, step=1e-2, end=0.05, record="standard,watched", events=[catena.Event("watched", watched)],
                         controllers=[Watcher()])
        self.assertTrue(np.array_equal(sol.q, plain.q))
        self.assertGreater(len(kept), 10)
        self.assertEqual(len(refused), 4 * len(kept))
        self.assertTrue(any("state.copy()" in text for text in refused))
        junk = [np.ones(10000) for _ in range(100)]  # would take the memory if it were free
        for state, q, copy in kept:
            self.assertTrue(np.array_equal(state.q, copy) and np.array_equal(q, copy))
        self.assertEqual(len(junk), 100)
        free = pickle.loads(pickle.dumps(kept[0][0]))
        free.q[0] = 3.0  # and so may a copy
        kept[0][0].copy().q[0] = 3.0
        with self.assertRaisesRegex(catena.UsageError, "while the function is called"):
            instants[0].positions

    def test_an_array_of_a_state_keeps_its_size(self):
        system, state = consistent(pendulum())
        for name, size in (("q", 10), ("v", 6), ("a", 6), ("lambda_", 5)):
            for wrong in (0, 99):
                with self.assertRaisesRegex(ValueError, f"^{name} has {size} numbers, not {wrong}$"):
                    setattr(state, name, np.zeros(wrong))
        view = state.q
        state.q = np.arange(10.0)
        self.assertEqual(view[3], 3.0)  # a view looks at the same numbers still
        other = catena.State()
        other.q, other.v, other.a = state.q, state.v, np.zeros(2)
        with self.assertRaisesRegex(catena.UsageError, "a has 6 numbers here, not 2"):
            system.make_consistent(other)

    def test_a_stepper_that_leaves_a_wrong_size_ends_the_run_by_its_name(self):
        kept = []

        def stepper(act):
            class Mine(catena.Stepper):
                def advance(self, s, h, tools):
                    kept.append((s, s.q, tools))
                    act(s, tools)
                    s.t += h

            return Mine

        acts = {"q": lambda s, tools: setattr(s, "q", np.zeros(0)), "v": lambda s, tools: setattr(s, "v", np.zeros(99)),
                "move": lambda s, tools: tools.move(s, np.zeros(2), 0.1), "other": lambda s, tools: tools.close(catena.State())}
        said = {"q": "q has 10 numbers, not 0", "v": "v has 6 numbers, not 99", "move": "v has 6 numbers, not 2",
                "other": "q has 10 numbers here, not 0"}
        for name, act in acts.items():
            catena.add_stepper(f"sizes_of_{name}", stepper(act))
            with self.assertRaisesRegex(catena.RunError, said[name]) as caught:
                catena.run(pendulum(), stepper=f"sizes_of_{name}", step=1e-2, end=0.05)
            self.assertEqual(caught.exception.status, "exception")
        for state, q, tools in kept:  # alive behind the run
            self.assertEqual((state.q.shape, q.shape), ((10,), (10,)))
            with self.assertRaisesRegex(catena.UsageError, "while the function is called"):
                tools.close(state)

    def test_a_stepper_that_leaves_the_time_ends_the_run_by_its_name(self):
        class Still(catena.Stepper):
            def advance(self, s, h, tools):
                s.v += h * s.a

        class Far(catena.Stepper):
            def advance(self, s, h, tools):
                s.t += 3.0 * h

        for kind in (Still, Far):
            catena.add_stepper(kind.__name__, kind)
            with self.assertRaisesRegex(catena.RunError, f"stepper {kind.__name__}.*must set s.t \\+= h"):
                catena.run(pendulum(), stepper=kind.__name__, step=1e-2, end=0.1)

    def test_a_quantity_that_returns_too_much_is_said(self):
        catena.add_quantity("pairs", lambda instant: [1.0, 2.0], standard=False)
        with self.assertRaisesRegex(catena.RunError, "it returns 2 numbers, not 1: of and components say"):
            catena.run(pendulum(), step=1e-2, end=0.05, record="pairs")

    def test_an_event_without_a_number_ends_the_run_by_its_name(self):
        for value, said in ((None, "must be real number, not NoneType"), (float("nan"), "not a number")):
            with self.assertRaisesRegex(catena.RunError, said) as caught:
                catena.run(pendulum(), step=1e-2, end=0.05, events=[catena.Event("low", lambda s: value)])
            self.assertIn("low", caught.exception.culprit["name"])

    def test_an_event_that_is_a_condition_is_refused(self):
        for value in (lambda s: s.q[2] < -0.3, lambda s: bool(s.t > 0.01)):
            with self.assertRaisesRegex(catena.RunError, "True or False; give a number that passes through zero"):
                catena.run(pendulum(), step=1e-2, end=0.05, events=[catena.Event("low", value)])

    def test_an_interruption_within_a_call_of_python_keeps_a_checkpoint(self):
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        asked = []

        def force(A, t):
            if t > 0.05 and not asked:
                asked.append(t)
                signal.raise_signal(signal.SIGINT)
            return np.zeros(6)

        with tempfile.TemporaryDirectory() as folder:
            model = pendulum()
            model.own_force(force, "link", name="f")
            run = {"step": 1e-2, "end": 0.1, "output": os.path.join(folder, "out")}
            with self.assertRaises(KeyboardInterrupt):
                catena.run(model, **run)
            with open(os.path.join(folder, "out", "report.json"), encoding="utf-8") as report:
                self.assertIn("asked to stop", report.read())
            rest = catena.run(model, resume=True, **run)
            self.assertTrue(rest.ok)
            self.assertEqual(len(asked), 1)
            whole = catena.run(model, step=1e-2, end=0.1)
            self.assertEqual(list(rest.state.q), list(whole.state.q))

    def test_who_wants_to_leave_leaves(self):
        # Ignored in what a shell has begun behind itself, and then no KeyboardInterrupt.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

        def interrupt(A, t):
            if t > 0.05:
                signal.raise_signal(signal.SIGINT)
            return np.zeros(6)

        def leave(A, t):
            if t > 0.05:
                sys.exit(7)
            return np.zeros(6)

        def model(force):
            made = pendulum()
            made.own_force(force, "link", name="f")
            return made

        run = {"step": 1e-2, "end": 0.1}
        for force, kind in ((interrupt, KeyboardInterrupt), (leave, SystemExit)):
            with self.assertRaises(kind):
                catena.run(model(force), **run)
            with self.assertRaises(kind):
                catena.run(pendulum(), events=[catena.Event("e", lambda s: force(None, s.t)[0])], **run)
        scenario = catena.Scenario(model=model(leave), **run)  # on another thread, which sees no signals
        for work in (lambda: catena.ensemble([scenario] * 3), lambda: catena.sweep(scenario.model, "step=1e-2,5e-3", end=0.1),
                     lambda: catena.compare(scenario.model, ["generalized_alpha"], steps=[1e-2], end=0.1)):
            with self.assertRaises(SystemExit) as left:
                work()
            self.assertEqual(left.exception.code, 7)
        self.assertTrue(catena.run(pendulum(), **run).ok)  # nothing stays behind

    def test_who_wants_to_leave_while_an_element_is_added_leaves(self):
        def interrupt(*_):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            pendulum().own_joint(interrupt, "link", name="j")
        with self.assertRaises(KeyboardInterrupt):
            pendulum().own_forces(interrupt, ["link"])
        with self.assertRaises(KeyboardInterrupt):
            pendulum().own_joints(interrupt, ["link"])
        model = pendulum()
        with self.assertRaises(KeyboardInterrupt):
            model.own_force(interrupt, "link", name="f")
        with self.assertRaises(KeyboardInterrupt):
            model.joint("drive", name="d", joint="hip", target=interrupt)
        model.own_force(lambda A, t: interrupt() if t > 0 else np.zeros(6), "link", name="f")
        system = catena.System(model)
        state = system.initial_state()
        state.t = 1.0
        with self.assertRaises(KeyboardInterrupt):
            system.evaluate(state)

    def test_a_callback_that_raises_ends_the_run_with_its_text(self):
        def broken(state):
            raise ValueError("no such luck")

        with self.assertRaises(catena.RunError) as caught:
            catena.run(pendulum(), step=1e-2, end=0.1, events=[catena.Event("broken", broken)])
        self.assertIn("no such luck", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
