"""Measures the time from a keystroke to its diagnostics in large libraries.

    python3 Tests/Editors/latency.py .build/release/metricc [FILES]

Makes a library of FILES files (500) with four metrics, a record and a test each, and one of a single file with 3,000
metrics; opens a file, types 200 times and waits each time for the diagnostics that tell of that keystroke.
"""

import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FILE = """/// Visits of area {i}.
fact Visit{i} {{
  id      : ID
  userId  : User
  dayKey  : DayKey
  minutes : Decimal min 0
  mood    : "calm" | "tired" ?
}}

/// Was area {i} visited on this day?
completion visited_{i} {{
  for user
  every day
  when count(Visit{i} where mood == "calm") >= 1
}}

/// Days in a row in area {i}.
streak visit_run_{i} {{ of visited_{i} }}

/// Of the last seven days in area {i}.
momentum visit_week_{i} {{ of visited_{i}  over last 7 days }}

/// Minutes in area {i}.
measure minutes_{i} {{
  for user
  unit minutes
  value sum(Visit{i}.minutes where minutes > 0)
  over last 28 days
}}

test "area {i}" {{
  given Visit{i} {{ userId: "ada", dayKey: 2026-01-01, minutes: 4, mood: "calm" }}
  expect visited_{i} for "ada" at 2026-01-01 = true
  expect visit_run_{i} for "ada" at 2026-01-01 = 1
  expect visit_week_{i} for "ada" at 2026-01-01 = 1
  expect minutes_{i} for "ada" at 2026-01-01 = 4
}}
"""


class Server:
    def __init__(self, metricc):
        self.process = subprocess.Popen([metricc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, method, params, id=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if id is not None:
            message["id"] = id
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while True:
            line = self.process.stdout.readline().strip()
            if not line:
                return json.loads(self.process.stdout.read(length))
            length = int(line.split(b":")[1])

    def diagnostics(self, uri, version):
        while True:
            message = self.read()
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            if message["params"]["uri"] == uri and message["params"].get("version") == version:
                return message["params"]["diagnostics"]


def measure(metricc, name, texts, edited, places):
    """Opens one file of a library and types into it; `places` says what each of two keystrokes replaces with what."""
    folder = pathlib.Path(tempfile.mkdtemp())
    for i, text in enumerate(texts):
        (folder / f"area{i:04}.metric").write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    server = Server(metricc)
    server.send("initialize", {"capabilities": {}, "rootUri": folder.as_uri()}, id=1)
    server.read()
    server.send("initialized", {})
    path = folder / f"area{edited:04}.metric"
    uri, text = path.as_uri(), path.read_text()
    document = {"uri": uri, "languageId": "metric", "version": 0, "text": text}
    began = time.perf_counter()
    server.send("textDocument/didOpen", {"textDocument": document})
    server.send("textDocument/foldingRange", {"textDocument": {"uri": uri}}, id=3)
    while server.read().get("id") != 3:
        pass
    opened = time.perf_counter() - began
    times, version = [], 0
    while version < 200 and sum(times) < 30_000:
        version += 1
        start, end, new = places(text, version)
        began = time.perf_counter()
        server.send("textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": version},
                     "contentChanges": [{"range": {"start": start, "end": end}, "text": new}]})
        server.diagnostics(uri, version)
        times.append((time.perf_counter() - began) * 1000)
    server.send("shutdown", None, id=2)
    server.send("exit", None)
    status = server.process.wait()
    shutil.rmtree(folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000 / len(times)
    times.sort()
    print(f"{name}: median {statistics.median(times):.1f} ms, 95th percentile {times[len(times) * 95 // 100]:.1f} ms, "
          f"worst {times[-1]:.1f} ms; processor time {used:.1f} ms a keystroke; opened in {opened * 1000:.0f} ms; "
          f"exit status {status}")


def at(text, line, word):
    """The place of a word in the line that holds a text."""
    lines = text.split("\n")
    number = next(i for i, candidate in enumerate(lines) if line in candidate)
    column = lines[number].index(word)
    return {"line": number, "character": column}, {"line": number, "character": column + len(word)}


def toggled(line, old, new):
    """Replaces a word, and with the next keystroke puts it back; both libraries have findings that differ."""
    def places(text, version):
        start, end = at(text, line, old)
        if version % 2:
            return start, end, new
        return start, {"line": start["line"], "character": start["character"] + len(new)}, old
    return places


def main(metricc, files):
    texts = [FILE.format(i=i) for i in range(files)]
    middle = files // 2
    print(f"{files} files, {files * 4} metrics")
    measure(metricc, "a keystroke in one file", texts, middle, toggled("over last 28 days", "28", "0"))
    # The field is read by the metrics of the file, and a name that is gone is a finding.
    measure(metricc, "a changed record field", texts, middle, toggled("minutes : Decimal", "minutes", "minutex"))
    measure(metricc, "a changed type of a field", texts, middle, toggled("minutes : Decimal", "Decimal", "Text"))
    measure(metricc, "a new metric's name", texts, middle,
            toggled(f"measure minutes_{middle}", f"minutes_{middle}", f"minutez_{middle}"))
    one = ["\n".join(FILE.format(i=i) for i in range(750))]
    measure(metricc, "a keystroke in a file of 3,000 metrics", one, 0, toggled("over last 28 days", "28", "0"))


main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500)
