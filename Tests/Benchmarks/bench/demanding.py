"""Sign-ins at a demanding issuer, part by part: what a key, a pushed request and bound tokens cost beside a plain sign-in."""

import json
import subprocess
import sys
from pathlib import Path

from bench.gateway import Gateway
from bench.machine import SWITCHYARD
from bench.measure import Side, in_turn, middle, ratio
from bench.processes import Server, accepts, free_port
from bench.results import Detail

APP = "com.contoso.bank"
# The app's own key for its result: the example of RFC 7517 appendix A.1. The bench opens no sealed result.
RESULT_KEY = {
    "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
    "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
}


class DemandingIssuer(Server):
    def __init__(self, core):
        self.port, self.scheme = free_port(), "http"
        self.url = f"http://127.0.0.1:{self.port}"
        super().__init__("issuer", [sys.executable, Path(__file__).with_name("demanding_issuer.py"), str(self.port)], core)

    def is_ready(self):
        return accepts(self.port)


def app(*keys):
    """The registration of one app with further keys."""
    return lambda public_url: [
        f"  - id: {APP}\n    issuer: bench\n    client_id: ABCDE-12345\n    redirect_uris: [\"{public_url}/bank/auth\"]\n"
        "    release: none\n    default_scope: profile\n    begin_from: { networks: [127.0.0.0/8] }\n"
        + "".join(f"    {key}\n" for key in keys)]


def sign_ins(bench, results):
    """All go by `start_url`, and no ID token comes, so only the parts differ. A sealed result comes with bound tokens,
    because their key goes out in no other way."""
    bench.say("sign-ins at a demanding issuer, part by part")
    file = bench.work / "signing.pem"
    subprocess.run([SWITCHYARD, "keys", "new", "--kind", "signing", "--file", file], check=True, capture_output=True)
    key = ("token_endpoint_auth_method: private_key_jwt", f"signing_keys: [{{ id: bench, key_file: {file} }}]")
    push, bind = ("par: required",), ("dpop: required",)
    sealed = {"result_key": RESULT_KEY}
    parts = {
        "private_key_jwt": (key, {}), "PAR": (push, {}), "a sealed result": ((), sealed), "DPoP and a sealed result": (bind, sealed),
        "all of them": (key + push + bind, sealed),
    }
    lines = []
    with DemandingIssuer(bench.cores.issuer) as issuer, Gateway(bench.work, bench.cores.server, app(), issuer.url) as plain:
        for name, (keys, fields) in parts.items():
            with Gateway(bench.work, bench.cores.server, app(*keys), issuer.url) as gateway:
                ours, peer = in_turn(
                    _side(bench, f"switchyard, {name}", gateway, issuer, fields),
                    _side(bench, "switchyard, plain", plain, issuer, {}), bench.rounds)
            mine, other = middle(ours), middle(peer)
            results.details.append(Detail("a sign-in by start_url", f"switchyard, {name}", mine))
            lines.append(f"| {name} | {mine.cpu_us:.0f} µs | {other.cpu_us:.0f} µs | {ratio(ours, peer):.2f} × |")
    results.remarks.append("\n".join([
        "## A demanding issuer, by part", "",
        "CPU of one sign-in by `start_url` without an ID token, beside a plain one. OpenSSL makes the signatures.", "",
        "| with | CPU for one | plain | measured |", "|---|---|---|---|", *lines]))


def _side(bench, name, gateway, issuer, fields):
    body = json.dumps({"app": APP, **fields}, separators=(",", ":"))
    return Side(name, gateway, lambda: bench.load.started_sign_ins(gateway, issuer, bench.seconds, body))
