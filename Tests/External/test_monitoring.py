"""The files for Prometheus and Grafana: their rules fire as they should, and they name only metrics that a gateway has."""

import json
import re
import subprocess

import pytest
import yaml

from harness.issuer import authorize
from harness.metrics import OPENMETRICS, scrape
from harness.programs import ROOT

RULES = ROOT / "deploy" / "prometheus" / "switchyard.rules.yml"
TESTS = RULES.with_name("switchyard.rules.test.yml")
DASHBOARD = ROOT / "deploy" / "grafana" / "switchyard.json"


def promtool(*arguments, **options):
    return subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, check=False, **options)


def rules():
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def panels():
    return [panel for panel in json.loads(DASHBOARD.read_text())["panels"] if panel["type"] != "row"]


def expressions():
    yield from ((rule["alert"], rule["expr"]) for rule in rules())
    # Replace Grafana's variables, so that a parser reads the rest.
    for panel in panels():
        for target in panel["targets"]:
            text = target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*").replace("$app", ".*")
            yield panel["title"], text


@pytest.fixture(scope="module")
def real(run_folder, issuer):
    """The names and labels of a gateway that has done a bit of everything."""
    from harness.gateway import Gateway
    gateway = Gateway(run_folder, issuer.base).start()
    try:
        pending = gateway.api().begin("com.contoso.app1")
        gateway.browse(authorize(pending.authorization_url))
        assert pending.outcome()["status"] == "completed"
        gateway.browse(gateway.url("/legacy?code=1"))
        yield scrape(gateway), gateway.admin("/metrics", headers=OPENMETRICS).body.decode()
    finally:
        gateway.stop()


def test_the_rules_are_well_formed():
    done = promtool("check", "rules", RULES)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_fire_when_they_should_and_not_before():
    done = promtool("test", "rules", TESTS.name, cwd=TESTS.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_rule_has_a_test_that_fails_without_it(tmp_path):
    for alert in [rule["alert"] for rule in rules()]:
        # A test that does not expect the alert cannot miss it.
        tests = yaml.safe_load(TESTS.read_text())
        tests["tests"] = [test for test in tests["tests"] if alert in yaml.safe_dump(test.get("promql_expr_test"), width=10_000)]
        document = yaml.safe_load(RULES.read_text())
        for rule in document["groups"][0]["rules"]:
            if rule["alert"] == alert:
                rule["expr"] = "vector(1) > 2"
        (tmp_path / RULES.name).write_text(yaml.safe_dump(document))
        (tmp_path / TESTS.name).write_text(yaml.safe_dump(tests))
        assert promtool("test", "rules", TESTS.name, cwd=tmp_path).returncode == 1, f"nothing tests {alert}"


def test_each_rule_says_how_bad_it_is_and_what_to_do():
    for rule in rules():
        assert rule["labels"]["severity"] in ("critical", "warning")
        assert rule["annotations"].keys() == {"summary", "action"}


def test_each_metric_of_a_rule_or_the_dashboard_is_one_of_a_real_gateway(real):
    samples, _ = real
    names = {name for name, _ in samples}
    for place, text in expressions():
        used = set(re.findall(r"\bswitchyard_\w+", text))
        assert used <= names, (place, used - names)


def test_each_label_that_is_asked_for_is_one_of_that_metric(real):
    samples, _ = real
    labels, values = {}, {}
    for name, pairs in samples:
        labels.setdefault(name, {"instance", "job"}).update(label for label, _ in pairs)
        for label, value in pairs:
            values.setdefault((name, label), set()).add(value)
    for place, text in expressions():
        for name, selector in re.findall(r"\b(switchyard_\w+)\{([^}]*)\}", text):
            for label, operator, value in re.findall(r'(\w+)(=~|!~|=|!=)"([^"]*)"', selector):
                assert label in labels[name], (place, name, label)
                if label in ("outcome", "result", "phase", "operation"):
                    for one in value.split("|"):
                        assert one in values[name, label], (place, name, label, one)
        for names in re.findall(r"by \(([^)]*)\)", text):
            known = set().union(*(labels[name] for name in re.findall(r"\bswitchyard_\w+", text)))
            assert set(names.replace(" ", "").split(",")) <= known | {"le"}, (place, names)


def test_each_metric_is_on_the_dashboard(real):
    _, text = real
    families = set(re.findall(r"^# TYPE (switchyard_\w+)", text, re.MULTILINE))
    shown = " ".join(text for panel in panels() for text in (target["expr"] for target in panel["targets"]))
    assert not [family for family in families if family not in shown]


def test_the_dashboards_expressions_are_ones(tmp_path):
    document = {"groups": [{"name": "dashboard", "rules": [
        {"record": f"panel:{number}", "expr": text} for number, (_, text) in enumerate(expressions())]}]}
    file = tmp_path / "dashboard.yml"
    file.write_text(yaml.safe_dump(document))
    done = promtool("check", "rules", file)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_dashboard_has_no_two_panels_in_one_place_and_no_data_source_of_ours():
    document = json.loads(DASHBOARD.read_text())
    taken = set()
    for panel in document["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken and place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells
        assert "datasource" not in panel or panel["datasource"]["uid"] == "${datasource}"
    assert len({panel["id"] for panel in document["panels"]}) == len(document["panels"])
