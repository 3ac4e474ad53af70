"""The layering of docs/architecture.md: a module imports exactly the modules that Package.swift lets it see."""

import json
import re
import subprocess

import pytest

from harness.programs import ROOT

# `import Module`, with whatever stands before it, and `import struct Module.Name`.
IMPORT = re.compile(r"^[ \t]*(?:@?\w+[ \t]+)*?import[ \t]+(?:\w+[ \t]+)?(\w+)", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


class Target:
    """A target of Package.swift, and what its files use of the others."""

    def __init__(self, fields):
        self.name, self.is_system = fields["name"], fields["type"] == "system"
        self.folder = ROOT / (fields.get("path") or f"Sources/{self.name}")
        self.declared = {next(iter(dependency.values()))[0] for dependency in fields["dependencies"]}
        self.files = [file for file in self.folder.rglob("*") if file.suffix in (".swift", ".c", ".h")]

    @property
    def headers(self):
        """The headers that others may include: its own, and for a system's library those that they stand for."""
        own = [file for file in self.files if file.suffix == ".h"]
        behind = [name for file in own for name in INCLUDE.findall(file.read_text())] if self.is_system else []
        return {file.name for file in own} | {name.split("/")[-1] for name in behind}

    def uses(self, targets):
        """The names of the targets that a file imports; in C, of those whose header it includes."""
        text = {file: file.read_text() for file in self.files}
        imported = {name for file in text if file.suffix == ".swift" for name in IMPORT.findall(text[file])}
        included = {name.split("/")[-1] for file in text if file.suffix != ".swift" for name in INCLUDE.findall(text[file])}
        included -= {file.name for file in self.files}
        return {target.name for target in targets
                if target is not self and (target.name in imported or target.headers & included)}


@pytest.fixture(scope="module")
def targets():
    text = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True).stdout
    found = [Target(fields) for fields in json.loads(text)["targets"]]
    assert len(found) > 30 and all(target.files for target in found)
    return found


def test_a_module_imports_what_it_declares(targets):
    undeclared = {target.name: target.uses(targets) - target.declared for target in targets}
    assert sorted(f"{name}: {other}" for name, names in undeclared.items() for other in names) == []


def test_a_module_declares_what_it_imports(targets):
    """A dependency that is declared and not imported lets an unintended import in."""
    unused = {target.name: target.declared - target.uses(targets) for target in targets}
    assert sorted(f"{name}: {other}" for name, names in unused.items() for other in names) == []


def test_the_page_names_each_module_below_those_that_it_imports(targets):
    """A reader of docs/architecture.md then meets no module before the modules that it is made of."""
    table = (ROOT / "docs" / "architecture.md").read_text().split("## Modules")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|", table, re.M)
    names = {target.folder.name: target for target in targets if target.folder.parent == ROOT / "Sources"}
    modules = {name for name, target in names.items() if any(file.suffix == ".swift" for file in target.files)}
    assert sorted(rows) == sorted(modules)
    folders = {target.name: folder for folder, target in names.items()}
    early = [(row, folders[name]) for row in rows for name in names[row].declared
             if folders[name] in rows and rows.index(folders[name]) > rows.index(row)]
    assert early == []


def test_only_wrappers_see_c(targets):
    """Pointers end in the modules that are made for one C library each."""
    c = {target.name for target in targets if not any(file.suffix == ".swift" for file in target.files)}
    seen = {}
    for target in targets:
        for name in target.declared & c:
            if not target.name.endswith("Tests") and target.name not in c:
                seen.setdefault(name.removeprefix("Switchyard"), set()).add(target.name.removeprefix("Switchyard"))
    assert seen == {
        "COpenSSL": {"Crypto", "TLS"}, "CCurl": {"HTTPClient"},
        "CYAML": {"Configuration"}, "CLinux": {"Agent", "Desktop", "Reactor", "TokenStorage"}, "CSecret": {"TokenStorage"},
        "CHiredis": {"Redis"}, "CSQLite": {"SQLiteStore"}, "CSystemd": {"DBus", "Lifecycle"}, "CPresets": {"Presets"},
    }
