"""Everything that `make dist` makes: each product is installed in a clean system, and used for a sign-in."""

import hashlib
import json
import os
import re
import shutil
import subprocess

import pytest
from gateway import APP, fill_in, service, sign_in, start_issuer
from machine import Machine
from systems import ROOT, WORK

DIST = ROOT / ".build" / "dist"
LIBRARIES = ["libcurl4t64", "libssl3t64", "libsqlite3-0", "libsystemd0", "libyaml-0-2", "libstdc++6"]


def product(pattern):
    (found,) = DIST.glob(pattern)
    return found


def run(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, **more)


@pytest.fixture
def machine():
    machine = Machine("debian-13", "dist")
    try:
        machine.boot()
        yield machine
    finally:
        machine.halt()


def bring(machine, *packages):
    """Installs packages of the system in it."""
    shutil.copy("/etc/resolv.conf", machine.tree / "etc" / "resolv.conf")
    machine.run("apt-get", "update", "-q", online=True)
    machine.run("apt-get", "install", "-q", "-y", "--no-install-recommends", *packages, online=True)


@pytest.fixture(scope="module")
def key():
    """A secret key in a file, as an operator of a repository has one."""
    home = WORK / "gpg"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(mode=0o700, parents=True)
    environment = os.environ | {"GNUPGHOME": str(home)}
    run("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "Test <test@example.invalid>", "ed25519", "sign", "never",
        env=environment)
    file = WORK / "key.gpg"
    file.write_bytes(run("gpg", "--batch", "--export-secret-keys", env=environment).stdout)
    run("gpgconf", "--kill", "all", env=environment)
    return file


def sums(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.rglob("*") if path.is_file()}


def test_the_sums_name_every_file():
    listed = dict(reversed(line.split("  ")) for line in (DIST / "SHA256SUMS").read_text().splitlines())
    found = {name: digest for name, digest in sums(DIST).items() if not name.startswith("SHA256SUMS")}
    assert listed == found and len(found) > 9


def test_the_same_program_makes_the_same_bytes():
    """Elsewhere, later, and under another umask; `deploy/reproduce-deb` builds the program twice, too."""
    copy = WORK / "elsewhere" / "a-longer-way"
    subprocess.run(["rm", "-rf", copy], check=True)
    copy.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "clone", "--quiet", "--no-local", ROOT, copy], check=True)
    (copy / ".build" / "release").mkdir(parents=True)
    for name in subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
            capture_output=True, text=True).stdout.split("\0")[:-1]:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "--remove-destination", ROOT / name, copy / name], check=True)
    subprocess.run(["cp", ROOT / ".build/release/switchyard", copy / ".build/release/"], check=True)
    subprocess.run(
        ["bash", "-c", "umask 077; TZ=Asia/Tokyo LC_ALL=C exec deploy/make-dist"], cwd=copy, check=True,
        capture_output=True)
    before, after = sums(DIST), sums(copy / ".build" / "dist")
    assert {name for name in before | after if before.get(name) != after.get(name)} == set()


