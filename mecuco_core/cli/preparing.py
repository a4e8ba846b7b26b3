"""`--prepare KEY=VALUE`: a Preparation as words on the command line, both ways."""

import argparse
from dataclasses import fields, replace
from typing import Any

from mecuco_core.errors import DataError
from mecuco_core.preparation.protocol import PAPER, Preparation

PREPARE_HELP = (
    "how the table becomes points, KEY=VALUE, may be given several times: categories=codes|one-hot|"
    "drop, missing=zero|median|drop-rows, scale=standard|robust|min-max|none, metric=euclidean|"
    "cosine, include=COLUMN, exclude=COLUMN (each may be repeated), n_rows=N, stratify=yes|no, "
    "seed=N; default: the paper's protocol, codes, zero, standard; scale=none for manifolds and "
    "mode quadric"
)
YES, NO = {"yes", "true", "1"}, {"no", "false", "0"}
LISTS = ("include", "exclude")
KEYS = tuple(field.name for field in fields(Preparation))


def parse_preparation(words: list[str], default: Preparation = PAPER) -> Preparation:
    """Return the preparation that the words KEY=VALUE describe."""
    changes: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if word == "paper":
            default = PAPER
        elif not equals or key not in KEYS:
            raise DataError(
                f"--prepare takes KEY=VALUE with KEY in {', '.join(KEYS)}, got {word!r}"
            )
        elif key in LISTS:
            changes[key] = (*changes.get(key, ()), value)
        elif key == "stratify":
            if value not in YES | NO:
                raise DataError(f"--prepare stratify must be yes or no, got {value!r}")
            changes[key] = value in YES
        elif key in ("n_rows", "seed"):
            try:
                changes[key] = int(value)
            except ValueError:
                raise DataError(f"--prepare {key} must be a whole number, got {value!r}") from None
        else:
            changes[key] = "drop rows" if value == "drop-rows" else value
    return replace(default, **changes)


def chosen_preparation(options: argparse.Namespace, default: Preparation = PAPER) -> Preparation:
    """Return the preparation that the options --prepare and --metric describe."""
    preparation = parse_preparation(options.prepare, default)
    if options.metric is None:
        return preparation
    return replace(preparation, metric=options.metric)


def preparation_words(preparation: Preparation) -> list[str]:
    """Return the words KEY=VALUE that describe a preparation, none for the paper's."""
    words = []
    for field in fields(Preparation):
        value = getattr(preparation, field.name)
        if value == getattr(PAPER, field.name):
            continue
        if field.name in LISTS:
            words += [f"{field.name}={name}" for name in value]
        elif isinstance(value, bool):
            words.append(f"{field.name}={'yes' if value else 'no'}")
        else:
            words.append(f"{field.name}={str(value).replace('drop rows', 'drop-rows')}")
    return words
