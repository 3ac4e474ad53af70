"""How a page is looked at: languages, color schemes, widths, and axe-core."""

import os
from pathlib import Path

from harness.programs import ROOT

AXE = Path(os.environ.get("AXE_CORE", ROOT / ".venv" / "axe-core" / "axe.min.js"))
LOOKS = {
    "light": [("prefers-color-scheme", "light")], "dark": [("prefers-color-scheme", "dark")],
    "forced": [("prefers-color-scheme", "dark"), ("forced-colors", "active")],
}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def read_in(browser, language):
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": language}})


def look(browser, name):
    features = [{"name": feature, "value": value} for feature, value in LOOKS[name]]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def width(browser, pixels, height=640):
    """None is the width of the browser's window."""
    if pixels is None:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    else:
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                       {"width": pixels, "height": height, "deviceScaleFactor": 1, "mobile": False})


def excess(browser):
    """By how many pixels the page is wider than the screen."""
    return browser.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")


def plainly(browser):
    browser.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {}})
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    width(browser, None)


def faults(browser):
    """The findings of axe-core on the open page: (rule, element)."""
    if not browser.driver.execute_script("return !!window.axe"):
        browser.driver.execute_script(AXE.read_text())
    # For rules that hold, one element each: to find all of them takes long.
    result = browser.driver.execute_async_script(
        "axe.run({runOnly: arguments[0], resultTypes: ['violations']}).then(arguments[1])", TAGS)
    assert result["passes"]
    return [(fault["id"], fault["nodes"][0]["html"][:120]) for fault in result["violations"]]
