from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mecuco_app.view import links
from mecuco_app.view.lessons import (
    CoordinateChangeSettings,
    NullSettings,
    TruthSettings,
    XraySettings,
)
from mecuco_app.view.link_reading import reading, written_reading
from mecuco_app.view.link_values import MOST_ROWS, listed, names, packed, unpacked
from mecuco_app.view.settings import (
    COLOUR_SCALES,
    MAP_KINDS,
    AgreementSettings,
    BoundarySettings,
    ColourSettings,
    DataChoice,
    MapSettings,
    PaperSettings,
    ScoreSettings,
    SelectionRule,
    View,
)
from mecuco_core.datasets.files import ReadOptions
from mecuco_core.measures import MEASURES
from mecuco_core.preparation.assembly import CATEGORIES, MISSING
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.mending.roles import ROLES
from mecuco_core.preparation.protocol import PAPER, RECOGNITIONS, SENSIBLE, Preparation
from mecuco_core.preparation.scaling import SCALES
from mecuco_core.types import METRICS, MODES

text = st.text(st.characters(codec="utf-8"), max_size=20)
name = text.filter(bool)
whole = st.integers(0, 2**31 - 1)
rows = st.lists(whole, min_size=1, max_size=30, unique=True).map(lambda r: tuple(sorted(r)))
corrections = st.builds(
    ReadOptions,
    encoding=st.none() | st.sampled_from(["utf-8", "cp932"]),
    delimiter=st.none() | st.sampled_from([",", "\t", "\\", "whitespace"]),
    decimal=st.none() | st.sampled_from([".", ","]),
    header=st.none() | st.booleans(),
    sheet=st.none() | text,
    variable=st.none() | text,
    member=st.none() | text,
    target=st.none() | text,
    columns=st.none() | st.lists(text, min_size=1, max_size=3).map(tuple),
)
prints = st.text("0123456789abcdef", min_size=16, max_size=16)
views = st.builds(
    View,
    data=st.one_of(
        st.builds(DataChoice, st.just("bundled"), name, target=st.none() | name),
        st.builds(DataChoice, st.just("openml"), whole.map(str)),
        st.builds(
            DataChoice,
            st.just("manifold"),
            name,
            st.just((("n_points", 500), ("noise", 0.1))),
        ),
        st.builds(
            DataChoice,
            st.just("file"),
            name,
            asked=corrections.map(lambda asked: None if asked == ReadOptions() else asked),
            content=prints,
            fingerprint=prints,
        ),
    ),
    preparation=st.builds(
        Preparation,
        st.sampled_from(CATEGORIES),
        st.sampled_from(MISSING),
        st.sampled_from(SCALES),
        recognition=st.sampled_from(RECOGNITIONS),
        roles=st.dictionaries(name, st.sampled_from(ROLES), max_size=2).map(
            lambda roles: tuple(roles.items())
        ),
        mends=st.lists(
            st.builds(Mend, st.sampled_from(["numbers", "join"]), name)
            | st.builds(Mend, st.just("missing"), name, st.sampled_from(["-999", "n/a, none"])),
            max_size=3,
        ).map(tuple),
        dimensions=st.none() | st.integers(1, 500),
        exclude=st.lists(name, max_size=3, unique=True).map(tuple),
        n_rows=st.none() | st.integers(3, 10**6),
        stratify=st.booleans(),
        seed=whole,
        metric=st.sampled_from(METRICS),
    ),
    score=st.builds(ScoreSettings, st.sampled_from(MODES), st.none() | st.integers(2, 60)),
    map=st.builds(
        MapSettings,
        st.sampled_from(MAP_KINDS),
        st.sampled_from([2, 3]),
        st.integers(2, 60),
        st.integers(0, 20).map(lambda i: i / 20),
        whole,
        st.lists(name, min_size=2, max_size=3).map(tuple),
    ),
    colour=st.builds(
        ColourSettings,
        st.sampled_from([*MEASURES, "label", "column"]),
        st.none() | name,
        st.sampled_from(COLOUR_SCALES),
        st.booleans(),
    ),
    rule=st.one_of(
        st.just(SelectionRule()),
        st.builds(SelectionRule, st.just("top"), st.sampled_from([1.0, 2.5, 25.0])),
        st.builds(SelectionRule, st.just("range"), st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)),
        st.builds(SelectionRule, st.just("rows"), rows=rows),
    ),
    focus=st.none() | whole,
    agreement=st.builds(
        AgreementSettings, st.sampled_from(MODES), st.sampled_from(MODES), st.booleans()
    ),
    boundary=st.builds(
        BoundarySettings, st.floats(1, 99).map(lambda v: round(v, 3)), n_clusters=st.none()
    ),
)


