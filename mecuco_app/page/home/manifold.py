"""Draw points from a manifold: sizes, noise, density, and the space it lies in."""

import streamlit as st

from mecuco_app.screen import loading, state
from mecuco_app.screen.controls.sample import (
    MOST_DIMENSIONS,
    density_slider,
    dimensions_slider,
    noise_slider,
    points_slider,
    seed_input,
)
from mecuco_app.text.escape import markdown
from mecuco_app.view.settings import DataChoice
from mecuco_core.datasets.manifolds import MANIFOLDS, ShapeParameter
from mecuco_core.errors import DataError


def manifold_details(name: str) -> None:
    """Draw the sliders of one manifold and the button that draws its points."""
    manifold = MANIFOLDS[name]
    with st.container(border=True):
        st.markdown(f"**{name}** · {manifold.description}")
        general, sizes = st.columns(2)
        options: dict[str, float] = {}
        with general:
            options["n_points"] = points_slider(
                "Points", 100, **state.remembered("manifold:n_points", 2000)
            )
            options["noise"] = noise_slider(0.5, 0.01, **state.remembered("manifold:noise", 0.0))
            options["density"] = density_slider(**state.remembered("manifold:density", 0.0))
        with sizes:
            for parameter in manifold.parameters:
                options[parameter.name] = _size(name, parameter)
            try:
                least = _least_dimension(name, options)
            except DataError as error:  # sizes that exclude each other
                st.error(markdown(error, 300))
                return
            if least < MOST_DIMENSIONS:
                dimension = dimensions_slider(
                    "Dimensions of the space",
                    least,
                    **state.remembered(f"manifold:{name}:{least}:dimension", least),
                )
                if dimension > least:
                    options["ambient_dimension"] = dimension
            options["seed"] = seed_input(most=2**31 - 1, **state.remembered("manifold:seed", 0))
        st.button(
            "Draw points",
            key="manifold:draw",
            type="primary",
            on_click=loading.start,
            args=(DataChoice("manifold", name, tuple(options.items())),),
        )


def _size(name: str, parameter: ShapeParameter) -> float:
    key, label = f"manifold:{name}:{parameter.name}", parameter.name.replace("_", " ")
    if len(label) > 1:  # R and r of a ring are two
        label = label.capitalize()
    described = parameter.description
    if parameter.integer:
        return int(
            st.slider(
                label, int(parameter.low), int(parameter.high), help=described,
                **state.remembered(key, int(parameter.default)),
            )
        )  # fmt: skip
    return float(
        st.number_input(
            label, float(parameter.low), float(parameter.high), help=described, step=0.1,
            **state.remembered(key, float(parameter.default)),
        )
    )  # fmt: skip


def _least_dimension(name: str, options: dict[str, float]) -> int:
    """Return the dimension of the space its formula lives in."""
    manifold = MANIFOLDS[name]
    sizes = {parameter.name: options[parameter.name] for parameter in manifold.parameters}
    return manifold.shape(**sizes).ambient_dimension
