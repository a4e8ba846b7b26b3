"""`mecuco.show`: data of the calling program in the app, by one line."""

import atexit
import time
from typing import Any

from mecuco_app.showing import surroundings
from mecuco_app.showing.server import Server
from mecuco_app.showing.shown import Shown
from mecuco_app.view.by_name import PREPARATION, chosen_view
from mecuco_app.view.links import encoded
from mecuco_core.datasets.memory.door import brought
from mecuco_core.errors import DataError

_LOOK = 0.5  # seconds between two looks at whether the page is still open
_RELOAD = 3.0  # seconds a page may take to come back
_ARRIVAL = 60.0  # seconds a browser may take to open the page of a script that has ended

_servers: list[Server] = []
"""Those this program has started; the last one serves what is shown next."""

_left: list[Shown] = []
"""Shown in a browser by a script that goes on, and may end before they are looked at."""


def show(
    data: Any,
    *,
    target: Any = None,
    vectors: Any = None,
    ids: Any = None,
    metadata: Any = None,
    use_rep: str | None = None,
    name: str | None = None,
    port: int | None = None,
    wait: bool = False,
    **choices: Any,
) -> Shown:
    """Show data in the app: in the browser, and in a notebook inside it.

    The app runs in a process of its own, on this computer only, and ends with the program. The data
    go to it through a pipe, and to no file. A second call shows other data in the same app.

    Parameters
    ----------
    data : frame, array, tensor, sparse matrix, AnnData or Dataset
        As `from_memory` takes it; so are `target`, `vectors`, `ids`, `metadata`, `use_rep`, `name`.
    target : column name, array-like of shape (n_rows,), False or None
        Labels of the rows. None takes a column that is called what labels are called, and says so;
        False takes none.
    vectors : str, array-like of shape (n_rows, n_columns) or None
        Of a frame: its column of vectors, or the points themselves.
    ids : column name, array-like of shape (n_rows,) or None
        What the rows are called; None for the index of a frame.
    metadata : frame or None
        Of an array: columns that describe its rows.
    use_rep : str or None
        Of an AnnData: the key of `obsm` that is the points, or "X".
    name : str or None
        What the app calls the data.
    port : int or None
        None for a free one.
    wait : bool, default=False
        Whether to go on only when the page is closed, or Ctrl-C is pressed. A script that ends
        while its page is open waits then in any case.
    **choices
        How to look at them: `k`, `mode`, `map`, `dimension`, `colour`, `scale`, and `preparation`,
        a `Preparation`.

    Returns
    -------
    Shown
        With `selection`, `scores`, `url` and `close`.

    Raises
    ------
    DataError
        One sentence, when the data cannot be shown.
    TypeError
        For a choice that there is not.

    See Also
    --------
    from_memory : Makes the dataset that is shown.
    Shown : What is returned.

    Examples
    --------
    >>> import mecuco as mc
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"length": [5.0, 4.0, 6.0, 5.5], "width": [3.0, 2.0, 3.5, 3.1]})
    >>> shown = mc.show(frame, map="columns", colour="score")  # doctest: +SKIP
    >>> frame.loc[shown.selection]  # doctest: +SKIP
    >>> shown.close()  # doctest: +SKIP
    """
    from mecuco_app.work.tables import from_dataset

    found = brought(
        data,
        metadata=metadata,
        target=target,
        vectors=vectors,
        ids=ids,
        use_rep=use_rep,
        name=name,
        find_target=True,
    )
    view = chosen_view(choices, found.dataset.feature_names)
    server = _server(port)
    words, body, more = from_dataset(found.dataset)
    notes = [*found.notes, *more]
    request = {
        "act": "show",
        "dataset": words,
        "view": encoded(view),
        "starts": PREPARATION not in choices,
        "notes": notes,
    }
    try:
        answer, _ = server.ask(request, body)
    except DataError:
        server.end_unless_held()
        raise
    shown = Shown(server, answer["shown"], found.dataset.name, found.labels)
    for note in notes:
        surroundings.say(note)
    _present(shown, server.port)
    if wait:
        _wait(shown)
    return shown


def _server(port: int | None) -> Server:
    """Return the app that runs, or start one."""
    running = [one for one in _servers if one.is_alive]
    _servers[:] = running
    if running and port in (None, running[-1].port):
        return running[-1]
    surroundings.say("starting the app; the first time this takes some seconds …")
    server = Server(port)
    _servers.append(server)
    return server


def _present(shown: Shown, port: int) -> None:
    """Show the page inside a notebook, or open the browser, or say what to open."""
    if surroundings.in_notebook():
        if surroundings.is_remote():
            surroundings.say(surroundings.forwarding(shown.url, port))
        surroundings.show_inside(shown.url)
        return
    if surroundings.is_remote():
        surroundings.say(surroundings.forwarding(shown.url, port))
    elif not surroundings.open_browser(shown.url):
        surroundings.say(f"no browser was found: open {shown.url}")
    else:
        surroundings.say(f"opened in the browser, at http://127.0.0.1:{port}")
        if not surroundings.is_interactive():
            _left.append(shown)


def _wait(shown: Shown, patience: float | None = None) -> None:
    """Wait until the page is closed again, or Ctrl-C is pressed.

    Parameters
    ----------
    shown : Shown
    patience : float or None
        Seconds until it must have been opened; None for any time.
    """
    if shown in _left:
        _left.remove(shown)
    surroundings.say("waiting until the page is closed; Ctrl-C ends it")
    last = time.monotonic()  # when it was asked for, then when it was seen to be open
    try:
        while not shown.is_closed:
            now = time.monotonic()
            if shown.is_open:
                last, patience = now, _RELOAD
            elif patience is not None and now - last > patience:
                return
            time.sleep(_LOOK)
    except KeyboardInterrupt:
        return


@atexit.register
def _end() -> None:
    """Wait for the pages of a script, and leave no process behind."""
    for shown in list(_left):
        if not shown.is_closed:
            _wait(shown, _ARRIVAL)
    for server in _servers:
        server.close()
