"""Damaged files of every format: a dataset or one sentence, and nothing else.

What a library does with damage is its own affair: some end their process, or ask for all memory.
So they are read as the app reads them, but many by one process, as long as it lives.
"""

import logging
from dataclasses import replace

import numpy as np
import pytest

from mecuco_app.work import uploads
from mecuco_app.work.jobs import silent
from mecuco_app.work.limits import LIMITS
from mecuco_app.work.uploads import FileProcess
from mecuco_core.datasets.files import ReadOptions
from mecuco_core.errors import DataError
from tests.core.datasets.files import examples
from tests.core.datasets.files.test_fuzz import SOURCES

N_INPUTS = 300
FEWER = {"xls": 20, "h5ad": 60, "csr.h5ad": 60, "hdf5": 60}
"""A third of the first ask for all memory, HDF5 runs in circles now and then: a process each."""


@pytest.fixture(autouse=True)
def _limits(monkeypatch):
    monkeypatch.setattr(uploads, "LIMITS", replace(LIMITS, file_seconds=5, job_megabytes=1024))


@pytest.fixture(scope="module")
def readers():
    """Return a function that returns a process that reads files."""
    processes = [FileProcess()]

    def reader():
        if not processes[-1].is_alive:
            processes.append(FileProcess())
        return processes[-1]

    yield reader
    processes[-1].close()


@pytest.mark.thorough
@pytest.mark.parametrize("name", SOURCES)
def test_a_damaged_file_gives_a_dataset_or_a_sentence(readers, name, caplog):
    caplog.set_level(logging.CRITICAL)
    raw, damage = SOURCES[name]
    refused: list[str] = []
    for seed in range(FEWER.get(name, N_INPUTS)):
        content = damage(raw, np.random.default_rng(seed))
        act = uploads.look if seed % 2 else uploads.read
        try:
            act(readers(), content, name, ReadOptions(), silent)
        except DataError as error:
            refused.append(str(error))
    assert refused
    assert all(20 < len(sentence) < 500 and sentence.isprintable() for sentence in refused)


@pytest.mark.thorough
@pytest.mark.parametrize("name", examples.EXAMPLES)
def test_a_file_cut_short_anywhere_gives_a_dataset_or_a_sentence(readers, name):
    raw = examples.EXAMPLES[name]
    for end in np.linspace(1, len(raw) - 1, 40).astype(int):
        try:
            uploads.read(readers(), raw[:end], name, ReadOptions(), silent)
        except DataError:
            continue
