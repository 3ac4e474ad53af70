"""The Debian package in a clean system with systemd: installed, filled in, used, upgraded, removed. `make package-test`."""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from gateway import APP, CONFIGURATION, admin, ask_admin, begin, browse, collect, fill_in, service, sign_in, start_issuer
from machine import Machine
from systems import CHOSEN, ROOT, WORK

# The traces that stay for good reasons: the user, who may own files elsewhere, and the notes of apt, dpkg and others.
KEPT = r"""^/(proc|sys|dev|run|tmp|root)(/|$)|^/var/(lib/(apt|dpkg|systemd)|cache|log|backups)(/|$)
    |^/etc/(passwd|shadow|group|gshadow|subuid|subgid|ld\.so\.cache|\.pwd\.lock|resolv\.conf|machine-id|hostname)-?$"""
LIBRARIES = r"^/usr/(lib/x86_64-linux-gnu|lib/aarch64-linux-gnu|share/(doc|lintian))(/|$)"


@pytest.fixture(scope="module")
def package():
    made = list((ROOT / ".build" / "deb").glob("switchyard_*.deb"))
    assert len(made) == 1, "`make deb` makes one"
    return made[0]


def variant(package, version, default=None):
    """The package under another version, with another text in its conffile."""
    folder = WORK / f"variant-{version}"
    subprocess.run(["rm", "-rf", folder], check=True)
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    control = folder / "DEBIAN" / "control"
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {version}", control.read_text()))
    if default:
        (folder / CONFIGURATION[1:]).write_text(default)
    file = WORK / f"switchyard_{version}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", folder, file], check=True, capture_output=True)
    return file


@pytest.fixture(scope="module", params=CHOSEN)
def machine(request):
    machine = Machine(request.param)
    try:
        machine.boot()
        yield machine
    finally:
        machine.halt()


def files(machine):
    return set(machine.run("find", "/", "-xdev", "-not", "-path", "/root/*").stdout.splitlines())


