"""The keys of a configuration, as the program names them when it meets one that it does not know."""

import re

from harness.programs import run

UNKNOWN = "no_such_key_at_all_in_here"
# Each mapping of a configuration, with the one key that does not exist.
GATEWAY = f"""public_url: http://localhost:8400
{UNKNOWN}: 1
listen: [{{ {UNKNOWN}: 1, tls: {{ {UNKNOWN}: 1 }} }}]
store: {{ redis: {{ {UNKNOWN}: 1, sentinel: {{ {UNKNOWN}: 1 }} }} }}
outgoing: {{ {UNKNOWN}: 1 }}
encryption_keys: [{{ {UNKNOWN}: 1 }}]
issuers: [{{ name: one, {UNKNOWN}: 1, account: {{ {UNKNOWN}: 1 }}, deviations: {{ {UNKNOWN}: 1 }} }}]
apps: [{{ {UNKNOWN}: 1, handler: {{ {UNKNOWN}: 1 }}, begin_from: {{ {UNKNOWN}: 1 }}, relay_from: {{ {UNKNOWN}: 1 }} }}]
limits: {{ {UNKNOWN}: 1 }}
log: {{ {UNKNOWN}: 1 }}
"""
AGENT = f"""{UNKNOWN}: 1
apps: [{{ {UNKNOWN}: 1, gateway: {{ {UNKNOWN}: 1 }} }}]
"""


def keys(file, text=GATEWAY):
    """The keys of each mapping in this text, which is written into the file."""
    file.write_text(text)
    said = re.findall(rf'unknown key "{UNKNOWN}"; known here are: (.*)', run("check", "--config", file).stderr)
    assert len(said) == text.count(UNKNOWN)
    return [set(names.split(", ")) for names in said]
