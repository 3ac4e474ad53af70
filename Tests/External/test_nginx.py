"""A whole sign-in behind real nginx, with the site of `deploy/nginx.conf`."""

import os
import subprocess
from pathlib import Path

import pytest

from harness import wire
from harness.api import Api
from harness.gateway import CA
from harness.issuer import authorize
from harness.programs import CERTIFICATES, ROOT, eventually, free_port

APP = "com.contoso.app1"


def adapted_site(port, socket, folder):
    """The site as it is shipped, but for the ports, the name, the certificate and where its logs go."""
    site = (ROOT / "deploy" / "nginx.conf").read_text()
    for shipped, here in {
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "listen [::]:443 ssl http2;": "",
        "server_name login.contoso.com;": "server_name localhost;",
        "server unix:/run/switchyard/proxy.sock;": f"server {socket};",
        "/etc/switchyard/tls": str(CERTIFICATES),
        "/var/log/nginx": str(folder),
    }.items():
        assert shipped in site, shipped
        site = site.replace(shipped, here)
    return site


@pytest.fixture
def origin(start_gateway, run_folder):
    """The address under which nginx serves a gateway."""
    port = free_port()
    folder = run_folder / f"nginx-{port}"
    folder.mkdir()

    # The workers of this nginx are this user, as those of an installed one are www-data.
    gateway = start_gateway(
        public_port=port, limits={"requests_per_address": 3}, trusted_proxies=[f"uid:{os.getuid()}"]
    )
    (folder / "site.conf").write_text(adapted_site(port, gateway.socket, folder))
    (folder / "nginx.conf").write_text(
        f"user root; daemon off; pid {folder}/nginx.pid; worker_processes 1; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n"
        f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n"
        f"include {folder}/site.conf; }}\n"
    )
    nginx = subprocess.Popen(["/usr/sbin/nginx", "-e", folder / "error.log", "-c", folder / "nginx.conf"])
    try:
        eventually(lambda: nginx.poll() is not None or Path(folder / "nginx.pid").exists(), what="nginx")
        assert nginx.poll() is None, (folder / "error.log").read_text()
        yield gateway.origin
    finally:
        nginx.terminate()
        nginx.wait(timeout=20)


def test_a_whole_sign_in(origin):
    pending = Api(origin, ca=CA).begin(APP, scope="openid")
    started = wire.request(pending.start_url, ca=CA)
    assert started.status in (302, 303)
    callback = authorize(started.header("Location"))
    assert callback.startswith(origin)
    answer = wire.request(callback, ca=CA)
    assert answer.status == 303 and answer.header("Location").endswith(f"/done/{pending.reference}")
    cookie = answer.header("Set-Cookie").split(";")[0]
    page = wire.request(f"{origin}/done/{pending.reference}", ca=CA, headers={"Cookie": cookie})
    assert page.status == 200 and "Contoso Mail" in page.text
    assert pending.outcome()["status"] == "completed"


def test_waiting_and_streaming_work_through_it(origin):
    pending = Api(origin, ca=CA).begin(APP, scope="openid")
    events = pending.events()
    assert next(events)[1] == {"status": "pending"}
    assert wire.request(authorize(pending.authorization_url), ca=CA).status == 303
    assert list(events)[-1][1]["status"] == "completed"


def test_it_hands_over_bytes_as_they_are(origin):
    query = "code=a%2Bb%2bc+d&path=%2F..%2f&x=//y"
    answer = wire.request(f"{origin}/legacy?{query}", ca=CA)
    assert answer.header("Location") == f"x-legacy://callback?{query}"


def test_what_a_client_claims_about_its_address_ends_there(origin):
    api = Api(origin, ca=CA)
    statuses = [
        api.begin_reply(APP, headers={"X-Forwarded-For": f"203.0.113.{n}", "Forwarded": f"for=198.51.100.{n}"}).status
        for n in range(5)
    ]
    assert statuses[:3] == [201] * 3 and set(statuses[3:]) <= {429, 503}


def test_limits_answer_as_they_do_without_it(origin):
    assert wire.request(f"{origin}/legacy?" + "p" * 9000, ca=CA).status == 414
    assert wire.request(f"{origin}/legacy", ca=CA, headers={"X-Padding": "p" * 17000}).status == 431
