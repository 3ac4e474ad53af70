"""Debian's Chromium without a window. It trusts the development certificate beside its own authorities."""

import base64
import hashlib
import os
import re

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from selenium import webdriver
from selenium.common.exceptions import (
    NoSuchElementException, StaleElementReferenceException, TimeoutException, WebDriverException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from harness.programs import CERTIFICATES

ALLOW = re.compile(r"allow|accept|approve|continue|consent|sign in|yes", re.IGNORECASE)
REFUSE = re.compile(r"deny|refuse|decline|cancel|no\b", re.IGNORECASE)


# Pages of the browser's own, which no test looks at. They take two thirds of the time of a start.
PARTS = ["PreloadTopChromeWebUI", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"]
BLANK = {"session.restore_on_startup": 4, "session.startup_urls": ["about:blank"]}


def leave_out(options):
    """Starts the browser without the parts that no test looks at."""
    for part in ("gpu", "extensions", "component-extensions-with-background-pages", f"features={','.join(PARTS)}"):
        options.add_argument(f"--disable-{part}")


def pin():
    """The hash of the development certificate's public key, as Chromium wants it."""
    certificate = x509.load_pem_x509_certificate((CERTIFICATES / "server.pem").read_bytes())
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(key).digest()).decode()


class Browser:
    """One browser with an empty profile, which may be one that runs no scripts."""

    def __init__(self, profile, language="en", scripts=True):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        options.add_argument("--headless=new")
        options.add_argument(f"--user-data-dir={profile}")
        options.add_argument(f"--ignore-certificate-errors-spki-list={pin()}")
        options.add_argument("--disable-dev-shm-usage")
        options.add_argument("--disable-background-networking")
        leave_out(options)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        preferences = BLANK | {"intl.accept_languages": language}
        if not scripts:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))

        self._size = self.driver.get_window_size()

    def close(self):
        self.driver.quit()

    def forget(self):
        """Clears the profile's data, and the settings that a test made for its tab or window."""
        used = self.driver.window_handles
        self.driver.switch_to.new_window("tab")
        fresh = self.driver.current_window_handle
        for handle in used:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(fresh)
        for command in ("clearBrowserCookies", "clearBrowserCache"):
            self.driver.execute_cdp_cmd(f"Network.{command}", {})
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        self.driver.set_window_size(self._size["width"], self._size["height"])
        self.driver.get_log("browser")

    def open(self, url):
        self.driver.get(url)

    @property
    def address(self):
        return self.driver.current_url

    @property
    def text(self):
        return self._text_of(By.TAG_NAME, "body")

    def element(self, identifier):
        """The text of the element with this id."""
        return self._text_of(By.ID, identifier)

    def _text_of(self, *which):
        """A page may be on its way out while it is read, and the next one not be there yet: then what comes is read."""
        reads = []
        self.wait_for(lambda: reads.append(self.driver.find_element(*which).text) or True, which[1])
        return reads[0]

    def press(self, label):
        """Presses the first button whose label matches."""
        labels = []

        def pressed():
            buttons = self.driver.find_elements(By.CSS_SELECTOR, "button, input[type=submit]")
            labels[:] = [button.text or button.get_attribute("value") or "" for button in buttons]
            found = next((button for button, text in zip(buttons, labels) if label.search(text)), None)
            if found is not None:
                found.click()
            return found is not None

        try:
            self.wait_for(pressed, "a button")
        except TimeoutException:
            raise AssertionError(f"no button for {label.pattern} among {labels} at {self.address}") from None

    def wait_for(self, condition, what):
        def holds(_):
            try:
                return condition()
            except WebDriverException as error:
                # Chromium's driver says so of an element whose page has gone meanwhile.
                if "inspector error" not in str(error.msg):
                    raise
                return False

        passing = (NoSuchElementException, StaleElementReferenceException)
        try:
            WebDriverWait(self.driver, 20, 0.1, passing).until(holds, what)
        except TimeoutException:
            raise TimeoutException(f"{what} did not come within 20 s. {self._where()}") from None

    def _where(self):
        try:
            words = self.driver.execute_script("return document.body.innerText")
            return f"{self.address} says {words[:400]!r}"
        except WebDriverException as error:
            return f"The page cannot be read: {error.msg}"

    def complaints(self):
        """The faults of the pages under test: refused by their own policy, not found, or failed in a script.

        Chromium's own pages (its new tab) complain too, of a slow network while the machine is busy."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if "favicon" not in entry["message"] and not entry["message"].startswith("chrome://")]


class Browsers:
    """Browsers to lend, which forget what was done with them."""

    def __init__(self, folders):
        self._folders, self._idle, self._kinds = folders, {}, {}

    def take(self, **options):
        kind = tuple(sorted(options.items()))
        idle = self._idle.setdefault(kind, [])
        browser = idle.pop() if idle else Browser(self._folders.mktemp("browser") / "profile", **options)
        self._kinds[browser] = kind
        return browser

    def give_back(self, browser):
        try:
            browser.forget()
            self._idle[self._kinds[browser]].append(browser)
        except WebDriverException:
            browser.close()

    def close(self):
        for browser in sum(self._idle.values(), []):
            browser.close()
