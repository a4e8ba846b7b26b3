"""Folders of small datasets of the paper, for the tests of the reproduction."""

from sklearn.datasets import load_iris, load_wine


def table_of(name):
    return {"iris": load_iris, "wine": load_wine}[name](as_frame=True).frame


def write_set(folder, name, file=None):
    """Write a bundled dataset as a file named like it."""
    folder.mkdir(exist_ok=True)
    path = folder / (file or f"{name}.csv")
    if path.suffix == ".parquet":
        table_of(name).to_parquet(path)
    else:
        table_of(name).to_csv(path, index=False)
    return path
