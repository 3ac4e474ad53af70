"""Debian's Chromium without a window, which trusts the development certificate and nothing else that is new."""

import base64
import hashlib
import os
import re

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from harness.programs import CERTIFICATES

ALLOW = re.compile(r"allow|accept|approve|continue|consent|sign in|yes", re.IGNORECASE)
REFUSE = re.compile(r"deny|refuse|decline|cancel|no\b", re.IGNORECASE)


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
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        preferences = {"intl.accept_languages": language}
        if not scripts:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))

    def close(self):
        self.driver.quit()

    def open(self, url):
        self.driver.get(url)

    @property
    def address(self):
        return self.driver.current_url

    @property
    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def element(self, identifier):
        """The text of the element with this id."""
        return self.driver.find_element(By.ID, identifier).text

    def press(self, label):
        """Presses the first button whose label matches."""
        buttons = self.driver.find_elements(By.CSS_SELECTOR, "button, input[type=submit]")
        labels = [button.text or button.get_attribute("value") or "" for button in buttons]
        for button, text in zip(buttons, labels):
            if label.search(text):
                button.click()
                return
        raise AssertionError(f"no button for {label.pattern} among {labels} at {self.address}")

    def wait_for(self, condition, what):
        WebDriverWait(self.driver, 20).until(lambda _: condition(), what)

    def complaints(self):
        """What the page broke: refused by its own policy, not found, or failed in a script."""
        return [entry["message"] for entry in self.driver.get_log("browser") if "favicon" not in entry["message"]]
