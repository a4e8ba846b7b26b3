"""Datasets that were brought to this server from outside a browser, and wait for one to open them.

Who brought them asks for addresses with a token. Each works once: the browser that comes with it is
given the dataset, and no other browser ever is by that token.
"""

import hashlib
import secrets
import threading
from dataclasses import dataclass, field, replace

from mecuco_app.data.sources import Loaded
from mecuco_app.data.visits import Visit
from mecuco_app.view.settings import View

PATH = "/open/"
"""Where the token stands in an address."""


@dataclass(eq=False)
class Offer:
    """A dataset, how it shall be looked at first, and the visits that have taken it."""

    loaded: Loaded
    view: View
    takers: list[Visit] = field(default_factory=list)

    @property
    def seen(self) -> tuple[View, Loaded]:
        """How it is looked at now, by whom took it last."""
        for visit in reversed(self.takers):
            known = visit.find(self.view.data)
            if known is not None and known.loaded is not None:
                return known.view, known.loaded
        return self.view, self.loaded

    @property
    def is_open(self) -> bool:
        """Whether a browser that took it shows a page."""
        return any(visit.tabs for visit in self.takers)


@dataclass(eq=False)
class _Ticket:
    """What a token stands for, and the visit that has used it."""

    offer: Offer
    taker: Visit | None = None


class Offers:
    """The offers of one server; of tokens it keeps digests only."""

    def __init__(self) -> None:
        self._tickets: dict[str, _Ticket] = {}
        self._offers: list[Offer] = []
        self._lock = threading.Lock()

    def make(self, loaded: Loaded, view: View) -> Offer:
        """Offer a dataset; nobody can take it without a token."""
        preparation = loaded.prepared.preparation
        offer = Offer(loaded, replace(view, data=loaded.choice, preparation=preparation))
        self._offers.append(offer)
        return offer

    def token(self, offer: Offer) -> str:
        """Return a new token, which works once."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._tickets[_digest(token)] = _Ticket(offer)
        return token

    def has(self, token: str) -> bool:
        """Whether a token stands for an offer, taken or not."""
        return _digest(token) in self._tickets

    def take(self, token: str, visit: Visit) -> View | None:
        """Give the dataset of a token to a visit; return how to look at it.

        None for a token that is unknown or was used by another visit. The visit that used it comes
        back to what it has: a notebook loads the page again when its cell is scrolled into sight.
        """
        with self._lock:
            ticket = self._tickets.get(_digest(token))
            if ticket is None or ticket.taker not in (None, visit):
                return None
            offer = ticket.offer
            view, loaded = offer.seen
            if ticket.taker is None:
                ticket.taker = visit
                offer.takers = [*(one for one in offer.takers if one is not visit), visit]
                visit.hold(view, loaded)
            return view

    def withdraw(self, offer: Offer) -> None:
        """Let go of a dataset, also where a browser has taken it."""
        with self._lock:
            gone = {key for key, ticket in self._tickets.items() if ticket.offer is offer}
            self._tickets = {key: one for key, one in self._tickets.items() if key not in gone}
            self._offers.remove(offer)
            others = [one for one in self._offers if one.view.data == offer.view.data]
        for visit in offer.takers:
            if not any(visit in other.takers for other in others):
                visit.forget(offer.view.data)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


OFFERS = Offers()
"""Those of this server."""
