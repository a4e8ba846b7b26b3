"""Datasets that come with scikit-learn: no file and no network needed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sklearn import datasets as sklearn_datasets

from mecuco_core.datasets.base import Dataset, Provenance
from mecuco_core.datasets.patches import SIDE, load_patches
from mecuco_core.errors import DataError

_UCI_LICENCE = "CC BY 4.0 (UCI Machine Learning Repository)"
_UCI_URL = "https://archive.ics.uci.edu/dataset/"


@dataclass(frozen=True)
class _Bundled:
    description: str
    load: Callable[..., Any]
    citation: str
    url: str
    licence: str = _UCI_LICENCE
    image_shape: tuple[int, ...] | None = None


_SETS = {
    "iris": _Bundled(
        "150 flowers of three species of iris, four lengths of each",
        sklearn_datasets.load_iris,
        "R. A. Fisher, The use of multiple measurements in taxonomic problems, "
        "Annals of Eugenics 7 (1936) 179-188",
        _UCI_URL + "53/iris",
    ),
    "wine": _Bundled(
        "178 wines of three growers in one region, thirteen chemical measurements",
        sklearn_datasets.load_wine,
        "S. Aeberhard and M. Forina, Wine, UCI Machine Learning Repository (1992)",
        _UCI_URL + "109/wine",
    ),
    "breast-cancer": _Bundled(
        "569 breast masses, benign or malignant, thirty measurements of their cell nuclei",
        sklearn_datasets.load_breast_cancer,
        "W. Wolberg, O. Mangasarian, N. Street and W. Street, Breast Cancer Wisconsin "
        "(Diagnostic), UCI Machine Learning Repository (1993)",
        _UCI_URL + "17/breast+cancer+wisconsin+diagnostic",
    ),
    "digits": _Bundled(
        "1,797 handwritten digits, images of 8 by 8 pixels",
        sklearn_datasets.load_digits,
        "E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, "
        "UCI Machine Learning Repository (1998)",
        _UCI_URL + "80/optical+recognition+of+handwritten+digits",
        image_shape=(8, 8),
    ),
    "diabetes": _Bundled(
        "442 patients with diabetes, ten measurements and the progression after one year",
        lambda as_frame: sklearn_datasets.load_diabetes(as_frame=as_frame, scaled=False),
        "B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, Least angle regression, "
        "Annals of Statistics 32 (2004) 407-499",
        "https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html",
        licence="not stated; the copy in scikit-learn is under BSD-3-Clause",
    ),
    "patches": _Bundled(
        "10,000 patches of 8 by 8 pixels cut from two photographs, those with the most contrast",
        load_patches,
        "Photographs: flickr.com/photos/danielbuechele/6061409035 and "
        "flickr.com/photos/vultilion/6056698931; prepared as in "
        "A. Lee, K. Pedersen and D. Mumford, The nonlinear statistics of high-contrast patches in "
        "natural images, International Journal of Computer Vision 54 (2003) 83-103",
        "https://scikit-learn.org/stable/modules/generated/"
        "sklearn.datasets.load_sample_images.html",
        licence="CC BY 2.0 (the photographs)",
        image_shape=(SIDE, SIDE),
    ),
}

BUNDLED: dict[str, str] = {name: one.description for name, one in _SETS.items()}
"""Name and description of each bundled dataset."""


def load_bundled(name: str) -> Dataset:
    """Load a dataset that comes with scikit-learn.

    Parameters
    ----------
    name : {"iris", "wine", "breast-cancer", "digits", "diabetes", "patches"}
        In any case, with spaces, dashes or underscores between words.

    Returns
    -------
    Dataset
        Features as they were measured; the target a category, or the progression of the disease
        for "diabetes". "patches" are brightnesses without their mean, divided by their contrast.

    See Also
    --------
    load_openml, load_manifold, read_table : Other sources.

    Examples
    --------
    >>> import mecuco as mc
    >>> mc.datasets.load_bundled("breast cancer")
    Dataset('breast-cancer', 569 rows, 30 features, target='target')
    """
    key = "-".join(str(name).lower().replace("_", " ").replace("-", " ").split())
    if key not in _SETS:
        raise DataError(f"no bundled dataset is called {name!r}: there are {', '.join(BUNDLED)}")
    one = _SETS[key]
    bunch = one.load(as_frame=True)
    target = bunch.target
    if "target_names" in bunch:
        labels = pd.Index([str(label) for label in bunch.target_names])
        target = pd.Series(pd.Categorical.from_codes(target, labels), name="target")
    provenance = Provenance(
        "bundled", identifier=key, licence=one.licence, citation=one.citation, url=one.url
    )
    return Dataset(key, bunch.data, target, provenance, image_shape=one.image_shape)
