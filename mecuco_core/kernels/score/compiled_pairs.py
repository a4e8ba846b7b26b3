"""Sums over pairs of vectors, compiled: what `compiled_terms` needs of D, and instead of T.

Where neighbours are many and features few, pairs of features are fewer than entries of T. Then

    sum_slj lam_s T_slj²  =  sum_ii' C_ii' P_ii'²     C = V Λ Vᵀ,  P = V Vᵀ

is summed pair by pair. It may cancel where the left side does not, but to no more than a rounding
error of the trace, which every score holds.
"""

from typing import Any

from mecuco_core.kernels.compiled import compiled


@compiled(fastmath={"contract", "reassoc"})
def pairs(x: Any, y: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the sums of (x or y) * (a, b, c or d), eight at once: they stay in registers."""
    xa = xb = xc = xd = ya = yb = yc = yd = 0.0
    for i in range(len(x)):
        xa += x[i] * a[i]
        xb += x[i] * b[i]
        xc += x[i] * c[i]
        xd += x[i] * d[i]
        ya += y[i] * a[i]
        yb += y[i] * b[i]
        yc += y[i] * c[i]
        yd += y[i] * d[i]
    return (xa, xb, xc, xd), (ya, yb, yc, yd)


@compiled()
def sum_range(Vt: Any, lam: Any, squared: Any, in_range: Any) -> Any:
    """Return sum_js lam_j T_jss², and add sum_s T_jss to in_range (r,)."""
    r, w = Vt.shape
    last, t_range = r - 1, 0.0
    x, y = squared[:w], squared[w : 2 * w]
    for s in range(0, r, 2):
        l = min(s + 1, last)
        for i in range(w):
            x[i] = Vt[s, i] * Vt[s, i]
            y[i] = Vt[l, i] * Vt[l, i]
        for j in range(0, r, 4):
            of_s, of_l = pairs(
                x, y, Vt[j], Vt[min(j + 1, last)], Vt[min(j + 2, last)], Vt[min(j + 3, last)]
            )
            for column in range(j, min(j + 4, r)):
                t, u = of_s[column - j], of_l[column - j] if s < l else 0.0
                t_range += lam[column] * (t * t + u * u)
                in_range[column] += t + u
    return t_range


@compiled()
def sum_squares(Vt: Any, lam: Any, rows: Any) -> Any:
    """Return sum_ii' C_ii' P_ii'²: products of the rows of V, one for each feature."""
    r, w = Vt.shape
    last, squares = w - 1, 0.0
    V, weighted = rows[: w * r].reshape(w, r), rows[w * r : 2 * w * r].reshape(w, r)
    for s in range(r):
        for i in range(w):
            V[i, s] = Vt[s, i]
            weighted[i, s] = lam[s] * Vt[s, i]
    for i in range(0, w, 2):
        h = min(i + 1, last)
        for j in range(i, w, 4):
            b, c, d = min(j + 1, last), min(j + 2, last), min(j + 3, last)
            P_i, P_h = pairs(V[i], V[h], V[j], V[b], V[c], V[d])
            C_i, C_h = pairs(weighted[i], weighted[h], V[j], V[b], V[c], V[d])
            for column in range(j, min(j + 4, w)):
                t, p = C_i[column - j], P_i[column - j]
                squares += (1.0 if column == i else 2.0) * t * p * p
                if i < h <= column:
                    t, p = C_h[column - j], P_h[column - j]
                    squares += (1.0 if column == h else 2.0) * t * p * p
    return squares
