"""For people of methods: matrices as scipy.sparse has them."""
from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np

from . import _core


def to_scipy(self: Any) -> Any:
    """A scipy.sparse.csc_matrix with the same entries."""
    import scipy.sparse

    rows, columns, values, n = self.coordinates()
    return scipy.sparse.coo_matrix((values, (rows, columns)), shape=(n, n)).tocsc()


_make_matrix, _set = _core.KktMatrix.__init__, _core.KktMatrix.set


def _matrix(self: Any, primal: Any, dual: Any = (), incidences: Any = (), couplings: Any = (), symmetric: bool = True) -> None:
    pairs = {"incidences": [tuple(pair) for pair in incidences], "couplings": [tuple(sorted(pair)) for pair in couplings]}
    for name, given in pairs.items():
        twice = [pair for k, pair in enumerate(given) if pair in given[:k]] if len(set(given)) < len(given) else []
        if twice:
            raise _core.UsageError(f"{name}: {twice[0]} is there twice")
    _make_matrix(self, primal, dual, incidences, couplings, symmetric)


def set_block(self: Any, kind: str, number: int, values: Any) -> None:
    """Sets one block: kind is H, C, Bt, H_upper, H_lower or D (a diagonal)."""
    block = np.asarray(values, dtype=float)
    if not np.isfinite(block).all():
        raise _core.UsageError(f"{kind} {number}: its numbers must be finite")
    if kind == "H" and self.symmetric and block.ndim == 2 and block.shape[0] == block.shape[1] and not np.allclose(block, block.T, rtol=0.0, atol=1e-9 * np.abs(block).max()):
        raise _core.UsageError(f"H {number} of a symmetric matrix is not symmetric, and one triangle of it would be used: give "
                               "KktMatrix(..., symmetric=False)")
    _set(self, kind, number, values)


def _with_columns(solve: Any) -> Any:
    @functools.wraps(solve)
    def solved(self: Any, right: Any) -> Any:
        given = np.asarray(right, dtype=float)
        if given.ndim != 2:
            return solve(self, given)
        return np.array([solve(self, column) for column in given.T]).T.reshape(given.shape)

    return solved


def kkt(self: Any, state: Any, h: float = 0.0, beta: float = 0.25, gamma: float = 0.5) -> Any:
    """[H G^T; G 0] with H = M + gamma h D + beta h^2 K at a state, as a scipy.sparse.csc_matrix.

    D = -df/dv, K = d(balance)/dq; h = 0: that of the index-1 system. Rows and columns: velocities, then multipliers.
    """
    for name, value in (("h", h), ("beta", beta), ("gamma", gamma)):
        if not (np.isfinite(value) and value >= 0.0):
            raise _core.UsageError(f"{name}={value!r}: a number from 0 on belongs here")
    return self.kkt_matrix(state, 1.0, gamma * h, beta * h * h).to_scipy()


_evaluate = _core.System.evaluate


def evaluate(self: Any, q: Any, v: Any = None, a: Any = None, lambda_: Any = None, t: float = 0.0) -> dict[str, Any]:
    """At a State, or at arrays q, v, a, lambda_ and the time t, zero where they are not given.

    balance M a - f + G^T lambda, position g, velocity G v + g_t, acceleration its rate; kinetic, potential [J].
    """
    given = {"v": v, "a": a, "lambda_": lambda_}
    if isinstance(q, _core.State):
        if t != 0.0 or any(x is not None for x in given.values()):
            raise _core.UsageError("a State has v, a, lambda_ and t of its own")
        return _evaluate(self, q)
    state = self.initial_state()  # with the values of controllers
    sizes = dict(zip(("q", "v", "lambda_"), self.sizes))
    for name, array in {"q": q, **given}.items():
        size = sizes.get(name, sizes["v"])
        numbers = np.zeros(size) if array is None else np.asarray(array, dtype=float)
        if numbers.shape != (size,):
            raise _core.UsageError(f"{name} has the shape {numbers.shape}, not {(size,)}")
        setattr(state, name, numbers)
    state.t = t
    return _evaluate(self, state)


def _state_text(self: Any) -> str:
    return f"<state at t = {self.t!r} s, {len(self.v)} velocities>"


_core.SeenState.__reduce__ = lambda self: (copy.copy, (self.copy(),))  # it comes back as a State
_core.State.__repr__ = _state_text
_core.KktMatrix.__init__ = _matrix  # type: ignore[method-assign]
_core.KktMatrix.set = set_block  # type: ignore[method-assign]
_core.KktMatrix.to_scipy = to_scipy
_core.Factor.solve = _with_columns(_core.Factor.solve)
_core.Factor.solve_transposed = _with_columns(_core.Factor.solve_transposed)
_core.System.evaluate = evaluate
_core.System.kkt = kkt
