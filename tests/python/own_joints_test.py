"""Joints of Python over arrays are those of Python one by one, at one call an evaluation."""
import unittest

import catena
import numpy as np
from catena import duals
from own_forces_test import Calls

COUNT = 12
STEPPERS = ("generalized_alpha", "rattle", "dormand_prince")
LENGTH = 1.0 + 0.1 * np.arange(2 * COUNT)  # [m]
PLACE = np.stack([np.arange(2.0 * COUNT), 0.1 * np.arange(2 * COUNT), np.zeros(2 * COUNT)], axis=1)  # [m]


class AllCalls:
    """A function over arrays that counts how often it is called for several joints, and for one."""

    def __init__(self, function):
        self.function, self.count, self.alone = function, 0, 0

    def __call__(self, A, *more):
        if len(A.element) > 1:
            self.count += 1
        else:
            self.alone += 1
        return self.function(A, *more)


def hanging(count=COUNT, lengths=LENGTH):
    model = catena.Model(gravity=(0, 0, -9.81))
    for k in range(count):
        model.body(f"b{k}", mass=1.0 + 0.01 * k, inertia=(0.1, 0.2, 0.25), position=PLACE[k] + (0.6 * lengths[k], 0, -0.8 * lengths[k]),
                   velocity=(0.8, 0.2, 0.6), angular_velocity=(0.3, -0.2, 0.5))
    return model


def length_of(d):
    return np.sqrt(d[..., 0] * d[..., 0] + d[..., 1] * d[..., 1] + d[..., 2] * d[..., 2])


def rod_of(k):
    return lambda A, t: length_of(A.x - PLACE[k]) - LENGTH[k]


def rods(A, t):
    return length_of(A.x - PLACE[A.element]) - LENGTH[A.element]


TIP, TOP = np.array([0.5, 0.0, 0.1]), np.array([-0.5, 0.0, 0.1])


def ball(A, B, t):
    return B.point(TOP) - A.point(TIP)


def chain(at_once, functions=None, count=COUNT):
    model = catena.Model(gravity=(0, 0, -9.81))
    for k in range(count):
        model.body(f"b{k}", mass=1.0, inertia=(0.1, 0.2, 0.25), position=(k + 1.0, 0, 0))
    pairs = [("ground" if k == 0 else f"b{k - 1}", f"b{k}") for k in range(count)]
    if at_once:
        model.own_joints((functions or [ball])[0], pairs, rows=3, name="ball")
    else:
        for k, pair in enumerate(pairs):
            model.own_joint((functions or [ball] * count)[k], *pair, rows=3, name=f"ball of {' and '.join(pair)}")
    return model


def faults(model):
    system = catena.System(model)
    return system.check_derivatives(system.initial_state())


