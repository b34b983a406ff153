"""The documents, the sample catalogues and a search over both, as one static site: `site.py OUTPUT`, which `.ci/site` calls.

OUTPUT holds the catalogues already, as Definitions/NAME/catalogue, and perhaps the library's pages as api. Style and frame are
those of a catalogue, so that both look alike. Every page works from a disk. Ends with 1 where a link leads nowhere or a page is
too large.
"""

import base64
import hashlib
import html
import json
import pathlib
import posixpath
import re
import subprocess
import sys
import urllib.parse
from html.parser import HTMLParser

from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 300_000
MARKED = '<nav aria-label="Catalogue">'
STYLE = """
main img{max-width:100%;height:auto}
.right{text-align:right;padding-right:0;padding-left:1.25rem}
main>.scroll{margin:.75rem 0}
.toc{font-size:.9375rem;margin:1rem 0;padding:.75rem 1rem;background:var(--raised);border-radius:10px}
#results{list-style:none;padding:0}
#results li{margin:.9rem 0}
#results small{display:block;color:var(--dim)}
#search{width:100%}
blockquote{margin:.75rem 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--dim)}
@media print{.toc{display:none}}
"""
SEARCH = """
document.addEventListener('DOMContentLoaded', function () {
  var field = document.getElementById('search');
  var list = document.getElementById('results');
  var count = document.getElementById('count');
  function show() {
    var words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var found = [];
    if (words.length) metriccEntries.forEach(function (entry, place) {
      var head = (entry[1] + ' ' + entry[2]).toLowerCase();
      if (!words.every(function (word) { return head.indexOf(word) >= 0 || entry[3].indexOf(word) >= 0; })) return;
      var score = words.filter(function (word) { return head.indexOf(word) >= 0; }).length;
      found.push([score, place, entry]);
    });
    found.sort(function (a, b) { return b[0] - a[0] || a[1] - b[1]; });
    list.textContent = '';
    found.slice(0, 50).forEach(function (hit) {
      var item = document.createElement('li');
      var link = item.appendChild(document.createElement('a'));
      link.href = hit[2][0];
      link.textContent = hit[2][2] || hit[2][1];
      item.appendChild(document.createElement('small')).textContent = hit[2][1];
      list.appendChild(item);
    });
    count.textContent = words.length ? found.length + (found.length === 1 ? ' place' : ' places') : '';
  }
  function read() {
    var found = /^#q=(.*)$/.exec(location.hash);
    if (found) field.value = decodeURIComponent(found[1]);
    field.focus();
    show();
  }
  field.addEventListener('input', function () {
    history.replaceState(null, '', field.value.trim() ? '#q=' + encodeURIComponent(field.value.trim()) : '#search');
    show();
  });
  field.addEventListener('keydown', function (event) {
    var first = list.querySelector('a');
    if (event.key === 'Enter' && first) location.href = first.href;
  });
  read();
});
"""


def tracked():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def is_document(name):
    return name.endswith(".md") and ("/" not in name or re.fullmatch(r"Documentation/[^/]+|Definitions/[^/]+/README\.md", name))


def page_of(name):
    """Where a document, or a file that a document links to, is on the site."""
    if is_document(name):
        return re.sub(r"(^|/)README\.md$", r"\1index.md", name)[:-3] + ".html"
    return f"files/{name}.html"


def relative(target, page):
    return posixpath.relpath(target, posixpath.dirname(page) or ".") + ("/" if target.endswith("/") else "")


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def slug(text):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\- ]", "", text.strip().lower()))


