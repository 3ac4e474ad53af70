"""Sign-ins at the demo issuer, well behaved or not."""

from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from harness.issuer import authorize

APP = "com.contoso.app1"


class SignIn:
    """One sign-in: the request that an app began, and the callback that the issuer made of it."""

    def __init__(self, gateway, demo="", scope="openid profile", **fields):
        self.gateway = gateway
        self.pending = gateway.api().begin(APP, demo=f"auto,{demo}".rstrip(","), scope=scope, **fields)
        self.callback = authorize(self.pending.authorization_url)

    @property
    def code(self):
        return parse_qs(urlsplit(self.callback).query)["code"][0]

    def deliver(self):
        """Brings the callback to the gateway, as the browser would."""
        return self.gateway.browse(self.callback)

    def finish_properly(self):
        """Signs in once more for the very same request, at an issuer that behaves, and returns the outcome."""
        self.callback = authorize(well_behaved(self.pending.authorization_url))
        assert self.deliver().status == 303
        return self.pending.outcome()


def well_behaved(authorization_url):
    """The same authorization request without what it wants done wrong."""
    parts = urlsplit(authorization_url)
    fields = [(name, "auto" if name == "demo" else value) for name, value in parse_qsl(parts.query)]
    return parts._replace(query=urlencode(fields)).geturl()


def sign_in(gateway, demo="", scope="openid profile"):
    """A sign-in whose callback is accepted. The token endpoint decides its outcome."""
    one = SignIn(gateway, demo, scope)
    assert one.deliver().status == 303
    return one
