"""What the score is and is not, in words and formulas. Trusted Markdown."""

INTRO = "What the score is, what it is not, and what it is on the data you are looking at."

SCORE = r"""
Take a point, its $k$ nearest neighbours and their covariance
$\Sigma = W\,\mathrm{diag}(\lambda)\,W^\top$. From the eigenvectors $w_1 \dots w_m$ the method
builds every element-wise product, $H = [\,w_l \circ w_l \mid w_j \circ w_l\,]$, and scores the
point by
"""

SCORE_FORMULA = r"\kappa = \operatorname{tr}(H H^\top \Sigma)"

HALVES = r"""
The eigenvectors are orthogonal, so the large product is not needed:
$H H^\top = \tfrac12 W^{2}(W^{2})^\top + \tfrac12 I$ with $W^2$ squared element by element. The
score falls into two halves,
"""

HALVES_FORMULA = r"""
\kappa = \underbrace{\tfrac12\,\tau}_{\text{scatter}} +
\underbrace{\tfrac12 \sum_s \lambda_s \sum_l C_{sl}^2}_{\text{alignment}}
"""

BAND = r"""
with the local scatter $\tau = \operatorname{tr}\Sigma$ and $C = W^\top W^{2}$.

Rows and columns of $W^2$ each sum to one, and therefore $\tfrac12\tau \le \kappa \le \tau$ for
every point of every dataset, in every mode but `fast` as published. The score is the local scatter
times a factor between one half and one; the factor is large where the neighbourhood lies along a
coordinate axis.
"""

FAST = r"""
With $k \le m$ neighbours the covariance has rank $r \le k-1$, and the other $n_0 = m - r$
eigenvectors span its null space. `fast` replaces their share by an average over all bases. The
average itself is right in the paper,
"""

FAST_FORMULA = r"""
\mathbb{E}\Big[\sum_l w_{il}^2 w_{jl}^2\Big] = \frac{P_{ii}P_{jj} + 2P_{ij}^2}{n_0 + 2}
"""

FAST_STEPS = r"""
with the projector $P = I - VV^\top$ on the null space, but three steps from it to the published
algorithm go astray:

1. the algorithm divides by $n_0$, the equation by $n_0 + 2$;
2. in $\sum_{ij}\Sigma_{ij}P_{ij}^2 = \tau - 2\sum_i \Sigma_{ii} q_i + \dots$ the middle term is
   weighted by the leverages $q_i$; the algorithm has $\lVert X_c V\rVert^2/(k-1)$ there, which
   is $\tau$ itself;
3. it takes $k-1$ for the rank, and where neighbours repeat the rank is lower.

`haar` is the same idea with all three put right: the exact expectation over the bases. `fast` stays
here as published, so that results can be compared with the paper; only the rank is found, because
with $k-1$ it would depend on arbitrary vectors where neighbours repeat.
"""

NULL = r"""
Where $r < m - 1$ the null space has many bases, none of them preferred. `exact` and `original` use
the one that the eigenvalue solver happens to return: another solver, or another version of it,
gives another score for the same data. The ranking hardly moves, the numbers do. `haar` averages
over all bases and so depends on the data alone; where a neighbourhood spans the space or all but
one dimension of it, $r \ge m - 1$, it equals `exact` to rounding.
"""

MEANING = r"""
The score ranks sparse points high: points on the rim of a cloud, between clusters, in thin regions.
That is what boundary detection wants. **It is not an estimate of mean curvature.** On surfaces
whose curvature is known it does not follow it (rank correlation between −0.14 and 0.02 on torus and
ellipsoid), while it follows the local scatter (0.84 to 0.94; on most real data 0.95 and more). A
local quadratic fit does estimate the mean curvature |H| of such surfaces.

Nor is the score a property of the shape alone. A rotation moves no point relative to another and
keeps every distance and the scatter τ, yet it changes κ, because the products are taken coordinate
by coordinate. See it here:
"""
