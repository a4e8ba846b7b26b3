"""`load_manifold`: a dataset that knows its curvature, or one sentence saying what is wrong."""

import dataclasses

import numpy as np
import pytest

from mecuco_core.datasets.manifolds import MANIFOLDS, load_manifold
from mecuco_core.errors import DataError

NAMES = [
    "plane",
    "sphere",
    "d-sphere",
    "ellipsoid",
    "cylinder",
    "torus",
    "saddle",
    "paraboloid",
    "catenoid",
    "helicoid",
    "swiss-roll",
    "s-curve",
    "moebius",
    "monkey-saddle",
    "helix",
]


def test_the_catalogue_holds_every_manifold_under_its_own_name():
    assert list(MANIFOLDS) == NAMES
    for name, manifold in MANIFOLDS.items():
        assert manifold.name == name
        assert manifold.description.endswith(".")
        assert manifold.dimension == {"helix": 1, "d-sphere": 3}.get(name, 2)
        assert manifold.ambient_dimension == {"d-sphere": 4}.get(name, 3)
    closed = {name for name, manifold in MANIFOLDS.items() if not manifold.has_edge}
    assert closed == {"sphere", "d-sphere", "ellipsoid", "torus"}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_dataset_and_another_seed_another(name):
    again, same, other = (load_manifold(name, 30, seed=seed) for seed in (1, 1, 2))
    assert again.fingerprint == same.fingerprint != other.fingerprint
    np.testing.assert_array_equal(again.table, same.table)
    assert np.abs(again.table.to_numpy() - other.table.to_numpy()).max() > 0.01


@pytest.mark.parametrize("name", NAMES)
def test_a_dataset_has_one_row_and_one_truth_per_point_and_no_target(name):
    dataset = load_manifold(name, 25, noise=0.01)
    columns = ["x1", "x2", "x3", "x4"] if name == "d-sphere" else ["x", "y", "z"]
    assert dataset.name == name
    assert dataset.feature_names == columns
    assert dataset.table.shape == (25, len(columns))
    assert dataset.table.dtypes.eq(np.float64).all()
    assert dataset.target is None
    assert dataset.truth is not None
    assert dataset.truth.mean.shape == (25,)
    if name in {"d-sphere", "helix"}:
        assert dataset.truth.gaussian is None
    else:
        assert dataset.truth.gaussian.shape == (25,)
    assert dataset.provenance.source == "manifold"


def test_the_identifier_is_the_call_that_draws_the_same_points_again():
    dataset = load_manifold(
        "torus", 40, noise=0.1, density=0.5, ambient_dimension=5, seed=3, R=3, r=0.5
    )
    identifier = dataset.provenance.identifier
    assert identifier == (
        "torus(n_points=40, noise=0.1, density=0.5, ambient_dimension=5, seed=3, R=3.0, r=0.5)"
    )
    name, arguments = identifier.rstrip(")").split("(")
    settings = dict(item.split("=") for item in arguments.split(", "))
    whole = {"n_points", "ambient_dimension", "seed"}
    call = {key: int(text) if key in whole else float(text) for key, text in settings.items()}
    assert load_manifold(name, **call).fingerprint == dataset.fingerprint
    assert dataset.feature_names == ["x1", "x2", "x3", "x4", "x5"]
    # What was left alone is left out, except the sizes.
    plain = load_manifold("sphere", 10).provenance.identifier
    assert plain == "sphere(n_points=10, seed=0, R=1.0)"


def test_a_circle_has_two_columns():
    circle = load_manifold("d-sphere", 10, dimension=1, R=2)
    assert circle.feature_names == ["x", "y"]
    np.testing.assert_allclose(np.hypot(circle.table["x"], circle.table["y"]), 2)
    assert circle.provenance.identifier == "d-sphere(n_points=10, seed=0, dimension=1, R=2.0)"


def test_values_known_by_heart():
    assert load_manifold("sphere", 5, R=4.0).truth.mean == pytest.approx(1 / 4)
    assert load_manifold("sphere", 5, R=4.0).truth.gaussian == pytest.approx(1 / 16)
    assert load_manifold("cylinder", 5, R=4.0).truth.mean == pytest.approx(1 / 8)
    assert load_manifold("cylinder", 5, R=4.0).truth.gaussian == pytest.approx(0)
    assert load_manifold("s-curve", 5, R=4.0).truth.mean == pytest.approx(1 / 8)
    assert load_manifold("plane", 5).truth.mean == pytest.approx(0)


