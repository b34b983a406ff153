"""Measures the time from a keystroke to its diagnostics in a large library.

    python3 Tests/Editors/latency.py .build/release/metricc [FILES]

Makes a library of FILES files (500) with four metrics, a record and a test each, opens one of them, types
200 times and waits each time for the diagnostics that tell of that keystroke.
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


def main(metricc, files):
    folder = pathlib.Path(tempfile.mkdtemp())
    for i in range(files):
        (folder / f"area{i:04}.metric").write_text(FILE.format(i=i))
    server = Server(metricc)
    server.send("initialize", {"capabilities": {}, "rootUri": folder.as_uri()}, id=1)
    server.read()
    server.send("initialized", {})
    path = folder / f"area{files // 2:04}.metric"
    uri, text = path.as_uri(), path.read_text()
    line = text.split("\n").index("  over last 28 days")
    document = {"uri": uri, "languageId": "metric", "version": 0, "text": text.replace("28", "0")}
    began = time.perf_counter()
    server.send("textDocument/didOpen", {"textDocument": document})
    server.diagnostics(uri, 0)
    opened = time.perf_counter() - began
    times = []
    for version in range(1, 201):
        # `over last 0 days`, `over last 00 days`, …: an error that moves with each keystroke.
        at = {"line": line, "character": 12}
        change = {"range": {"start": at, "end": {"line": line, "character": 12 if version % 2 else 13}},
                  "text": "0" if version % 2 else ""}
        began = time.perf_counter()
        server.send("textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
        found = server.diagnostics(uri, version)
        times.append((time.perf_counter() - began) * 1000)
        assert found, found
    server.send("shutdown", None, id=2)
    server.send("exit", None)
    status = server.process.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder)
    times.sort()
    print(f"{files} files, {files * 4} metrics; opened in {opened * 1000:.0f} ms")
    print(f"keystroke to diagnostics: median {statistics.median(times):.1f} ms, "
          f"95th percentile {times[190]:.1f} ms, worst {times[-1]:.1f} ms; exit status {status}")
    print(f"processor time, opening included: {(used.ru_utime + used.ru_stime) * 1000 / len(times):.1f} ms a keystroke")


main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500)
