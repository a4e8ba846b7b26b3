"""Texts that differ only by case or blanks, and the one spelling they are joined under."""

from collections.abc import Sequence

import numpy as np
import pandas as pd


def key_of(text: str) -> str:
    """Return what two spellings of one word have in common."""
    return " ".join(text.split()).casefold()


def spellings(series: "pd.Series") -> dict[str, list[str]]:
    """Return the texts of a column that have several spellings, the most frequent one first.

    Parameters
    ----------
    series : Series of shape (n_rows,)

    Returns
    -------
    dict
        The chosen spelling, without blanks around it, and all that occur; most frequent first,
        equally frequent ones in lexical order.
    """
    values = series.to_numpy(dtype=object)
    codes, distinct = pd.factorize(values)
    counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
    return joined_spellings(list(distinct), counts.tolist())


def joined_spellings(distinct: Sequence[object], counts: Sequence[int]) -> dict[str, list[str]]:
    """Return `spellings` of distinct values that occur so often."""
    groups: dict[str, list[tuple[int, str]]] = {}
    for value, count in zip(distinct, counts, strict=True):
        if isinstance(value, str):
            groups.setdefault(key_of(value), []).append((-count, value))
    found = {}
    for group in groups.values():
        if len(group) > 1:
            texts = [text for _, text in sorted(group)]
            found[" ".join(texts[0].split())] = texts
    return found


def joined(series: "pd.Series", found: dict[str, list[str]]) -> "pd.Series":
    """Return a column with one spelling for each group of `found`."""
    place = {text: chosen for chosen, texts in found.items() for text in texts}
    values = series.to_numpy(dtype=object)
    changed = np.array(
        [place.get(value, value) if isinstance(value, str) else value for value in values],
        dtype=object,
    )
    if isinstance(series.dtype, pd.CategoricalDtype):
        order = dict.fromkeys(
            place.get(label, label) if isinstance(label, str) else label
            for label in series.cat.categories
        )
        categories = pd.Categorical(changed, list(order), series.cat.ordered)
        return pd.Series(categories, series.index, name=series.name)
    return pd.Series(changed, series.index, series.dtype, series.name)
