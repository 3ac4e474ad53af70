"""Every secret that a test run has seen, so that the last test can search the logs for them."""

import base64
import threading
from urllib.parse import parse_qs, urlsplit

SECRET_PARAMETERS = ("code", "state", "code_verifier", "access_token", "refresh_token", "id_token", "client_secret")


class Vault:
    """A thread-safe set of secrets, each with the kind of thing that it is."""

    # Anything shorter would be found in a log by accident.
    SHORTEST = 12
    # A test's value of one repeated letter does not count either: forty-three As are thirty-two zero bytes, which each database
    # holds.
    FEWEST_BYTES = 6

    def __init__(self):
        self._secrets = {}
        self._lock = threading.Lock()

    def remember(self, kind, value):
        if isinstance(value, str) and len(value) >= self.SHORTEST:
            with self._lock:
                self._secrets[value] = kind

    def remember_all(self, values):
        """Notes the values of a dictionary whose names mark them as secret."""
        for name in SECRET_PARAMETERS:
            if isinstance(values, dict):
                self.remember(name, values.get(name))

    def remember_url(self, url):
        for name, values in parse_qs(urlsplit(url).query).items():
            if name in SECRET_PARAMETERS:
                for value in values:
                    self.remember(name, value)

    def found_in(self, data):
        """The kinds of those secrets that these bytes hold, as they are or in another writing."""
        found = set()
        for secret, kind in self.items().items():
            raw = secret.encode()
            writings = {raw, raw.hex().encode(), raw.hex().upper().encode()}
            # Its form in base64 depends on its position, and the ends on its neighbors.
            for shift in range(3):
                for alphabet in (base64.b64encode, base64.urlsafe_b64encode):
                    writings.add(alphabet(bytes(shift) + raw)[4:-4])
            try:
                # A secret that is base64 itself may have been kept as the bytes that it means.
                writings.add(base64.urlsafe_b64decode(raw + b"=" * (-len(raw) % 4)))
            except ValueError:
                pass
            if any(self._is_telling(writing) and writing in data for writing in writings):
                found.add(kind)
        return found

    def _is_telling(self, writing):
        """Whether finding it means anything."""
        return len(writing) >= self.SHORTEST and len(set(writing)) >= self.FEWEST_BYTES

    def items(self):
        with self._lock:
            return dict(self._secrets)


VAULT = Vault()
