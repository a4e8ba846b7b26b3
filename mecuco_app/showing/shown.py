"""What `mecuco.show` returns: the way from a program to what is seen in the app."""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from mecuco_app.showing.server import Server
from mecuco_core.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_TAGS: Mapping[str, Any] = MappingProxyType({})


class Shown:
    """Data that are shown in the app, as long as this program runs.

    `show` makes one. It asks the app whenever an attribute is read.

    Attributes
    ----------
    url : str
        An address that opens the data once, in one browser: a new one each time it is read.
    selection : Index
        What the selected rows are called: `frame.loc[shown.selection]` are these rows.
    scores : DataFrame
        The scores of the app, with the columns of docs/exports.md, by what the rows are called.
    tags : mapping
        Always empty: the app has no selections with names yet.

    See Also
    --------
    show : Makes one.

    Examples
    --------
    >>> import mecuco as mc
    >>> import numpy as np
    >>> shown = mc.show(np.random.default_rng(0).normal(size=(30, 3)))  # doctest: +SKIP
    >>> shown.scores.nlargest(5, "score")  # doctest: +SKIP
    >>> shown.close()  # doctest: +SKIP
    """

    def __init__(self, server: Server, number: int, name: str, labels: "pd.Index") -> None:
        self._server, self._number = server, number
        self._name, self._labels = name, labels
        server.hold(number)
        self._is_closed = False

    def __repr__(self) -> str:
        place = "closed" if self.is_closed else f"http://127.0.0.1:{self._server.port}"
        return f"Shown({self._name!r}, {len(self._labels)} rows, {place})"

    @property
    def url(self) -> str:
        """An address that opens the data once, in one browser: a new one each time it is read."""
        return str(self._ask("address")[0]["url"])

    @property
    def selection(self) -> "pd.Index":
        """What the selected rows are called, in the order of the rows; empty where none is."""
        _, body = self._ask("selection")
        return self._labels.take(np.frombuffer(body, "<i8"))

    @property
    def scores(self) -> "pd.DataFrame":
        """The scores of the app as it is now, computed first where they are not there yet."""
        from mecuco_app.work.tables import unpacked

        words, body = self._ask("scores")
        table = unpacked(words["table"], body)
        return table.set_axis(self._labels.take(table["row"].to_numpy()), axis=0)

    @property
    def tags(self) -> Mapping[str, Any]:
        """Selections with names, of which the app has none yet: always empty."""
        return _TAGS

    @property
    def is_open(self) -> bool:
        """Whether a browser shows the data; a closed tab is noticed after some seconds."""
        return not self.is_closed and bool(self._ask("is open")[0]["is_open"])

    @property
    def is_closed(self) -> bool:
        """Whether the app has let go of the data."""
        return self._is_closed or not self._server.is_alive

    def close(self) -> None:
        """Let go of the data; the last one to be closed ends the app. Again it does nothing."""
        if not self.is_closed:
            with suppress(DataError):  # it ended meanwhile
                self._ask("close")
        self._is_closed = True
        self._server.release(self._number)

    def _ask(self, act: str) -> tuple[dict[str, Any], bytearray]:
        if self.is_closed:
            raise DataError("these data are no longer shown: call show again")
        return self._server.ask({"act": act, "shown": self._number})
