"""MSAL Python, unchanged: a browser is opened as `BROWSER` says, the answer comes as a form. Usage: ISSUER CA"""

import sys

import msal
import requests
from requests.adapters import HTTPAdapter


class AtRoot(HTTPAdapter):
    """MSAL wants a path in its authority; the demo issuer has none."""

    def send(self, request, **options):
        request.url = request.url.replace("/tenant/.well-known/", "/.well-known/")
        return super().send(request, **options)


issuer, ca = sys.argv[1:]
session = requests.Session()
session.trust_env, session.verify = False, ca
session.mount("https://", AtRoot())
application = msal.PublicClientApplication(
    "contoso-suite", oidc_authority=f"{issuer}/tenant", http_client=session, instance_discovery=False)
result = application.acquire_token_interactive(["mail.read"], timeout=60, success_template="<h1>MSAL is content</h1>")
print("SIGNED IN AS", result.get("id_token_claims", {}).get("preferred_username"), result.get("error"), flush=True)
