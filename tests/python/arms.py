"""Models that several tests use."""
import catena


def arm():
    """The arm of the README."""
    model = catena.Model(gravity=(0, 0, -9.81))
    box = {"box": (0.6, 0.1, 0.1)}
    upper = model.body("upper arm", mass=2.0, solid=box, position=(0.3, 0, 0))
    lower = model.body("forearm", mass=2.0, solid=box, position=(0.9, 0, 0))
    model.joint("spherical", "ground", upper, name="shoulder", at=(0, 0, 0))
    model.joint("revolute", upper, lower, name="elbow", at=(0.6, 0, 0), axis=(0, 0.6, 0.8))
    return model


def pendulum():
    """One link on a hinge about y."""
    model = catena.Model(gravity=(0, 0, -9.81))
    model.body("link", mass=1.0, inertia=(0.01, 0.02, 0.02), position=(0.2, 0, 0))
    model.joint("revolute", "ground", "link", name="hip", at=(0, 0, 0), axis=(0, 1, 0))
    return model
