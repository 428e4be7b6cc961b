"""What the gallery says of every problem of the library, model file and joint; scripts/gallery and scripts/pictures read it.

settings: of the problem. run: of the run that the picture is taken from. picture: how (scripts/pictures). equations: in LaTeX as
GitHub and scripts/site read it. stepper: the recommended one and why. compared: what `catena compare` gets beside the settings;
empty: it is not compared, and `uncompared` says why.
"""
import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Entry:
    name: str
    argument: str  # of catena run
    kind: str  # "problems", "model_files", "joints"
    title: str = ""
    equations: str = ""
    stepper: tuple = ()
    settings: list = field(default_factory=list)
    run: list = field(default_factory=list)
    picture: dict = field(default_factory=dict)
    compared: list = field(default_factory=list)
    uncompared: str = ""


def steps(*values, steppers="generalized_alpha,alpha_rattle,dormand_prince", tolerances="1e-5,1e-8", end):
    return ["--steppers", steppers, "--steps", ",".join(values), "--tolerances", tolerances, "--end", end]


HOLONOMIC = "generalized_alpha,alpha_rattle,rattle,dormand_prince"
PROBLEMS = {
    "box_chain": dict(
        run=["--end", "2.4", "--every", "2"], picture=dict(camera=[1, 1, 0.25], trail="last"),
        equations=r"x_{k-1} - \tfrac l2 R_{k-1} e_z = x_k + \tfrac l2 R_k e_z,\qquad E = \sum_k\left(\tfrac12 m |v_k|^2 + \tfrac12\Omega_k^T J \Omega_k + m g z_k\right)",
        stepper=("discrete_action", "symplectic: its energy does not drift in the 50 000 steps of the main job"),
        compared=steps("4e-3", "1e-3", steppers=f"discrete_action,{HOLONOMIC}", end="2")),
    "straight_box_chain": dict(
        settings=["n=20"], run=["--end", "1.5", "--every", "4"], picture=dict(camera="front"),
        equations=r"\begin{bmatrix} M & G^T\cr G & 0\end{bmatrix}\begin{bmatrix} v'\cr \lambda\end{bmatrix} = \begin{bmatrix} f\cr -b\end{bmatrix},\qquad E = \tfrac12 v^T M v + m g\sum_k z_k = 0",
        stepper=("generalized_alpha", "the cheapest step on long chains"), compared=steps("4e-3", "1e-3", steppers=HOLONOMIC, end="0.5")),
    "rod_chain": dict(
        settings=["n=10"], run=["--end", "2", "--every", "4"], picture=dict(camera="front", trail="last", times=[1.2]),
        equations=r"\sum_j a_{ij}\left(\cos(\varphi_i-\varphi_j) \varphi_j'' + \sin(\varphi_i-\varphi_j) \varphi_j'^2\right) = -\left(n-i+\tfrac12\right) m g l\cos\varphi_i,\qquad a_{ij} = m l^2\left(n-\max(i,j)+\tfrac12\right),\quad a_{ii} = m l^2\left(n-i+\tfrac13\right)",
        stepper=("dormand_prince", "the motion whips, and its steps follow it"), compared=steps("2e-3", "5e-4", steppers=HOLONOMIC, end="1")),
    "helix_chain": dict(
        settings=["n=100"], run=["--end", "1.5", "--every", "5"], picture=dict(camera="fit", colour="reaction", joints=False),
        equations=r"x_{k-1} + R_{k-1} a = x_k - R_k a,\qquad R_k(0) = R_{k-1}(0) R_x\left(\tfrac{\pi}{100}\right) R_z\left(\tfrac{\pi}{50}\right),\qquad a = (0.2, 0, 0)\ \text{m}",
        stepper=("generalized_alpha", "the cheapest step on long chains; `dormand_prince` from five digits on"),
        compared=steps("4e-3", "1e-3", steppers=HOLONOMIC, end="0.2")),
    "simple_pendulum": dict(
        run=["--end", "0.9", "--every", "2"], picture=dict(camera="front", trail="last"),
        equations=r"\theta'' = -\frac gl\sin\theta,\qquad \theta(0) = -\frac\pi2,\qquad E = 0",
        stepper=("dormand_prince", "a smooth motion"), compared=steps("4e-3", "1e-3", steppers=HOLONOMIC, end="2")),
    "heavy_top": dict(
        run=["--end", "1"], picture=dict(camera="fit", trail="last"),
        equations=r"\Theta \Omega' + \Omega\times\Theta \Omega = X\times m R^T\gamma,\qquad x = R X",
        stepper=("generalized_alpha", "order 2 in the multipliers too; `dormand_prince` for digits"),
        compared=steps("1e-3", "2.5e-4", steppers=HOLONOMIC, end="0.1")),
    "two_link_manipulator": dict(
        run=["--end", "0.1"], picture=dict(camera="fit", trail="last"),
        equations=r"R_i' = R_i\tilde\Omega_i,\qquad x_1 = R_1 \rho,\qquad x_2 = x_1 + R_1\rho + R_2\rho",
        stepper=("dormand_prince", "fast rotations without stiffness; the source's method is `lie_dae`"),
        compared=steps("4e-4", "1e-4", steppers=f"lie_dae:order=2,{HOLONOMIC}", end="0.05")),
    "snakeboard": dict(
        run=["--end", "1"], picture=dict(panels=["Balance of energy"], height=260),
        equations=r"-\sin(\varphi_b + \theta) x' + \cos(\varphi_b + \theta) y' - L\cos\varphi_b \theta' = 0,\qquad -\sin(\varphi_f + \theta) x' + \cos(\varphi_f + \theta) y' + L\cos\varphi_f \theta' = 0",
        stepper=("generalized_alpha", "rows at velocity level are kept in every step, and the singular end is named"),
        compared=steps("4e-3", "1e-3", end="0.8")),
    "rotary_pendulum": dict(
        settings=["coordinates=maximal"], run=["--end", "1", "--every", "1"], picture=dict(camera="fit", trail="last"),
        equations=r"D(q) q'' + C(q, q') q' + \frac{\partial V}{\partial q} = \begin{bmatrix}\tau\cr 0\end{bmatrix},\qquad V = m_1 g l_1\cos\theta_1",
        stepper=("dormand_prince", "two angles without constraints"),
        compared=steps("4e-3", "1e-3", steppers=HOLONOMIC, end="1")),
    "knife_edge": dict(
        run=["--end", "3", "--every", "4"], picture=dict(camera="front", trail="last"),
        equations=r"u\cdot v_p = 0,\qquad \theta = \theta_0 + \omega t,\qquad u' = g\sin\alpha\cos\theta,\qquad \lambda = -m (g\sin\alpha\sin\theta + u \omega)",
        stepper=("dormand_prince", "a smooth motion; it keeps velocity rows at machine precision"),
        compared=steps("4e-3", "1e-3", end="2")),
    "rolling_disc": dict(
        run=["--end", "2", "--every", "4"], picture=dict(camera="fit", trail="last"),
        equations=r"z_\text{rim} = 0,\qquad v + R (\Omega\times\rho) = 0,\qquad \Omega w (C + m r^2)\sin\theta = \cos\theta (A \Omega^2\sin\theta - m g r)",
        stepper=("dormand_prince", "a smooth motion; it keeps velocity rows at machine precision"),
        compared=steps("4e-3", "1e-3", end="1")),
    "euler_ball_joint": dict(
        settings=["form=maximal"], run=["--end", "0.6"], picture=dict(camera="fit", trail="last"),
        equations=r"R = R_z(\theta_2) R_x(\theta_3) R_z(\theta_1),\qquad \omega = E(\theta) \theta',\qquad \det E = \sin\theta_3",
        stepper=("dormand_prince", "without angles: the form `maximal` has no pole"),
        compared=steps("4e-3", "1e-3", steppers=HOLONOMIC, end="0.6")),
    "space_manipulator": dict(
        settings=["form=maximal"], run=["--end", "0.6"], picture=dict(camera="fit", trail="last"),
        equations=r"\sum_k m_k v_k = \text{const},\qquad \sum_k\left(x_k\times m_k v_k + R_k J_k\Omega_k\right) = \text{const}",
        stepper=("dormand_prince", "without angles: the form `maximal` has no pole"),
        compared=steps("4e-3", "1e-3", steppers=HOLONOMIC, end="0.6")),
    "four_bar": dict(
        run=["--end", "0.6", "--every", "2"], picture=dict(camera="front", trail="all"),
        equations=r"l_1 e(\varphi_1) + l_2 e(\varphi_2) = d + l_3 e(\varphi_3),\qquad \text{rank}\ G = 17 \text{ of } 20",
        stepper=("generalized_alpha", "redundant rows are found and reported; `dormand_prince` for digits"),
        compared=steps("4e-3", "1e-3", steppers=HOLONOMIC, end="1")),
    "n_four_bar": dict(
        settings=["n=4"], run=["--end", "0.3", "--every", "1"], picture=dict(camera="front"),
        equations=r"\varphi'' = k\sin\varphi,\qquad k = g \frac{\frac{n+1}2 + n}{\frac{n+1}3 + n}",
        stepper=("generalized_alpha", "passes the singular positions; so does `dormand_prince`, to more digits"),
        compared=steps("2e-3", "5e-4", end="0.4")),
    "random_tree": dict(
        settings=["n=50"], run=["--end", "0.8", "--every", "4"], picture=dict(camera="fit", colour="energy"),
        equations=r"\begin{bmatrix} M & G^T\cr G & 0\end{bmatrix}\begin{bmatrix} v'\cr \lambda\end{bmatrix} = \begin{bmatrix} f\cr -b\end{bmatrix},\qquad \frac{d}{dt}\left(\tfrac12 v^T M v + V\right) = 0",
        stepper=("generalized_alpha", "the cheapest step on large mechanisms"), compared=steps("2e-3", "5e-4", steppers=HOLONOMIC, end="0.2")),
}
FILES = {
    "andrews": dict(
        picture=dict(camera="top", trail="all"), run=["--every", "2"],
        equations=r"\sum_k\left(\tfrac12 m_k |v_k|^2 + \tfrac12 I_k \omega_k^2\right) + \tfrac12 c_0 (l - l_0)^2 - \int M \varphi_1' dt = \text{const}",
        stepper=("dormand_prince", "the motion is fast and smooth"), compared=steps("1e-4", "2.5e-5", end="0.02")),
    "bicycle": dict(
        picture=dict(camera=[0.5, -1, 0.25], trail="last"),
        equations=r"M q'' + v C_1 q' + (g K_0 + v^2 K_2) q = 0,\qquad q = (\text{lean}, \text{steer})",
        stepper=("generalized_alpha", "position and velocity rows in one system"), compared=steps("2e-3", "5e-4", end="0.5")),
    "bricard": dict(
        run=["--end", "1.2", "--every", "4"], picture=dict(camera="fit", trail="none"),
        equations=r"\sin b = -\frac{\sin a}{1 + \sin a}",
        stepper=("generalized_alpha", "one row is redundant in all positions, and reported"), compared=steps("4e-3", "1e-3", end="1")),
    "chain": dict(
        run=["--end", "1.5", "--every", "10"], picture=dict(camera="fit", colour="reaction", joints=False),
        equations=r"x_{k-1} + R_{k-1} a = x_k - R_k a",
        stepper=("generalized_alpha", "the cheapest step on long chains"), compared=steps("4e-3", "1e-3", end="0.1")),
    "crank": dict(
        run=["--end", "1", "--every", "2"], picture=dict(camera="front", trail="last"),
        equations=r"(I + m r^2) \varphi'' = M",
        stepper=("dormand_prince", "a smooth motion"), compared=steps("4e-3", "1e-3", end="1")),
    "four_bar": dict(
        picture=dict(camera="front", trail="all"),
        equations=r"l_1 e(\varphi_1) + l_2 e(\varphi_2) = d + l_3 e(\varphi_3),\qquad \frac{dE}{dt} = M \varphi_1'",
        stepper=("generalized_alpha", "redundant rows are found and reported"), compared=steps("4e-3", "1e-3", end="0.5")),
    "governor": dict(
        run=["--end", "2", "--every", "10"], picture=dict(camera="fit"),
        equations=r"L_z = \text{const},\qquad E + \int\sum_i c \dot l_i^2 dt = \text{const}",
        stepper=("generalized_alpha", "stiff: springs of 800 kN/m with dampers of 40 kN s/m"),
        compared=["--steppers", "generalized_alpha,alpha_rattle", "--steps", "4e-3,1e-3", "--end", "0.5"]),
    "hanging_chain": dict(
        picture=dict(camera="front"),
        equations=r"\omega_i = \sqrt{g x_i/L},\qquad L_6(x_i) = 0,\qquad F_i = (7 - i) m g",
        stepper=("generalized_alpha", "point masses have three velocities; `dormand_prince` for digits"), compared=steps("4e-3", "1e-3", end="1")),
    "incline": dict(
        picture=dict(camera="front"),
        equations=r"v' = -g (\sin\alpha + \mu\cos\alpha)\quad (v > 0),\qquad \tan\alpha \lt \mu:\ \text{it stays}",
        stepper=("generalized_alpha", "friction changes its sign within 0.1 mm/s, which is stiff"),
        compared=["--steppers", "generalized_alpha,alpha_rattle", "--steps", "1e-3,2.5e-4", "--end", "0.15"]),
    "ladder": dict(
        picture=dict(camera="front", colour="reaction", joints=False),
        equations=r"|x_b + R_b p_b - x_a - R_a p_a| = l \quad\text{(rungs)}",
        stepper=("generalized_alpha", "loops of many joints"), compared=steps("2e-3", "5e-4", end="0.2")),
    "net": dict(
        run=["--end", "0.6"], picture=dict(camera="fit", colour="reaction", joints=False),
        equations=r"|x_b - x_a| = l,\qquad E + \int\sum_i c \dot l_i^2 dt = \text{const}",
        stepper=("generalized_alpha", "loops in two directions: the factorisation is the cost"), compared=steps("2e-3", "5e-4", end="0.1")),
    "planar_four_bar": dict(
        run=["--end", "0.6", "--every", "2"], picture=dict(camera="front", trail="all"),
        equations=r"l_1 e(\varphi_1) + l_2 e(\varphi_2) = d + l_3 e(\varphi_3),\qquad \text{rank}\ G = 8 \text{ of } 8",
        stepper=("generalized_alpha", "planar bodies leave no redundant row; `dormand_prince` for digits"), compared=steps("4e-3", "1e-3", end="1")),
    "slider_crank": dict(
        run=["--end", "0.2"], picture=dict(camera="front", trail="all"),
        equations=r"x = 0.2\cos a + \sqrt{0.25 - 0.04\sin^2 a}",
        stepper=("generalized_alpha", "the drive leaves no freedom: the forces are what is computed"), compared=steps("4e-3", "1e-3", end="0.5")),
    "spatial_slider_crank": dict(
        run=["--end", "0.8"], picture=dict(camera="fit", trail="all"),
        equations=r"x = \sqrt{0.09 - (0.1 - 0.08\sin a)^2 - (0.12 + 0.08\cos a)^2}",
        stepper=("generalized_alpha", "the drive leaves no freedom: the forces are what is computed"), compared=steps("4e-3", "1e-3", end="0.5")),
    "sprung_chain": dict(
        picture=dict(camera="front"), run=["--end", "0.6", "--every", "2"],
        equations=r"E + \int c \dot l^2 dt = \text{const}",
        stepper=("generalized_alpha", "a spring of 30 kN/m at the end"), compared=steps("2e-3", "5e-4", end="0.2")),
    "stewart": dict(
        picture=dict(camera="fit"),
        equations=r"l_i = |p + R b_i - a_i|",
        stepper=("generalized_alpha", "the drives leave no freedom: the forces are what is computed"), compared=steps("4e-3", "1e-3", end="0.4")),
    "wishbone": dict(
        picture=dict(camera="fit", frames=True),
        equations=r"|x_b + R_b p_b - x_a| = l \quad\text{(tie rod)},\qquad \frac{\partial V}{\partial \varphi} = 0 \quad\text{(at rest)}",
        stepper=("generalized_alpha", "a strut of 40 kN/m with a damper of 2.5 kN s/m"), compared=steps("4e-3", "1e-3", end="0.3")),
}


