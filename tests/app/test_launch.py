import tomllib

import pytest

from mecuco_app.launch import OPTIONS, arguments
from tests.app.rerunning import ROOT


def test_the_settings_of_a_checkout_are_those_of_the_installed_app():
    parts = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    flat = {}

    def flatten(values, prefix):
        for name, value in values.items():
            if isinstance(value, dict):
                flatten(value, f"{prefix}{name}.")
            else:
                flat[f"{prefix}{name}"] = (
                    str(value).lower() if isinstance(value, bool) else str(value)
                )

    flatten(parts, "")
    assert flat == OPTIONS


def test_what_a_person_asks_for_comes_last_and_wins():
    words = arguments(["--port", "9000", "--server.baseUrlPath", "maps"])
    assert "--server.port=9000" in words
    assert "--server.address=127.0.0.1" in words
    assert words[-2:] == ["--server.baseUrlPath", "maps"]
    elsewhere = arguments(["--address", "0.0.0.0"])
    places = [i for i, word in enumerate(elsewhere) if word.startswith("--server.address")]
    assert elsewhere[places[-1]] == "--server.address=0.0.0.0"


def test_the_help_is_ours_and_short(capsys):
    with pytest.raises(SystemExit):
        arguments(["--help"])
    said = capsys.readouterr().out
    assert "--port" in said
    assert len(said.splitlines()) < 20
