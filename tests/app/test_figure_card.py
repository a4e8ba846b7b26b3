"""A figure on a page."""

from streamlit.testing.v1 import AppTest


def page():
    import plotly.graph_objects as go

    from mecuco_app.screen.figure_card import figure_card

    figure_card(
        go.Figure(go.Scatter(x=[1], y=[2])),
        title="Score against score",
        caption="![name](http://example.org/x.png) · 150 × 4 · $x$",
        key="card",
    )


def test_an_untrusted_name_in_a_caption_stays_text():
    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.caption[0].value.startswith("\\!\\[name\\]\\(http\\:")
    assert "\\$x\\$" in app.caption[0].value
    assert app.markdown[0].value == "**Score against score**"
    assert len(app.get("plotly_chart")) == 1