@given(views)
def test_a_view_comes_back_from_its_address(view):
    address = urlencode(links.encoded(view))
    opened = links.decoded(dict(parse_qsl(address, keep_blank_values=True)))
    assert opened.view == view
    assert opened.refused == ()


parameter = st.sampled_from([*(p.name for p in links.PARAMETERS), "v", "data", "with", "target",
                             "print", "file", "read", "select", "categories", "missing",
                             "scaling", "only", "without", "rows", "stratify", "draw",
                             "unknown"])  # fmt: skip


@given(st.dictionaries(parameter, text | st.sampled_from(["nan", "inf", "-1", "1e400", "9" * 50])))
def test_no_address_raises(parameters):
    opened = links.decoded(parameters)
    assert isinstance(opened.view, View)


def test_the_default_view_has_a_short_address_that_says_its_mode():
    assert links.encoded(View()) == {"v": "3", "data": "bundled:digits", "mode": "haar"}


def former(**parts):
    """Return the view of a link of version 1 that says nothing but `parts`."""
    plain = {
        "score": ScoreSettings("auto"),
        "colour": ColourSettings(scale="robust"),
        "truth": TruthSettings(mode="exact"),
    }
    return replace(View(), **plain | parts)


# The addresses are those that 0.1.0 wrote for these views.
FORMER = {
    "v=1&data=bundled:digits": former(),
    "v=1&data=bundled:iris&k=9&map=pca&colour=label&point=41&select=top:5": former(
        data=DataChoice("bundled", "iris"),
        score=ScoreSettings("auto", 9),
        map=MapSettings("pca"),
        colour=ColourSettings("label", scale="robust"),
        rule=SelectionRule("top", 5.0),
        focus=41,
    ),
    "v=1&data=bundled:wine&mode=haar&k=12&scale=log&first=auto&second=haar&normalised=1": former(
        data=DataChoice("bundled", "wine"),
        score=ScoreSettings("haar", 12),
        colour=ColourSettings("score", scale="log"),
        agreement=AgreementSettings("auto", "haar", True),
    ),
    "v=1&data=openml:554&rows=4000&stratify=1&dim=3&nn=30&dist=0.5&seed=7"
    "&select=rows:A4kBmC0": former(
        data=DataChoice("openml", "554"),
        preparation=Preparation(n_rows=4000, stratify=True),
        map=MapSettings("umap", 3, 30, 0.5, 7),
        rule=SelectionRule("rows", rows=(3, 141, 5926)),
    ),
    "v=1&data=manifold:torus&with=n_points%3D3000,noise%3D0.1&colour=truth&manifold=sphere"
    "&n=2000&patch=20&space=25&step=4": former(
        data=DataChoice("manifold", "torus", (("n_points", 3000), ("noise", 0.1))),
        preparation=Preparation(scale="none"),
        colour=ColourSettings("true_mean_curvature", scale="robust"),
        truth=TruthSettings("sphere", 2000, 20, ambient=25, mode="exact"),
        xray=XraySettings(4),
    ),
    "v=1&data=file:my,+own.csv&target=class&print=fedcba9876543210&file=0123456789abcdef"
    "&read=delimiter%3D%3B,column%3Da,column%3Db&cut=90&clustering=hdbscan&lines=highest"
    "&gauge=whitening": former(
        data=DataChoice(
            "file",
            "my, own.csv",
            target="class",
            asked=ReadOptions(delimiter=";", columns=("a", "b")),
            content="0123456789abcdef",
            fingerprint="fedcba9876543210",
        ),
        boundary=BoundarySettings(90.0, "hdbscan", lines="highest"),
        change=CoordinateChangeSettings("whitening"),
    ),
    "v=1&data=bundled:breast-cancer&scale=rank&cut=80&against=fast&cloud=data&table=3"
    "&show=quartiles&paper=USPS": former(
        data=DataChoice("bundled", "breast-cancer"),
        colour=ColourSettings("score", scale="rank"),
        truth=TruthSettings(mode="fast"),
        null=NullSettings("data"),
        paper=PaperSettings(3, "quartiles", "USPS"),
        boundary=BoundarySettings(80.0),
    ),
}


