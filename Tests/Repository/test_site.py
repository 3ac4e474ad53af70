"""The book as HTML: it needs no server, no script and no other site, and has no dead link."""

import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from harness.programs import ROOT

GENERATE = ROOT / "docs" / "site" / "generate.py"


class Read(HTMLParser):
    """The elements of a page, its links, and the files that it loads."""

    def __init__(self, file):
        super().__init__()
        self.tags, self.anchors, self.links, self.assets = [], set(), [], []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append((tag, given))
        if "id" in given:
            assert given["id"] not in self.anchors, given["id"]
            self.anchors.add(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        self.assets += [given[name] for name in ("src", "data", "poster") if name in given]
        if tag == "link":
            self.assets.append(given["href"])

    def count(self, tag):
        return sum(one == tag for one, _ in self.tags)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "book"
    subprocess.run([sys.executable, GENERATE, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def pages(site):
    return {file.resolve(): Read(file) for file in site.rglob("*.html")}


def test_every_page_of_docs_can_be_found_from_every_page(site, pages):
    named = {site / page.relative_to(ROOT / "docs").with_suffix(".html") for page in (ROOT / "docs").rglob("*.md")
             if page.name != "plan.md"}
    named = {file.with_name("index.html").resolve() if file.name == "README.html" else file.resolve() for file in named}
    for file in (site / "index.html", site / "issuers" / "entra.html"):
        links = {(file.parent / link.partition("#")[0]).resolve() for link in pages[file.resolve()].links}
        assert named <= links


def test_every_link_leads_somewhere(pages):
    dead = []
    for file, page in pages.items():
        for link in [*page.links, *page.assets]:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.is_file() or parts.fragment and parts.fragment not in pages[target].anchors:
                dead.append((file.name, link))
    assert not dead


def test_no_content_comes_from_elsewhere_and_no_script_runs(pages):
    for file, page in pages.items():
        assert not [asset for asset in page.assets if urlsplit(asset).scheme or asset.startswith("//")], file
        assert not page.count("script") and not page.count("iframe") and not page.count("style"), file
        assert not [name for _, given in page.tags for name in given if name.startswith("on") or name == "style" and given[name] is None]


def test_every_page_has_a_heading_a_language_and_the_way_through_the_book(pages):
    for file, page in pages.items():
        assert page.count("h1") == 1 and page.count("nav") == 1 and page.count("main") == 1, file
        assert ("html", {"lang": "en"}) in page.tags


def test_a_dead_link_ends_it(tmp_path):
    """A copy of the generator beside a book of one page."""
    for folder in ("docs/site",):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("generate.py", "style.css"):
        (tmp_path / "docs" / "site" / file).write_bytes((GENERATE.parent / file).read_bytes())
    start = tmp_path / "docs" / "README.md"
    for text, passes in (("# A\n\n[b](#a)\n", True), ("# A\n\n[b](b.md)\n", False), ("# A\n\n[b](#b)\n", False)):
        start.write_text(text)
        done = subprocess.run(
            [sys.executable, tmp_path / "docs/site/generate.py", tmp_path / "out"], capture_output=True, text=True)
        assert (done.returncode == 0) == passes, done.stderr
        assert passes or "docs: docs/README.md: " in done.stderr and "Traceback" not in done.stderr
