"""Sums over triples of vectors, compiled: T of `compiled_terms`, entries s <= l <= j only."""

from typing import Any

from mecuco_core.kernels.compiled import compiled


@compiled(fastmath={"contract", "reassoc"})
def _triples(v: Any, x: Any, y: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the sums of v * (x or y) * (a, b, c or d), eight at once: they stay in registers."""
    xa = xb = xc = xd = ya = yb = yc = yd = 0.0
    for i in range(len(v)):
        vx, vy = v[i] * x[i], v[i] * y[i]
        xa += vx * a[i]
        xb += vx * b[i]
        xc += vx * c[i]
        xd += vx * d[i]
        ya += vy * a[i]
        yb += vy * b[i]
        yc += vy * c[i]
        yd += vy * d[i]
    return (xa, xb, xc, xd), (ya, yb, yc, yd)


@compiled(fastmath={"contract", "reassoc"})
def _few_triples(v: Any, x: Any, y: Any, a: Any, b: Any) -> Any:
    """Return the sums of v * (x or y) * (a or b), as `_triples` does."""
    xa = xb = ya = yb = 0.0
    for i in range(len(v)):
        vx, vy = v[i] * x[i], v[i] * y[i]
        xa += vx * a[i]
        xb += vx * b[i]
        ya += vy * a[i]
        yb += vy * b[i]
    return (xa, xb, 0.0, 0.0), (ya, yb, 0.0, 0.0)


@compiled()
def add_triples(Vt: Any, T: Any) -> None:
    """Add the features of one tile to T (r, r, r)."""
    r = len(Vt)
    last = r - 1
    for s in range(r):
        for l in range(s, r, 2):
            m = min(l + 1, last)
            for j in range(l, r, 4):
                b, c, d = min(j + 1, last), min(j + 2, last), min(j + 3, last)
                if b < c:
                    of_l, of_m = _triples(Vt[s], Vt[l], Vt[m], Vt[j], Vt[b], Vt[c], Vt[d])
                else:  # one or two are left
                    of_l, of_m = _few_triples(Vt[s], Vt[l], Vt[m], Vt[j], Vt[b])
                for column in range(j, min(j + 4, r)):
                    T[s, l, column] += of_l[column - j]
                    if l < m <= column:
                        T[s, m, column] += of_m[column - j]


@compiled()
def contracted(T: Any, lam: Any, in_range: Any) -> Any:
    """Return sum_js lam_j T_jss² and sum_slj lam_s T_slj², and add sum_s T_jss to in_range (r,).

    An entry counts once for each place its indices can take.
    """
    r = len(lam)
    t_range, squares = 0.0, 0.0
    for s in range(r):
        for l in range(s, r):
            for j in range(l, r):
                t = T[s, l, j]
                if s == l and l == j:
                    t_range += lam[s] * t * t
                    squares += lam[s] * t * t
                    in_range[s] += t
                elif s == l:
                    t_range += lam[j] * t * t
                    squares += (2.0 * lam[s] + lam[j]) * t * t
                    in_range[j] += t
                elif l == j:
                    t_range += lam[s] * t * t
                    squares += (lam[s] + 2.0 * lam[j]) * t * t
                    in_range[s] += t
                else:
                    squares += 2.0 * (lam[s] + lam[l] + lam[j]) * t * t
    return t_range, squares
