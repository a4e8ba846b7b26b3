"""`mecuco.show` as the kernel of a notebook sees it, and what it says elsewhere."""

import re
import urllib.request

import nbformat
import pytest
from nbclient import NotebookClient

from mecuco_app.showing import surroundings

CELLS = (
    "import mecuco as mc\nimport numpy as np\n"
    "shown = mc.show(np.random.default_rng(0).normal(size=(40, 3)), k=7)\nshown",
    "print(shown.selection.tolist(), len(shown.scores), shown.tags, shown._server.pid)",
    "url = shown.url\nshown.close()\nshown",
)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")  # of libraries that serve notebooks
def test_in_a_notebook_the_page_stands_below_the_cell(monkeypatch):
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in CELLS])
    client = NotebookClient(notebook, timeout=300, kernel_name="python3")
    with client.setup_kernel():
        for number, cell in enumerate(notebook.cells[:2]):
            client.execute_cell(cell, number)
        shown, asked = (cell.outputs for cell in notebook.cells[:2])
        inside = next(one for one in shown if one.output_type == "display_data")
        page = inside.data["text/html"]
        (url,) = re.findall(r'src="(http://127\.0\.0\.1:\d+/open/[\w-]+)"', page)
        assert f'height="{surroundings.HEIGHT}"' in page
        with urllib.request.urlopen(url) as answer:
            assert "/Explore?" in answer.geturl()
            assert "k=7" in answer.geturl()
        assert asked[0].text.startswith("[] 40 {} ")
        client.execute_cell(notebook.cells[2], 2)
        assert "closed" in notebook.cells[2].outputs[0].data["text/plain"]


def test_on_another_computer_the_port_to_forward_is_said(monkeypatch):
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")
    assert surroundings.is_remote()
    said = surroundings.forwarding("http://127.0.0.1:8123/open/x", 8123)
    assert "ssh -L 8123:127.0.0.1:8123 HOST" in said
    assert said.endswith("open http://127.0.0.1:8123/open/x")
    monkeypatch.delenv("SSH_CONNECTION")
    monkeypatch.setenv("JUPYTERHUB_USER", "someone")
    assert surroundings.is_remote()
    monkeypatch.delenv("JUPYTERHUB_USER")
    assert not surroundings.is_remote()
    assert not surroundings.in_notebook()
