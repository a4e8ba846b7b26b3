"""Every file still gives the table it gave before libraries took the place of our own readers."""

import json

from mecuco_core.datasets.files import read
from tests.core.datasets.files.fingerprints import RECORDED, cases


def test_every_file_of_before_gives_the_same_table():
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    found = {name: (raw, options) for name, raw, options in cases()}
    assert recorded.keys() <= found.keys()
    changed = [name for name in recorded if read(*found[name]).fingerprint != recorded[name]]
    assert changed == []
