"""Strings that would run, fetch or render something where they are taken for markup.

Each runs `pwned(number)`, asks evil.test for something, or makes an element of class `pwned`.
"""

EVIL = "http://evil.test"

_SCRIPTS = [
    "<script>pwned()</script>",
    "<script src=http://evil.test/a.js></script>",
    "</script><script>pwned()</script>",
    "<scr<script>ipt>pwned()</scr</script>ipt>",
    "<img src=x onerror=pwned() class=pwned>",
    '"><img src=x onerror=pwned() class=pwned>',
    "'><img src=x onerror=pwned() class=pwned>",
    "<img/src=x/onerror=pwned()>",
    "<svg onload=pwned() class=pwned>",
    "<svg><script>pwned()</script></svg>",
    "<svg><animate onbegin=pwned() attributeName=x dur=1s>",
    "<body onload=pwned()>",
    "<iframe src=javascript:pwned() class=pwned>",
    "<iframe srcdoc='<script>parent.pwned()</script>'>",
    "<object data=javascript:pwned()>",
    "<embed src=javascript:pwned()>",
    "<details open ontoggle=pwned() class=pwned>x",
    "<video><source onerror=pwned()></video>",
    "<audio src=x onerror=pwned()>",
    "<input autofocus onfocus=pwned() class=pwned>",
    "<select autofocus onfocus=pwned()>",
    "<marquee onstart=pwned() class=pwned>x</marquee>",
    "<form action=javascript:pwned()><button class=pwned>x",
    "<meta http-equiv=refresh content='0;url=javascript:pwned()'>",
    "<link rel=stylesheet href=http://evil.test/a.css>",
    "<style>@import 'http://evil.test/a.css';</style>",
    "<div style='background:url(http://evil.test/a.png)' class=pwned>x</div>",
    "<base href=http://evil.test/>",
    "<math><mi xlink:href=javascript:pwned()>x</mi></math>",
    "<noscript><p title='</noscript><img src=x onerror=pwned()>'>",
    "<template><img src=x onerror=pwned()></template>",
    "<a href=javascript:pwned() class=pwned>x</a>",
    "<b class=pwned>bold</b>",
    "<br class=pwned>",
    "<sup class=pwned>1</sup>",
    "&lt;img src=x onerror=pwned()&gt;",
    "&#60;script&#62;pwned()&#60;/script&#62;",
    "\\x3cscript\\x3epwned()\\x3c/script\\x3e",
]
_MARKDOWN = [
    "![x](http://evil.test/x.png)",
    "[x](http://evil.test)",
    "[x](javascript:pwned())",
    "<http://evil.test>",
    "http://evil.test/auto",
    "**bold pwned**",
    "`code pwned`",
    "~~struck pwned~~",
    "# heading pwned",
    "- item pwned",
    "> quote pwned",
    "| a | b |",
    "---",
    ":material/home:",
    ":red[pwned]",
    ":rainbow[pwned]",
    ":smile:",
    "[^1]: pwned",
]
_LATEX = [
    "$\\href{javascript:pwned()}{x}$",
    "$$\\frac{pwned}{1}$$",
    "\\(pwned^2\\)",
    "$\\includegraphics{http://evil.test/x.png}$",
    "$x_{pwned}$",
]
_TEMPLATES = [
    "%{y}",
    "%{customdata[0]}",
    "%{x:.{9999}f}",
    "<extra>pwned</extra>",
    "{{7*7}}",
    "${pwned()}",
    "{0.__class__}",
    "%s%s%n",
]
_FORMULAS = [
    '=HYPERLINK("http://evil.test","x")',
    "=cmd|'/c calc'!A0",
    "+1+cmd|'/c calc'!A0",
    "-2+3+cmd|'/c calc'!A0",
    "@SUM(1+9)*cmd|'/c calc'!A0",
    "\t=1+1",
]
_ODD = [
    "javascript:pwned()//",
    "data:text/html,<script>pwned()</script>",
    "\u202e<tpircs>",
    "zero\u200bwidth",
    "new\nline<script>pwned()</script>",
    "../../etc/passwd",
    "' OR '1'='1",
    "\x00\x1b[31mred",
]
STRINGS = [*_SCRIPTS, *_MARKDOWN, *_LATEX, *_TEMPLATES, *_FORMULAS, *_ODD]
FORMULAS = tuple(_FORMULAS)