@pytest.mark.parametrize("name", NAMES)
def test_every_size_works_at_both_ends_of_its_range_and_fails_beyond(name):
    manifold = MANIFOLDS[name]
    assert manifold.parameters
    for parameter in manifold.parameters:
        assert parameter.low <= parameter.default <= parameter.high
        assert parameter.description
        for end in (parameter.low, parameter.high):
            # The tube of a torus and half a Möbius band must be narrower than R.
            beside = {"R": {"r": 0.01}, "r": {"R": 100.0}} if name == "torus" else {}
            if name == "moebius":
                beside = {"R": {"w": 0.01}, "w": {"R": 100.0}}
            sizes = {parameter.name: end} | beside.get(parameter.name, {})
            dataset = load_manifold(name, 200, **sizes)
            assert np.isfinite(dataset.table.to_numpy()).all()
            assert np.isfinite(dataset.truth.mean).all()
        step = 1 if parameter.integer else 1e-6
        for beyond in (parameter.low - step, parameter.high + step):
            rule = rf"^{parameter.name} must be a .*number in \[{parameter.low}, {parameter.high}\]"
            with pytest.raises(DataError, match=rule):
                load_manifold(name, **{parameter.name: beyond})


def test_sizes_must_be_numbers():
    for value in ("2", None, True, float("nan"), 10**400, [1.0]):
        with pytest.raises(DataError, match=r"^R must be a number in"):
            load_manifold("sphere", R=value)
    with pytest.raises(DataError, match=r"^dimension must be a whole number in .*got 2\.5$"):
        load_manifold("d-sphere", dimension=2.5)


def test_numpy_numbers_are_numbers():
    made = load_manifold("torus", np.int64(10), seed=np.int64(3), R=np.float32(2.5))
    assert made.provenance.identifier == "torus(n_points=10, seed=3, R=2.5, r=0.75)"


def test_an_unknown_name_is_answered_with_all_names():
    with pytest.raises(DataError, match=r"^name must be one of plane, .*helix, got 'donut'$"):
        load_manifold("donut")


def test_an_unknown_size_is_answered_with_the_known_ones():
    rule = r"^shape parameter of torus must be one of R, r, got radius=2$"
    with pytest.raises(DataError, match=rule):
        load_manifold("torus", radius=2)


def test_tube_and_band_must_stay_within_their_ring():
    with pytest.raises(DataError, match=r"^r must be less than R, got r=2\.0 and R=2\.0$"):
        load_manifold("torus", R=2, r=2)
    with pytest.raises(DataError, match=r"^w must be less than R, got w=1\.5 and R=1\.0$"):
        load_manifold("moebius", w=1.5)


@pytest.mark.parametrize(
    ("setting", "rule"),
    [
        ({"n_points": 0}, "n_points must be a whole number of at least 1, got 0"),
        ({"n_points": 10.0}, "n_points must be a whole number of at least 1, got 10.0"),
        (
            {"n_points": np.int64(2**62)},
            "n_points times ambient_dimension must be at most 250000000",
        ),
        ({"n_points": True}, "n_points must be a whole number of at least 1, got True"),
        ({"n_points": 10**9}, "n_points times ambient_dimension must be at most 250000000"),
        ({"ambient_dimension": 2}, "ambient_dimension must be a whole number of at least 3, got 2"),
        ({"ambient_dimension": 3.5}, "ambient_dimension must be a whole number of at least 3"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"seed": None}, "seed must be a whole number of at least 0, got None"),
        ({"noise": -0.1}, "noise must be a number in [0, 1000.0], got -0.1"),
        ({"noise": float("nan")}, "noise must be a number in [0, 1000.0], got nan"),
        ({"noise": "0.1"}, "noise must be a number in [0, 1000.0], got '0.1'"),
        ({"noise": 1e300}, "noise must be a number in [0, 1000.0], got 1e+300"),
        ({"noise": True}, "noise must be a number in [0, 1000.0], got True"),
        ({"density": False}, "density must be a number in [0, 1), got False"),
        ({"density": 1.0}, "density must be a number in [0, 1), got 1.0"),
        ({"density": -0.1}, "density must be a number in [0, 1), got -0.1"),
    ],
)
def test_a_setting_out_of_range_is_named_with_its_rule_and_value(setting, rule):
    with pytest.raises(DataError) as caught:
        load_manifold("torus", **setting)
    assert str(caught.value).startswith(rule)


def test_the_catalogue_and_its_shapes_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        MANIFOLDS["torus"].name = "donut"
    with pytest.raises(dataclasses.FrozenInstanceError):
        MANIFOLDS["torus"].shape().R = 5.0
