"""Where `mecuco.show` is called: a notebook, a terminal, a script; here or on another computer."""

import os
import sys
import webbrowser
from importlib import import_module
from typing import Any

HEIGHT = 820
"""Pixels of the app inside a notebook: the map and the histogram stand in it at once."""

_REMOTE = ("SSH_CONNECTION", "JUPYTERHUB_USER")


def shell() -> Any:
    """Return the shell of IPython that runs the program, None where none does."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()


def in_notebook() -> bool:
    """Whether the program is a notebook: Jupyter, VS Code and others that have a kernel."""
    return getattr(shell(), "kernel", None) is not None


def is_interactive() -> bool:
    """Whether a person types what the program does next."""
    return shell() is not None or hasattr(sys, "ps1") or bool(sys.flags.interactive)


def is_remote() -> bool:
    """Whether the browser is likely to be on another computer."""
    return any(os.environ.get(name) for name in _REMOTE)


def show_inside(url: str) -> None:
    """Show an address inside a notebook."""
    display = import_module("IPython.display")  # it is there: it runs the notebook
    display.display(display.IFrame(url, width="100%", height=HEIGHT))


def open_browser(url: str) -> bool:
    """Open an address in the browser of this computer; return whether there is one."""
    try:
        return webbrowser.open(url)
    except webbrowser.Error:
        return False


def forwarding(url: str, port: int) -> str:
    """Say how an address of another computer is opened."""
    return (
        f"This program runs on another computer: forward its port to yours (ssh -L "
        f"{port}:127.0.0.1:{port} HOST) and open {url}"
    )


def say(sentence: str) -> None:
    """Print a sentence where it is not mixed with what the program prints."""
    print(f"MeCuCo: {sentence}", file=sys.stderr, flush=True)
