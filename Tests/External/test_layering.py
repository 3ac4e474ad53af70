"""The layering of docs/architecture.md: a module imports what Package.swift lets it see, and nothing behind that."""

import json
import re
import subprocess

import pytest

from harness.programs import ROOT

IMPORT = re.compile(r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+(?:\w+\s+)?(\w+)", re.M)


def declared():
    """The modules of this package: name → (folder, what it may import)."""
    text = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True).stdout
    targets = json.loads(text)["targets"]
    return {
        target["name"]: (ROOT / (target.get("path") or f"Sources/{target['name']}"),
                         {next(iter(dependency.values()))[0] for dependency in target["dependencies"]})
        for target in targets if target["type"] != "test"}


MODULES = declared()


@pytest.mark.parametrize("module", [name for name, (folder, _) in MODULES.items() if list(folder.rglob("*.swift"))])
def test_a_module_imports_what_it_declares(module):
    folder, allowed = MODULES[module]
    imported = {name for file in folder.rglob("*.swift") for name in IMPORT.findall(file.read_text())}
    assert imported & MODULES.keys() <= allowed | {module}, imported & MODULES.keys() - allowed