@pytest.mark.parametrize("address", FORMER)
def test_a_link_of_the_first_version_opens_the_view_it_was_made_for(address):
    opened = links.decoded(dict(parse_qsl(address, keep_blank_values=True)))
    assert opened == links.Opened(FORMER[address])
    written = links.encoded(opened.view)  # as the address bar shows it now
    assert written["v"] == "3"
    assert links.decoded(written) == opened


@pytest.mark.parametrize("version", ["1", "2"])
@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("ratio", "alignment_ratio"),
        ("rank", "percentile"),
        ("distance", "knn_distance"),
        ("fidelity", "map_fidelity"),
        ("truth", "true_mean_curvature"),
    ],
)
def test_a_colour_of_before_opens_under_its_name_of_today(version, former, now):
    opened = links.decoded({"v": version, "colour": former})
    assert (opened.view.colour.by, opened.refused) == (now, ())
    assert links.encoded(opened.view)["colour"] == now


def test_a_colour_that_never_was_is_refused():
    assert links.decoded({"colour": "beauty"}) == links.Opened(View(), ("colour=beauty",))


def test_a_link_without_a_version_is_of_the_newest():
    assert links.decoded({"data": "bundled:digits"}) == links.Opened(View())
    assert View().score.mode == "haar"


@given(views)
def test_a_link_says_its_mode_whatever_it_is(view):
    assert links.encoded(view)["mode"] == view.score.mode


def test_what_cannot_be_read_is_named_and_the_rest_is_kept():
    opened = links.decoded({"k": "abc", "mode": "exact", "scale": "loud", "seed": "-3"})
    assert set(opened.refused) == {"k=abc", "scale=loud", "seed=-3"}
    assert opened.view == replace(View(), score=ScoreSettings("exact"))


def test_a_bare_link_to_a_manifold_leaves_its_shape_alone():
    opened = links.decoded({"data": "manifold:torus"})
    assert opened.view.preparation.scale == "none"
    scaled = replace(opened.view, preparation=Preparation(scale="standard"))
    assert links.encoded(scaled)["scaling"] == "standard"
    assert links.decoded(links.encoded(scaled)).view == scaled


@pytest.mark.parametrize(
    ("parameters", "scale"),
    [
        ({"v": "1"}, "robust"),
        ({"v": "1", "scale": "log"}, "log"),
        ({"v": "2"}, "auto"),
        ({"v": "2", "scale": "robust"}, "robust"),
        ({}, "auto"),
    ],
)
def test_a_link_of_version_1_that_names_no_colour_scale_meant_robust(parameters, scale):
    opened = links.decoded(parameters)
    assert (opened.view.colour.scale, opened.refused) == (scale, ())
    assert links.decoded(links.encoded(opened.view)).view == opened.view


FILE = {"data": "file:people.csv", "print": "ab12"}


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"v": "1"} | FILE, PAPER),
        ({"v": "2"} | FILE, PAPER),
        ({"v": "2", "missing": "median"} | FILE, Preparation(missing="median")),
        ({"v": "3"} | FILE, SENSIBLE),
        (FILE, SENSIBLE),
        ({"v": "3", "protocol": "paper"} | FILE, PAPER),
        ({"v": "2", "data": "manifold:torus"}, Preparation(scale="none")),
        ({"v": "3", "data": "bundled:iris"}, PAPER),
        ({"v": "3", "data": "bundled:iris", "protocol": "sensible"}, SENSIBLE),
    ],
)
def test_links_of_before_keep_the_paper_protocol_and_new_ones_name_theirs(parameters, expected):
    opened = links.decoded(parameters)
    assert (opened.view.preparation, opened.refused) == (expected, ())
    assert links.decoded(links.encoded(opened.view)).view == opened.view


