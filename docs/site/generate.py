#!/usr/bin/env python3
"""Writes the book as HTML: every page of docs/, and what those link to, into one folder that needs no server and no script.

Usage: docs/site/generate.py FOLDER

docs/README.md gives its order and its parts. A dead link is an error.
"""

import html
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from urllib.parse import unquote

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

ROOT = Path(__file__).resolve().parents[2]
START = PurePosixPath("docs/README.md")
FORMATTER = HtmlFormatter(nowrap=True)
LIGHT, DARK = "friendly", "github-dark"
# Languages of code blocks without colors.
PLAIN = {"", "text", "console", "caddy", "haproxy"}


class DeadLink(Exception):
    pass


@dataclass
class Page:
    """One Markdown file of the repository. `path` is its path there."""

    path: PurePosixPath
    title: str = ""
    tokens: list = field(default_factory=list)
    anchors: set = field(default_factory=set)

    @property
    def address(self):
        """Its path in the book: docs/ is the root, a README is its folder's start, and pages from elsewhere are below repository/."""
        inside = self.path.parts[0] == "docs"
        path = PurePosixPath(*self.path.parts[1:]) if inside else PurePosixPath("repository", self.path)
        return str(path.with_name("index.html") if path.name == "README.md" and inside else path.with_suffix(".html"))


