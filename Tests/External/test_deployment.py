"""The shipped files for running a gateway: configurations, proxies, containers, clusters."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from ipaddress import ip_address, ip_network

import kubernetes_validate
import pytest
import yaml

from harness.programs import CERTIFICATES, ROOT, SWITCHYARD, eventually, run

DEPLOY = ROOT / "deploy"
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
NOT_FOR_THE_CLUSTER = {"kustomization.yaml", "switchyard.yaml"}
CONFIGURATIONS = ["switchyard.yaml", "compose/switchyard.yaml", "kubernetes/switchyard.yaml", "debian/switchyard.yaml"]


def is_configuration(path):
    return "public_url:" in path.read_text()


def test_every_configuration_is_known_here():
    found = {str(path.relative_to(DEPLOY)) for path in DEPLOY.rglob("*.yaml") if is_configuration(path)}
    assert found == set(CONFIGURATIONS)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_check_accepts_it(name, tmp_path):
    """With a certificate and keys where it expects some, and with the two lines filled in that a package leaves open."""
    text = (DEPLOY / name).read_text()
    if name == "debian/switchyard.yaml":
        text = text.replace("\npublic_url:", "\npublic_url: https://login.contoso.com").replace(
            "\n    issuer:", "\n    issuer: https://login.microsoftonline.com/contoso.com/v2.0")
        (tmp_path / "apps.d").mkdir()
        shutil.copy(DEPLOY / "debian" / "app.yaml", tmp_path / "apps.d")
    secrets = tmp_path / "keys"
    secrets.mkdir()
    assert run("keys", "new", "--file", secrets / "k1").returncode == 0
    (secrets / "redis").write_text("a password of Redis\n")
    (secrets / "redis").chmod(0o400)
    (tmp_path / "tls").mkdir()
    shutil.copy(CERTIFICATES / "server.pem", tmp_path / "tls" / "tls.crt")
    shutil.copy(CERTIFICATES / "server.key", tmp_path / "tls" / "tls.key")
    text = text.replace("/run/secrets", "keys").replace("../certs/dev", str(CERTIFICATES))
    text = text.replace("unix:/run/switchyard", f"unix:{tmp_path}")
    (tmp_path / "switchyard.yaml").write_text(text)
    done = run("check", "--config", tmp_path / "switchyard.yaml")
    assert done.returncode == 0, done.stderr


def test_the_packages_sockets_are_those_of_the_proxy_and_the_commands():
    listeners = [listener["address"] for listener in
                 yaml.safe_load((DEPLOY / "debian" / "switchyard.yaml").read_text())["listen"]]
    nginx = re.search(r"server (unix:\S+);", (DEPLOY / "nginx.conf").read_text())[1]
    assert nginx in listeners and "unix:/run/switchyard/switchyard.sock" in listeners
    assert "unix:/run/switchyard/switchyard.sock" in " ".join(run("login", "--help").stdout.split())


def test_the_changelog_of_the_package_is_of_this_version():
    version = run("--version").stdout.split()[1]
    assert (DEPLOY / "debian" / "changelog").read_text().startswith(f"switchyard ({version}-")
    assert f'newTag: {version}' in (DEPLOY / "kubernetes" / "kustomization.yaml").read_text()


# MARK: proxies

def test_haproxy_takes_its_configuration(tmp_path):
    text = (DEPLOY / "compose" / "haproxy.cfg").read_text()
    assert "crt /etc/haproxy/tls/" in text
    (tmp_path / "tls").mkdir()
    (tmp_path / "tls" / "login.pem").write_bytes(
        (CERTIFICATES / "server.pem").read_bytes() + (CERTIFICATES / "server.key").read_bytes())
    (tmp_path / "haproxy.cfg").write_text(text.replace("/etc/haproxy/tls/", f"{tmp_path}/tls/"))
    done = subprocess.run(["haproxy", "-c", "-V", "-f", tmp_path / "haproxy.cfg"], capture_output=True, text=True)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr


def test_a_proxys_log_has_no_query():
    """A callback's query holds a code."""
    format = re.search(r'log-format "(.*)"', (DEPLOY / "compose" / "haproxy.cfg").read_text())[1]
    assert "%HP" in format and not re.search(r"%(r|HU|HQ|HPO)\b|%\{[^}]*\}r|\[capture|\[query|\[url", format)


def test_redis_takes_its_configuration_and_loses_nothing_to_make_room(tmp_path):
    text = (DEPLOY / "compose" / "redis.conf").read_text()
    (tmp_path / "password.conf").write_text("requirepass a-password\n")
    (tmp_path / "redis.conf").write_text(
        text.replace("/run/redis/password.conf", str(tmp_path / "password.conf")).replace("dir /data", f"dir {tmp_path}")
        .replace("port 6379", f"port 0\nunixsocket {tmp_path}/redis.sock"))
    server = subprocess.Popen(["redis-server", tmp_path / "redis.conf"], stdout=subprocess.DEVNULL)

    def ask(*command):
        return subprocess.run(
            ["redis-cli", "-s", tmp_path / "redis.sock", *command], capture_output=True, text=True,
            env=os.environ | {"REDISCLI_AUTH": "a-password"}).stdout

    try:
        eventually(lambda: "PONG" in ask("PING"), what="Redis")
        assert "noeviction" in ask("CONFIG", "GET", "maxmemory-policy") and "yes" in ask("CONFIG", "GET", "appendonly")
    finally:
        server.terminate()
        server.wait(timeout=20)