def test_a_link_to_a_file_says_mends_and_roles_in_words():
    preparation = (
        SENSIBLE.with_mend(Mend.parse("a, b: -999 is missing"))
        .with_mend(Mend("first"))
        .with_role("zip=x", "identifier")
    )
    view = View(data=DataChoice("file", "people.csv", fingerprint="ab12"), preparation=preparation)
    written = links.encoded(view)
    assert written["mends"] == "a\\, b: -999 is missing,keep the first of repeated rows"
    assert written["roles"] == "zip=x=identifier"
    assert "protocol" not in written
    assert links.decoded(written) == links.Opened(view)
    bad = links.decoded({"mends": "age is old", "roles": "zip=hero", "protocol": "best"})
    assert len(bad.refused) == 3
    assert bad.view == View()


def test_another_version_is_not_guessed_at():
    opened = links.decoded({"v": "4", "k": "7"})
    assert opened.view == View(data=DataChoice("unknown", "version 4"))
    assert opened.refused == ("v=4",)


@pytest.mark.parametrize("text", ["rows:", "rows:!!", "rows:gICAgICAgICA", "top:101", "top:nan",
                                  "range:1", "range:nan:2", "range:inf:2", "lasso:3"])  # fmt: skip
def test_a_broken_selection_is_refused(text):
    opened = links.decoded({"select": text})
    assert opened.view.rule == SelectionRule()
    assert len(opened.refused) == 1


def test_contradicting_preparations_are_refused():
    opened = links.decoded({"only": "a", "without": "a"})
    assert opened.view.preparation == Preparation()
    assert opened.refused == ("preparation",)


def test_a_long_selection_is_left_out_of_the_link():
    view = replace(View(), rule=SelectionRule("rows", rows=tuple(range(MOST_ROWS + 1))))
    assert "select" not in links.encoded(view)
    assert links.left_out(view)
    assert not links.left_out(View())


@given(rows)
def test_rows_come_back_from_their_letters(chosen):
    assert unpacked(packed(chosen)) == chosen


@given(corrections.filter(lambda asked: asked != ReadOptions()))
def test_how_a_file_is_read_comes_back(asked):
    assert reading(written_reading(asked)) == asked


@pytest.mark.parametrize(
    "text", ["encoding", "encoding=klingon", "header=2", "max_cells=1", "delimiter=ab", ""]
)
def test_a_way_of_reading_that_makes_no_sense_is_refused(text):
    opened = links.decoded({"data": "file:a.csv", "read": text})
    assert opened.view.data.asked is None
    assert opened.refused == (f"read={text}",)


def test_a_thousand_rows_fit_into_an_address():
    assert len(packed(tuple(range(0, 70_000, 70)))) < links.LONGEST


@given(st.lists(text, min_size=1, max_size=5).map(tuple))
def test_names_with_commas_and_backslashes_come_back(chosen):
    assert names(listed(chosen)) == chosen


def test_no_parameter_has_a_name_that_streamlit_keeps_for_itself():
    assert not {"embed", "embed_options"} & {parameter.name for parameter in links.PARAMETERS}


@pytest.mark.parametrize("text", ["${pwned()}", "ABC", "", "12 34"])
def test_a_fingerprint_is_letters_of_one_and_belongs_to_a_file(text):
    # Found by `make fuzz`: it was kept for data that are not a file, and any text was.
    opened = links.decoded({"data": "file:a.csv", "print": text})
    assert opened.view.data.fingerprint == ""
    assert any(part.startswith("print=") for part in opened.refused)
    assert links.decoded({"data": "manifold:torus", "print": "12ab"}).view.data.fingerprint == ""
    assert (
        links.decoded({"data": "file:a.csv", "print": "12ab" * 9}).view.data.fingerprint
        == "12ab" * 4
    )
