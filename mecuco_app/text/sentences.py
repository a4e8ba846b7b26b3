"""Parts of sentences that several pages speak. Plain text, trusted."""

from mecuco_app.text.numbers import correlation, count, percent
from mecuco_core.diagnostics.coordinates import ChangeKind, CoordinateChange
from mecuco_core.types import FloatArray

CHANGED_BY: dict[ChangeKind, str] = {
    "rotation": "a random rotation",
    "rescaling": "another unit for every feature",
    "whitening": "whitening",
}

_ALIKE = ((0.9995, "almost alike"), (0.99, "very nearly alike"), (0.95, "much alike"),
          (0.8, "roughly alike"))  # fmt: skip


def capitalised(text: str) -> str:
    """Return a sentence with its first letter large and the others as they are."""
    return text[:1].upper() + text[1:]


def order_words(spearman: float) -> str:
    """Return how alike two scores order the points, with the rank correlation."""
    words = next((text for least, text in _ALIKE if spearman >= least), "differently")
    return f"{words} (ρ {correlation(spearman)})"


def change_sentence(change: CoordinateChange) -> str:
    """Return by how much a change of coordinates changes scores."""
    scatter = change.median_scatter_change
    tau = (
        "while the scatter τ of every point stays"
        if scatter < 1e-9
        else f"and the scatter τ by {percent(scatter)}"
    )
    relative = "" if change.kind == "rotation" else ", both relative to their mean"
    return (
        f"{capitalised(CHANGED_BY[change.kind])} changes a score by "
        f"{percent(change.median_change)} (median), {tau}{relative}."
    )


def tie_note(values: FloatArray) -> str:
    """Return how points without a score are ordered, empty where there are none."""
    zeros = int((values == 0).sum())
    if zeros < 2:
        return ""
    return f"{count(zeros)} points have the score zero: among them the first rows count as higher"
