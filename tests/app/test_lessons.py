"""What the teaching pages share: their choices in the address, guided steps, numbers in LaTeX."""

from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mecuco_app.page.lessons.coordinate_change import words as change_words
from mecuco_app.page.lessons.ground_truth import words as truth_words
from mecuco_app.page.lessons.null_space import words as null_words
from mecuco_app.page.lessons.shape_operator import words as shape_words
from mecuco_app.page.lessons.xray import words as xray_words
from mecuco_app.text.formulas import matrix, row, tex
from mecuco_app.view import links
from mecuco_app.view.lessons import (
    NULL_SOURCES,
    SCORE_MODES,
    SURFACES,
    CoordinateChangeSettings,
    NullSettings,
    SurfaceSettings,
    TruthSettings,
    XraySettings,
)
from mecuco_app.view.settings import View, changed
from mecuco_core.datasets.manifolds import MANIFOLDS
from mecuco_core.diagnostics.coordinates import CHANGE_KINDS

whole = st.integers(0, 2**31 - 1)


def between(low, high):
    return st.floats(low, high).map(lambda value: round(value, 6))


views = st.builds(
    View,
    surface=st.builds(
        SurfaceSettings, st.sampled_from(SURFACES), between(0, 1), between(0, 1), between(0, 360),
        between(0.01, 0.6), st.integers(200, 20_000), between(0, 0.2), whole,
    ),
    truth=st.builds(
        TruthSettings, st.sampled_from(list(MANIFOLDS)), st.integers(200, 20_000),
        st.integers(5, 200), between(0, 0.2), between(0, 0.95), st.none() | st.integers(3, 50),
        whole, st.sampled_from(SCORE_MODES), st.booleans(),
    ),
    xray=st.builds(XraySettings, st.integers(1, 7)),
    null=st.builds(
        NullSettings, st.sampled_from(NULL_SOURCES), st.integers(4, 120), st.integers(3, 60), whole
    ),
    change=st.builds(
        CoordinateChangeSettings, st.sampled_from(CHANGE_KINDS), whole, between(1, 50)
    ),
)  # fmt: skip


@given(views)
def test_the_choices_of_all_pages_come_back_from_their_address(view):
    address = urlencode(links.encoded(view))
    opened = links.decoded(dict(parse_qsl(address, keep_blank_values=True)))
    assert opened.view == view
    assert opened.refused == ()


ALL = {
    "shape": shape_words.STEPS,
    "truth": truth_words.STEPS,
    "xray": xray_words.STEPS,
    "null": null_words.STEPS,
    "change": change_words.STEPS,
}


@pytest.mark.parametrize("page", ALL)
def test_every_page_has_three_guided_steps_that_a_link_can_carry(page):
    assert len(ALL[page]) == 3
    for step in ALL[page]:
        view = View()
        for path, value in step.choices.items():
            view = changed(view, path, value)
        assert step.holds(view)
        opened = links.decoded(links.encoded(view))
        assert opened.refused == ()
        assert step.holds(opened.view)


def test_a_step_no_longer_holds_when_one_of_its_choices_is_changed():
    step = change_words.STEPS[0]
    assert step.holds(View())
    assert not step.holds(changed(View(), "change.top", 6.0))


def test_numbers_become_latex():
    assert tex(-1.5) == "-1.50"
    assert tex(12345.678, 5) == r"12\,346"
    assert tex(3.2e-7) == r"3.2\cdot 10^{-7}"
    assert tex(1e-17) == "0"
    assert tex(float("inf")) == r"\infty"
    assert row([1.0, -2.0]) == r"(1.00,\; -2.00)"
    assert matrix([[1.0, 0.0], [0.0, 2.0]]) == (r"\begin{pmatrix}1.00 & 0\\0 & 2.00\end{pmatrix}")


def test_no_page_calls_the_score_a_mean_curvature():
    for page in ("truth", "xray", "null", "change"):
        said = " ".join(f"{step.name} {step.look}" for step in ALL[page]).lower()
        assert "mean curvature" not in said
