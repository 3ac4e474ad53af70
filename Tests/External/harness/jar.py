"""A browser's cookies for the gateway, kept by hand as RFC 6265bis says, SameSite=Lax included."""


class LaxJar:
    """The cookies of one browser at one gateway. It keeps the cookies that a browser would keep, and sends none with a POST
    from another site."""

    def __init__(self, gateway, source=None, **headers):
        self._gateway, self._source, self._headers = gateway, source, headers
        self.cookies = {}

    def get(self, url, **headers):
        """A top-level navigation, from wherever it comes: Lax cookies go along."""
        return self._visit(url, "GET", b"", headers, self.cookies)

    def post(self, url, body, cross_site, **headers):
        """A form that is sent from a page of ours, or of another site: then Lax cookies stay behind."""
        site = "cross-site" if cross_site else "same-origin"
        fields = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": site} | headers
        return self._visit(url, "POST", body, fields, {} if cross_site else self.cookies)

    def follow(self, answer, **headers):
        """Goes where a redirect within the gateway leads."""
        assert answer.status == 303 and answer.header("Location").startswith("/"), answer.status
        return self.get(self._gateway.url(answer.header("Location")), **headers)

    def _visit(self, url, method, body, headers, cookies):
        fields = self._headers | headers
        if cookies:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        answer = self._gateway.browse(url, method=method, body=body, headers=fields, source=self._source)
        for name, field in answer.headers:
            if name.lower() == "set-cookie":
                self._keep(field)
        return answer

    def _keep(self, field):
        pair, *attributes = [part.strip() for part in field.split(";")]
        name, _, value = pair.partition("=")
        words = {attribute.lower() for attribute in attributes}
        # A browser drops a `__Host-` cookie without these.
        assert name.startswith("__Host-") and {"secure", "path=/"} <= words, field
        assert not any(word.startswith("domain") for word in words), field
        assert "httponly" in words and "samesite=lax" in words, field
        if "max-age=0" in words:
            self.cookies.pop(name, None)
        else:
            self.cookies[name] = value
