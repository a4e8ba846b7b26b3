import pytest

from mecuco_core.datasets.paper import PAPER_DATASETS
from mecuco_core.reproduction.published import published
from mecuco_core.score.cost import resolved_mode


@pytest.mark.parametrize("line", PAPER_DATASETS, ids=lambda line: line.name)
def test_every_dataset_has_figures_in_its_tables_and_in_no_other(line):
    m = line.n_features
    for table in (1, 2, 3):
        own = published(table, line.name, resolved_mode("auto", m), m)
        original = published(table, line.name, "original", m)
        assert (own is not None) == (table in line.tables)
        assert (original is not None) == (table in line.tables and table != 3)


def test_figures_are_those_printed():
    own = published(2, "wine", "exact", 13)
    assert (own.mean, own.std, own.seconds, own.spearman) == (0.1579, 0.1431, 0.02, 0.997)
    original = published(1, "wine", "original", 13)
    assert (original.mean, original.std, original.role) == (2.1459, 1.0322, "original")
    wide = published(3, "MLL", "fast", 12582)
    assert (wide.mean, wide.q25, wide.q75, wide.mae) == (0.2863, 0.091, 0.4906, None)


def test_only_the_mode_the_paper_chose_has_its_figures():
    assert published(2, "wine", "fast", 13) is None
    assert published(2, "wine", "haar", 13) is None
    assert published(2, "digits", "exact", 64) is None
    assert published(2, "digits", "fast", 64) is not None
