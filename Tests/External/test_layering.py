"""The layering of docs/architecture.md: a module imports what Package.swift lets it see, all of it, and nothing behind that."""

import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.programs import ROOT

# `import Module`, with whatever stands before it, and `import struct Module.Name`.
IMPORT = re.compile(r"^[ \t]*(?:@?\w+[ \t]+)*?import[ \t]+(?:\w+[ \t]+)?(\w+)", re.M)
# What the compiler is told to write, and to do in parts, which a look at a whole module does not; and whether a value follows.
WRITTEN = {
    "-emit-module": 0, "-emit-module-path": 1, "-emit-dependencies": 0, "-emit-objc-header": 0, "-emit-objc-header-path": 1,
    "-output-file-map": 1, "-index-store-path": 1, "-serialize-diagnostics": 0, "-parseable-output": 0, "-c": 0, "-g": 0,
    "-incremental": 0, "-enable-batch-mode": 0, "-enable-testing": 0, "-DDEBUG": 0,
}
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
        """What it gives others to include: its own headers, and of a system's library those that they stand for."""
        own = [file for file in self.files if file.suffix == ".h"]
        behind = [name for file in own for name in INCLUDE.findall(file.read_text())] if self.is_system else []
        return {file.name for file in own} | {name.split("/")[-1] for name in behind}

    def uses(self, targets):
        """The names of those targets whose module is imported, or, from C, whose header is included."""
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
    """What is declared and not imported lets an import in that nobody has thought about."""
    unused = {target.name: target.declared - target.uses(targets) for target in targets}
    assert sorted(f"{name}: {other}" for name, names in unused.items() for other in names) == []


def test_the_page_names_each_module_below_those_that_it_imports(targets):
    """So that who reads docs/architecture.md from above meets no module before what it is made of."""
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
        "COpenSSL": {"Crypto", "TLS"}, "CCurl": {"HTTPClient"}, "CJOSE": {"JOSE", "DemoIssuer"},
        "CYAML": {"Configuration"}, "CLinux": {"Agent", "Desktop", "Reactor", "TokenStorage"}, "CSecret": {"TokenStorage"},
        "CHiredis": {"Redis"}, "CSQLite": {"SQLiteStore"}, "CSystemd": {"DBus", "Lifecycle"},
    }


def commands(manifest):
    """How each module of the program was compiled for the tests: its name and the compiler's arguments."""
    for name, rest in re.findall(r'^  "C\.((?:Switchyard|switchyard)\w*)-[^"]*\.module":\n((?:    .*\n)+)', manifest, re.M):
        if not name.endswith("Tests"):
            yield name, json.loads(re.search(r"^    args: (\[.*\])$", rest, re.M)[1])


def as_a_whole(arguments):
    """The same, but to look at the module in one piece, as a release is built, and to write nothing."""
    kept, rest = [], iter(arguments)
    for argument in rest:
        if argument == "-Xcc":
            kept += [argument, next(rest)]
        elif argument in WRITTEN:
            for _ in range(WRITTEN[argument]):
                next(rest)
        else:
            kept.append(argument)
    return [*kept, "-typecheck", "-whole-module-optimization"]


@pytest.mark.timeout(400)
def test_each_file_imports_what_it_uses():
    """A build for the tests compiles file by file and misses some imports, which a release, compiled module by module, then lacks."""
    manifest = ROOT / ".build" / "debug.yaml"
    if not manifest.exists():
        pytest.skip("nothing was built here")
    modules = list(commands(manifest.read_text()))
    assert len(modules) > 20
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        looked = pool.map(
            lambda module: subprocess.run(as_a_whole(module[1]), cwd=ROOT, capture_output=True, text=True), modules)
        wrong = {name: done.stdout + done.stderr for (name, _), done in zip(modules, looked) if done.returncode}
    assert wrong == {}
