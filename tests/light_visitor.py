"""A visitor without a browser: speaks Streamlit's own messages, so that many fit on one machine.

    with LightVisitor(address) as visitor:
        visitor.open("Explore", "data=bundled:wine&map=pca")
        seconds = visitor.set("Neighbours k", 9)

It notices what a browser would show as an exception.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

PATIENCE = 120.0
KINDS = ("slider", "radio", "selectbox", "checkbox", "button", "number_input", "text_input")


class LightVisitor:
    """One session of the app.

    Attributes
    ----------
    texts : list of str
        Markdown, alerts and captions of the last run of a page.
    exceptions : list of str
        What would be shown as a traceback, over all runs.
    """

    def __init__(self, address: str) -> None:
        host = urlsplit(address).netloc
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"ws://{host}/_stcore/stream",
                subprotocols=["streamlit"],  # type: ignore[list-item]
                max_size=None,
                open_timeout=PATIENCE,
                ping_interval=None,  # browsers do not ask either
            )
        )
        self._elements: dict[tuple[int, ...], Element] = {}
        self._pages: dict[str, str] = {}
        self._hash = self._query = ""
        self._states: dict[str, Any] = {}
        self.exceptions: list[str] = []

    def __enter__(self) -> "LightVisitor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave."""
        self._open.close()

    @property
    def texts(self) -> list[str]:
        """What the page says."""
        found = []
        for element in self._elements.values():
            kind = element.WhichOneof("type")
            if kind in ("markdown", "alert", "heading"):
                found.append(getattr(element, kind).body)
            elif kind == "progress":
                found.append(element.progress.text)
        return found

    @property
    def is_busy(self) -> bool:
        """Whether work goes on beside the page."""
        return any(e.WhichOneof("type") == "progress" for e in self._elements.values())

    def open(self, page: str = "", query: str = "") -> float:
        """Open a page by its name, Home by none; return the seconds until it is complete."""
        self._states = {}
        while page and page not in self._pages:  # the first run does not know them yet
            self._run("", query)
        return self._run(self._pages[page] if page else "", query)

    def again(self) -> float:
        """Run the page once more, as a finished job does."""
        return self._run(self._hash, self._query)

    def wait_idle(self, patience: float = PATIENCE) -> None:
        """Run the page until no work goes on beside it."""
        end = time.monotonic() + patience
        while self.is_busy:
            if time.monotonic() > end:
                raise TimeoutError(f"still busy: {self.texts}")
            time.sleep(0.3)
            self.again()

    def set(self, label: str, value: Any) -> float:
        """Give a widget a value; return the seconds until the page is complete again."""
        kind, widget = self._widget(label)
        state: dict[str, Any] = {}
        if kind == "slider":
            state["double_array_value"] = [float(value)]
        elif kind == "radio":
            state["int_value" if isinstance(value, int) else "string_value"] = value
        elif kind == "selectbox":
            state["string_value"] = value
        elif kind == "checkbox":
            state["bool_value"] = value
        elif kind == "button":
            state["trigger_value"] = True
        elif kind == "number_input":
            state["double_value"] = float(value)
        else:
            state["string_value"] = value
        self._states[widget.id] = state
        seconds = self._run(self._hash, self._query)
        if kind == "button":
            del self._states[widget.id]
        return seconds

    def options(self, label: str) -> list[str]:
        """Return what a list or a row of buttons offers."""
        return list(self._widget(label)[1].options)

    def labels(self) -> list[str]:
        """Return the labels of all widgets of the page."""
        return [widget.label for _, widget in self._widgets()]

    def _widgets(self) -> Iterator[tuple[str, Any]]:
        for element in self._elements.values():
            kind = element.WhichOneof("type")
            if kind in KINDS:
                yield kind, getattr(element, kind)

    def _widget(self, label: str) -> tuple[str, Any]:
        for kind, widget in self._widgets():
            if widget.label == label:
                return kind, widget
        raise LookupError(f"no {label!r} among {self.labels()}")

    def _run(self, page: str, query: str) -> float:
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string, rerun.page_script_hash = query, page
        for number, state in self._states.items():
            widget = rerun.widget_states.widgets.add(id=number)
            for name, value in state.items():
                if name == "double_array_value":
                    widget.double_array_value.data.extend(value)
                else:
                    setattr(widget, name, value)
        started = time.monotonic()
        self._socket.send(message.SerializeToString())
        self._receive(started + PATIENCE)
        return time.monotonic() - started

    def _receive(self, end: float) -> None:
        begun = False
        while True:
            raw = self._socket.recv(timeout=max(0.1, end - time.monotonic()))
            message = ForwardMsg.FromString(raw if isinstance(raw, bytes) else raw.encode())
            kind = message.WhichOneof("type")
            if kind == "new_session":
                begun, self._elements = True, {}
                self._hash = message.new_session.page_script_hash
                self._pages = {
                    page.page_name: page.page_script_hash for page in message.new_session.app_pages
                }
            elif kind == "page_info_changed":
                self._query = message.page_info_changed.query_string
            elif kind == "delta" and message.delta.HasField("new_element"):
                element = message.delta.new_element
                self._elements[tuple(message.metadata.delta_path)] = element
                if element.WhichOneof("type") == "exception":
                    self.exceptions.append(element.exception.message)
            elif kind == "script_finished" and begun:
                return