class Frame:
    """What is around every page, from a catalogue's own page."""

    def __init__(self, output, catalogue):
        page = (catalogue / "index.html").read_text()
        self.style = re.search(r"<style>(.*?)</style>", page, re.S)[1] + STYLE
        self.script = re.search(r"<script>(.*?)</script>", page, re.S)[1]
        self.has_library = (output / "api" / "documentation" / "index.html").is_file()

    def nav(self, page):
        places = [("index.html", "metricc"), ("Documentation/index.html", "Documents"), ("Definitions/index.html", "Catalogues")]
        places += [("api/documentation/", "Library")] if self.has_library else []
        places += [("search.html#search", "Search")]
        return " ".join(f'<a href="{relative(target, page)}">{name}</a>' for target, name in places)

    def page(self, path, title, content, scripts=(), files=()):
        hashes = " ".join(f"'sha256-{digest(text)}'" for text in [self.script, *scripts])
        beside = " 'self' file:" if files else ""
        policy = (f"default-src 'none'; img-src 'self' file: data:; style-src 'sha256-{digest(self.style)}'; "
                  f"script-src {hashes}{beside}; base-uri 'none'; form-action 'none'")
        loaded = "".join(f'<script src="{name}"></script>\n' for name in files)
        inline = "".join(f"<script>{text}</script>\n" for text in [self.script, *scripts])
        heading = title if title == "metricc" else f"{title} · metricc"
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{html.escape(heading)}</title>
<link rel="icon" href="data:,">
<style>{self.style}</style>
{loaded}{inline}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><nav aria-label="Site">{self.nav(path)}</nav><button type="button" id="theme" hidden>Dark</button></header>
<main id="main" tabindex="-1">
{content}</main>
</body>
</html>
"""


class Site:
    def __init__(self, output):
        self.output = output
        self.files = tracked()
        self.catalogues = sorted(path.parent for path in output.glob("Definitions/*/catalogue"))
        self.frame = Frame(output, self.catalogues[0] / "catalogue")
        self.entries = []
        self.wanted = []
        self.problems = []

    def write(self, path, text):
        place = self.output / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    # A document

    def document(self, name):
        page = page_of(name)
        markdown = MarkdownIt("commonmark").enable("table")
        for rule, wrap in [("table_open", '<div class="scroll" tabindex="0" role="region" aria-label="Table">%s'), ("table_close", "%s</div>")]:
            markdown.add_render_rule(rule, lambda self, tokens, at, options, env, wrap=wrap: wrap % self.renderToken(tokens, at, options, env))
        tokens = markdown.parse((ROOT / name).read_text())
        title, contents = self.anchors(tokens, page)
        for token in tokens:
            # The policy of a page lets no style stand in its text.
            if token.attrs.get("style") == "text-align:right":
                token.attrs["class"] = "right"
            token.attrs.pop("style", None)
            for inner in token.children or []:
                for attribute in ["href", "src"]:
                    if attribute in inner.attrs:
                        inner.attrs[attribute] = self.address(inner.attrs[attribute], name, page)
        body = markdown.renderer.render(tokens, markdown.options, {})
        if len(contents) > 3:
            links = "".join(f'<a href="#{anchor}">{html.escape(text)}</a>' for anchor, text in contents)
            body = body.replace("</h1>", f'</h1>\n<nav class="toc" aria-label="On this page">{links}</nav>', 1)
        if name.startswith("Definitions/"):
            body = body.replace("</h1>", '</h1>\n<p><a href="catalogue/index.html">The catalogue of these metrics</a></p>', 1)
        self.write(page, self.frame.page(page, title, body))

    def anchors(self, tokens, page):
        """Gives headings their anchors, and the search its sections; the title, and the headings of the second level."""
        title, contents, used, section = "", [], {}, None
        for token, following in zip(tokens, tokens[1:] + tokens[-1:]):
            if token.type == "heading_open":
                text = "".join(part.content for part in following.children if part.type in ("text", "code_inline"))
                anchor = slug(text)
                used[anchor] = used.get(anchor, -1) + 1
                anchor += f"-{used[anchor]}" if used[anchor] else ""
                token.attrs["id"] = anchor
                title = title or text
                if token.tag == "h2":
                    contents.append((anchor, text))
                section = [f"{page}#{anchor}", title, "" if token.tag == "h1" else text, []]
                self.entries.append(section)
            elif section and token.content:
                section[3].append(token.content)
        return title, contents

    def address(self, link, name, page):
        """A link of a document as its page has it."""
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or not parts.path:
            return link
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(parts.path)))
        anchor = f"#{parts.fragment}" if parts.fragment else ""
        if target.endswith((".png", ".svg")):
            place = self.output / target
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((ROOT / target).read_bytes())
            return relative(target, page)
        if target == "Definitions":
            return relative("Definitions/index.html", page)
        if target in self.files:
            if not is_document(target):
                self.wanted.append(target)
            return relative(page_of(target), page) + anchor
        if any(file.startswith(target + "/") for file in self.files):
            self.wanted.append(target)
            return relative(f"files/{target}/index.html", page)
        self.problems.append(f"{name}: {link} leads nowhere")
        return link

    # What documents link to

    def file(self, name):
        """A file of the repository, or the list of a folder."""
        if name in self.files:
            page, text = page_of(name), (ROOT / name).read_text()
            content = f"<h1>{html.escape(name)}</h1>\n<pre tabindex=\"0\"><code>{html.escape(text)}</code></pre>\n"
        else:
            page = f"files/{name}/index.html"
            inside = sorted({file[len(name) + 1:].split("/")[0] for file in self.files if file.startswith(name + "/")})
            items = []
            for one in inside:
                whole = f"{name}/{one}"
                if whole in self.files and whole.endswith((".metric", ".md", ".py", ".swift", ".sh", ".json", ".sql", ".txt")):
                    self.wanted.append(whole)
                    items.append(f'<li><a href="{relative(page_of(whole), page)}">{html.escape(one)}</a></li>')
                else:
                    items.append(f"<li>{html.escape(one)}</li>")
            content = f"<h1>{html.escape(name)}</h1>\n<ul>\n" + "\n".join(items) + "\n</ul>\n"
        self.write(page, self.frame.page(page, name, content))

    # Catalogues

    def catalogue(self, folder):
        """Puts the way back to the site on each page, and the metrics into the search."""
        name = folder.name
        base = f"Definitions/{name}/catalogue"
        for path in sorted((folder / "catalogue").rglob("*.html")):
            page, text = path.relative_to(self.output).as_posix(), path.read_text()
            if text.count(MARKED) != 1:
                self.problems.append(f"{page} has no place for the way back to the site")
            path.write_text(text.replace(MARKED, f'{MARKED}<a href="{relative("index.html", page)}">metricc</a> '))
        index = (folder / "catalogue" / "index.html").read_text()
        for words, address, title in re.findall(r'<li class="card"[^>]*? data-text="([^"]*)">\s*<h3><a href="([^"]*)">(.*?)</a>', index):
            self.entries.append([f"{base}/{address}", f"Catalogue {name}", html.unescape(title), [html.unescape(words)]])

    def overview(self):
        items = []
        for folder in self.catalogues:
            text = (ROOT / "Definitions" / folder.name / "README.md").read_text()
            first = next(part for part in text.split("\n\n")[1:] if part[:1].isalpha())
            words = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", first)
            items.append(
                f'<li class="card"><h3><a href="{folder.name}/catalogue/index.html">{folder.name}</a></h3>'
                f'<p>{html.escape(words)}</p>'
                f'<p><a href="{folder.name}/index.html">How it was made</a></p></li>')
        content = '<h1>Catalogues</h1>\n<p class="lead">Five systems, each with its sample data.</p>\n<h2 class="spoken">All</h2>\n'
        content += f'<ul class="cards">\n{"".join(items)}</ul>\n'
        self.write("Definitions/index.html", self.frame.page("Definitions/index.html", "Catalogues", content))

    # The search

    def search(self):
        entries = [
            [address, title, heading, " ".join(sorted(set(re.findall(r"[\w.%-]+", " ".join(words).lower()))))]
            for address, title, heading, words in self.entries]
        self.write("search-entries.js", f"var metriccEntries = {json.dumps(entries, ensure_ascii=False, separators=(',', ':'))};\n")
        content = """<h1>Search</h1>