# MARK: containers

def test_the_compose_file_is_right():
    """By the schema of the compose specification."""
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml"],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_mounts_of_the_compose_file_exist():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for service in compose["services"].values():
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            if source.startswith("./compose/"):
                assert (DEPLOY / source).is_file(), source
    address = compose["services"]["haproxy"]["networks"]["front"]["ipv4_address"]
    (pool,) = compose["networks"]["front"]["ipam"]["config"]
    assert ip_address(address) in ip_network(pool["subnet"])
    assert ip_address(address) not in ip_network(pool["ip_range"]), "a gateway may be given it first"
    assert yaml.safe_load((DEPLOY / "compose" / "switchyard.yaml").read_text())["trusted_proxies"] == [address]


def commands(text):
    """Each call of the program in a text."""
    for words in re.findall(r'\[(?:"?/usr/bin/)?"?switchyard"?, ([^\]]+)\]', text):
        yield [word.strip(' "') for word in words.split(",")]
    for line in re.findall(r"^\w+=/usr/bin/switchyard (.*)$", text, re.M):
        yield shlex.split(line)


@pytest.mark.parametrize("file", ["Dockerfile", "compose.yaml", "kubernetes/deployment.yaml", "switchyard.service"])
def test_commands_that_are_run_there_exist_with_their_options(file):
    for command, *words in commands((DEPLOY / file).read_text()):
        told = run(command, "--help")
        assert told.returncode == 0, command
        for option in (word for word in words if word.startswith("--")):
            assert option in told.stdout.split("Options:")[1], f"{command} {option}"


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """The root of the image, as the Dockerfile lays it out."""
    if os.geteuid() != 0:
        pytest.skip("only root may go into it")
    root = tmp_path_factory.mktemp("image") / "root"
    subprocess.run([DEPLOY / "image-root", SWITCHYARD, root], check=True)
    return root


def test_the_image_holds_all_that_the_program_needs_and_no_shell(image):
    script = """
        mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t proc proc "$0/proc" &&
        exec chroot --userspec=65532:65532 "$0" "$@"
    """

    def inside(*command):
        return subprocess.run(
            ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", script, image, *command],
            capture_output=True, text=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})

    assert inside("/usr/bin/switchyard", "--version").stdout == run("--version").stdout
    shutil.copy(DEPLOY / "compose" / "switchyard.yaml", image / "etc" / "switchyard" / "switchyard.yaml")
    done = inside("/usr/bin/switchyard", "check", "--config", "/etc/switchyard/switchyard.yaml")
    assert done.returncode == 2 and "/run/secrets/k1" in done.stderr and "redis" in done.stderr
    programs = [path for path in image.rglob("*") if path.is_file() and os.access(path, os.X_OK) and ".so" not in path.name]
    assert [path.name for path in programs] == ["switchyard"]
    assert (image / "etc/ssl/certs/ca-certificates.crt").stat().st_size > 100_000
    packages = {path.name for path in (image / "var/lib/dpkg/status.d").iterdir()}
    # The second name is that of Debian 13.
    assert "libc6" in packages and packages & {"libssl3", "libssl3t64"}


# MARK: clusters

def documents():
    for path in KUBERNETES:
        if path.name not in NOT_FOR_THE_CLUSTER:
            yield from ((path.name, document) for document in yaml.safe_load_all(path.read_text()))


@pytest.mark.parametrize("name, document", documents(), ids=lambda value: value if isinstance(value, str) else value["kind"])
def test_an_object_of_the_cluster_is_right(name, document):
    """By the schemas of Kubernetes, which know every field."""
    kubernetes_validate.validate(document, "1.33", strict=True)


def test_the_kustomization_names_what_is_there():
    kustomization = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    files = set(kustomization["resources"]) | set(kustomization["configMapGenerator"][0]["files"])
    assert files | {"kustomization.yaml"} == {path.name for path in KUBERNETES}


def test_a_pod_has_no_more_rights_than_it_needs_and_what_belongs_together_does():
    objects = {(document["kind"], document["metadata"]["name"]): document for _, document in documents()}
    pod = objects["Deployment", "switchyard"]["spec"]["template"]
    spec, labels = pod["spec"], pod["metadata"]["labels"]
    container = spec["containers"][0]
    assert spec["securityContext"]["runAsNonRoot"] and not spec["automountServiceAccountToken"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for (kind, _), document in objects.items():
        selector = document["spec"].get("selector") or document["spec"].get("podSelector")
        assert selector.get("matchLabels", selector) == labels
        if kind == "Service":
            assert {port["targetPort"] for port in document["spec"]["ports"]} <= set(ports)
    allowed = {port["port"] for rule in objects["NetworkPolicy", "switchyard"]["spec"]["ingress"] for port in rule["ports"]}
    assert allowed == set(ports.values())
    listeners = yaml.safe_load((DEPLOY / "kubernetes" / "switchyard.yaml").read_text())["listen"]
    assert set(ports.values()) == {
        int(listener["address"].rsplit(":", 1)[1]) for listener in listeners if "admin" not in listener["serve"]}
    grace = container["lifecycle"]["preStop"]["sleep"]["seconds"] + 30
    assert spec["terminationGracePeriodSeconds"] > grace, "the default of stop_timeout"
