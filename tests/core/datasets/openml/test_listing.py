import json
from datetime import UTC, datetime, timedelta

import pytest

from mecuco_core.datasets.openml import Listing, ServerError, listing, search_openml
from mecuco_core.errors import DataError
from tests.openml_server import Served, iris


@pytest.fixture
def many(server):
    server.add(iris(969, version=3, n_rows=None))
    server.add(Served(554, "mnist_784", n_rows=70000, n_columns=785, n_classes=10, n_missing=0))
    server.add(Served(40996, "Fashion-MNIST", n_rows=70000, n_columns=785, n_classes=10))
    server.add(Served(8, "liver", n_rows=345, n_columns=7, n_classes=0, n_missing=5))
    server.add(Served(9, "old-iris", status="deactivated", n_rows=150, n_columns=5))
    return server


def ids(found):
    return [line.id for line in found]


def test_a_line_says_what_openml_counted(many):
    assert search_openml("liver") == [Listing(8, "liver", 1, 345, 7, None, 5, "active", "ARFF")]


def test_a_dataset_with_one_count_does_not_hide_the_others(server):
    server.add(Served(8, "liver", n_rows=345, n_columns=None))
    found = search_openml("liver")
    assert [(line.id, line.n_rows, line.n_features) for line in found] == [(8, 345, None)]
    assert search_openml("iris")


def test_all_words_must_be_in_the_name_in_any_order_and_case(many):
    assert ids(search_openml("MNIST")) == [554, 40996]  # a name that starts with it comes first
    assert ids(search_openml("mnist fashion")) == [40996]
    assert ids(search_openml("mnist liver")) == []


def test_no_words_find_everything_active_by_id(many):
    assert ids(search_openml()) == [8, 61, 554, 969, 40996]


def test_a_number_finds_the_id_too(many):
    assert ids(search_openml("554")) == [554]
    assert ids(search_openml("784")) == [554]


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        ({"n_rows": (61, 1000)}, [8]),
        ({"n_rows": (60, 60)}, [61]),  # 969 was not counted
        ({"n_rows": (None, 345)}, [8, 61]),
        ({"n_features": (8, None)}, [554, 40996]),
        ({"n_classes": (2, 5)}, [61, 969]),
        ({"n_missing": (1, None)}, [8]),
        ({"n_rows": (70000, None), "n_missing": (0, 0)}, [554]),
    ],
)
def test_limits_of_size_include_both_ends_and_leave_out_the_uncounted(many, limits, found):
    assert ids(search_openml(**limits)) == found


def test_more_matches_than_shown_are_said(many, said):
    assert ids(search_openml(limit=2, notify=said.append)) == [8, 61]
    assert said == ["2 of 5 matching datasets are shown: add words or limits"]
    assert len(search_openml(limit=None, notify=said.append)) == 5
    assert len(said) == 1


def test_the_server_is_listed_once_and_page_by_page(many, monkeypatch):
    monkeypatch.setattr(listing, "PAGE", 2)
    search_openml("iris")
    pages = [line.rsplit("/", 4)[1:] for line in many.log]
    assert pages == [["limit", "2", "offset", n] for n in ("0", "2", "4")]
    assert ids(search_openml()) == [8, 61, 554, 969, 40996]
    assert len(many.log) == 3


def test_a_last_page_that_is_full_loses_and_repeats_nothing(many, monkeypatch):
    monkeypatch.setattr(listing, "PAGE", 5)
    assert ids(search_openml()) == [8, 61, 554, 969, 40996]


def aged(stored, **age):
    path = stored()["listing.json"]
    content = json.loads(path.read_text())
    content["listed_at"] = (datetime.now(UTC) - timedelta(**age)).isoformat()
    path.write_text(json.dumps(content))
    return content["listed_at"][:10]


@pytest.mark.parametrize(("days", "is_asked"), [(6.9, False), (7.1, True), (-1, True)])
def test_the_list_is_renewed_after_a_week(server, stored, days, is_asked):
    search_openml()
    aged(stored, days=days)
    server.add(iris(62, version=2))
    server.log.clear()
    assert len(search_openml()) == 1 + is_asked
    assert bool(server.log) is is_asked


def test_the_list_is_renewed_on_request(server):
    search_openml()
    server.add(iris(62, version=2))
    assert ids(search_openml(refresh=True)) == [61, 62]


def test_an_old_list_serves_when_the_server_does_not_and_says_so(server, stored, said):
    search_openml()
    day = aged(stored, days=30)
    server.fail("data/list", "503")
    assert ids(search_openml(notify=said.append)) == [61]
    assert len(said) == 1
    assert "HTTP 503" in said[0]
    assert f"the list of {day} is searched" in said[0]


def test_offline_the_server_is_not_asked(server, stored, said):
    with pytest.raises(DataError, match="no list of OpenML is stored on this computer"):
        search_openml(offline=True)
    assert server.log == []
    search_openml()
    day = aged(stored, days=30)
    server.log.clear()
    assert ids(search_openml(offline=True, notify=said.append)) == [61]
    assert said == [f"the list of OpenML from {day} is searched"]
    assert server.log == []


@pytest.mark.parametrize(
    "content", ["", "[1, 2", "{}", "null", '{"format": 1, "listed_at": "x", "datasets": [[1]]}']
)
def test_a_damaged_list_is_made_again(server, stored, content):
    search_openml()
    stored()["listing.json"].write_text(content)
    assert ids(search_openml()) == [61]
    assert ids(search_openml(offline=True)) == [61]


def test_a_fault_on_a_later_page_keeps_no_half_list(many, stored, monkeypatch):
    monkeypatch.setattr(listing, "PAGE", 2)
    many.fail("offset/4", "500")
    with pytest.raises(ServerError, match="HTTP 500"):
        search_openml()
    assert stored() == {}


def test_a_server_that_lists_nothing_is_a_fault(server):
    server.datasets.clear()
    with pytest.raises(ServerError, match="lists no dataset"):
        search_openml()


def test_impossible_limits_are_refused(server):
    with pytest.raises(DataError, match=r"n_rows must be \(smallest, largest\), got \(5, 2\)"):
        search_openml(n_rows=(5, 2))
    with pytest.raises(DataError, match="limit must be 1 or more, or None, got 0"):
        search_openml(limit=0)
