"""Start the browser app: Streamlit on our home page, with settings that keep to themselves."""

import argparse
import sys
from pathlib import Path

from mecuco_app.work.limits import LIMITS

OPTIONS = {
    "server.address": "127.0.0.1",
    "server.headless": "true",
    "server.fileWatcherType": "none",
    "server.maxUploadSize": str(LIMITS.upload_megabytes),
    "server.disconnectedSessionTTL": "60",
    "runner.magicEnabled": "false",
    "runner.postScriptGC": "false",  # half a second of every click, once UMAP is loaded
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
    "client.showSidebarNavigation": "false",
    "theme.light.primaryColor": "#00517f",
    "theme.dark.primaryColor": "#6db7e8",
}
"""The same as .streamlit/config.toml, which an installed package does not have."""


def home_page() -> Path:
    """Return app.py: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "_site" / "app.py"
    return inside if inside.is_file() else package.parent / "app.py"


def arguments(words: list[str]) -> list[str]:
    """Return the arguments for Streamlit; what the person gives comes last and wins."""
    given, others = _parser().parse_known_args(words)
    flags = [f"--{name}={value}" for name, value in OPTIONS.items()]
    own = {"server.port": given.port, "server.address": given.address}
    flags += [f"--{name}={value}" for name, value in own.items() if value is not None]
    return ["run", str(home_page()), *flags, *others]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mecuco app",
        usage="mecuco app [SOURCE] [options]",
        description="Open the browser app: it is served until interrupted, on this computer only. "
        "With a SOURCE, as of mecuco score, it opens on these data: see mecuco app SOURCE --help.",
        epilog="Other options are Streamlit's, for example --server.baseUrlPath.",
        allow_abbrev=False,
    )
    parser.add_argument("--port", type=int, help="where to listen; default 8501, or the next free")
    parser.add_argument("--address", help="address to listen on; default 127.0.0.1")
    return parser


def main(words: list[str] | None = None) -> int:
    """Compile the kernels, or load them, and serve the app until it is interrupted."""
    serve(arguments(sys.argv[1:] if words is None else words))
    return 0


def serve(flags: list[str]) -> None:
    """Serve the app, with these arguments for Streamlit, until it is interrupted."""
    from streamlit.web import cli

    from mecuco_app.results.warming import warm_kernels

    sys.stderr.write("MeCuCo: preparing the kernels (the first time takes some seconds) …\n")
    warm_kernels()
    cli.main(flags, prog_name="streamlit")


if __name__ == "__main__":
    sys.exit(main())
