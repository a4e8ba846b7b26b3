"""One count of progress over stages."""

import pytest

from mecuco_core.runtime.progress import Stages


def test_stages_count_as_one_whatever_each_of_them_counts():
    told = []
    stages = Stages(lambda done, total: told.append((done, total)), 100)
    first = stages.next(60)
    first(1, 4)
    first(4, 4)
    stages.passed(10)
    stages.next(30)(5, 10)
    # 60 · 1/4, 60, 60 + 10, 70 + 30 · 5/10
    assert told == [(15, 100), (60, 100), (70, 100), (85, 100)]


def test_a_stage_without_anything_to_do_is_no_error():
    told = []
    Stages(lambda done, total: told.append(done), 3).next(3)(0, 0)
    assert told == [0]


def test_nobody_watching_is_no_error_and_what_a_watcher_raises_ends_the_work():
    Stages(None, 2).passed()

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Stages(stop, 2).passed()
