import tomllib

from mecuco_app.launch import OPTIONS
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
