"""Copy a text when the visitor opens the box that shows it.

`st.code` has a button that copies, one click further. This goes when Streamlit can copy by itself.
tests/browser/test_selection.py copies an address.
"""

import streamlit as st

# Drawn when the box is opened, by a click: only then a browser lets a page write there.
_SCRIPT = """
export default function ({ data, parentElement }) {
  const said = parentElement.querySelector('p');
  if (said.textContent) return;
  const tell = (text) => { said.textContent = text; };
  const copied = navigator.clipboard?.writeText(data.link) ?? Promise.reject();
  copied.then(() => tell('Copied: it opens this view.'), () => tell('Copy it from here:'));
}
"""
_STYLE = "p { margin: 0; font: 14px var(--st-font); color: var(--st-text-color); }"
_copy = st.components.v2.component(
    "mecuco_copy", html="<p role='status'></p>", css=_STYLE, js=_SCRIPT
)


def copy(link: str) -> None:
    """Copy an address, and say whether that went well."""
    _copy(key="copy-link", data={"link": link})
