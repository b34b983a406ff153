"""Draws the pictures of the documents: `python3 Documentation/Pictures/make.py`.

The same bytes every time. Colours follow the reader's light or dark scheme.
"""

import pathlib

FOLDER = pathlib.Path(__file__).parent
STYLE = """
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #24292f }
.s { font-size: 11px; fill: #57606a } .c { font-family: ui-monospace, monospace; font-size: 12.5px }
.on { fill: #1f6f8b } .off { fill: none; stroke: #8c959f } .rest { fill: #d8dee4 }
.frame { fill: none; stroke: #bf6a02; stroke-width: 2 } .line { stroke: #8c959f; fill: none }
.w { fill: #fff } .box { fill: #f6f8fa; stroke: #d0d7de } .k { fill: #8250df } .red { stroke: #cf222e; fill: none }
.err { fill: #cf222e }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .s { fill: #9198a1 } .on { fill: #4fb3d1 } .off { stroke: #6e7681 }
  .rest { fill: #3d444d } .frame { stroke: #e3a008 } .line { stroke: #6e7681 } .w { fill: #0d1117 }
  .box { fill: #151b23; stroke: #3d444d } .k { fill: #b78aff } .red { stroke: #ff7b72 } .err { fill: #ff7b72 }
}"""


def text(x, y, words, kind="", anchor="start"):
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}" xml:space="preserve">{words}</text>'


def box(x, y, width, height, kind, radius=3):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" class="{kind}"/>'


def write(name, width, height, title, parts):
    (FOLDER / f"{name}.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img"><title>{title}</title><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")


def days(x, y, marks, step=26):
    """A row of days: `#` done, `.` nothing, `r` rest."""
    kinds = {"#": "on", ".": "off", "r": "rest"}
    return [box(x + i * step, y, 20, 20, kinds[mark]) for i, mark in enumerate(marks)]


def windows():
    parts = []
    names = "Mo Tu We Th Fr Sa Su Mo Tu We Th".split()
    marks = "..#.##.#..#"
    for row, (title, first, last, told) in enumerate([
            ("every week (rolling)", 4, 10, "the seven days that end today: 4 of 3, complete"),
            ("every calendar week", 7, 10, "from Monday on: 2 of 3, not complete yet")]):
        y = 34 + row * 92
        parts += [text(12, y - 14, title, "c"), text(200, y - 14, told, "s")]
        parts += days(14, y, marks) + [text(24 + i * 26, y + 36, n, "s", "middle") for i, n in enumerate(names)]
        parts.append(box(11 + first * 26, y - 4, (last - first) * 26 + 26, 28, "frame", 5))
        parts.append(text(310, y + 14, "today is Thursday", "s"))
    write("windows", 520, 176, "A rolling week ends today; a calendar week starts on Monday", parts)


def rest():
    names = "Th Fr Sa Su Mo Tu We".split()
    parts = [text(12, 20, 'rest when weekday(day) in ["saturday", "sunday"]', "c")]
    parts += days(14, 34, "##rr##.")
    for i, (name, value) in enumerate(zip(names, "1 2 2 2 3 4 0".split())):
        parts += [text(24 + i * 26, 70, name, "s", "middle"), text(24 + i * 26, 90, value, "", "middle")]
    parts += [text(210, 48, "done", "s"), box(196, 38, 10, 10, "on", 2), text(264, 48, "rest", "s"),
              box(250, 38, 10, 10, "rest", 2), text(312, 48, "nothing yet", "s"), box(298, 38, 10, 10, "off", 2),
              text(210, 90, "the streak on that day: rest neither ends it nor adds", "s")]
    write("rest", 520, 102, "A streak passes over days of rest", parts)


def funnel():
    parts = []
    for i, (name, count) in enumerate([("registered", 48), ("introduced", 33), ("kept_item", 32), ("came_back", 29)]):
        y = 12 + i * 34
        parts += [text(12, y + 16, name, "c"), box(110, y, count * 6, 22, "on"), text(118 + count * 6, y + 16, str(count))]
        parts.append(text(500, y + 16, f"{count / 48:.0%}", "s", "end"))
    parts.append(text(12, 160, "within 14 days: each step lies less than 14 days after the first; the best attempt counts", "s"))
    write("funnel", 520, 170, "A funnel: people who reached each step, and their share of the first step", parts)


def retention():
    rows = [("2 Mar", 40, [45, 30, 22, 20]), ("9 Mar", 52, [48, 33, 24]), ("16 Mar", 47, [51, 36]), ("23 Mar", 61, [50])]
    parts = [text(12, 20, "cohort", "s"), text(92, 20, "people", "s")]
    parts += [text(172 + i * 64, 20, n, "s", "middle") for i, n in enumerate(["week 1", "week 2", "week 3", "week 4"])]
    for i, (name, people, shares) in enumerate(rows):
        y = 30 + i * 30
        parts += [text(12, y + 18, name), text(124, y + 18, str(people), "", "end")]
        for j, share in enumerate(shares):
            parts.append(f'<rect x="{142 + j * 64}" y="{y}" width="60" height="26" rx="3" class="on" '
                         f'opacity="{0.25 + share / 100:.2f}"/>')
            parts.append(text(172 + j * 64, y + 18, f"{share}%", "", "middle"))
    parts.append(text(12, 168, "empty: that week has not come yet, so nobody is eligible and there is no rate", "s"))
    write("retention", 520, 178, "A retention triangle", parts)


def editor():
    code = [("k", "/// How long a session usually is."), ("", "measure typical {"), ("", "  for habit"),
            ("", "  value average(HabitEntry.value)"), ("", "}")]
    parts = [box(1, 1, 658, 238, "box", 8), text(16, 24, "habits.metric", "s")]
    for i, (kind, line) in enumerate(code):
        y = 52 + i * 20
        parts += [text(16, y, str(i + 1), "s c"), text(40, y, line, f"c {kind}")]
    x, y = 40 + 8 * 7.55, 116
    wave = " ".join(f"q 2 {-3 if i % 2 == 0 else 3} 4 0" for i in range(47))
    parts.append(f'<path d="M {x} {y} {wave}" class="red"/>')
    for i, line in enumerate([
            "logging a fact can lower `typical`  C401",
            "with HabitEntry on 2026-01-03 alone: 2",
            "after logging HabitEntry on 2026-01-03: 1.5",
            "use a sum, a count or a greatest value"]):
        parts.append(text(280, 160 + i * 20, line, "c" + (" err" if i == 0 else "")))
    parts.insert(1, box(266, 138, 384, 92, "w", 5))
    write("editor", 660, 240, "An editor with a finding of the language server", parts)


for draw in (windows, rest, funnel, retention, editor):
    draw()
