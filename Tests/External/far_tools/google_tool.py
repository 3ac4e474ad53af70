"""google-auth-oauthlib, unchanged: it serves exactly one connection. Usage: ISSUER CA"""

import os
import sys

from google_auth_oauthlib.flow import InstalledAppFlow

issuer, ca = sys.argv[1:]
os.environ["REQUESTS_CA_BUNDLE"] = ca
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
flow = InstalledAppFlow.from_client_config(
    {"installed": {
        "client_id": "desktop-app", "client_secret": "no-secret-at-all", "auth_uri": f"{issuer}/authorize", "token_uri": f"{issuer}/token",
        "redirect_uris": ["http://localhost"]}},
    scopes=["openid", "profile"])
credentials = flow.run_local_server(port=0, success_message="Google is content", timeout_seconds=60)
print("SIGNED IN", bool(credentials.token), flush=True)
