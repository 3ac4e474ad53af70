"""A gateway that runs as a service of a machine, and a sign-in through it as a program and a browser of that machine see it."""

import json

CONFIGURATION = "/etc/switchyard/switchyard.yaml"
APP = """
apps:
  - id: com.contoso.app1
    issuer: main
    client_id: app-1
    redirect_uris: ["http://127.0.0.1:8080/app1/auth"]
    release: none
"""


def service(machine, what):
    return machine.run("systemctl", "show", "--value", f"--property={what}", "switchyard").stdout.strip()


def admin(machine, path):
    return ask_admin(machine, path).stdout


def ask_admin(machine, path, **more):
    return machine.run(
        "curl", "--silent", "--show-error", "--fail", "--unix-socket", "/run/switchyard/admin.sock", f"http://localhost{path}",
        **more)


def begin(machine, user="nobody"):
    """As a program of any user of the machine does."""
    return json.loads(machine.run(
        "curl", "--silent", "--show-error", "--fail-with-body", "--unix-socket", "/run/switchyard/switchyard.sock",
        "--json", '{"app": "com.contoso.app1"}', "http://localhost/v1/requests", user=user).stdout)


def browse(machine, url):
    """Follows a browser's way, by the proxy's socket where the address is the gateway's; what it says in the end."""
    for _ in range(10):
        way = []
        if url.startswith("http://127.0.0.1:8080/"):
            way = ["--unix-socket", "/run/switchyard/proxy.sock", "--header", "X-Forwarded-For: 203.0.113.7"]
        said = machine.run(
            "curl", "--silent", "--show-error", "--cookie-jar", "/tmp/jar", "--cookie", "/tmp/jar", "--write-out",
            "\n%{http_code} %{redirect_url}", *way, url, user="www-data").stdout
        body, end = said.rsplit("\n", 1)
        status, _, url = end.partition(" ")
        if not url:
            return int(status), body
    raise AssertionError("it goes round in circles")


def collect(machine, begun):
    return json.loads(machine.run(
        "curl", "--silent", "--show-error", "--unix-socket", "/run/switchyard/switchyard.sock", "--header",
        f"Authorization: Bearer {begun['result_token']}", f"http://localhost/v1/requests/{begun['id']}").stdout)


def fill_in(machine):
    """Writes the two lines that the shipped configuration leaves open."""
    text = machine.path(CONFIGURATION).read_text()
    machine.path(CONFIGURATION).write_text(text.replace("\npublic_url:", "\npublic_url: http://127.0.0.1:8080").replace(
        "\n    issuer:", "\n    issuer: http://127.0.0.1:9400"))


def start_issuer(machine, program="switchyard"):
    machine.run(
        "systemd-run", "--unit=issuer", "--property=User=nobody", program, "issuer", "--listen", "127.0.0.1:9400",
        "--auto-approve")
    metadata = "http://127.0.0.1:9400/.well-known/openid-configuration"
    machine.eventually(lambda: machine.run("curl", "--silent", metadata, check=False).returncode == 0, "an issuer")


def sign_in(machine):
    """One whole sign-in, from another user's program, through the proxy's socket."""
    begun = begin(machine)
    status, page = browse(machine, begun["start_url"])
    assert status == 200, page
    outcome = collect(machine, begun)
    assert outcome["status"] == "completed" and outcome["token_response"]["access_token"], outcome["status"]
