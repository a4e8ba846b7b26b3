"""What Streamlit's own options do not say of how a page looks.

For Streamlit 1.67. Its `data-testid`s are names of its tests: they may change with any version.
The class names that begin with `st-key-` are promised. What goes when Streamlit can do it itself:
a size of all letters, the padding of a page, the colour of letters on a button, pages without a
"Stop", a component that takes no room. tests/browser/test_explore.py sees the sizes of letters and
of figures.
"""

import streamlit as st

from mecuco_app.scene.look import Look

# "Stop" would leave half a page behind: work that can be stopped has a button of its own.
# No rule ends in `*`: it would be tried on every point of every map.
# A figure as wide as a broken number of pixels, or as 699 or 701, is drawn twice by Plotly: it
# rounds the first and takes the others for its usual 700.
_STYLE = """<style>
html {{ font-size: {size:.0%}; }}
.block-container {{ padding: 3.6rem 2rem 2rem; }}
[data-testid=stBaseButton-primary]:enabled div,
[data-testid=stBaseButton-primary]:enabled p,
[data-testid=stBaseButton-primary]:enabled span {{ color: {on_primary}; }}
[data-testid=stStatusWidget] button {{ display: none; }}
[class*=st-key-way] [data-testid=stPageLink] p {{ text-decoration: underline; }}
[data-testid=stLayoutWrapper]:has(> [class*=st-key-unseen]) {{ display: none; }}
[data-testid=stElementContainer]:has(> [data-testid=stFullScreenFrame]) {{
  width: round(down, 100%, 4px);
}}
</style>"""


def write(look: Look) -> None:
    """Give the page its style."""
    st.html(_STYLE.format(size=look.scale, on_primary="#0b1a24" if look.dark else "#ffffff"))
