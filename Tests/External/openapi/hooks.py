"""Facts that schemathesis cannot know: the apps, the fields that belong together, and the requests that it may ask for.

Loaded by `st` (SCHEMATHESIS_HOOKS). Calls that are meant to be wrong stay as they are.
"""

import base64
import os

import requests
import schemathesis
from cryptography.hazmat.primitives.asymmetric import ec
from schemathesis import GenerationMode

API, APP = os.environ["OPENAPI_GATEWAY"], "com.contoso.app1"
# The authorization parameters that the gateway sets itself.
OWN = {"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method", "nonce",
       "response_mode", "prompt", "login_hint", "domain_hint", "claims", "request", "request_uri"}


def coordinate(number):
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")


POINT = ec.generate_private_key(ec.SECP256R1()).public_key().public_numbers()
KEY = {"kty": "EC", "crv": "P-256", "x": coordinate(POINT.x), "y": coordinate(POINT.y)}


def begin():
    answer = requests.post(f"{API}/v1/requests", json={"app": APP}, timeout=30)
    answer.raise_for_status()
    return answer.json()


def acceptable(parameters):
    """Those that the gateway does not set itself, and no longer than all of them may be together."""
    return {name: value for name, value in parameters.items()
            if 1 <= len(name.encode()) <= 128 and name.isprintable() and len(value.encode()) <= 200 and name not in OWN}


def consistent(body):
    """The same call for an app that there is, with fields that go together."""
    body = body | {"app": APP}
    # The gateway of these calls knows no resource, and so no challenge of one.
    for name in ("redirect_uri", "resource", "previous_scopes", "resource_parameter", "www_authenticate"):
        body.pop(name, None)
    if body.get("completion") == "response":
        body.setdefault("state", "s" * 22)
        body["state"] = f"{os.urandom(12).hex()}{body['state']}"[:512]
        if "code_challenge" in body:
            body.setdefault("nonce", "n" * 22)
        else:
            body = {name: value for name, value in body.items() if name not in ("nonce", "code_challenge_method")}
    else:
        own = ("state", "code_challenge", "code_challenge_method", "nonce", "dpop_jkt")
        body = {name: value for name, value in body.items() if name not in own}
    if "result_key" in body:
        body["result_key"] = KEY
    else:
        body.pop("result_proof", None)
    if "extra_parameters" in body:
        extra = body["extra_parameters"]
        if any(isinstance(value, dict) for value in extra.values()):
            places = ["authorization"] + ["token"] * (body.get("completion") != "response")
            body["extra_parameters"] = {place: acceptable(extra.get(place, {})) for place in places}
        else:
            body["extra_parameters"] = acceptable(extra)
    return body


@schemathesis.hook
def before_call(context, case, kwargs):
    # Shorten waits: a long poll takes a minute, and a stream ends after ten.
    case.headers.pop("Prefer", None)
    case.headers["Accept"] = "application/json"
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    if case.operation.label == "POST /v1/requests" and isinstance(case.body, dict):
        case.body = consistent(case.body)
    elif case.operation.label == "POST /v1/callbacks" and isinstance(case.body, dict):
        case.body = case.body | {"url": f"msauth.{APP}://auth?code=c&state={os.urandom(16).hex()}"}
    elif "{id}" in case.operation.path:
        begun = begin()
        case.path_parameters["id"] = begun["id"]
        case.headers["Authorization"] = f"Bearer {begun['result_token']}"
