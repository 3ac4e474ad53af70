"""The book as HTML fits every width, in light and dark. It needs a browser, which `make test` installs."""

import subprocess
import sys

import pytest

from harness.browser import Browser
from harness.programs import ROOT


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("browser") / "profile")
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "book"
    subprocess.run([sys.executable, ROOT / "docs" / "site" / "generate.py", folder], check=True)
    return folder


PAGES = ("index.html", "quick-start/elsewhere.html", "issuers/entra.html", "reference/browser.html", "benchmarks.html")


def test_it_fits_every_width(site, browser):
    for page in PAGES:
        browser.open((site / page).as_uri())
        for width in (360, 800, 1400):
            browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
            wide, here = browser.driver.execute_script(
                "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            assert wide <= here, (page, width, wide)
    assert not browser.complaints()


def test_it_is_light_or_dark_as_the_reader_likes(site, browser):
    colors = set()
    browser.open((site / "index.html").as_uri())
    for scheme in ("light", "dark"):
        browser.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        colors.add(browser.driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert len(colors) == 2