def slug(heading):
    """The anchor of a heading, as forges make it, so that one link is right in both places."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


class Book:
    def __init__(self, root=ROOT):
        self.root = root
        self.markdown = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable(["table", "strikethrough"])
        self.markdown.renderer.rules |= {
            "fence": self._fence,
            "table_open": lambda *_: '<div class="table" tabindex="0"><table>\n',
            "table_close": lambda *_: "</table></div>\n",
        }
        self.pages, self.files, self.parts = {}, set(), []
        self._read_all()

    # Reading.

    def _read_all(self):
        """The start page, the pages that it leads to, and every other page of docs/ except the maintainers' plan."""
        pages = [file for file in (self.root / "docs").rglob("*.md") if file.name != "plan.md"]
        left = [START, *sorted(PurePosixPath(file.relative_to(self.root)) for file in pages)]
        while left:
            path = left.pop(0)
            if path not in self.pages:
                page = self.pages[path] = self._read(path)
                left += [target for target in self._targets(page) if target.suffix == ".md"]
        self.parts = self._parts(self.pages[START])

    def _read(self, path):
        page = Page(path, tokens=self.markdown.parse((self.root / path).read_text()))
        for token, content in zip(page.tokens, page.tokens[1:]):
            if token.type == "heading_open":
                text = plain(content.children)
                anchor, number = slug(text), 0
                while anchor in page.anchors:
                    number += 1
                    anchor = f"{slug(text)}-{number}"
                page.anchors.add(anchor)
                token.attrSet("id", anchor)
                page.title = page.title or text
        return page

    def _targets(self, page):
        for _, link, _ in links(page.tokens):
            if is_ours(link) and (path := self._path(page, link)):
                if not (self.root / path).exists():
                    raise DeadLink(f"{page.path}: {link} leads nowhere")
                yield path

    def _path(self, page, link):
        """The target of a link as a path of the repository; None within the page itself."""
        target = unquote(link.partition("#")[0])
        return PurePosixPath(normpath(str(page.path.parent / target))) if target else None

    def _parts(self, start):
        """The parts of the book: each heading of the start page, and the pages that are linked below it."""
        parts, seen = [], {START}
        for token, content in zip(start.tokens, start.tokens[1:]):
            if token.type == "heading_open" and token.tag == "h2":
                parts.append((plain(content.children), []))
            elif parts:
                for _, link, text in links([token]):
                    path = self._path(start, link) if is_ours(link) else None
                    if path in self.pages and path not in seen:
                        seen.add(path)
                        parts[-1][1].append((text, self.pages[path]))
        self._place_others(parts, seen)
        return [part for part in parts if part[1]]

    def _place_others(self, parts, seen):
        """Pages of docs/ that the start page does not name stand beside those of their folder, or at the end."""
        for path, page in self.pages.items():
            if path not in seen and path.parts[0] == "docs":
                beside = [pages for _, pages in parts if path.parent != START.parent and
                          any(other.path.parent == path.parent for _, other in pages)]
                if not beside and parts[-1][0] != "More":
                    parts.append(("More", []))
                (beside[0] if beside else parts[-1][1]).append((page.title, page))

    # Writing.

    def write(self, folder):
        folder = Path(folder)
        shutil.rmtree(folder, ignore_errors=True)
        order = [page for _, pages in self.parts for _, page in pages]
        for page in self.pages.values():
            content = self._content(page)
            near = self._neighbors(page, order)
            self._put(folder / page.address, self._document(page, content, near))
        for path in self.files:
            (folder / file_address(path)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.root / path, folder / file_address(path))
        self._put(folder / "style.css", stylesheet())

    def _put(self, file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def _content(self, page):
        for token, _, _ in links(page.tokens):
            name = "src" if token.type == "image" else "href"
            token.attrSet(name, self._address(page, str(token.attrGet(name))))
        return self.markdown.renderer.render(page.tokens, self.markdown.options, {})

    def _address(self, page, link):
        if not is_ours(link):
            return link
        anchor = link.partition("#")[2]
        path = self._path(page, link)
        target = page if path is None else self.pages.get(path)
        if target:
            if anchor and anchor not in target.anchors:
                raise DeadLink(f"{page.path}: {link} leads to no heading")
            return relative(page, target.address) + (f"#{anchor}" if anchor else "")
        if not (self.root / path).is_file():
            # A folder can be read in the repository only.
            if (self.root / path).is_dir():
                return relative(page, START_ADDRESS)
            raise DeadLink(f"{page.path}: {link} leads nowhere")
        self.files.add(path)
        return relative(page, file_address(path))

    def _fence(self, tokens, index, options, env):
        token = tokens[index]
        language, _, name = token.info.strip().partition(" ")
        code = session(token.content) if language == "console" else colored(token.content, language)
        caption = f"<figcaption>{html.escape(name)}</figcaption>" if name else ""
        return f'<figure class="code">{caption}<pre tabindex="0"><code>{code}</code></pre></figure>\n'

    def _document(self, page, content, near):
        def item(text, other):
            here = ' aria-current="page"' if other is page else ""
            return f'<li><a href="{relative(page, other.address)}"{here}>{html.escape(text)}</a></li>'

        contents = "".join(
            f"<h2>{html.escape(part)}</h2><ul>{''.join(item(text, other) for text, other in pages)}</ul>"
            for part, pages in self.parts)
        start = relative(page, START_ADDRESS)
        title = page.title if page.path == START else f"{page.title} · Switchyard"
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="{relative(page, "style.css")}">
</head>
<body>
<a class="skip" href="#content">To the page</a>
<header><a href="{start}">Switchyard</a></header>
<div class="frame">
<nav aria-label="The book"><details><summary>Contents</summary>{contents}</details><div class="wide">{contents}</div></nav>
<main id="content">
{content}{near}</main>
</div>
</body>
</html>
"""

    def _neighbors(self, page, order):
        if page not in order:
            return ""
        at = order.index(page)
        before, after = order[at - 1] if at else self.pages[START], order[at + 1] if at + 1 < len(order) else None

        def link(other, rel, arrow):
            return f'<a rel="{rel}" href="{relative(page, other.address)}">{arrow.format(html.escape(other.title))}</a>' if other else ""

        return f'<footer>{link(before, "prev", "← {}")}{link(after, "next", "{} →")}</footer>\n'


START_ADDRESS = "index.html"


def relative(page, address):
    return relpath(address, str(PurePosixPath(page.address).parent))


def file_address(path):
    return str(PurePosixPath(*path.parts[1:]) if path.parts[0] == "docs" else PurePosixPath("repository", path))


def links(tokens):
    """(token, address, text) of each link and image."""
    for token in tokens:
        children = token.children or []
        for at, child in enumerate(children):
            if child.type == "image":
                yield child, str(child.attrGet("src")), child.content
            elif child.type == "link_open":
                end = next(after for after in range(at, len(children)) if children[after].type == "link_close")
                yield child, str(child.attrGet("href")), plain(children[at:end])


def plain(children):
    return "".join(child.content for child in children if child.type in ("text", "code_inline"))


def is_ours(link):
    return not re.match(r"[a-z][a-z0-9+.-]*:", link)


def colored(code, language):
    if language in PLAIN:
        return html.escape(code)
    try:
        lexer = get_lexer_by_name("bash" if language == "sh" else language, stripnl=False)
    except ClassNotFound:
        return html.escape(code)
    return highlight(code, lexer, FORMATTER)


def session(code):
    """A terminal session: commands stand out from their output."""
    lines, typed, goes_on = [], False, False
    for line in code.splitlines():
        typed = line.startswith(("$ ", "> ")) or goes_on
        goes_on = typed and line.endswith("\\")
        lines.append(f"<kbd>{html.escape(line)}</kbd>" if typed else html.escape(line))
    return "\n".join(lines) + "\n"


def stylesheet():
    style = (Path(__file__).parent / "style.css").read_text()
    light = HtmlFormatter(style=LIGHT).get_style_defs("pre")
    dark = HtmlFormatter(style=DARK).get_style_defs("pre")
    return f"{style}\n{tokens_only(light)}\n@media (prefers-color-scheme: dark) {{\n{tokens_only(dark)}\n}}\n"


def tokens_only(rules):
    """The colors of words. The style sheet has the block's own."""
    return "\n".join(rule for rule in rules.splitlines() if re.match(r"pre \.\w+ \{", rule))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: docs/site/generate.py FOLDER")
    try:
        Book().write(sys.argv[1])
    except DeadLink as problem:
        sys.exit(f"docs: {problem}")


if __name__ == "__main__":
    main()
