"""Models are built from keyword arguments, which are the keys of model files, and what is wrong is answered by name."""
import copy
import json
import os
import pickle
import subprocess
import unittest

import catena
import numpy as np
from arms import arm, pendulum


class Model(unittest.TestCase):
    def refused(self, words, work):
        with self.assertRaises(catena.ModelError) as caught:
            work()
        for word in words:
            self.assertIn(word, str(caught.exception))
        return caught.exception

    def test_what_a_model_does_not_have_is_said(self):
        with self.assertRaisesRegex(catena.UsageError, r'no keyword "gravty": gravity=\(0, 0, -9.81\)'):
            catena.Model(gravty=(0, 0, -9.81))
        with self.assertRaisesRegex(AttributeError, 'a Model has no "revolte"; did you mean "revolute"'):
            arm().revolte("ground", "forearm")
        with self.assertRaisesRegex(KeyError, 'there is no body "forarm"; did you mean "forearm"'):
            arm().bodies["forarm"]
        with self.assertRaisesRegex(KeyError, 'there is no body "wheel"; there are upper arm, forearm'):
            arm().bodies["wheel"]
        self.refused(["cylinder: length or capsule: length with radius"],
                     lambda: arm().body("roll", mass=1.0, solid={"cylinder": (0.1, 1.0)}))

    def test_a_mass_is_positive_at_once(self):
        body = arm().bodies["forearm"]
        for mass in (-1.0, 0.0, float("nan")):
            with self.assertRaisesRegex(catena.ModelError, 'body "forearm": mass must be positive'):
                body.mass = mass
        body.mass = 3.0
        self.assertEqual(body.mass, 3.0)

    def test_a_wrong_keyword_of_a_body_is_answered_with_the_right_one(self):
        self.refused(['body "link"', '"mas"', 'did you mean "mass"'],
                     lambda: catena.Model().body("link", mas=1.0, inertia=(1, 1, 1)))

    def test_a_wrong_keyword_of_a_joint_is_answered_with_the_right_one(self):
        model = arm()
        self.refused(["revolute", '"axs"', "axis"],
                     lambda: model.joint("revolute", "ground", "forearm", name="x", axs=(0, 0, 1)))

    def test_an_unknown_joint_and_an_unknown_body_have_a_hint(self):
        model = arm()
        self.refused(["revolut", 'did you mean "revolute"'], lambda: model.joint("revolut", "ground", "forearm"))
        self.refused(["fourarm", "forearm"], lambda: model.joint("spherical", "ground", "fourarm"))

    def test_a_model_that_refuses_is_unchanged(self):
        model = arm()
        self.refused(["mass must be positive"], lambda: model.body("bad", mass=-1.0, inertia=(1, 1, 1)))
        self.assertEqual(list(model.bodies), ["upper arm", "forearm"])

    def test_the_error_of_the_model_has_the_member(self):
        error = self.refused(["mass"], lambda: catena.Model().body("b", mass=-1.0, inertia=(1, 1, 1)))
        self.assertEqual(error.member, "mass")

    def test_every_listed_joint_and_force_is_a_method_with_units_in_its_docstring(self):
        for name, row in {**catena.joints(), **catena.forces()}.items():
            method = getattr(catena.Model, name)
            for member in row["members"]:
                if member["name"] == "bodies":
                    continue
                self.assertIn(member["name"], method.__doc__, name)
                if member["unit"] not in ("", "1"):
                    self.assertIn(f"[{member['unit']}]", method.__doc__, name)

    def test_the_method_of_a_joint_adds_the_joint(self):
        by_name, by_method = pendulum(), catena.Model(gravity=(0, 0, -9.81))
        link = by_method.body("link", mass=1.0, inertia=(0.01, 0.02, 0.02), position=(0.2, 0, 0))
        by_method.revolute("ground", link, name="hip", at=(0, 0, 0), axis=(0, 1, 0))
        self.assertEqual(by_method.to_yaml(), by_name.to_yaml())

    def test_numbers_of_every_kind_are_numbers(self):
        model = catena.Model(gravity=np.array([0, 0, -10]))
        body = model.body("b", mass=np.float64(2), inertia=np.diag([1.0, 2.0, 2.5]), position=np.arange(3),
                          fixed=np.bool_(False))
        self.assertEqual((body.mass, list(body.position)), (2.0, [0.0, 1.0, 2.0]))
        self.assertEqual(body.inertia[2, 2], 2.5)

    def test_numbers_with_units_are_read_as_in_files(self):
        model = pendulum()
        force = model.force("spring_damper", "ground", "link", name="spring", stiffness="2 kN/m", point_a=(0, 0, 1),
                            rest_length=0.5)
        self.assertIn("stiffness: 2000", model.to_yaml())
        self.assertEqual(force.name, "spring")

    def test_pickle_yaml_and_copy_keep_a_model_to_the_same_bits(self):
        model = arm()
        model.bodies["forearm"].velocity = (0.1, 0.2, 0.3)
        for other in (pickle.loads(pickle.dumps(model)), catena.Model.from_yaml(model.to_yaml()), model.copy(),
                      copy.deepcopy(model)):
            self.assertEqual(other.to_yaml(), model.to_yaml())

    def test_a_part_of_an_array_of_a_body_cannot_be_assigned(self):
        model = pendulum()
        body = model.bodies["link"]
        for array in (body.position, body.velocity, body.angular_velocity, body.orientation, body.inertia, model.gravity):
            with self.assertRaisesRegex(ValueError, "read-only"):
                array[0] = 5.0
        body.position = body.position + np.array([1.0, 0.0, 0.0])
        model.gravity = model.gravity + 1.0
        self.assertEqual((body.position[0], model.gravity[2]), (1.2, -8.81))
        for name in ("position", "velocity", "angular_velocity"):
            self.assertIn(f"body.{name} = ", getattr(catena.Body, name).__doc__)
        self.assertIn("model.gravity = ", catena.Model.gravity.__doc__)

    def test_open_joints_are_named_and_assembled(self):
        model = pendulum()
        model.bodies["link"].position = (0.2, 0, 0.05)
        self.refused(['joint "hip"', "0.05"], model.check)
        self.assertEqual(list(model.assemble()), ["link"])
        model.check()

    def test_a_check_is_that_of_the_program(self):
        check = pendulum().check()
        self.assertTrue(check.fit)
        self.assertEqual((check.facts["degrees_of_freedom"], check.errors), (1, []))
        self.assertIn("fit to run", str(check))
        shown = check._repr_html_()
        self.assertIn("<td>revolute</td><td>1</td><td>5</td>", shown)
        done = subprocess.run([os.environ["CATENA_PROGRAM"], "check", "four_bar", "--json", "-"], capture_output=True, text=True)
        there, here = json.loads(done.stdout), catena.check("four_bar").facts
        for key in ("fit", "errors", "remarks", "independent_rows", "free_motions", "redundancy", "steppers"):
            self.assertEqual(here[key], there[key], key)

    def test_what_is_looked_at_and_not_run_takes_no_keywords_of_a_run(self):
        for look in (catena.check, catena.show):
            with self.assertRaises(catena.UsageError) as raised:
                look("helix_chain", n=3)
            self.assertIn('n=3: nothing is run here', str(raised.exception))
            self.assertIn('a parameter of a problem is given by set={"n": 3}', str(raised.exception))
        self.assertEqual(catena.check("helix_chain", set={"n": 3}).facts["bodies"], 3)

    def test_a_check_names_what_is_wrong_escaped(self):
        model = catena.Model()
        model.body("<i>", mass=1, inertia=(1, 1, 1), position=(0, 0, 0.1))
        model.joint("spherical", "ground", "<i>", name="<b>", point_a=(0, 0, 0), point_b=(0, 0, 0))
        check = catena.check(model)  # model.check() raises
        self.assertFalse(check.fit)
        self.assertIn("&lt;b&gt;", check._repr_html_())
        self.assertNotIn("<b>&", check._repr_html_().replace("<b>catena.Check</b>", ""))

    def test_a_function_of_time_may_be_a_function_of_python(self):
        model = pendulum()
        model.joint("drive", name="motor", joint="hip", target=lambda t: 0.3 * np.sin(2.0 * t))
        angle = catena.run(model, step=1e-2, end=0.5)["hip"].angle
        self.assertLess(np.abs(angle[-1] - 0.3 * np.sin(1.0)), 1e-9)  # held as a joint is
        with self.assertRaises(catena.ModelError):  # a file cannot hold it
            model.to_yaml()

    def test_a_notebook_shows_names_escaped(self):
        model = catena.Model()
        model.body("<b>", mass=1, inertia=(1, 1, 1))
        self.assertIn("&lt;b&gt;", model._repr_html_())

    def test_help_is_of_the_listing(self):
        self.assertIn("rho_inf", catena.help_on("generalized_alpha"))
        with self.assertRaises(catena.UsageError) as caught:
            catena.help_on("generalised_alpha")
        self.assertIn("generalized_alpha", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
