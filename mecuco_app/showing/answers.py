"""What the app answers the program whose data it shows."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from mecuco_app.data.offers import OFFERS, PATH, Offer
from mecuco_app.data.sources import Loaded, checked
from mecuco_app.results.scores import curvature_of
from mecuco_app.scene.selection import selected
from mecuco_app.view import links
from mecuco_app.view.settings import DataChoice
from mecuco_app.work.tables import Body, packed, to_dataset
from mecuco_core.measures.exports import export_table
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.protocol import starting_preparation

Answer = tuple[dict[str, Any], Body]


class Answers:
    """The data a program has brought, by number.

    Parameters
    ----------
    port : int
        The server listens on.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self._offers: dict[int, Offer] = {}
        self._numbers = itertools.count()
        self._acts: dict[str, Callable[[Offer], Answer]] = {
            "address": self._address,
            "selection": self._selection,
            "scores": self._scores,
            "is open": lambda offer: ({"is_open": offer.is_open}, ()),
        }

    def answer(self, words: dict[str, Any], body: bytearray) -> Answer:
        """Answer one request; raises DataError."""
        if words["act"] == "show":
            return self._show(words, body)
        offer = self._offers[words["shown"]]
        if words["act"] == "close":
            OFFERS.withdraw(self._offers.pop(words["shown"]))
            return {}, ()
        return self._acts[words["act"]](offer)

    def _show(self, words: dict[str, Any], body: bytearray) -> Answer:
        """Take data over, make their points, and note how they shall be looked at first."""
        dataset = checked(to_dataset(words["dataset"], body))
        view = links.decoded(words["view"]).view
        preparation = starting_preparation(dataset) if words["starts"] else view.preparation
        loaded = Loaded(
            dataset,
            prepare(dataset, preparation),
            DataChoice("memory", dataset.name, fingerprint=dataset.fingerprint),
            tuple(words["notes"]),
        )
        number = next(self._numbers)
        self._offers[number] = OFFERS.make(loaded, view)
        return {"shown": number}, ()

    def _address(self, offer: Offer) -> Answer:
        return {"url": f"http://127.0.0.1:{self.port}{PATH}{OFFERS.token(offer)}"}, ()

    def _selection(self, offer: Offer) -> Answer:
        """Return the rows that are selected now, ascending."""
        view, loaded = offer.seen
        values = None
        if view.rule.kind in ("top", "range"):
            values = curvature_of(loaded.prepared, view.score).values
        positions = selected(view.rule, loaded.prepared, values)
        rows = np.empty(0, np.int64) if positions is None else loaded.prepared.rows[positions]
        return {}, [rows.astype("<i8").tobytes()]

    def _scores(self, offer: Offer) -> Answer:
        view, loaded = offer.seen
        result = curvature_of(loaded.prepared, view.score)
        table, body = packed(export_table(loaded.dataset, loaded.prepared, result))
        return {"table": table}, body