<p><label for="search">Words of documents and metrics</label>
<input type="search" id="search" autocomplete="off" spellcheck="false" aria-describedby="count"></p>
<p id="count" aria-live="polite"></p>
<ul id="results"></ul>
<noscript><p>The search needs JavaScript; the <a href="Documentation/index.html">list of documents</a> does not.</p></noscript>
"""
        self.write("search.html", self.frame.page("search.html", "Search", content, scripts=[SEARCH], files=["search-entries.js"]))

    # Everything

    def build(self):
        documents = [name for name in self.files if is_document(name)]
        for name in documents:
            self.document(name)
        done = set()
        while self.wanted:
            name = self.wanted.pop()
            if name not in done and not is_document(name):
                done.add(name)
                self.file(name)
        for folder in self.catalogues:
            self.catalogue(folder)
        self.overview()
        self.search()
        self.problems += Links(self.output).problems
        print(f"{len(documents)} documents, {len(done)} files, {len(self.catalogues)} catalogues, {len(self.entries)} places to find")


class Anchors(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


class Links:
    """Every link to a page or a place of this site leads there; every page is small."""

    def __init__(self, output):
        self.problems = []
        # The library's pages are made by DocC, which checks its own links.
        paths = [path for path in sorted(output.rglob("*.html")) if path.relative_to(output).parts[0] != "api"]
        pages = {path: Anchors(path.read_text()) for path in paths}
        for path, page in pages.items():
            name = path.relative_to(output)
            if path.stat().st_size >= LARGEST:
                self.problems.append(f"{name} has {path.stat().st_size} bytes")
            for link in page.links:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme:
                    continue
                target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
                anchor = urllib.parse.unquote(parts.fragment)
                if not (target / "index.html" if target.is_dir() else target).is_file():
                    self.problems.append(f"{name}: {link} leads nowhere")
                elif anchor and not anchor.startswith("q=") and target in pages and anchor not in pages[target].ids:
                    self.problems.append(f"{name}: {link} leads to no place of that page")


def main():
    site = Site(pathlib.Path(sys.argv[1]).resolve())
    site.build()
    for problem in site.problems:
        print(problem, file=sys.stderr)
    return 1 if site.problems else 0


if __name__ == "__main__":
    sys.exit(main())
