r"""Equations as MathML, which browsers draw by themselves: no script, no font, no other host.

`\tag{7}` becomes the number at the end of the line, and the anchor `#eq-7`.
"""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

TAG = re.compile(r"\\tag\{(\w+)\}")

_log = logging.getLogger(__name__)


def setup(app: Any) -> dict[str, bool]:
    """Give Sphinx the writers `mathml`."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def inline(writer: Any, node: nodes.math) -> None:
    """Write an equation that stands in a sentence."""
    writer.body.append(_mathml(node, node.astext(), as_block=False))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.math_block) -> None:
    """Write an equation on a line of its own, with its number if it has one."""
    source = node.astext()
    number = TAG.search(source)
    mathml = _mathml(node, TAG.sub("", source), as_block=True)
    anchor, shown = "", ""
    if number:
        anchor = f' id="eq-{number[1]}"'
        shown = f'<a class="equation-number" href="#eq-{number[1]}">({number[1]})</a>'
    writer.body.append(f'<div class="equation"{anchor}>{mathml}{shown}</div>\n')
    raise nodes.SkipNode


def _mathml(node: nodes.Element, source: str, *, as_block: bool) -> str:
    try:
        return str(tex2mathml(source, as_block=as_block))
    except MathError as error:
        _log.warning("equation not understood: %s", error, location=node)
        return ""
