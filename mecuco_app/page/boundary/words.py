"""The Boundary points page in words: sentences made from figures. Plain text, trusted."""

import numpy as np

from mecuco_app.text.numbers import count, number, percent, plural
from mecuco_core.diagnostics.boundary import Boundary
from mecuco_core.diagnostics.clusterers import Clusterer
from mecuco_core.diagnostics.removal import Removal, RemovalEffect, RemovalResult
from mecuco_core.diagnostics.stability import Stability
from mecuco_core.types import FloatArray, IntArray

METHODS: dict[Clusterer, str] = {
    "k-means": "k-means",
    "hdbscan": "HDBSCAN",
    "spectral": "spectral clustering",
}

REMOVALS: dict[Removal, str] = {
    "nothing": "nothing removed",
    "score": "highest score",
    "random": "at random",
    "k-NN distance": "largest k-NN distance",
    "LOF": "highest LOF",
}

MEASURES = {
    "silhouette": "Silhouette",
    "calinski_harabasz": "Calinski–Harabasz",
    "davies_bouldin": "Davies–Bouldin (low is good)",
    "ari": "ARI, points kept",
    "nmi": "NMI, points kept",
    "ari_all": "ARI, all points",
}

CAVEAT = (
    "The other measures improve whenever sparse points go: compare with the controls. In ARI over "
    "all points each removed point joins the cluster of the nearest point kept."
)

PLAIN: tuple[Removal, Removal] = ("k-NN distance", "LOF")
"""Controls that choose points by a plain measure of sparseness."""

STABLE = 0.8

CLEAR = 0.005
"""Differences of a measure that are worth a word, at least: it is shown with three digits."""


def split_sentence(split: Boundary, distance: FloatArray) -> str:
    """Return what the split is, and how far plain k-NN distance would find the same points."""
    n_points, size = len(split.mask), len(split.indices)
    if size == 0:
        return "No point scores above the threshold: choose another percentile."
    farthest = np.argsort(-distance, kind="stable")[:size]
    common = np.intersect1d(farthest, split.indices).size / size
    above = f"above {number(split.threshold, 4)}, the {_ordinal(split.percentile)} percentile"
    if size == 1:
        also = "It also has" if common else "It does not have"
        return f"1 point of {count(n_points)} scores {above}. {also} the largest k-NN distance."
    return (
        f"{count(size)} points of {count(n_points)} score {above}. {percent(common)} of them "
        f"are also among the {count(size)} with the largest k-NN distance."
    )


def removed(effect: RemovalEffect) -> bool:
    """Whether the score leaves out any point."""
    return any(one.n_removed for one in effect.results if one.removal == "score")


def removal_sentence(effect: RemovalEffect) -> str:
    """Return what leaving points out does to one clustering, controls included."""
    if not removed(effect):
        return "No point scores above the cut: there is nothing to leave out."
    method = effect.results[0].method
    by = {one.removal: one for one in effect.results if one.method == method}
    measure = "ari_all" if np.isfinite(by["nothing"].mean.ari_all) else "silhouette"
    name = {"ari_all": "The ARI of all points", "silhouette": "The silhouette"}[measure]
    return (
        f"{name} of {METHODS[method]} is {_value(by['nothing'], measure)} with nothing removed and "
        f"{_value(by['score'], measure)} without the {count(by['score'].n_removed)} highest "
        f"scores, at random {_value(by['random'], measure)}: {_verdict(by, measure)}."
    )


def removal_note(effect: RemovalEffect) -> str:
    """Return from which points the comparison was made."""
    one = effect.results[0]
    which = (
        f"random sample of {count(one.n_points)} of {count(effect.n_points)} points, seed 0"
        if one.n_points < effect.n_points
        else f"all {count(effect.n_points)} points"
    )
    draws = max(result.n_draws for result in effect.results)
    clusters = "" if one.method == "hdbscan" else f", {effect.n_clusters} clusters"
    return f"{METHODS[one.method]}{clusters}, {which}, {draws} random draws (± sd)"


def stability_sentence(stability: Stability, q: float, boundary: IntArray) -> str:
    """Return how many points of a list (n_boundary,) stay on it whatever k is."""
    kept = int((stability.persistence(q)[boundary] >= STABLE).sum())
    overlap = stability.overlap(q)
    ks = stability.k_values
    verb = "stays" if kept == 1 else "stay"
    return (
        f"{plural(kept, 'point')} of the {count(len(boundary))} on the list {verb} in the "
        f"top {q:g} % for at least 80 % of the {len(ks)} values of k from {ks[0]} to {ks[-1]}; "
        f"the first and the last k have {percent(overlap[0, -1])} in common."
    )


def _verdict(by: dict[Removal, RemovalResult], measure: str) -> str:
    score = getattr(by["score"].mean, measure)
    random, sd = getattr(by["random"].mean, measure), by["random"].sd
    noise = 2 * getattr(sd, measure) if sd is not None else 0.0
    best = max(getattr(by[name].mean, measure) for name in PLAIN)
    if not np.isfinite([score, random, best]).all():
        return "without two clusters each, they cannot be ranked"
    noise = max(noise, CLEAR)
    if score < random - noise:
        return "worse than removing points at random"
    if score <= random + noise:
        return "not clearly better than removing points at random"
    if score <= best + noise:
        return "better than at random, not clearly better than a plain control"
    return "better than every control here"


def _value(result: RemovalResult, measure: str) -> str:
    text = number(getattr(result.mean, measure))
    if result.sd is not None:
        text += f" ± {number(getattr(result.sd, measure), 2)}"
    return text


def _ordinal(percentile: float) -> str:
    text = f"{percentile:g}"
    if "." in text or text[-2:] in ("11", "12", "13"):
        return f"{text}th"
    return text + {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th")
