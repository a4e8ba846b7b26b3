import re

import pytest

from mecuco_app.text import escape
from tests.hostile_strings import STRINGS


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![a](ftp://host/x.png)", r"\!\[a\]\(ftp\:\/\/host\/x\.png\)"),
        ("**b**", r"\*\*b\*\*"),
        ("$x$ <b>", r"\$x\$ \<b\>"),
        (":red[x]", r"\:red\[x\]"),
        ("two\nlines", "two lines"),
        ("Größe 5", "Größe 5"),
    ],
)
def test_markdown_is_shown_as_it_is_written(text, shown):
    assert escape.markdown(text) == shown


def test_emoji_and_icon_codes_are_parted():
    assert ":smile:" not in escape.markdown(":smile:").replace("\\", "")
    assert ":material/home:" not in escape.markdown(":material/home:").replace("\\", "")


def test_plotly_gets_no_tags():
    assert escape.plotly('<a href="x">&</a>') == '&lt;a href="x"&gt;&amp;&lt;/a&gt;'


def test_html_is_safe_in_attributes_too():
    assert escape.html_text('"><script>') == "&quot;&gt;&lt;script&gt;"


def test_code_keeps_its_blanks():
    assert escape.html_code("a\n    <b>") == "a\n    &lt;b&gt;"


@pytest.mark.parametrize("name", ["x" * 10_000, "a\u0000b\u202ec"])
def test_names_become_one_short_printable_line(name):
    for function in (escape.plain, escape.markdown, escape.plotly, escape.html_text):
        assert len(function(name)) <= 120
        assert function(name).isprintable()


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-cmd", "@x", "\t=1", " =1", "=HYPERLINK(1)"])
def test_a_formula_becomes_text(cell):
    assert escape.csv_cell(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["-5", "+1.5e3", "plain", "", 3, -2.5, None])
def test_numbers_and_words_stay_as_they_are(cell):
    assert escape.csv_cell(cell) == cell


def test_options_that_look_alike_are_told_apart():
    names = ["a" * 100 + "1", "a" * 100 + "2", "", "", "b"]
    texts = escape.distinct(names)
    assert len(set(texts)) == 5
    assert texts[-1] == "b"


def test_a_cell_on_the_screen_is_no_formula_either():
    assert escape.cell("=1+1") == "'=1+1"
    assert escape.cell(-1.5) == "-1.5"


@pytest.mark.parametrize("text", ["http://a.test", "HTTPS://a.test/x", "www.a.test", "me@a.test"])
def test_addresses_do_not_become_links(text):
    # Streamlit's Markdown looks for them after it has resolved the backslashes.
    shown = escape.markdown(text).replace("\\", "")
    assert shown != text
    assert shown.replace("\u200b", "") == text


@pytest.mark.parametrize("text", STRINGS)
def test_hostile_strings_lose_every_mark(text):
    unescaped = re.sub(r"\\[!-/:-@\[-`{-~]", "", escape.markdown(text, 400))
    assert not re.search(r"[!-/:-@\[-`{-~]", unescaped)
    assert not re.search(r"[<>]", escape.plotly(text, 400))
    assert not re.search(r"[<>\"']", escape.html_text(text, 400))
    assert not str(escape.csv_cell(text)).lstrip(" ").startswith(("=", "+", "-", "@", "\t"))
