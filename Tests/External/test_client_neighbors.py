"""An app that links SwitchyardClient keeps all names of modules for itself and its other packages."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from harness.programs import ROOT

# The names of our modules without their prefix, and names of modules in packages of Apple and of others.
OURS = set(re.findall(r'(?:module|library)\(\s*"Switchyard(\w+)"', (ROOT / "Package.swift").read_text()))
# (TokenStorage is also a public type, and so the same word for any app.)
NAMES = sorted(OURS - {"Client", "TokenStorage"} | {"Configuration", "Crypto", "HTTP", "HTTPTypes", "Logging", "Metrics", "TLS"})

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "app",
    dependencies: [.package(path: "others"), .package(name: "switchyard", path: "{root}")],
    targets: [
        .executableTarget(
            name: "app",
            dependencies: [
                .product(name: "Others", package: "others"),
                .product(name: "SwitchyardClient", package: "switchyard"),
            ])
    ]
)
"""

OTHERS = """// swift-tools-version: 6.2
import PackageDescription

let names = {names}
let package = Package(
    name: "others", products: [.library(name: "Others", targets: names)], targets: names.map {{ .target(name: $0) }})
"""


# A command of the last build: its kind, and its arguments.
COMMAND = re.compile(r'^  "C\.client-probe-[^"]*\.(module|exe)":\n(?:    .*\n)*?    args: (\[.*\])$', re.M)


def program():
    uses = "\n".join(f'print({name}.owner == "{name} of the app")' for name in NAMES)
    return "\n".join(f"import {name}" for name in NAMES) + f"""
import SwitchyardClient

{uses}
print(AuthenticationError.Code.userCanceled)
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The package of an app, with packages of other people."""
    folder = tmp_path_factory.mktemp("neighbors") / "app"
    write(folder / "Package.swift", MANIFEST.format(root=ROOT))
    write(folder / "Sources" / "app" / "main.swift", program())
    write(folder / "others" / "Package.swift", OTHERS.format(names="[" + ", ".join(f'"{name}"' for name in NAMES) + "]"))
    for name in NAMES:
        write(folder / "others" / "Sources" / name / "Owner.swift", f'public let owner = "{name} of the app"\n')
    return folder


def done(*command, cwd):
    said = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=280)
    assert said.returncode == 0, said.stdout[-4000:] + said.stderr[-4000:]
    return said.stdout


def test_no_target_of_another_package_has_a_name_of_ours(app):
    """SwiftPM refuses two of one name in all packages of an app. One target is enough to have it look at all."""
    done("swift", "build", "--scratch-path", ROOT / ".build" / "neighbors" / "build", "--target", NAMES[0], cwd=app)


def test_an_app_imports_its_own_modules_whatever_ours_are_called(app):
    """Compiled and linked with what the last build has made of ours, by the commands that it used for an app of its own."""
    commands = {kind: json.loads(arguments) for kind, arguments in COMMAND.findall((ROOT / ".build" / "debug.yaml").read_text())}
    compiler, *rest = commands["module"]
    imports = [word for option, value in zip(rest, [*rest[1:], ""]) if option in ("-I", "-Xcc", "-target", "-module-cache-path")
               for word in (option, value)]
    for name in NAMES:
        done(compiler, "-parse-as-library", "-module-name", name, "-emit-module", "-emit-module-path", app / f"{name}.swiftmodule",
             "-emit-object", "-o", app / f"{name}.o", app / "others" / "Sources" / name / "Owner.swift", cwd=app)
    [objects] = [word[1:] for word in commands["exe"] if word.endswith(".LinkFileList")]
    ours = [line for line in Path(objects).read_text().splitlines() if "/client_probe.build/" not in line]
    write(app / "objects", "\n".join([*ours, *(str(app / f"{name}.o") for name in NAMES), ""]))
    libraries = [word for word in commands["exe"] if word.startswith(("-l", "-L/"))]
    done(compiler, "-module-name", "app", "-o", app / "program", app / "Sources" / "app" / "main.swift", f"@{app / 'objects'}",
         "-I", app, *imports, *libraries, cwd=app)
    assert done(app / "program", cwd=app) == "true\n" * len(NAMES) + "user_canceled\n"