def test_lintian_finds_no_error(package):
    told = subprocess.run(["lintian", "--fail-on", "error,warning", package], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


def test_an_installation_starts_nothing_and_shows_nobody_anything(machine, package):
    machine.before = files(machine)
    older = variant(package, "0.0.9-1", default="# An older default.\npublic_url:\nissuers: []\n")
    machine.install(older)
    assert service(machine, "ActiveState") == "inactive" and service(machine, "UnitFileState") == "disabled"
    assert machine.run("switchyard", "--version").stdout.startswith("switchyard ")
    assert machine.run("stat", "-c", "%a %U %G", CONFIGURATION).stdout == "640 root switchyard\n"
    # Users' agents pass through the first to agent.d; what root makes in the others is for the service's group.
    assert machine.run("stat", "-c", "%a %U %G", "/etc/switchyard").stdout == "751 root switchyard\n"
    assert machine.run("stat", "-c", "%a %U %G", "/etc/switchyard/agent.d").stdout == "755 root root\n"
    for folder in ("/etc/switchyard/keys", "/etc/switchyard/tls", "/etc/switchyard/apps.d"):
        assert machine.run("stat", "-c", "%a %U %G", folder).stdout == "2750 root switchyard\n", folder
    machine.run("ls", "/etc/switchyard/agent.d", user="nobody")
    assert machine.run("ls", "/etc/switchyard/apps.d", user="nobody", check=False).returncode != 0
    assert machine.run("stat", "-c", "%a %U %G", "/var/lib/switchyard").stdout == "700 switchyard switchyard\n"
    assert machine.run("cat", CONFIGURATION, user="nobody", check=False).returncode != 0
    assert ":/usr/sbin/nologin" in machine.run("getent", "passwd", "switchyard").stdout


def test_an_untouched_configuration_is_upgraded(machine, package):
    machine.install(package)
    shipped = (ROOT / "deploy" / "debian" / "switchyard.yaml").read_text()
    assert machine.run("cat", CONFIGURATION).stdout == shipped
    assert machine.run("stat", "-c", "%a %U %G", CONFIGURATION).stdout == "640 root switchyard\n"


def test_two_lines_are_missing_in_the_configuration_and_check_names_them(machine):
    done = machine.run("switchyard", "check", "--config", CONFIGURATION, check=False)
    lines = machine.run("cat", CONFIGURATION).stdout.splitlines()
    empty = [number for number, line in enumerate(lines, 1) if re.fullmatch(r" *(public_url|issuer):", line)]
    assert done.returncode == 2 and len(empty) == 2
    assert [int(line) for line in re.findall(r"switchyard\.yaml:(\d+):", done.stderr)] == empty
    fill_in(machine)
    machine.run("switchyard", "check", "--config", CONFIGURATION)
    machine.run("switchyard", "check", "--config", CONFIGURATION, user="switchyard")


def test_the_service_runs_in_its_sandbox(machine):
    machine.run("systemctl", "enable", "--now", "switchyard")
    assert service(machine, "ActiveState") == "active" and service(machine, "StatusText").startswith("serving 0 apps")
    assert json.loads(admin(machine, "/readyz"))["status"]
    assert admin(machine, "/healthz")
    # Other users of the machine must not see the people who sign in, or their addresses.
    assert ask_admin(machine, "/healthz", check=False, user="nobody").returncode != 0
    assert ask_admin(machine, "/healthz", check=False, user="www-data").returncode != 0
    status = machine.run("cat", f"/proc/{service(machine, 'MainPID')}/status").stdout
    user = machine.run("id", "-u", "switchyard").stdout.strip()
    assert re.search(rf"^Uid:\t{user}\t{user}\t{user}\t{user}$", status, re.M)
    # CAP_NET_BIND_SERVICE alone, and filtered system calls.
    assert re.search(r"^CapBnd:\t0+400$", status, re.M) and re.search(r"^CapEff:\t0+400$", status, re.M)
    assert re.search(r"^NoNewPrivs:\t1$", status, re.M) and re.search(r"^Seccomp:\t2$", status, re.M)
    made = machine.run("ls", "/var/lib/switchyard").stdout.split()
    assert {"requests.db", "requests.key"} <= set(made)
    log = machine.run("journalctl", "--unit=switchyard", "--output=cat").stdout
    assert "error" not in log.lower() and "warning" not in log.lower() and "different" not in log, log


def test_somebody_signs_in(machine):
    """With an app that was added while the gateway ran, from another user's program, through the proxy's socket."""
    start_issuer(machine)
    machine.path("/etc/switchyard/apps.d/app.yaml").write_text(APP)
    machine.run("systemctl", "reload", "switchyard")
    assert service(machine, "StatusText").startswith("serving 1 app of 1 issuer")
    sign_in(machine)


def test_a_wrong_configuration_fails_the_reload_and_the_old_one_stays(machine):
    good = machine.path(CONFIGURATION).read_text()
    machine.path(CONFIGURATION).write_text(good + "stroe: memory\n")
    assert machine.run("systemctl", "reload", "switchyard", check=False).returncode != 0
    machine.path(CONFIGURATION).write_text(good)
    machine.run("systemctl", "reload", "switchyard")
    assert service(machine, "ActiveState") == "active"


def test_the_service_reads_the_files_that_root_makes_by_the_advice(machine):
    """A key made word by word, and a secret under the usual umask, closed as `check` and `doctor` say."""
    machine.run("switchyard", "keys", "new", "--file", "/etc/switchyard/keys/k1")
    assert machine.run("stat", "-c", "%a %U %G", "/etc/switchyard/keys/k1").stdout == "640 root switchyard\n"
    good = machine.path(CONFIGURATION).read_text()
    keys = "encryption_keys: [{ id: k1, key_file: %s }]\n"
    machine.path(CONFIGURATION).write_text(good + keys % "keys/k1")
    machine.run("systemctl", "reload", "switchyard")
    # From elsewhere, and for root alone.
    machine.run("sh", "-c", "mkdir -m 755 /etc/elsewhere && switchyard keys new >/etc/elsewhere/k2 && chmod 600 /etc/elsewhere/k2")
    machine.path(CONFIGURATION).write_text(good + keys % "/etc/elsewhere/k2")
    refused = machine.run("switchyard", "check", check=False)
    command = "chgrp switchyard /etc/elsewhere/k2 && chmod 0640 /etc/elsewhere/k2"
    assert refused.returncode == 2 and command in refused.stderr
    assert command in machine.run("switchyard", "doctor", check=False).stderr
    machine.run("sh", "-c", command)
    machine.run("switchyard", "check")
    machine.run("systemctl", "reload", "switchyard")
    machine.run("chmod", "644", "/etc/elsewhere/k2")
    refused = machine.run("switchyard", "check", check=False)
    assert refused.returncode == 2 and command in refused.stderr
    machine.path(CONFIGURATION).write_text(good)
    machine.run("systemctl", "reload", "switchyard")
    machine.run("rm", "-r", "/etc/elsewhere", "/etc/switchyard/keys/k1")


def test_a_faulty_file_of_a_team_does_not_keep_the_service_from_starting(machine):
    machine.path("/etc/switchyard/apps.d/bad.yaml").write_text("apps: [{ id: bad }]\n")
    machine.run("systemctl", "restart", "switchyard")
    assert "not in use: /etc/switchyard/apps.d/bad.yaml" in service(machine, "StatusText")
    assert begin(machine)["id"] and machine.run("switchyard", "check", check=False).returncode == 2
    machine.run("rm", "/etc/switchyard/apps.d/bad.yaml")
    machine.run("systemctl", "reload", "switchyard")
    assert service(machine, "StatusText") == "serving 1 app of 1 issuer"


def test_the_first_minute_has_no_false_warning(machine):
    told = machine.run("switchyard", "check").stdout
    assert "does not exist" not in told and "everybody" not in told, told
    assert "a restart ends every sign-in" not in machine.run("switchyard", "doctor", check=False).stdout


def test_another_program_takes_over_inside_the_sandbox(machine):
    """The sandbox lets a gateway begin its successor."""
    begun, before = begin(machine), service(machine, "MainPID")
    machine.run("systemctl", "kill", "--kill-whom=main", "--signal=SIGUSR2", "switchyard")
    machine.eventually(lambda: service(machine, "MainPID") not in (before, "0"), "another main process")
    assert collect(machine, begun)["status"] == "pending" and service(machine, "ActiveState") == "active"


def test_a_process_that_has_taken_over_is_stopped_like_any_service(machine):
    """Not killed: the manager takes it for its own."""
    since = machine.run("date", "+%s").stdout.strip()
    machine.run("systemctl", "stop", "switchyard")
    assert service(machine, "Result") == "success"
    told = machine.run("journalctl", "--unit=switchyard", f"--since=@{since}", "--output=cat").stdout
    assert "event=stopping" in told and "event=stopped" in told and "SIGKILL" not in told, told
    machine.run("systemctl", "start", "switchyard")
    assert service(machine, "ActiveState") == "active"


def test_an_upgrade_keeps_the_edited_configuration_and_what_is_pending(machine, package):
    begun, before, edited = begin(machine), service(machine, "MainPID"), machine.path(CONFIGURATION).read_text()
    started = service(machine, "ActiveEnterTimestampMonotonic")
    machine.install(variant(package, "9.0-1", default="# A newer default.\npublic_url:\n"))
    assert machine.path(CONFIGURATION).read_text() == edited
    machine.run("systemctl", "is-active", "switchyard")
    assert service(machine, "MainPID") != before, "the new program serves"
    assert service(machine, "ActiveEnterTimestampMonotonic") == started, "systemd did not restart the service"
    assert browse(machine, begun["start_url"])[0] == 200
    assert collect(machine, begun)["status"] == "completed"


def test_an_upgrade_whose_configuration_is_refused_leaves_the_old_gateway_serving(machine, package):
    good, before = machine.path(CONFIGURATION).read_text(), service(machine, "MainPID")
    machine.path(CONFIGURATION).write_text(good + "stroe: memory\n")
    told = machine.install(variant(package, "9.1-1"))
    machine.path(CONFIGURATION).write_text(good)
    # apt of Debian 13 has one stream for both.
    assert "the old version goes on" in told.stdout + told.stderr
    assert service(machine, "MainPID") == before and json.loads(admin(machine, "/readyz"))["status"]


def test_a_stop_after_an_upgrade_lets_waiting_apps_know(machine):
    """systemd must know the new process as its own, or it kills it at once (SIGKILL) instead of waiting for its end."""
    before = service(machine, "MainPID")
    machine.run("systemctl", "kill", "--kill-whom=main", "--signal=SIGUSR2", "switchyard")
    machine.eventually(lambda: service(machine, "MainPID") not in (before, "0"), "another main process")
    begun, after = begin(machine), service(machine, "MainPID")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(
            machine.run, "curl", "--silent", "--show-error", "--include", "--unix-socket", "/run/switchyard/switchyard.sock",
            "--header", f"Authorization: Bearer {begun['result_token']}", "--header", "Prefer: wait=60",
            f"http://localhost/v1/requests/{begun['id']}")
        machine.eventually(
            lambda: "switchyard_waiting_apps 1" in admin(machine, "/metrics"), "an app that waits")
        machine.run("systemctl", "stop", "switchyard")
        answer = waiting.result().stdout
    assert " 202 " in answer.splitlines()[0] and "retry-after: 0" in answer.lower(), answer
    log = machine.run("journalctl", f"_PID={after}", "--output=cat").stdout
    assert "event=stopping" in log and "event=stopped" in log, log[-2000:]
    said = machine.run("journalctl", "--unit=switchyard", "--output=cat").stdout
    assert "SIGKILL" not in said and "not our child" not in said
    machine.run("systemctl", "start", "switchyard")


def test_systemd_holds_the_sockets_of_the_shipped_configuration(machine):
    """Callers of a gateway that is stopped wait, and are served by the gateway that systemd starts for them."""
    machine.run("systemctl", "stop", "switchyard")
    machine.run("systemctl", "enable", "--now", "switchyard.socket")
    machine.run("systemctl", "start", "switchyard")
    assert begin(machine)["id"]
    machine.run("systemctl", "restart", "switchyard")
    assert begin(machine)["id"] and json.loads(admin(machine, "/readyz"))["status"]
    machine.run("systemctl", "stop", "switchyard.socket", "switchyard")
    machine.run("systemctl", "disable", "switchyard.socket")
    machine.run("systemctl", "start", "switchyard")


def test_the_files_that_the_pages_name_come_along(machine):
    examples = "/usr/share/doc/switchyard/examples"
    for file in ("prometheus/switchyard.rules.yml", "grafana/switchyard.json", "sign_in.py", "sign_in.mjs", "openapi.yaml", "compose.yaml",
                 "compose/haproxy.cfg", "kubernetes/deployment.yaml", "nginx.conf", "switchyard.yaml", "app.yaml"):
        assert machine.run("test", "-s", f"{examples}/{file}", check=False).returncode == 0, file


def test_manual_pages_and_completions_are_found(machine):
    commands = re.findall(r"^  ([a-z]+)  ", machine.run("switchyard", "--help").stdout, re.M)
    for page in ["switchyard"] + [f"switchyard-{command}" for command in commands]:
        told = machine.run("man", "--warnings", page)
        assert told.stdout and not told.stderr, told.stderr
    offered = machine.run("bash", "-c", """
        source /usr/share/bash-completion/bash_completion; _completion_loader switchyard
        COMP_WORDS=(switchyard ''); COMP_CWORD=1; _switchyard; echo "${COMPREPLY[@]}"
    """).stdout.split()
    assert set(commands) <= set(offered)
    for script in ("zsh/vendor-completions/_switchyard", "fish/vendor_completions.d/switchyard.fish"):
        assert machine.run("test", "-s", f"/usr/share/{script}")


def test_the_agent_is_begun_for_who_switched_it_on_and_for_nobody_else(machine):
    """By the manager of that person's units, once something asks at its socket."""
    assert machine.run("systemctl", "--global", "is-enabled", "switchyard-agent.socket", check=False).stdout == "disabled\n"
    machine.run("useradd", "--create-home", "alice")
    number = machine.run("id", "-u", "alice").stdout.strip()
    # The part of a login, without a person.
    machine.run("install", "--directory", "--mode=700", "--owner=alice", "--group=alice", f"/run/user/{number}")
    machine.run(
        "systemd-run", "--unit=hers", "--uid=alice", "--property=Delegate=yes", "--setenv=HOME=/home/alice",
        f"--setenv=XDG_RUNTIME_DIR=/run/user/{number}", "/usr/lib/systemd/systemd", "--user")

    def hers(*command, **more):
        return machine.run(
            "env", f"XDG_RUNTIME_DIR=/run/user/{number}", "HOME=/home/alice", *command, user="alice", **more)

    def state(unit):
        return hers("systemctl", "--user", "is-active", unit, check=False).stdout.strip()

    machine.eventually(lambda: state("basic.target") == "active", "a manager of her units")
    path = f"/run/user/{number}/switchyard/agent.sock"
    assert not machine.path(path).exists()
    hers("systemctl", "--user", "enable", "--now", "switchyard-agent.socket")
    assert state("switchyard-agent.service") == "inactive"
    said = hers("curl", "--silent", "--show-error", "--unix-socket", path, "http://localhost/v1/accounts?app=com.contoso.none")
    assert json.loads(said.stdout)["error"]
    machine.eventually(lambda: state("switchyard-agent.service") == "active", "an agent that is ready")
    assert machine.run("curl", "--silent", "--unix-socket", path, "http://localhost/", user="nobody", check=False).returncode != 0
    machine.run("systemctl", "stop", "hers")
    machine.run("userdel", "--remove", "alice", check=False)


def test_a_removal_keeps_what_was_configured_and_a_purge_leaves_nothing(machine):
    machine.run("apt-get", "remove", "-q", "-y", "switchyard")
    assert machine.run("pgrep", "-u", "switchyard", check=False).stdout == ""
    assert machine.path(CONFIGURATION).exists() and machine.path("/var/lib/switchyard/requests.db").exists()
    assert not machine.path("/usr/bin/switchyard").exists() and not machine.path("/run/switchyard").exists()
    machine.run("apt-get", "purge", "-q", "-y", "switchyard")
    theirs = set(machine.run("sh", "-c", "cat /var/lib/dpkg/info/*.list").stdout.splitlines())
    left = {path for path in files(machine) - machine.before - theirs
            if not re.search(KEPT, path, re.X) and not re.search(LIBRARIES, path)}
    assert left == set()
    assert "switchyard" not in machine.run("systemctl", "list-unit-files").stdout
    named = [path for path in files(machine) if "switchyard" in path]
    assert all(path.startswith("/var/cache/man/") for path in named), "nor among what others note"
