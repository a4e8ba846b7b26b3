"""Settings of the site that `make docs` builds."""

import dataclasses
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from docs.builder.pictures import write_pictures  # noqa: E402
from docs.builder.reference import as_markup, public_names, write_pages  # noqa: E402
from mecuco_core import __version__  # noqa: E402

project = "MeCuCo"
release = version = __version__
extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_parser", "docs.builder.equations"]
exclude_patterns = ["builder", "static"]
nitpicky = True  # a "See Also" that leads nowhere is a warning, and a warning an error

smartquotes = False  # a default of "haar" is to be copied as it stands

html_theme = "furo"
html_title = f"MeCuCo {version}"
html_logo = "../assets/logo.svg"
html_favicon = "../assets/icon.png"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_math_renderer = "mathml"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00517f", "color-brand-content": "#00517f"},
    "dark_css_variables": {"color-brand-primary": "#6db7e8", "color-brand-content": "#6db7e8"},
}

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "none"  # types stand with the parameters, where they have shapes
numpydoc_show_class_members = False

write_pictures()
write_pages(ROOT / "docs" / "reference")


def setup(app: Any) -> None:
    """Leave out what is no part of the API."""
    app.connect("autodoc-process-docstring", _docstring, priority=1)  # before numpydoc
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-skip-member", _skip)
    app.connect("missing-reference", _by_its_name)


def _docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    lines[:] = as_markup(lines)


def _signature(
    app: Any, what: str, name: str, thing: Any, options: Any, signature: str, returns: str
) -> tuple[str, str] | None:
    """Hide how a result is made: nobody calls the class of one."""
    if dataclasses.is_dataclass(thing) and "Parameters\n" not in (thing.__doc__ or ""):
        return "", ""
    return None


def _skip(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Skip the methods that scikit-learn adds to every estimator for its own routing."""
    is_routing = name.startswith("set_") and name.endswith("_request")
    return True if is_routing or name == "get_metadata_routing" else None


def _by_its_name(app: Any, env: Any, node: Any, shown: Any) -> Any:
    """Find a public name of one door that a docstring of the other speaks of."""
    for one in public_names():
        if node.get("refdomain") == "py" and one.name == node.get("reftarget"):
            python = env.get_domain("py")
            return python.resolve_xref(
                env, node["refdoc"], app.builder, "obj", one.path, node, shown
            )
    return None
