"""For people of methods: matrices as scipy.sparse has them."""
from __future__ import annotations

from typing import Any

from . import _core


def to_scipy(self: Any) -> Any:
    """A scipy.sparse.csc_matrix with the same entries."""
    import scipy.sparse

    rows, columns, values, n = self.coordinates()
    return scipy.sparse.coo_matrix((values, (rows, columns)), shape=(n, n)).tocsc()


def kkt(self: Any, state: Any, h: float = 0.0, beta: float = 0.25, gamma: float = 0.5) -> Any:
    """[H G^T; G 0] with H = M + gamma h D + beta h^2 K at a state, as a scipy.sparse.csc_matrix.

    D = -df/dv, K = d(balance)/dq; h = 0: that of the index-1 system. Rows and columns: velocities, then multipliers.
    """
    return self.kkt_matrix(state, 1.0, gamma * h, beta * h * h).to_scipy()


_core.KktMatrix.to_scipy = to_scipy
_core.System.kkt = kkt