class AtOnce(unittest.TestCase):
    def test_rods_have_the_bits_of_joints_one_by_one_at_a_call_in_place_of_one_a_joint(self):
        for stepper in STEPPERS:
            apart, together = hanging(), hanging()
            single, all_of_them = [Calls(rod_of(k)) for k in range(COUNT)], AllCalls(rods)
            for k, function in enumerate(single):
                apart.own_joint(function, f"b{k}", name=f"rod of b{k}")
            together.own_joints(all_of_them, together.bodies.values(), name="rod")
            self.assertEqual(together.joints, apart.joints)
            for function in (*single, all_of_them):
                function.count = 0
            all_of_them.alone = 0
            expected = catena.run(apart, stepper=stepper, step=1e-2, end=0.1, record="standard")
            sol = catena.run(together, stepper=stepper, step=1e-2, end=0.1, record="standard")
            self.assertTrue(np.array_equal(sol.q, expected.q), stepper)
            self.assertTrue(np.array_equal(sol.lambda_, expected.lambda_), stepper)
            self.assertGreater(all_of_them.count, 0)
            # One by one, values and derivatives are two calls.
            self.assertLessEqual(COUNT * all_of_them.count, sum(f.count for f in single), stepper)
            # Initial positions are looked at one by one, with derivatives where they are off by a roundoff.
            self.assertLessEqual(all_of_them.alone, 2 * COUNT)

    def test_balls_between_pairs_move_as_one_by_one_with_the_same_reactions(self):
        for stepper in STEPPERS:
            expected = catena.run(chain(False), stepper=stepper, step=1e-3, end=0.05, record="standard")
            sol = catena.run(chain(True), stepper=stepper, step=1e-3, end=0.05, record="standard")
            # Sums of products in another order: 4e-15 at most; multipliers of implicit steps are divided by h^2.
            self.assertLess(np.abs(sol.q - expected.q).max(), 1e-12, stepper)
            last = f"ball of b{COUNT - 2} and b{COUNT - 1}"
            self.assertLess(np.abs(sol[last].force - expected[last].force).max(), 1e-5 * np.abs(expected[last].force).max(), stepper)

    def test_calls_do_not_depend_on_the_number_of_joints(self):
        counts = []
        for count in (COUNT, 2 * COUNT):
            model, function = hanging(count, np.ones(count)), AllCalls(lambda A, t: length_of(A.x - PLACE[A.element]) - 1.0)
            model.own_joints(function, model.bodies.values())
            function.count = 0
            catena.run(model, stepper="dormand_prince", step=1e-2, end=0.1, record="standard")
            counts.append(function.count)
        self.assertEqual(counts[0], counts[1])
        self.assertGreater(counts[0], 0)

    def test_joints_that_depend_on_time_supply_work(self):
        for level, gap in (("position", lambda A, t: A.x[0] - 0.3 * np.sin(2 * t)), ("velocity", lambda A, t: A.v[0] - 0.6 * np.cos(2 * t))):
            model = catena.Model()
            model.body("a", mass=1.0, inertia=(1, 1, 1), velocity=(0.6, 0, 0))
            model.own_joint(gap, "a", level=level, name="drive")
            sol = catena.run(model, stepper="dormand_prince", step=1e-3, end=1.0, record="standard,energy,drives")
            self.assertEqual(sol.remarks, [], level)
            gained = 0.5 * 0.36 * (np.cos(2.0) ** 2 - 1.0)
            self.assertAlmostEqual(sol["energy/work"].ravel()[-1], gained, delta=1e-6)
            self.assertLess(np.abs(sol["energy/error"]).max(), 1e-6)

    def test_derivatives_of_gaps_and_rates_are_those_of_differences(self):
        model = chain(True)
        model.own_joints(lambda A, B, t: np.stack([np.einsum("ni,ni->n", A.direction((0, 1, 0)), B.point((0.1, 0, 0.3)) - A.x) + np.sin(3 * t),
                                                   np.arctan2(B.R[:, 0, 1], A.R[:, 1, 1] * t + 2.0)], axis=1),
                         [("b0", "b1"), ("b4", "b2")], rows=2, name="odd")
        model.own_joints(lambda A, t: (A.direction((0, 1, 0)) * A.point_velocity((0.1, 0, 0))).sum(axis=1) - 0.1 * t, ["b1", "b3"],
                         level="velocity", name="blade")
        model.own_joints(lambda A, B, t: (A.direction((0, 1, 0)) * (B.point_velocity((0, 0, 1)) - A.v))[:, :2], [("b0", "b2"), ("ground", "b5")],
                         rows=2, level="velocity", name="slip")
        self.assertEqual(faults(model), [])

    def test_a_derivative_that_is_lost_on_purpose_is_found(self):
        def left_out(x):
            return x.value if isinstance(x, duals.Duals) else x

        for of, wrong in ((lambda x: x, False), (left_out, True)):
            model = hanging(3)
            model.own_joints(lambda A, t: A.x[:, 0] + of(A.x[:, 2]), model.bodies.values(), name="gap")
            found = faults(model)
            self.assertEqual(bool(found), wrong)
            self.assertTrue(not wrong or any("gap of b1" in line for line in found), found)

    def test_bits_do_not_depend_on_threads(self):
        many = 600  # three chunks of an evaluation
        seen = []
        for threads in (1, 2):
            model = catena.Model(gravity=(0, 0, -9.81))
            for k in range(many):
                model.body(f"b{k}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.6 + k, 0, -0.8))
            function = Calls(lambda A, t: np.stack([length_of(A.x - np.array([1, 0, 0]) * A.element[:, None]) - 1.0, A.x[:, 1]], axis=1))
            model.own_joints(function, model.bodies.values(), rows=2)
            function.count = 0
            sol = catena.run(model, stepper="generalized_alpha", step=1e-2, end=0.05, threads=threads)
            seen.append((sol.q.copy(), sol.lambda_.copy(), function.count))
        self.assertTrue(np.array_equal(seen[0][0], seen[1][0]))
        self.assertTrue(np.array_equal(seen[0][1], seen[1][1]))
        self.assertEqual(seen[0][2], seen[1][2])

    def test_a_failure_names_the_joint(self):
        def bad_number(A, t):
            return rods(A, t) * np.where((A.element == 3) & (t > 0.05), np.nan, 1.0)

        def broken(A, t):
            if 3 in A.element and t > 0.05:
                raise ValueError("no such luck")
            return rods(A, t)

        def bad_alone(A, t):
            return rod_of(3)(A, t) * (np.nan if t > 0.05 else 1.0)

        def broken_alone(A, t):
            if t > 0.05:
                raise ValueError("no such luck")
            return rod_of(3)(A, t)

        def caught(function, alone):
            model = hanging()
            if alone:
                for k in range(COUNT):
                    model.own_joint(function if k == 3 else rod_of(k), f"b{k}", name=f"rod of b{k}")
            else:
                model.own_joints(function, model.bodies.values(), name="rod")
            with self.assertRaises(catena.RunError) as failure:
                catena.run(model, stepper="dormand_prince", step=1e-2, end=0.1)
            return failure.exception

        for function, alone in ((bad_number, bad_alone), (broken, broken_alone)):
            error, expected = caught(function, False), caught(alone, True)
            self.assertEqual((error.status, error.culprit["name"]), (expected.status, 'joint "rod of b3" (python)'))
            self.assertEqual(error.culprit["name"], expected.culprit["name"])

    def test_what_makes_no_sense_is_refused_when_the_joints_are_added(self):
        wrong = [
            (lambda A, t: np.zeros((3, 2)), {}, "shape (3, 2), not (3, 1)"),
            (lambda A, t: A.x, {"rows": 2}, "shape (3, 3), not (3, 2)"),
            (lambda A, t: A.v[:, 0], {}, "level='velocity'"),
            (lambda A, t: np.floor(A.x[:, 0]), {}, "numpy.floor has no derivatives here; there are absolute, add, "),
            (lambda A, t: np.asarray(A.x[:, 0]), {}, "no place in a plain array"),
            (lambda A, t: np.zeros(3), {}, "the function returns ndarray without derivatives"),
            (lambda A, t: A.x[:, 0], {"rows": 7}, "rows must lie between 1 and 6"),
            (lambda A, t: A.x[:, 0], {"level": "speed"}, 'level is "position" or "velocity"'),
            (lambda A, t: A.x[:, 0], {"name": ["x"]}, "1 names are given for the joints of 3 bodies or pairs"),
            (lambda A, t: A.x[:, 0] / np.where(A.element == 1, 0.0, 1.0), {"name": "gap"}, 'joint "gap of b1" (python)'),
        ]
        for function, more, text in wrong:
            model = hanging(3)
            with self.assertRaises(Exception) as caught, np.errstate(all="ignore"):
                model.own_joints(function, model.bodies.values(), **more)
            self.assertIn(text, str(caught.exception))
            self.assertEqual(model.joints, [])

    def test_checks_find_the_redundancy_that_they_find_of_joints_one_by_one(self):
        found = []
        for at_once in (False, True):
            model = hanging(3)
            for k in range(3):
                model.bodies[f"b{k}"].position = (k + 1.0, 0, 0)
            pairs = [("ground", "b0"), ("b0", "b1"), ("b1", "b2"), ("b0", "b1"), ("b1", "b2")]
            names = ["top", "first", "second", "first again", "second again"]
            if at_once:
                model.own_joints(ball, pairs, rows=3, name=names)
            else:
                for name, pair in zip(names, pairs):
                    model.own_joint(ball, *pair, rows=3, name=name)
            found.append(str(catena.check(model)))
        self.assertIn("second again", found[1])
        self.assertEqual(found[0], found[1])

    def test_what_a_run_needs_of_a_law_has_its_own_count_of_calls(self):
        model, function = hanging(), Calls(rods)
        model.own_joints(function, model.bodies.values())
        system = catena.System(model)
        state = system.initial_state()
        function.count = 0
        system.evaluate(state)
        self.assertEqual(function.count, 1)


def both_ways(function, *shapes):
    """Whether derivatives along a line are those of differences: first ones of values, second ones of first ones."""
    numbers = np.random.default_rng(1)
    at = [0.3 + 0.5 * numbers.random(s) for s in shapes]
    along = [numbers.random(s) - 0.5 for s in shapes]

    def evaluated(s):
        line = [duals.Duals(x + s * d, (0,), d[None], (), None, True) for x, d in zip(at, along)]
        return function(*line)

    h = 1e-5
    before, here, after = evaluated(-h), evaluated(0.0), evaluated(h)
    plain = function(*at)
    second = np.zeros(here.shape) if here.h is None else here.h[0]
    return (np.abs(here.value - plain).max(), np.abs((after.value - before.value) / (2 * h) - here.d[0]).max(),
            np.abs((after.d[0] - before.d[0]) / (2 * h) - second).max(), here.shape == np.shape(plain))


class Derivatives(unittest.TestCase):
    def test_every_function_that_is_offered_has_the_derivatives_of_differences(self):
        one = {f: (lambda x, f=f: f(x)) for f in duals.UFUNCS if f.nin == 1}
        two = {f: (lambda x, y, f=f: f(x, y)) for f in duals.UFUNCS if f.nin == 2 and f not in (np.power, np.float_power, np.matmul)}
        cases = [(f.__name__, g, ((4, 3),)) for f, g in one.items()]
        cases += [(f.__name__, g, s) for f, g in two.items() for s in (((4, 3), (4, 3)), ((4, 1, 3), (5, 1)), ((), (4,)))]
        c = np.array([0.7, 1.3, -0.4])
        cases += [(text, eval("lambda x, y: " + text, {"np": np, "c": c}), ((4, 3), (4, 3))) for text in (
            "x ** 3", "x ** -0.5", "x ** 2", "x ** 1", "x ** np.array([1, 2, 3])", "np.float_power(x, 1.5)", "c - x", "c / x", "x / c", "x * c + 1", "2 ** 0.5 * x",
            "x[1:, [2, 0]]", "x[..., None, 0] * y[:, :2]", "x[np.array([True, False, True, True])]", "x[[0, 2], :][:, ::-1]", "-x", "abs(x - y)",
            "x.sum()", "np.sum(x * y, axis=-1, keepdims=True)", "x.sum(axis=(0, 1))", "np.mean(x, axis=0)", "x.mean()", "np.add.reduce(x)",
            "np.where(x.T.T[:, :1] > 0.5, x, y)", "np.where(c > 0, x, 1.0)", "np.dot(x, y.T)", "x.T @ y", "x @ c", "c @ x.T", "x[0] @ y[0]",
            "np.matmul(x[:, None, :], y[:, :, None])", "np.inner(x, y[0])", "np.einsum('ni,ni->n', x, y)", "np.einsum('ni,i,nj->nj', x, c, y)",
            "np.einsum('ni->in', x)", "np.cross(x, y)", "np.cross(c, x)",
            "np.linalg.norm(x)", "np.linalg.norm(x, axis=1)", "np.linalg.norm(x - y, axis=-1, keepdims=True)", "np.stack([x, y, np.ones((4, 3))], axis=1)",
            "np.concatenate([x, y[:2], np.zeros((1, 3))])", "np.column_stack([x[:, 0], y])", "np.vstack([x, c])", "np.hstack([x[0], y[1], c])",
            "np.reshape(x, (3, 4))", "x.reshape(2, -1)", "x.ravel()", "np.transpose(x)", "x.transpose()", "np.swapaxes(x, 0, 1)", "np.moveaxis(x, 0, -1)",
            "np.squeeze(x[:1])", "np.expand_dims(x, 1)", "np.broadcast_to(x, (2, 4, 3))", "np.take(x, [2, 0], axis=1)", "np.repeat(x, 2, axis=0)",
            "np.tile(x, 2)", "np.flip(x, 1)", "np.roll(x, 1, axis=1)", "np.maximum(x, 0.5)", "np.minimum(0.5, x)", "np.exp(-x * y) * np.zeros_like(x) + x",
            "np.hypot(x, c)", "np.arctan2(c, x)", "sum(row * 2 for row in x)", "np.copy(x) + np.ones_like(x)")]
        for name, function, shapes in cases:
            value, first, second, shape = both_ways(function, *shapes)
            self.assertTrue(shape, name)
            self.assertLess(value, 1e-14, name)
            # h^2 of third derivatives, some hundred near 0.3, and eps / h of values of size 10
            self.assertLess(max(first, second), 1e-7, name)

    def test_what_has_no_derivatives_is_refused(self):
        x = duals.variables(np.full((4, 3), 0.5), 0, True)
        plain = np.ones((4, 3))

        def assign():
            plain[:, 0] = x[:, 0]

        def add_in_place():
            plain.__iadd__(x)

        for wrong in (lambda: np.floor(x), lambda: np.sign(x), lambda: np.linalg.inv(x[:3]), lambda: np.sort(x), lambda: np.cumsum(x), lambda: np.prod(x),
                      lambda: np.array([x, x]), lambda: np.asarray(x), lambda: float(x[0, 0]), lambda: bool(x[0, 0]), lambda: 2.0**x, lambda: np.clip(x, 0, 1),
                      lambda: np.multiply.reduce(x), lambda: np.add(x, 1.0, where=plain > 0), lambda: np.linalg.norm(x, ord=1, axis=1),
                      lambda: np.sum(x, where=plain > 0), lambda: np.interp(x, [0, 1], [0, 1]), add_in_place, lambda: x.__setitem__(0, 1.0), assign):
            with self.assertRaises(TypeError):
                wrong()


if __name__ == "__main__":
    unittest.main()
