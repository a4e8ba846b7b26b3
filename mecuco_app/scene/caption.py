"""The line under every figure: what was computed from what."""

from mecuco_app.text.escape import plain
from mecuco_app.text.numbers import count, plural
from mecuco_app.view.settings import MapSettings, ScoreSettings
from mecuco_core.neighbors.graph import spoken_search
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature

SEPARATOR = " · "

_SCALED = {
    "standard": "standardised",
    "robust": "robust scaling",
    "min-max": "scaled to 0–1",
    "none": "not scaled",
    "suited": "each column scaled by what it is",
}
_PROTOCOLS = {"paper": "standardised as in the paper", "sensible": "sensible protocol"}


_FILLED = {
    "zero": "0",
    "median": "median",
    "code": "code −1",
    "nothing": "no category",
    "most frequent": "most frequent category",
    "own category": "a category of their own",
}


_ENCODED = {
    "codes": "categories as codes",
    "one-hot": "one-hot",
    "levels": "one-hot, rare categories joined",
}


def data_line(name: str, prepared: Prepared) -> str:
    """Return "digits · 1 797 × 64 · standardised as in the paper": all that changes numbers."""
    n_points, n_features = prepared.points.shape
    choice, report = prepared.preparation, prepared.report
    how = _PROTOCOLS.get(choice.protocol, _SCALED[choice.scale])
    parts = [plain(name), f"{count(n_points)} × {count(n_features)}", how]
    if report.variance_kept is not None:
        kept = f"{100 * report.variance_kept:.3g}"
        parts.append(f"{count(n_features)} principal components, {kept} % of the variance")
    if report.mends:
        parts.append(f"{plural(len(report.mends), 'mend')}")
    if choice.metric == "cosine":
        parts.append("rows of length one (cosine)")
    if report.left_out:
        parts.append(f"{plural(len(report.left_out), 'column')} left out")
    if report.encoded:
        parts.append(_ENCODED[report.encoded[0].how])
    if report.filled:
        ways = dict.fromkeys(_FILLED[item.how] for item in report.filled)
        parts.append(f"missing as {' or '.join(ways)}")
    if report.n_rows_repeated:
        parts.append(f"{plural(report.n_rows_repeated, 'repeated row')} left out")
    if report.n_rows_dropped:
        parts.append(f"{plural(report.n_rows_dropped, 'row')} with missing values dropped")
    if report.n_rows_zero:
        parts.append(f"{plural(report.n_rows_zero, 'row')} of zeros dropped")
    if report.n_rows_sampled is not None:
        fair = ", each class with its share" if choice.stratify else ""
        parts.append(f"sampled from {count(report.n_rows)} rows{fair}, seed {choice.seed}")
    return SEPARATOR.join(parts)


def score_line(settings: ScoreSettings, result: Curvature) -> str:
    """Return "auto → fast, k = 11", and how the neighbours were found where that is not exact."""
    mode = result.mode if settings.mode == result.mode else f"{settings.mode} → {result.mode}"
    graph = result.graph
    search = f", neighbours {spoken_search(graph)}" if graph.method == "approximate" else ""
    return f"{mode}, k = {result.n_neighbors}{search}"


def map_line(settings: MapSettings) -> str:
    """Return "UMAP (15, 0.1, seed 0)", "PCA" or the columns."""
    deep = " in 3-D" if settings.dimension == 3 else ""
    if settings.kind == "umap":
        values = f"{settings.n_neighbors}, {settings.min_dist:g}, seed {settings.seed}"
        return f"UMAP{deep} ({values})"
    if settings.kind == "pca":
        return f"PCA{deep}"
    return " against ".join(plain(column) for column in reversed(settings.columns))


def caption(*parts: str) -> str:
    """Join the parts of a caption, leaving out empty ones; plain text, to be escaped."""
    return SEPARATOR.join(part for part in parts if part)
