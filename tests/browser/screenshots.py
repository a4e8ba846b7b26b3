"""Make the pictures of the README from the real app: `make screenshots`."""

from playwright.sync_api import sync_playwright

from tests.browser.conftest import launched
from tests.browser.keeper import ROOT, running_app
from tests.browser.visitor import Visitor

ASSETS = ROOT / "assets"
WIDE, PHONE = (1440, 900), (390, 844)
UMAP = "plot && plot._fullData && document.body.innerText.includes('UMAP (')"

# file, page, size, what must be on the screen
PICTURES = [
    ("home.png", "/", WIDE, "plot"),
    ("explore.png", "/Explore", WIDE, UMAP),
    ("explore-phone.png", "/Explore", PHONE, UMAP),
    ("agreement.png", "/Agreement", (1440, 1300), "plot"),
    ("boundary.png", "/Boundary_points", (1440, 1300), "plot"),
    ("method.png", "/Method", (1440, 1300), "plot"),
    ("shape-operator.png", "/Shape_operator", (1440, 1300), "plot"),
    ("ground-truth.png", "/Ground_truth", (1440, 1300), "plot"),
    ("xray.png", "/Score_X-ray", (1440, 1300), "plot"),
    ("null-space.png", "/Null_space", (1440, 1300), "plot"),
    ("gauge.png", "/Gauge", (1440, 1300), "plot"),
    ("paper.png", "/Paper", (1440, 1300), "plot"),
]


def main() -> None:
    """Start the app, visit every page, save what is seen."""
    with running_app() as address, sync_playwright() as playwright:
        browser = launched(playwright)
        if browser is None:
            raise SystemExit("no Chromium or Chrome was found")
        for name, path, (width, height), condition in PICTURES:
            context = browser.new_context(viewport={"width": width, "height": height})
            visitor = Visitor(context.new_page(), address)
            visitor.open(path)
            visitor.page.wait_for_function(
                "() => { const plot = document.querySelector('.js-plotly-plot');"
                f" return plot && plot.calcdata && ({condition}); }}",
                timeout=180_000,
            )
            visitor.page.wait_for_function(
                "!document.querySelector('[data-testid=stStatusWidget]')"
                " && !document.querySelector('[data-testid=stProgress]')",
                timeout=180_000,
            )
            visitor.page.screenshot(path=ASSETS / name)
            context.close()
            print(f"assets/{name}")
        browser.close()


if __name__ == "__main__":
    main()
