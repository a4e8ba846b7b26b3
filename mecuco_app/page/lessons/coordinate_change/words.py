"""Sentences, formulas and guided steps of the page on changes of coordinates."""

import numpy as np

from mecuco_app.screen.guide import Step
from mecuco_app.text.formulas import tex
from mecuco_app.text.numbers import correlation, number, plural
from mecuco_app.text.sentences import CHANGED_BY
from mecuco_core.diagnostics.coordinates import CoordinateChange, CoordinateStability
from mecuco_core.score.ranks import in_top, top_size

INTRO = "Which of the highest scores stay on top in other coordinates?"

STEPS = (
    Step(
        "Turn the data",
        "No distance, neighbour or τ has changed, yet other points are on top.",
        {"change.kind": "rotation", "change.seed": 0, "change.top": 5.0},
    ),
    Step(
        "Measure in other units",
        "Now the neighbours change, and with them the scatter: scaling is a choice.",
        {"change.kind": "rescaling", "change.seed": 0, "change.top": 5.0},
    ),
    Step(
        "Whiten",
        "All directions are equally wide: what was sparse may be ordinary now.",
        {"change.kind": "whitening", "change.seed": 0, "change.top": 5.0},
    ),
)


def verdict(change: CoordinateChange, q: float) -> str:
    """Return the page in one sentence."""
    size = top_size(len(change.before), q)
    kept = round(change.agreement.top_overlap(q) * size)
    tau = (in_top(change.before.scatter, q) & in_top(change.after.scatter, q)).sum()
    stays = "stays" if kept == 1 else "stay"
    return (
        f"Of the {plural(size, 'point')} with the highest score, {kept} {stays} on top after "
        f"{CHANGED_BY[change.kind]}. By the local scatter τ alone {tau} would. Rank correlation "
        f"{correlation(change.agreement.spearman)}."
    )


def formulas(change: CoordinateChange) -> list[str]:
    """Return why the score changes, with the numbers of the point that scores highest."""
    i = int(np.argmax(change.before.values))
    before, after = change.before, change.after
    lines = {
        "rotation": [
            r"\mathbf{x} \mapsto R\,\mathbf{x}:\quad \boldsymbol{\Sigma} \mapsto "
            r"R\boldsymbol{\Sigma}R^\top,\; W \mapsto R W",
            r"\lambda,\ \tau\ \text{stay};\quad C = W^\top W^{(2)}\ \text{does not}",
        ],
        "rescaling": [r"\mathbf{x} \mapsto D\,\mathbf{x},\quad D_{ii} \in [\tfrac12, 2]"],
        "whitening": [
            r"\mathbf{x} \mapsto \operatorname{Cov}(X)^{-1/2}\,(\mathbf{x} - \bar{\mathbf{x}})"
        ],
    }[change.kind]
    return [
        *lines,
        rf"\tau:\; {tex(2 * before.scatter[i], 4)} \to {tex(2 * after.scatter[i], 4)}",
        rf"\kappa:\; {tex(before[i], 4)} \to {tex(after[i], 4)}",
    ]


def stability_sentence(found: CoordinateStability, change: CoordinateChange, q: float) -> str:
    """Return how many of the top points are always, and how many hardly ever, on top."""
    size = top_size(len(change.before), q)
    shares = found.share(size)[in_top(change.before.values, q)]
    n = len(found.seeds)
    always, half = int((shares == 1.0).sum()), int((shares < 0.5).sum())
    return (
        f"Of {plural(size, 'top point')}, {always} stay on top after all {n} changes, {half} after "
        f"fewer than half; on average {number(100 * shares.mean(), 3)} %."
    )
