"""Arrays of numbers with derivatives, for functions over arrays (Model.own_joints).

What numpy does with them is exact, or is refused: nothing drops derivatives in silence.
"""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable

import numpy as np

OPERATORS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide, "pow": np.power, "matmul": np.matmul}
COMPARISONS = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
               "ne": np.not_equal}
OF_VALUES = {*COMPARISONS.values(), np.isfinite, np.isnan, np.isinf}


@lru_cache(maxsize=None)
def merged(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """All of both, ascending."""
    return tuple(sorted({*a, *b}))


@lru_cache(maxsize=None)
def places(some: tuple[int, ...], among: tuple[int, ...]) -> Any:
    """Where they are among others."""
    return np.array([among.index(k) for k in some], dtype=int)


def pair(i: int, j: int) -> int:
    """The number of a second derivative."""
    return i * (i + 1) // 2 + j if i >= j else j * (j + 1) // 2 + i


@lru_cache(maxsize=None)
def crossed(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[tuple[int, ...], Any, Any]:
    """The pairs of one of a and one of b: their numbers, ascending, and where their two are in merged(a, b)."""
    over = merged(a, b)
    all_pairs = sorted({(max(i, j), min(i, j)) for i in a for j in b})
    at = np.array([[over.index(i), over.index(j)] for i, j in all_pairs], dtype=int)
    return tuple(pair(i, j) for i, j in all_pairs), at[:, 0], at[:, 1]


class Duals:
    """An array with its derivatives by some of the variables of a call.

    value: the array. over: the numbers of the variables, ascending; d, len(over) x its shape: first derivatives. pairs: the
    numbers of the pairs of variables whose second derivatives may differ from zero; h, len(pairs) x its shape: these; None
    where there are none. second: whether they are wanted. Never changed once it is made.
    """
    __slots__ = ("value", "over", "d", "pairs", "h", "second")

    def __init__(self, value: Any, over: tuple[int, ...], d: Any, pairs: tuple[int, ...], h: Any, second: bool) -> None:
        self.value, self.over, self.d, self.pairs, self.h, self.second = value, over, d, pairs, h, second

    shape = property(lambda self: self.value.shape)
    ndim = property(lambda self: self.value.ndim)
    size = property(lambda self: self.value.size)
    T = property(lambda self: _gathered(np.transpose, (self,)))

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<{self.value!r} with derivatives>"

    def __getitem__(self, index: Any) -> Duals:
        parts = index if isinstance(index, tuple) else (index,)
        if all(p is None or p is Ellipsis or isinstance(p, (int, slice)) for p in parts):
            return self._linear(lambda x: x[parts], lambda x: x[(slice(None), *parts)])
        return _gathered(lambda x: x[index], (self,))

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError("arrays with derivatives are not changed in place: put parts together with np.stack or "
                        "np.concatenate")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("an array with derivatives has no place in a plain array: use the functions of numpy, not those of "
                        "math, and np.stack, np.concatenate or np.where in place of np.array, np.asarray and assignments "
                        "to parts")

    __float__ = __int__ = __complex__ = __index__ = __array__

    def __bool__(self) -> bool:
        raise TypeError("an array with derivatives is neither true nor false: compare it, and choose with np.where")

    def __neg__(self) -> Duals:
        return self._linear(np.negative, np.negative)

    def __pos__(self) -> Duals:
        return self

    def __abs__(self) -> Any:
        return np.absolute(self)

    def sum(self, axis: Any = None, keepdims: bool = False) -> Duals:
        axes = range(self.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        behind = tuple(a % self.ndim + 1 for a in axes)
        return self._linear(lambda x: np.sum(x, axis=tuple(a - 1 for a in behind), keepdims=keepdims),
                            lambda x: np.sum(x, axis=behind, keepdims=keepdims))

    def mean(self, axis: Any = None, keepdims: bool = False) -> Any:
        total = self.sum(axis, keepdims)
        return total / (self.size / total.size)

    def reshape(self, *shape: Any) -> Duals:
        return _gathered(lambda x: x.reshape(*shape), (self,))

    def transpose(self, *axes: Any) -> Duals:
        return _gathered(lambda x: x.transpose(*axes), (self,))

    def swapaxes(self, first: int, second: int) -> Duals:
        return _gathered(np.swapaxes, (self, first, second))

    def ravel(self) -> Duals:
        return _gathered(np.ravel, (self,))

    def copy(self) -> Duals:
        return self

    def dot(self, other: Any) -> Any:
        return _dot(self, other)

    def _linear(self, of_value: Callable[[Any], Any], of_derivatives: Callable[[Any], Any]) -> Duals:
        """of_derivatives: the same with an axis more, in front."""
        h = None if self.h is None else of_derivatives(self.h)
        return Duals(np.asarray(of_value(self.value)), self.over, of_derivatives(self.d), self.pairs, h, self.second)

    def _d(self, over: tuple[int, ...], ndim: int) -> Any:
        """d by more variables, with axes for broadcasting among arrays of ndim axes."""
        return _aligned(self.d if over == self.over else _spread(self.d, self.over, over), ndim)

    def _h(self, pairs: tuple[int, ...], ndim: int) -> Any:
        return _aligned(self.h if self.h is None or pairs == self.pairs else _spread(self.h, self.pairs, pairs), ndim)

    def _chain(self, value: Any, slope: Any, curvature: Any) -> Duals:
        """f(self), from f, f' and f''."""
        if not self.second:
            return Duals(np.asarray(value), self.over, slope * self.d, (), None, False)
        pairs, i, j = crossed(self.over, self.over)
        h = curvature * (self.d[i] * self.d[j])
        if self.h is not None:
            h = slope * self._h(pairs, self.ndim) + h
        return Duals(np.asarray(value), self.over, slope * self.d, pairs, h, True)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> Any:
        if "out" in more:
            raise TypeError("an array with derivatives has no place in a plain array: write x = x + y in place of x += y")
        if method == "reduce" and ufunc is np.add:
            return _sum(*inputs, **{"axis": 0, **more})
        if method == "__call__" and not more:
            if ufunc in OF_VALUES:
                return ufunc(*(x.value if isinstance(x, Duals) else x for x in inputs))
            if ufunc in UFUNCS:
                return UFUNCS[ufunc](*inputs)
        raise _refused(f"numpy.{ufunc.__name__}" + (f".{method}" if method != "__call__" else ""), more)

    def __array_function__(self, function: Any, types: Any, args: Any, more: Any) -> Any:
        if function in GATHERING:
            return _gathered(function, args, more)
        if function in FUNCTIONS:
            return FUNCTIONS[function](*args, **more)
        raise _refused(f"{function.__module__}.{function.__name__}", more)


def _refused(name: str, keywords: Any) -> TypeError:
    given = f" with {', '.join(keywords)}" if keywords else ""
    return TypeError(f"{name}{given} has no derivatives here; there are {', '.join(_names())}")


def _names() -> list[str]:
    return sorted(f.__name__ for f in {*UFUNCS, *FUNCTIONS, *GATHERING})


def _operator(ufunc: Any, swapped: bool) -> Any:
    return (lambda self, other: ufunc(other, self)) if swapped else (lambda self, other: ufunc(self, other))


for _name, _ufunc in OPERATORS.items():
    setattr(Duals, f"__{_name}__", _operator(_ufunc, False))
    setattr(Duals, f"__r{_name}__", _operator(_ufunc, True))
for _name, _ufunc in COMPARISONS.items():
    setattr(Duals, f"__{_name}__", _operator(_ufunc, False))


def _duals(x: Any, second: bool) -> Duals:
    if isinstance(x, Duals):
        return x
    value = np.asarray(x, dtype=float)
    return Duals(value, (), np.zeros((0, *value.shape)), (), None, second)


def _both(a: Any, b: Any) -> tuple[Any, Any, tuple[int, ...]]:
    second = a.second if isinstance(a, Duals) else b.second
    a, b = _duals(a, second), _duals(b, second)
    return a, b, merged(a.over, b.over)


def _spread(x: Any, some: tuple[int, ...], among: tuple[int, ...]) -> Any:
    out = np.zeros((len(among), *x.shape[1:]))
    out[places(some, among)] = x
    return out


def _aligned(x: Any, ndim: int) -> Any:
    """Derivatives with axes of length 1 behind the first, as broadcasting of the values adds them."""
    if x is None or x.ndim == ndim + 1:
        return x
    return x.reshape(x.shape[:1] + (1,) * (ndim + 1 - x.ndim) + x.shape[1:])


def _wide(x: Any, shape: Any) -> Any:
    x = _aligned(x, len(shape))
    return x if x is None or x.shape[1:] == shape else np.broadcast_to(x, (len(x), *shape))


def _sum_of(parts: list[Any]) -> Any:
    parts = [p for p in parts if p is not None]
    return None if not parts else parts[0] if len(parts) == 1 else parts[0] + parts[1]


def _add(a: Any, b: Any) -> Duals:
    a, b, over = _both(a, b)
    value, pairs = np.asarray(a.value + b.value), merged(a.pairs, b.pairs)
    d, h = [[_wide(x, value.shape) for x in both] for both in ((a._d(over, a.ndim), b._d(over, b.ndim)) if a.over and b.over
                                                               else (a.d if a.over else b.d,),
                                                               (a._h(pairs, a.ndim), b._h(pairs, b.ndim)))]
    return Duals(value, over, _sum_of(d), pairs, _sum_of(h), a.second)


def _subtract(a: Any, b: Any) -> Duals:
    return _add(a, -b)


def _bilinear(a: Any, b: Any, f: Callable[[Any, Any, bool, bool], Any]) -> Duals:
    """f(x, y, dx, dy): linear in both; dx, dy: whether x, y have an axis of derivatives more, in front."""
    a, b, over = _both(a, b)
    value, x, y = np.asarray(f(a.value, b.value, False, False)), a.value, b.value
    if not b.over:
        return Duals(value, over, f(a.d, y, True, False), a.pairs, None if a.h is None else f(a.h, y, True, False), a.second)
    if not a.over:
        return Duals(value, over, f(x, b.d, False, True), b.pairs, None if b.h is None else f(x, b.h, False, True), a.second)
    ad, bd = a._d(over, a.ndim), b._d(over, b.ndim)
    d = f(ad, y, True, False) + f(x, bd, False, True)
    if not a.second:
        return Duals(value, over, d, (), None, False)
    pairs, i, j = crossed(a.over, b.over)
    h = f(ad[i], bd[j], True, True) + f(ad[j], bd[i], True, True)
    wide = merged(pairs, merged(a.pairs, b.pairs))
    ah, bh = a._h(wide, a.ndim), b._h(wide, b.ndim)
    rest = _sum_of([None if ah is None else f(ah, y, True, False), None if bh is None else f(x, bh, False, True)])
    if wide != pairs:
        h = _spread(h, pairs, wide)
    return Duals(value, over, d, wide, h if rest is None else rest + h, True)


def _multiply(a: Any, b: Any) -> Duals:
    ndim = max(np.ndim(a), np.ndim(b))

    def f(x: Any, y: Any, dx: bool, dy: bool) -> Any:
        return (_aligned(x, ndim) if dx else x) * (_aligned(y, ndim) if dy else y)

    return _bilinear(a, b, f)


def _divide(a: Any, b: Any) -> Duals:
    if not isinstance(b, Duals):
        value = a.value / b
        d, h = (None if x is None else _aligned(x, value.ndim) / b for x in (a.d, a.h))
        return Duals(np.asarray(value), a.over, d, a.pairs, h, a.second)
    a, b, over = _both(a, b)
    c, n = np.asarray(a.value / b.value), max(a.ndim, b.ndim)
    bd = b._d(over, n)
    d = (a._d(over, n) - c * bd) / b.value  # of a = c b, solved for that of c
    if not a.second:
        return Duals(c, over, d, (), None, False)
    pairs, i, j = crossed(over, over)
    ah, bh = a._h(pairs, n), b._h(pairs, n)
    rest = _sum_of([ah, None if bh is None else -(c * bh)])
    h = d[i] * bd[j] + d[j] * bd[i]
    return Duals(c, over, d, pairs, (-h if rest is None else rest - h) / b.value, True)


def _power(a: Any, e: Any) -> Any:
    if isinstance(e, Duals):
        raise TypeError("numpy.power with derivatives in the exponent: write np.exp(e * np.log(x))")
    if np.all(np.equal(e, 2.0)):
        return a * a

    def term(factor: Any, exponent: Any) -> Any:
        flat = np.equal(factor, 0.0)  # of x^1 and x^0, also at x = 0
        return np.where(flat, 0.0, factor * np.power(a.value, np.where(flat, 1.0, exponent)))

    e = np.asarray(e, dtype=float)
    if e.ndim > a.ndim:
        a = _add(a, np.zeros(e.shape))
    return a._chain(np.power(a.value, e), term(e, e - 1.0), term(e * (e - 1.0), e - 2.0))


def _arctan2(y: Any, x: Any) -> Any:
    y, x, over = _both(y, x)
    value, n = np.asarray(np.arctan2(y.value, x.value)), max(y.ndim, x.ndim)
    yd, xd = y._d(over, n), x._d(over, n)
    r2 = x.value * x.value + y.value * y.value
    d = (x.value * yd - y.value * xd) / r2
    if not y.second:
        return Duals(value, over, d, (), None, False)
    growth = x.value * xd + y.value * yd  # half of d(r^2)
    pairs, i, j = crossed(over, over)
    yh, xh = y._h(pairs, n), x._h(pairs, n)
    rest = _sum_of([None if yh is None else x.value * yh, None if xh is None else -(y.value * xh)])
    h = growth[j] * d[i] + growth[i] * d[j]
    return Duals(value, over, d, pairs, (-h if rest is None else rest - h) / r2, True)


def _where(which: Any, a: Any, b: Any) -> Any:
    if isinstance(which, Duals):
        raise TypeError("numpy.where chooses by a comparison, not by numbers with derivatives")
    a, b, over = _both(a, b)
    value, pairs = np.where(which, a.value, b.value), merged(a.pairs, b.pairs)
    d = np.where(which, a._d(over, value.ndim), b._d(over, value.ndim))
    ah, bh = a._h(pairs, value.ndim), b._h(pairs, value.ndim)
    h = None if ah is None and bh is None else np.where(which, 0.0 if ah is None else ah, 0.0 if bh is None else bh)
    return Duals(value, over, _wide(d, value.shape), pairs, _wide(h, value.shape), a.second)


def _value(x: Any) -> Any:
    return x.value if isinstance(x, Duals) else np.asarray(x)


def _maximum(a: Any, b: Any) -> Any:
    x, y = _value(a), _value(b)
    return _where((x < y) | np.isnan(y), b, a)


def _minimum(a: Any, b: Any) -> Any:
    x, y = _value(a), _value(b)
    return _where((y < x) | np.isnan(y), b, a)


def _einsum(subscripts: Any, *operands: Any, **more: Any) -> Any:
    """Of any number of arrays, of which one or two have derivatives."""
    if not isinstance(subscripts, str) or "->" not in subscripts or more:
        raise TypeError("numpy.einsum with derivatives takes one text with '->' and arrays, no more")
    inputs, output = subscripts.replace(" ", "").split("->")
    terms = inputs.split(",")
    one_more = next(c for c in "ZYXWVUzyxwvu" if c not in subscripts)
    at = [k for k, x in enumerate(operands) if isinstance(x, Duals)]
    if len(at) > 2:
        raise TypeError("numpy.einsum takes two arrays with derivatives, no more: multiply two at a time")

    def contracted(given: dict[int, Any], derivatives: set[int]) -> Any:
        names = [one_more + t if k in derivatives else t for k, t in enumerate(terms)]
        arrays = [given.get(k, x) for k, x in enumerate(operands)]
        return np.einsum(",".join(names) + "->" + (one_more if derivatives else "") + output, *arrays)

    if len(at) == 1:
        k = at[0]
        return operands[k]._linear(lambda x: contracted({k: x}, set()), lambda x: contracted({k: x}, {k}))
    i, j = at
    return _bilinear(operands[i], operands[j],
                     lambda x, y, dx, dy: contracted({i: x, j: y}, {k for k, wanted in ((i, dx), (j, dy)) if wanted}))


def _matmul(a: Any, b: Any) -> Any:
    a, b = (x if isinstance(x, Duals) else np.asarray(x) for x in (a, b))
    left = "j" if a.ndim == 1 else "...ij"
    right = "j" if b.ndim == 1 else "...jk"
    out = ("..." if a.ndim > 1 or b.ndim > 1 else "") + ("" if a.ndim == 1 else "i") + ("" if b.ndim == 1 else "k")
    return _einsum(f"{left},{right}->{out}", a, b)


def _dot(a: Any, b: Any) -> Any:
    if 0 in (np.ndim(a), np.ndim(b)):
        return _multiply(a, b)
    if np.ndim(b) > 2:
        raise TypeError("numpy.dot with derivatives takes arrays of two axes at most on the right: use np.einsum")
    return _matmul(a, b)


def _cross(a: Any, b: Any, *axes: Any, **more: Any) -> Any:
    a, b = (x if isinstance(x, Duals) else np.asarray(x) for x in (a, b))
    if axes or more or a.shape[-1:] != (3,) or b.shape[-1:] != (3,):
        raise TypeError("numpy.cross with derivatives is that of three numbers along the last axis")
    turn = [1, 2, 0], [2, 0, 1]
    return a[..., turn[0]] * b[..., turn[1]] - a[..., turn[1]] * b[..., turn[0]]


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if ord not in (None, 2) or (ord == 2 and x.ndim != 1 and not isinstance(axis, int)):
        raise TypeError("numpy.linalg.norm with derivatives is the root of the sum of squares")
    return np.sqrt((x * x).sum(axis, keepdims))


def _sum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **more: Any) -> Any:
    if dtype is not None or out is not None or more:
        raise TypeError("numpy.sum with derivatives takes axis and keepdims, no more")
    return a.sum(axis, bool(keepdims))


def _gathered(function: Any, args: Any, keywords: Any = {}) -> Duals:
    """A function that moves entries alone: applied to their numbers."""
    first, *rest = args
    several = isinstance(first, (list, tuple))
    taken: list[Any] = [x if isinstance(x, Duals) else np.asarray(x, dtype=float) for x in (first if several else [first])]
    known = [x for x in taken if isinstance(x, Duals)]
    if not known:
        raise TypeError(f"{function.__name__} takes derivatives in its first argument alone")
    ends = np.cumsum([x.size for x in taken])
    entries = [np.arange(end - x.size, end).reshape(x.shape) for x, end in zip(taken, ends)]
    at = function(entries if several else entries[0], *rest, **keywords)
    second = known[0].second
    parts: list[Any] = [_duals(x, second) for x in taken]
    over, pairs = (parts[0].over, parts[0].pairs)
    for p in parts[1:]:
        over, pairs = merged(over, p.over), merged(pairs, p.pairs)

    def joined(arrays: list[Any]) -> Any:
        return arrays[0] if len(arrays) == 1 else np.concatenate(arrays, axis=-1)

    value = joined([p.value.reshape(-1) for p in parts])[at]
    d = joined([p._d(over, p.ndim).reshape(len(over), p.size) for p in parts])[:, at]
    h = None
    if pairs:
        h = joined([np.zeros((len(pairs), p.size)) if p.h is None else p._h(pairs, p.ndim).reshape(len(pairs), p.size)
                    for p in parts])[:, at]
    return Duals(np.asarray(value), over, d, pairs, h, second)


def _of_one(function: Any, slopes: Callable[[Any, Any], tuple[Any, Any]]) -> Any:
    """slopes(x, y): f' and f'' at x, where f is y."""

    def f(a: Duals) -> Duals:
        y = function(a.value)
        return a._chain(y, *slopes(a.value, y))

    return f


def _inverse_sine(sign: float) -> Any:
    def slopes(x: Any, y: Any) -> tuple[Any, Any]:
        slope = sign / np.sqrt(1.0 - x * x)
        return slope, slope * x / (1.0 - x * x)

    return slopes


UFUNCS: dict[Any, Any] = {
    np.add: _add, np.subtract: _subtract, np.multiply: _multiply, np.divide: _divide, np.power: _power,
    np.float_power: _power, np.matmul: _matmul, np.arctan2: _arctan2, np.maximum: _maximum, np.minimum: _minimum,
    np.negative: Duals.__neg__, np.positive: Duals.__pos__,
    np.absolute: lambda a: _where(a.value < 0.0, -a, a),
    np.square: lambda a: a * a,
    np.reciprocal: lambda a: 1.0 / a,
    np.hypot: lambda a, b: np.sqrt(a * a + b * b),
    np.sqrt: _of_one(np.sqrt, lambda x, y: (0.5 / y, -(0.5 / y * (0.5 / y)) / y)),
    np.sin: _of_one(np.sin, lambda x, y: (np.cos(x), -y)),
    np.cos: _of_one(np.cos, lambda x, y: (-np.sin(x), -y)),
    np.tan: _of_one(np.tan, lambda x, y: (1.0 + y * y, 2.0 * y * (1.0 + y * y))),
    np.exp: _of_one(np.exp, lambda x, y: (y, y)),
    np.log: _of_one(np.log, lambda x, y: (1.0 / x, -(1.0 / x) / x)),
    np.sinh: _of_one(np.sinh, lambda x, y: (np.cosh(x), y)),
    np.cosh: _of_one(np.cosh, lambda x, y: (np.sinh(x), y)),
    np.tanh: _of_one(np.tanh, lambda x, y: (1.0 - y * y, -2.0 * y * (1.0 - y * y))),
    np.arcsin: _of_one(np.arcsin, _inverse_sine(1.0)),
    np.arccos: _of_one(np.arccos, _inverse_sine(-1.0)),
    np.arctan: _of_one(np.arctan, lambda x, y: (1.0 / (1.0 + x * x), -2.0 * x / (1.0 + x * x)**2)),
}

GATHERING = {np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis, np.squeeze, np.expand_dims, np.broadcast_to,
             np.stack, np.concatenate, np.vstack, np.hstack, np.column_stack, np.take, np.repeat, np.tile, np.flip, np.roll}

FUNCTIONS: dict[Any, Any] = {
    np.sum: _sum, np.mean: lambda a, axis=None, keepdims=False: a.mean(axis, keepdims), np.where: _where, np.dot: _dot,
    np.inner: lambda a, b: _einsum("...j,j->...", a, b), np.einsum: _einsum, np.cross: _cross, np.linalg.norm: _norm,
    np.shape: lambda a: a.shape, np.ndim: lambda a: a.ndim, np.size: lambda a: a.size, np.copy: Duals.copy,
    np.zeros_like: lambda a: np.zeros(a.shape), np.ones_like: lambda a: np.ones(a.shape),
}


def variables(values: Any, first: int, second: bool) -> Duals:
    """n x 3 numbers that are variables themselves, of three variables an element."""
    d = np.zeros((3, *values.shape))
    for k in range(3):
        d[k, :, k] = 1.0
    return Duals(values, (first, first + 1, first + 2), d, (), None, second)


def rotations(R: Any, first: int, second: bool) -> Duals:
    """R exp(theta~) at theta = 0, n x 3 x 3, with derivatives by theta, in body axes."""
    over = (first, first + 1, first + 2)
    d = np.zeros((3, *R.shape))
    for k in range(3):  # R e_k~
        d[k, :, :, (k + 1) % 3], d[k, :, :, (k + 2) % 3] = R[:, :, (k + 2) % 3], -R[:, :, (k + 1) % 3]
    if not second:
        return Duals(R, over, d, (), None, False)
    pairs, i, j = crossed(over, over)
    h = np.zeros((6, *R.shape))
    for p, (k, l) in enumerate(zip(i, j)):  # R (e_k~ e_l~ + e_l~ e_k~) / 2
        if k == l:
            h[p, :, :, (k + 1) % 3], h[p, :, :, (k + 2) % 3] = -R[:, :, (k + 1) % 3], -R[:, :, (k + 2) % 3]
        else:
            h[p, :, :, k], h[p, :, :, l] = 0.5 * R[:, :, l], 0.5 * R[:, :, k]
    return Duals(R, over, d, pairs, h, True)


def constants(values: Any) -> Duals:
    return _duals(values, False)


def time(t: float, number: int, second: bool) -> Duals:
    return Duals(np.asarray(t), (number,), np.ones(1), (), None, second)


def all_numbers(y: Duals, count: int) -> Any:
    """Places, and shape of y x places: of values (0), and of derivatives by `count` variables (1 ...), then by their pairs."""
    parts = [y.value[None], y.d] if y.h is None else [y.value[None], y.d, y.h]
    places = [0, *(1 + k for k in y.over), *(1 + count + k for k in y.pairs)]
    return places, np.moveaxis(np.concatenate(parts), 0, -1)