def title_of(file: Path) -> str:
    """The title in a model file, or what its comment begins with."""
    text = file.read_text(encoding="utf-8")
    found = re.search(r"^title: (.*)$", text, re.M)
    return found[1] if found else text.split("\n", 1)[0].removeprefix("#").strip().rstrip(".")


def comment_of(file: Path) -> str:
    """The comment at the head of a model file, as one paragraph."""
    lines = []
    for line in file.read_text(encoding="utf-8").split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("#").strip())
    return " ".join(lines)


def entries(root: Path) -> list:
    """All of them; a problem or file without a description is left out, which scripts/gallery --check reports."""
    found = [Entry(name, name, "problems", **facts) for name, facts in PROBLEMS.items()]
    for name, facts in FILES.items():
        file = root / "problems/files" / f"{name}.yaml"
        found.append(Entry(f"file_{name}", f"problems/files/{name}.yaml", "model_files", title_of(file), **facts))
    for file in sorted((root / "problems/joints").glob("*.yaml")):
        found.append(Entry(f"joint_{file.stem}", f"problems/joints/{file.name}", "joints", title_of(file),
                           picture=dict(frames=True, trail="last", width=400, height=260, **JOINT_PICTURES.get(file.stem, {}))))
    for entry in found:
        entry.settings = [word for setting in entry.settings for word in ("--set", setting)]
    return found


JOINT_PICTURES = {"gear": dict(camera=[0.2, -0.6, 1]), "rack_and_pinion": dict(camera=[0.2, -0.6, 1])}