def test_the_rpm_asks_for_sonames_that_fedora_has():
    asked = run("rpm", "-qp", "--requires", product("*.rpm"), text=True).stdout
    assert "libcurl.so.4()(64bit)\n" in asked and "libssl.so.3()(64bit)\n" in asked
    assert "CURL" not in asked and "t64" not in asked and "hiredis" not in asked
    # RHEL 10 has glibc 2.39.
    assert max(tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", asked)) <= (2, 39)


def test_the_rpm_serves_a_sign_in_and_is_removed(machine):
    """In a Debian 13 with its rpm, without the dependencies, which have Fedora's names."""
    bring(machine, "rpm", *LIBRARIES)
    shutil.copy(product("*.rpm"), machine.tree / "root" / "switchyard.rpm")
    machine.run("rpm", "--install", "--nodeps", "/root/switchyard.rpm")
    assert machine.run("stat", "-c", "%a %U %G", "/etc/switchyard/switchyard.yaml").stdout == "640 root switchyard\n"
    assert machine.run("stat", "-c", "%a %U %G", "/etc/switchyard/keys").stdout == "2750 root switchyard\n"
    fill_in(machine)
    start_issuer(machine)
    machine.path("/etc/switchyard/apps.d/app.yaml").write_text(APP)
    machine.run("systemctl", "enable", "--now", "switchyard")
    sign_in(machine)
    before = service(machine, "MainPID")
    machine.run("rpm", "--upgrade", "--force", "--nodeps", "/root/switchyard.rpm")
    assert service(machine, "ActiveState") == "active" and service(machine, "MainPID") != before
    sign_in(machine)
    machine.run("rpm", "--erase", "switchyard")
    assert machine.run("pgrep", "-u", "switchyard", check=False).stdout == ""
    assert not machine.path("/usr/bin/switchyard").exists() and not machine.path("/run/switchyard").exists()


def test_the_archive_is_installed_below_a_home_and_removed(machine):
    bring(machine, *LIBRARIES)
    machine.run("useradd", "--create-home", "alice")
    shutil.copy(product("*.tar.gz"), machine.tree / "home" / "alice" / "switchyard.tar.gz")

    def hers(command):
        return machine.run("sh", "-c", f"cd /home/alice && HOME=/home/alice && export HOME && {command}", user="alice")

    hers("tar -xf switchyard.tar.gz")
    hers("switchyard-*/install.sh --prefix ~/.local")
    told = hers(".local/bin/switchyard demo").stdout
    assert "access_token" in told or "signed in" in told.lower(), told
    unit = hers("cat .local/share/systemd/user/switchyard-agent.service").stdout
    assert "ExecStart=/home/alice/.local/bin/switchyard agent\n" in unit
    assert hers("MANPATH=$HOME/.local/share/man man switchyard").stdout
    hers("switchyard-*/install.sh --prefix ~/.local --uninstall")
    assert hers("find .local -mindepth 1").stdout == ""


def test_the_archive_names_what_is_missing(machine):
    shutil.copy(product("*.tar.gz"), machine.tree / "root" / "switchyard.tar.gz")
    done = machine.run("sh", "-c", "cd /root && tar -xf switchyard.tar.gz && switchyard-*/install.sh --prefix /opt/s", check=False)
    assert done.returncode == 1 and "libyaml-0.so.2 => not found" in done.stderr
    assert machine.run("sh", "-c", "/root/switchyard-*/install.sh", check=False).returncode == 2


def test_the_image_is_read_by_skopeo_and_signs_somebody_in():
    """Unpacked as an engine does, and begun as its configuration says."""
    told = json.loads(run("skopeo", "inspect", "--config", f"oci:{DIST / 'oci'}").stdout)
    assert told["config"]["User"] == "65532:65532" and told["config"]["Entrypoint"] == ["/usr/bin/switchyard"]
    folder, tree = WORK / "image", WORK / "image-root"
    for each in (folder, tree):
        shutil.rmtree(each, ignore_errors=True)
    run("skopeo", "copy", f"oci:{DIST / 'oci'}", f"dir:{folder}")
    tree.mkdir()
    for layer in json.loads((folder / "manifest.json").read_text())["layers"]:
        run("tar", "-xf", folder / layer["digest"].removeprefix("sha256:"), "--numeric-owner", "-C", tree)
    owner = (tree / "var/lib/switchyard").stat()
    assert (owner.st_uid, oct(owner.st_mode & 0o777)) == (65532, "0o700")
    said = run(
        "unshare", "--mount", "--net", "--pid", "--fork", "sh", "-c", f"""
        ip link set lo up
        mount -t proc proc {tree}/proc && mount -t tmpfs tmpfs {tree}/run && mkdir {tree}/tmp && mount -t tmpfs -o mode=1777 tmpfs {tree}/tmp
        touch {tree}/dev/null {tree}/dev/urandom && mount --bind /dev/null {tree}/dev/null && mount --bind /dev/urandom {tree}/dev/urandom
        exec chroot --userspec=65532:65532 {tree} /usr/bin/switchyard demo""", text=True)
    assert "access_token" in said.stdout or "signed in" in said.stdout.lower(), said.stdout


def test_apt_installs_from_the_signed_repository_and_from_no_other(machine, key):
    folder = WORK / "repository"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(product("*.deb"), folder)
    run(ROOT / "deploy" / "make-apt", folder, key)
    shutil.copytree(folder / "apt", machine.tree / "srv" / "apt")
    machine.path("/etc/apt/sources.list.d/switchyard.sources").write_text(
        "Types: deb\nURIs: file:/srv/apt\nSuites: stable\nComponents: main\nSigned-By: /srv/apt/switchyard.asc\n")
    bring(machine, "switchyard")
    told = machine.run("switchyard", "demo", user="nobody").stdout
    assert "access_token" in told or "signed in" in told.lower(), told
    release = machine.path("/srv/apt/dists/stable/InRelease")
    release.write_text(release.read_text().replace("Label: Switchyard", "Label: Somebody"))
    refused = machine.run("apt-get", "update", "-q", "--error-on=any", check=False, online=True)
    assert refused.returncode != 0 and "/srv/apt" in refused.stderr


def test_the_sbom_marks_what_is_inside():
    document = json.loads(product("*.spdx.json").read_text())
    names = {each["SPDXID"]: each for each in document["packages"]}
    links = {kind: {names[each["relatedSpdxElement"]]["name"] for each in document["relationships"] if each["relationshipType"] == kind}
             for kind in ("STATIC_LINK", "DYNAMIC_LINK")}
    assert links["STATIC_LINK"] == {"hiredis", "swift-runtime"}
    assert {"libssl.so.3", "libcurl.so.4", "libc.so.6"} <= links["DYNAMIC_LINK"]
    assert document["spdxVersion"] == "SPDX-2.3" and all("SPDXID" in each for each in names.values())
    assert names["SPDXRef-switchyard"]["checksums"][0]["checksumValue"] == hashlib.sha256(
        (ROOT / ".build" / "release" / "switchyard").read_bytes()).hexdigest()
