"""A gateway's `/metrics`, read by the parsers that Prometheus's own Python library brings."""

import re

from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_prometheus

from harness.programs import eventually

OPENMETRICS = {"Accept": "application/openmetrics-text; version=1.0.0"}


def scrape(gateway):
    """Every sample: its name and labels (sorted pairs) with its value."""
    reply = gateway.admin("/metrics", headers=OPENMETRICS)
    assert reply.status == 200, reply.body
    return samples(read_openmetrics(reply.body.decode()))


def scrape_prometheus(gateway):
    return samples(read_prometheus(gateway.admin("/metrics").body.decode()))


def samples(families):
    all_samples = {}
    for family in families:
        for sample in family.samples:
            key = (sample.name, tuple(sorted(sample.labels.items())))
            assert key not in all_samples, f"{key} is there twice"
            all_samples[key] = sample.value
    return all_samples


def key(name, **labels):
    return ("switchyard_" + name, tuple(sorted(labels.items())))


# The metrics that always change: the scrape itself is a request, the clock asks the store too, and times differ.
RESTLESS = re.compile(
    "switchyard_(store_seconds_.*|redemption_seconds_.*|http_requests_total|connections|tls_handshakes_total|requests)")


def changes(before, after, is_whole=False):
    """The change of each sample, without those that always change."""
    return {
        name: after.get(name, 0) - before.get(name, 0)
        for name in before.keys() | after.keys()
        if after.get(name, 0) != before.get(name, 0) and (is_whole or not RESTLESS.fullmatch(name[0]))
    }


def counted(gateway, before, expected):
    """Waits until exactly this has changed since `before`, and says what has instead."""
    try:
        eventually(lambda: changes(before, scrape(gateway)) == expected, seconds=15, what="the counters")
    except AssertionError:
        assert changes(before, scrape(gateway)) == expected
