import sys
from pathlib import Path

import pytest

from mecuco_core.datasets.openml.settings import cache_folder, current_settings
from mecuco_core.errors import DataError


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    for name in ("OPENML_SERVER", "CACHE_DIR", "DISK_MB", "OPENML_TIMEOUT"):
        monkeypatch.delenv(f"MECUCO_{name}", raising=False)


def test_the_public_server_is_the_default():
    settings = current_settings()
    assert settings.server == "https://www.openml.org/api/v1/xml"
    assert settings.host == "www.openml.org"
    assert settings.site == "https://www.openml.org"
    assert settings.patience == 8
    assert settings.disk == 8 * 2**30


def test_the_room_on_disk_can_be_set(monkeypatch):
    monkeypatch.setenv("MECUCO_DISK_MB", " 12 ")
    assert current_settings().disk == 12 * 2**20


@pytest.mark.parametrize("given", ["0", "-1", "1.5", "much"])
def test_a_room_on_disk_that_is_no_whole_number_is_refused(monkeypatch, given):
    monkeypatch.setenv("MECUCO_DISK_MB", given)
    with pytest.raises(DataError, match=f"MECUCO_DISK_MB must be a whole number.*{given}"):
        current_settings()


@pytest.mark.parametrize(
    "address",
    ["http://a.example:8080", "http://a.example:8080/", "http://a.example:8080/api/v1/xml/"],
)
def test_the_address_of_a_server_may_leave_out_the_path(monkeypatch, address):
    monkeypatch.setenv("MECUCO_OPENML_SERVER", address)
    assert current_settings().server == "http://a.example:8080/api/v1/xml"


def test_the_cache_folder_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv("MECUCO_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x/cache"}, "/x/cache/mecuco"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/me/.cache/mecuco"),
        ("linux", {"XDG_CACHE_HOME": "not/absolute"}, "/home/me/.cache/mecuco"),
        ("darwin", {"XDG_CACHE_HOME": "/x/cache"}, "/home/me/Library/Caches/mecuco"),
        ("win32", {"LOCALAPPDATA": "/c/local"}, "/c/local/mecuco/Cache"),
    ],
)
def test_the_cache_folder_follows_the_platform(monkeypatch, platform, variables, folder):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(folder)


@pytest.mark.parametrize("address", ["openml.org", "ftp://openml.org", "http://"])
def test_an_address_that_is_none_is_refused(monkeypatch, address):
    monkeypatch.setenv("MECUCO_OPENML_SERVER", address)
    with pytest.raises(DataError, match="MECUCO_OPENML_SERVER must be an address"):
        current_settings()


@pytest.mark.parametrize("seconds", ["soon", "0", "-1", "nan", "inf"])
def test_a_time_out_that_is_none_is_refused(monkeypatch, seconds):
    monkeypatch.setenv("MECUCO_OPENML_TIMEOUT", seconds)
    with pytest.raises(DataError, match="MECUCO_OPENML_TIMEOUT must be a number of seconds"):
        current_settings()


def test_the_server_of_the_persons_own_openml_settings_is_used(monkeypatch):
    import openml

    monkeypatch.setattr(openml.config, "server", "http://127.0.0.1:4321/api/v1/xml")
    assert current_settings().server == "http://127.0.0.1:4321/api/v1/xml"
    monkeypatch.setenv("MECUCO_OPENML_SERVER", "http://127.0.0.1:1234")
    assert current_settings().host == "127.0.0.1:1234"
