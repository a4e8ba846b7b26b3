"""One HTML file that tells the whole session and needs no network."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from mecuco_app.text.escape import html_code, html_text

_LONG = 100_000

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem;
       color: #26241f; background: #fff; }}
h1, h2 {{ line-height: 1.2; }}
figure, .wide {{ margin: 0; overflow-x: auto; }}
p {{ overflow-wrap: anywhere; }}
figcaption, .small {{ color: #5d5a54; font-size: 14px; }}
table {{ border-collapse: collapse; font-size: 14px; }}
th, td {{ border-bottom: 1px solid #ddd; padding: 4px 10px; text-align: left; }}
pre {{ background: #f6f5f2; padding: 1rem; overflow-x: auto; font-size: 14px; }}
</style></head><body>
{body}
</body></html>
"""


@dataclass(frozen=True, eq=False)
class Section:
    """A part of the report. All texts are plain and are escaped here.

    Parameters
    ----------
    title : str
    sentences : tuple of str
    figure : Figure or None
    caption : str
    table : DataFrame or None
    code : str
    """

    title: str
    sentences: tuple[str, ...] = ()
    figure: go.Figure | None = None
    caption: str = ""
    table: pd.DataFrame | None = None
    code: str = ""


def report_html(title: str, sections: list[Section]) -> str:
    """Return the report as one page."""
    parts = [f"<h1>{html_text(title, 200)}</h1>"]
    drawn = False
    for section in sections:
        parts.append(f"<h2>{html_text(section.title, 200)}</h2>")
        parts += [f"<p>{html_text(sentence, _LONG)}</p>" for sentence in section.sentences]
        if section.figure is not None:
            parts.append(_figure(section.figure, section.caption, with_library=not drawn))
            drawn = True
        if section.table is not None:
            parts.append(_table(section.table))
        if section.code:
            parts.append(f"<pre>{html_code(section.code)}</pre>")
    return _PAGE.format(title=html_text(title, 200), body="\n".join(parts))


def figure_html(figure: go.Figure, title: str, caption: str) -> str:
    """Return one figure as a page of its own."""
    body = f"<h1>{html_text(title, 200)}</h1>\n{_figure(figure, caption, with_library=True)}"
    return _PAGE.format(title=html_text(title, 200), body=body)


def _figure(figure: go.Figure, caption: str, *, with_library: bool) -> str:
    drawing = figure.to_html(
        full_html=False,
        include_plotlyjs=with_library,
        include_mathjax=False,
        config={"displaylogo": False, "responsive": True},
    )
    return f"<figure>{drawing}<figcaption>{html_text(caption, _LONG)}</figcaption></figure>"


def _table(frame: pd.DataFrame) -> str:
    head = "".join(f"<th>{html_text(name)}</th>" for name in frame.columns)
    lines = []
    for values in frame.itertuples(index=False):
        cells = "".join(f"<td>{html_text(_cell(value), 200)}</td>" for value in values)
        lines.append(f"<tr>{cells}</tr>")
    return f"<div class='wide'><table><tr>{head}</tr>{''.join(lines)}</table></div>"


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
