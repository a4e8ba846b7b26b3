"""How a table becomes points, as one frozen value: two named protocols, and what may be changed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from mecuco_core.datasets.base import Dataset
from mecuco_core.errors import DataError
from mecuco_core.preparation.assembly import CATEGORIES, MISSING, Categories, Missing
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.mending.roles import ROLES, Role
from mecuco_core.preparation.scaling import SCALES, Scale
from mecuco_core.preparation.selection import MIN_ROWS
from mecuco_core.runtime.wording import quoted
from mecuco_core.types import METRICS, Metric

Recognition = Literal["plain", "close"]
RECOGNITIONS: tuple[Recognition, ...] = get_args(Recognition)

Protocol = Literal["paper", "sensible", "changed"]
PROTOCOLS: tuple[Literal["paper", "sensible"], ...] = ("paper", "sensible")
"""Those that can be asked for by name."""

_PROTOCOL_FIELDS = ("recognition", "categories", "missing", "scale")
_SPOKEN: dict[Protocol, str] = {
    "paper": (
        "As in the paper: missing values become 0, categories become integer codes, and every "
        "column is standardised."
    ),
    "sensible": (
        "Sensible: missing values become the median and are marked where they are many, categories "
        "become features of their own, percent and money texts become numbers, and each column is "
        "scaled by what it is."
    ),
    "changed": "By choices of your own: neither as in the paper nor the sensible protocol.",
}


_AS_THEY_ARE = "As they are: no feature is scaled."


@dataclass(frozen=True)
class Preparation:
    """How a table becomes points. The default is the paper's protocol.

    Parameters
    ----------
    categories : {"codes", "one-hot", "drop", "levels"}
        "codes": integers from 0 in the order of the categories. "one-hot": one 0/1 feature for
        each category that occurs. "drop": left out. "levels": as one-hot, with rare categories
        joined as "other"; a column with more than 20 that are not rare is left out, unless it is
        asked for: then its 20 most frequent ones have a feature.
    missing : {"zero", "median", "drop rows", "indicator"}
        What takes the place of missing and infinite values. "zero": 0, and for categories the code
        -1 (under "one-hot": no feature is 1). "median": the median of the column, 0 when it has
        none, and for categories the most frequent one. "drop rows": the row is left out; a column
        with nothing but missing values is left out instead. "indicator": as "median", with a
        feature that says where values are missing if they are 5 % or more, and 5 or more; columns
        with nothing but missing values are left out.
    scale : {"standard", "robust", "min-max", "none", "suited"}
        See `scale_features` and, for "suited", `scale_suited`.
    recognition : {"plain", "close"}
        "plain": texts are words, and numbers are numbers, whatever they name. "close": percent and
        money texts are read as numbers; identifiers and codes that look like numbers (customers,
        zip codes), links, and columns with a single value are left out.
    include : tuple of str or None
        Use these columns and no others, also those left out by themselves: text and identifiers
        then become codes, dates become days. None for all that are fit.
    exclude : tuple of str
        Columns not to use.
    roles : tuple of (str, str)
        Columns that are something else than what was recognised: "feature" (used, as if included,
        beside the others), "identifier", "text", "image", "link", "leave out" (not used).
    mends : tuple of Mend
        Changes of the table before anything else; in any order, each once.
    n_rows : int or None
        Size of a random sample of the rows, drawn after rows were dropped; None for all rows.
    stratify : bool
        Whether the sample keeps the share of each class of the target.
    seed : int
        Of the sample.
    dimensions : int or None
        Replace the features, after scaling, by that many of their principal components; None for
        the features themselves.
    metric : {"euclidean", "cosine"}
        "cosine" scales every point to length one, after its features: points are compared by their
        directions. Rows that became all zeros have none and are left out.

    See Also
    --------
    prepare : Does it.
    starting_preparation : The one a dataset starts with.
    suspicions : What is to be mended.

    Examples
    --------
    >>> import mecuco as mc
    >>> preparation = mc.datasets.Preparation(scale="none", exclude=("proline",), n_rows=100)
    >>> mc.datasets.prepare(mc.datasets.load_bundled("wine"), preparation)
    Prepared(100 points, 12 features)
    >>> mc.datasets.Preparation.sensible().protocol, preparation.protocol
    ('sensible', 'changed')
    """

    categories: Categories = "codes"
    missing: Missing = "zero"
    scale: Scale = "standard"
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    n_rows: int | None = None
    stratify: bool = False
    seed: int = 0
    metric: Metric = "euclidean"
    recognition: Recognition = "plain"
    roles: tuple[tuple[str, Role], ...] = ()
    mends: tuple[Mend, ...] = ()
    dimensions: int | None = None

    def __post_init__(self) -> None:
        _check_choice("categories", self.categories, CATEGORIES)
        _check_choice("missing", self.missing, MISSING)
        _check_choice("scale", self.scale, SCALES)
        _check_choice("metric", self.metric, METRICS)
        _check_choice("recognition", self.recognition, RECOGNITIONS)
        for label in ("include", "exclude"):
            names = getattr(self, label)
            if isinstance(names, str):
                raise DataError(f"{label} must be a list of column names, got the text {names!r}")
            if names is not None:
                object.__setattr__(self, label, tuple(str(name) for name in names))
        both = sorted(set(self.include or ()) & set(self.exclude))
        if both:
            raise DataError(f"column {quoted(both[0])} is both included and excluded: choose one")
        object.__setattr__(self, "roles", _checked_roles(self.roles))
        object.__setattr__(self, "mends", _checked_mends(self.mends))
        for name, least in (("n_rows", MIN_ROWS), ("dimensions", 1)):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _checked_count(name, getattr(self, name), least))
        object.__setattr__(self, "seed", _checked_count("seed", self.seed, 0))

    @classmethod
    def paper(cls, **choices: Any) -> "Preparation":
        """Return the protocol that reproduces the paper's tables.

        Category columns become integer codes (-1 where missing), other missing values become 0,
        then every column is standardised; constant columns become 0. `choices` are fields that
        are other than in the protocol.
        """
        return cls(**choices)

    @classmethod
    def sensible(cls, **choices: Any) -> "Preparation":
        """Return the protocol for people's own data: the preparation should make no outliers.

        Missing values become the median of their column, with a feature that marks them where they
        are many; categories become features of their own, rare ones joined; texts like "6.6%" and
        "$1,200" become numbers; numbers that only name things are left out; every feature is
        scaled by what it is, so that none outweighs the others. `choices` are fields that are
        other than in the protocol.
        """
        known: dict[str, Any] = {
            "categories": "levels",
            "missing": "indicator",
            "scale": "suited",
            "recognition": "close",
        }
        return cls(**(known | choices))

    @property
    def protocol(self) -> Protocol:
        """Whose way of making numbers it is: "paper", "sensible", or "changed" by hand.

        Columns, rows, mends, roles, metric and dimensions are choices beside the protocol.
        """
        for name in PROTOCOLS:
            known = _NAMED[name]
            if all(getattr(self, one) == getattr(known, one) for one in _PROTOCOL_FIELDS):
                return name
        return "changed"

    @property
    def protocol_sentence(self) -> str:
        """What the protocol is, in one sentence."""
        as_they_are = all(
            getattr(self, name) == getattr(AS_THEY_ARE, name)
            for name in ("recognition", "categories", "scale")
        )
        return _AS_THEY_ARE if as_they_are else _SPOKEN[self.protocol]

    def in_protocol(self, protocol: str) -> "Preparation":
        """Return the same choices of columns, rows and mends under another protocol."""
        known = _NAMED.get(protocol)
        if known is None:
            raise DataError(f"protocol must be 'paper' or 'sensible', got {protocol!r}")
        return replace(self, **{name: getattr(known, name) for name in _PROTOCOL_FIELDS})

    def with_mend(self, mend: Mend) -> "Preparation":
        """Return the preparation with one more mend; a role takes the place of the former one."""
        if mend.kind == "role":
            return self.with_role(mend.column, mend.value)
        if mend.kind == "cosine":
            return replace(self, metric="cosine")
        return self if mend in self.mends else replace(self, mends=(*self.mends, mend))

    def without_mend(self, mend: Mend) -> "Preparation":
        """Return the preparation without a mend."""
        if mend.kind == "role":
            return self.with_role(mend.column, None) if self.has_mend(mend) else self
        if mend.kind == "cosine":
            return replace(self, metric="euclidean")
        return replace(self, mends=tuple(one for one in self.mends if one != mend))

    def has_mend(self, mend: Mend) -> bool:
        """Whether the preparation does what the mend asks for."""
        if mend.kind == "role":
            return (mend.column, mend.value) in self.roles
        if mend.kind == "cosine":
            return self.metric == "cosine"
        return mend in self.mends

    @property
    def all_mends(self) -> tuple[Mend, ...]:
        """The mends, and the roles in the words of mends."""
        return (*self.mends, *(Mend("role", column, role) for column, role in self.roles))

    def with_role(self, column: str, role: str | None) -> "Preparation":
        """Return the preparation with a column in another role; None for the recognised one."""
        others = tuple(pair for pair in self.roles if pair[0] != column)
        own = () if role is None else ((column, role),)
        return replace(self, roles=(*others, *own))


def starting_preparation(dataset: Dataset) -> Preparation:
    r"""Return the preparation a dataset starts with, in the app and on the command line alike.

    Vectors and points of known curvature stay as they are; people's own tables, from files or from
    memory, start with the sensible protocol, all others with the paper's.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    Preparation

    See Also
    --------
    Preparation : Has the two protocols.

    Examples
    --------
    >>> import mecuco as mc
    >>> mc.datasets.starting_preparation(mc.datasets.load_bundled("iris")).protocol
    'paper'
    >>> table = mc.datasets.read_table(b"length,width\n5,3\n4,3\n6,2\n")
    >>> mc.datasets.starting_preparation(table).protocol
    'sensible'
    """
    if dataset.vectors is not None:
        return VECTORS
    return preparation_of_source(dataset.provenance.source)


def preparation_of_source(source: str) -> Preparation:
    """Return the preparation that data of a source start with, before they are there."""
    if source == "manifold":
        return AS_THEY_ARE
    return SENSIBLE if source in ("file", "memory") else PAPER


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise DataError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")


def _checked_count(name: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise DataError(f"{name} must be a whole number, at least {least}, got {value!r}")
    return int(value)


def _checked_roles(roles: Iterable[object]) -> tuple[tuple[str, Role], ...]:
    found: dict[str, Role] = {}
    for pair in roles:
        if not (isinstance(pair, tuple | list) and len(pair) == 2):
            raise DataError(f"roles must be pairs of a column and a role, got {pair!r}")
        _check_choice("a role", pair[1], ROLES)
        found[str(pair[0])] = pair[1]
    return tuple(sorted(found.items()))


def _checked_mends(mends: Iterable[object]) -> tuple[Mend, ...]:
    found: dict[Mend, None] = {}
    for mend in mends:
        if not isinstance(mend, Mend):
            raise DataError(f"mends must be of type Mend, got {mend!r}")
        if mend.kind in ("role", "cosine"):
            raise DataError(f"{mend.words!r} is no change of the table: use with_mend")
        found[mend] = None
    return tuple(sorted(found, key=lambda mend: mend.words))


PAPER = Preparation.paper()
SENSIBLE = Preparation.sensible()
_NAMED = {"paper": PAPER, "sensible": SENSIBLE}
AS_THEY_ARE = Preparation(scale="none")
"""Points of a manifold: scaling would bend them."""

VECTORS = Preparation(missing="drop rows", scale="none")
"""Vectors: a missing one has no number to stand for it, and 0 would be an outlier."""
