"""Looks at a catalogue in a real browser: `catalogue.py FOLDER`, with data.

Prints what is wrong, a line each, and ends with 1 where anything is; 77 where there is no browser.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from chromium import Chromium, find  # noqa: E402

WIDTHS = [360, 1280]
problems = []


def check(condition, text):
    if not condition:
        problems.append(text)


FILLS = """[...document.querySelectorAll('.plot')].filter(plot => {
  const drawing = plot.querySelector('svg').getBoundingClientRect(), row = plot.parentElement.getBoundingClientRect();
  const last = !plot.nextElementSibling || plot.nextElementSibling.offsetTop > plot.offsetTop;
  return last && drawing.right < row.right - 2 }).length"""


def common(page, path, width):
    """What holds for every page."""
    name = f"{path.name} at {width}"
    for fault in page.faults():
        problems.append(f"{name}: {fault}")
    check(page.requests() == [path.as_uri()], f"{name}: asks for {page.requests()[1:]}")
    wide = page.evaluate("document.documentElement.scrollWidth")
    check(wide <= width, f"{name}: is {wide} wide")
    check(page.evaluate(FILLS) == 0, f"{name}: a chart ends before its column")
    check(page.evaluate("document.querySelectorAll('h1').length") == 1, f"{name}: not one first heading")
    check(page.evaluate("document.querySelectorAll('main').length") == 1, f"{name}: not one main part")
    ids = "(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.length - new Set(ids).size })()"
    check(page.evaluate(ids) == 0, f"{name}: an id stands twice")
    unnamed = """[...document.querySelectorAll('svg[role=img]')].filter(svg => !svg.getAttribute('aria-label') &&
      !(svg.getAttribute('aria-labelledby') || '').split(' ').every(id => document.getElementById(id)?.textContent)).length"""
    check(page.evaluate(unnamed) == 0, f"{name}: a drawing has no title or description")
    steps = """(() => { let last = 0; for (const h of document.querySelectorAll('h1,h2,h3,h4')) {
      const level = +h.tagName[1]; if (level > last + 1) return h.textContent; last = level } return null })()"""
    check(page.evaluate(steps) is None, f"{name}: a level of headings is left out")
    bare = "document.querySelectorAll('table:not(:has(caption)), th:not([scope])').length"
    check(page.evaluate(bare) == 0, f"{name}: a table lacks a caption or scopes")


def filter_works(page):
    cards = "[...document.querySelectorAll('.card')].filter(c => c.offsetParent).length"
    every = page.evaluate(cards)
    page.evaluate("document.getElementById('search').focus()")
    page.type("DAYS row")
    some = page.evaluate(cards)
    check(0 < some < every, f"the search shows {some} of {every}")
    check(page.evaluate("document.getElementById('count').textContent") == f"{some} of {every} metrics and reports",
          "the count does not say what is shown")
    page.evaluate("""(() => { const field = document.getElementById('search'); field.value = '';
      field.dispatchEvent(new Event('input')); const kind = document.getElementById('kind');
      kind.value = 'streak'; kind.dispatchEvent(new Event('change', { bubbles: true })) })()""")
    kinds = page.evaluate("[...new Set([...document.querySelectorAll('.card')].filter(c => c.offsetParent).map(c => c.dataset.kind))]")
    check(kinds == ["streak"], f"the choice of a kind shows {kinds}")
    page.evaluate("""(() => { const field = document.getElementById('search'); field.value = 'zebra';
      field.dispatchEvent(new Event('input')) })()""")
    check(page.evaluate("[...document.querySelectorAll('.shelf')].filter(s => s.offsetParent).length") == 0,
          "an empty shelf is shown")


def search_works(page):
    """The key / leads to the field, what is found is part of the address, Enter opens the first."""
    page.press("/", text="/")
    check(page.evaluate("document.activeElement.id") == "search", "the key / does not lead to the search")
    check(page.evaluate("document.activeElement.value") == "", "the key / is written into the search")
    page.evaluate("(() => { const f = document.getElementById('search'); f.value = 'habitentry'; f.dispatchEvent(new Event('input')) })()")
    shown = "[...document.querySelectorAll('.card')].filter(c => c.offsetParent).length"
    check(page.evaluate(shown) > 0, "the search does not find the name of a record")
    check(page.evaluate("location.hash") == "#q=habitentry", "the address does not hold the search")
    check(page.evaluate("document.getElementById('moved').offsetParent === null"), "what moved is shown beside a search")
    first = page.evaluate("[...document.querySelectorAll('.card')].find(c => c.offsetParent).querySelector('a').href")
    page.press("Enter")
    page.evaluate("new Promise(done => setTimeout(done, 500)).then(() => {})")
    check(page.evaluate("location.href") == first, "Enter does not open what was found first")


def order_works(page):
    """By title all cards are on one shelf; by file each is back where it was."""
    titles = "[...document.querySelectorAll('.shelf .card h3')].map(h => h.textContent)"
    change = "(() => {{ const o = document.getElementById('order'); o.value = '{}'; o.dispatchEvent(new Event('change', {{bubbles: true}})) }})()"
    before = page.evaluate(titles)
    page.evaluate(change.format("data-name"))
    by_title = page.evaluate(titles)
    check(by_title == sorted(by_title, key=str.lower), f"by title the cards are {by_title[:5]}")
    page.evaluate(change.format("data-moved"))
    moved = page.evaluate("[...document.querySelectorAll('.shelf .card')].map(c => +c.dataset.moved || 0)")
    check(moved == sorted(moved, reverse=True) and moved[0] > 0, f"what moved most does not come first: {moved[:5]}")
    page.evaluate(change.format(""))
    check(page.evaluate(titles) == before, "by file the cards are not where they were")


def theme_works(page, dark):
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    check((before == "rgb(20, 23, 28)") == dark, f"the page is {before} where the system is {'dark' if dark else 'light'}")
    page.evaluate("document.getElementById('theme').click()")
    check(page.evaluate(ground) != before, "the switch changes nothing")
    page.evaluate("document.getElementById('theme').click()")
    check(page.evaluate(ground) == before, "the switch does not go back")
    page.evaluate("localStorage.clear()")


def keyboard_works(page):
    """The first stop leads past the head; each stop can be seen."""
    page.press("Tab")
    check(page.evaluate("document.activeElement.className") == "skip", "the first stop is not the skip link")
    check(page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0, "the skip link stays hidden")
    for _ in range(6):
        page.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        tag = page.evaluate("document.activeElement.tagName")
        check(outline != "none", f"the focus on {tag} cannot be seen")


def statements_work(page):
    """A statement opens with the keyboard, one at a time, and its button copies all of it."""
    shown = "[...document.querySelectorAll('details.sql')].filter(d => d.open).length"
    check(page.evaluate("document.querySelectorAll('details.sql').length") == 5, "not five statements")
    check(page.evaluate(shown) == 0, "a statement is open from the start")
    for place in ["first-of-type", "last-of-type"]:
        page.evaluate(f"document.querySelector('details.sql:{place} summary').focus()")
        page.press("Enter", text="\r")
        check(page.evaluate(shown) == 1, "the key Enter does not open one statement")
    page.browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.call("Page.bringToFront")
    page.evaluate("document.querySelector('details[open] [data-copy]').click()")
    wait = "new Promise(done => setTimeout(done, 200)).then(() => {})"
    page.evaluate(wait)
    check(page.evaluate("document.querySelector('details[open] [data-copy]').textContent") == "Copied",
          "the button does not say that it copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    check(copied == page.evaluate("document.querySelector('details[open] pre').textContent"),
          "what was copied is not the statement")
    check(copied.startswith("WITH") and copied.rstrip().endswith(";"), "what was copied is no whole statement")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    if find() is None:
        print("there is no Chromium on the path; the catalogue was not looked at in a browser")
        return 77
    pages = [folder / "index.html"] + sorted((folder / "metrics").glob("*.html")) + sorted((folder / "reports").glob("*.html"))
    with Chromium() as browser:
        for path in pages:
            for width in WIDTHS:
                page = browser.open(path.as_uri(), width=width)
                common(page, path, width)
                page.close()
        for dark in [True, False]:
            page = browser.open(pages[0].as_uri(), dark=dark)
            theme_works(page, dark)
            page.close()
        page = browser.open(pages[0].as_uri())
        filter_works(page)
        page.close()
        for look in [search_works, order_works]:
            page = browser.open(pages[0].as_uri())
            look(page)
            page.close()
        page = browser.open(pages[1].as_uri())
        keyboard_works(page)
        page.close()
        page = browser.open(pages[1].as_uri())
        statements_work(page)
        page.close()
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
