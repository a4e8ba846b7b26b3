"""What the score is and is not, in words and formulas. Trusted Markdown."""

INTRO = "What the score is, and what it is not, on the data you are looking at."

SCORE = r"""
Let a point's $k$ nearest neighbours have the covariance
$\Sigma = W\,\mathrm{diag}(\lambda)\,W^\top$, and let $H$ hold every element-wise product of its
eigenvectors, $H = [\,w_l \circ w_l \mid w_j \circ w_l\,]$. The score is
"""

SCORE_FORMULA = r"\kappa = \operatorname{tr}(H H^\top \Sigma)"

HALVES = r"""
$W$ is orthogonal, so $H H^\top = \tfrac12 W^{2}(W^{2})^\top + \tfrac12 I$ with $W^2$ squared
element by element, and the score falls into two halves,
"""

HALVES_FORMULA = r"""
\kappa = \underbrace{\tfrac12\,\tau}_{\text{scatter}} +
\underbrace{\tfrac12 \sum_s \lambda_s \sum_l C_{sl}^2}_{\text{alignment}}
"""

BAND = r"""
with $\tau = \operatorname{tr}\Sigma$ and $C = W^\top W^{2}$. Rows and columns of $W^2$ sum to one:
$\tfrac12\tau \le \kappa \le \tau$ for every point, in every mode but `fast` as published. The
factor is large where the neighbourhood lies along a coordinate axis.
"""

FAST = r"""
With $k \le m$ neighbours of rank $r$ the other $n_0 = m - r$ eigenvectors span a null space. `fast`
averages over its bases. The average is right in the paper,
"""

FAST_FORMULA = r"""
\mathbb{E}\Big[\sum_l w_{il}^2 w_{jl}^2\Big] = \frac{P_{ii}P_{jj} + 2P_{ij}^2}{n_0 + 2}
"""

FAST_STEPS = r"""
with $P = I - VV^\top$; the published algorithm departs from it:

1. it divides by $n_0$, not $n_0 + 2$;
2. the middle term of $\sum_{ij}\Sigma_{ij}P_{ij}^2 = \tau - 2\sum_i \Sigma_{ii} q_i + \dots$ is
   weighted by the leverages $q_i$; the algorithm has $\tau$ itself there;
3. it takes $k-1$ for the rank, which is lower where neighbours repeat.

`haar` puts all three right. `fast` stays as published but for the rank, to compare with the paper.
"""

NULL = r"""
Where $r < m - 1$ no null basis is preferred. `exact` and `original` use the one that the solver
returns: another solver gives another score. The ranking hardly moves, the numbers do. `haar`
averages over all bases; for $r \ge m - 1$ it equals `exact` to rounding.
"""

MEANING = r"""
The score ranks sparse points high: on the rim of a cloud, between clusters, in thin regions. **It
is not an estimate of mean curvature.** On surfaces of known curvature it does not follow it (rank
correlation between −0.14 and 0.02 on torus and ellipsoid); it follows the local scatter (0.84 to
0.94; on most real data 0.95 and more). A local quadratic fit does estimate the mean curvature |H|.

Nor is it a property of the shape alone: a rotation keeps every distance and τ, yet it changes κ.
"""
