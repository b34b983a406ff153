"""Types command lines into real shells and looks at what a tab offers.

    python3 Tests/Editors/completions.py METRICC

Runs bash, zsh and fish, each on a terminal of its own; one that is not installed is reported as skipped.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What is typed, what has to be offered, and what must not be.
LINES = [
    ("metricc check ", ["defs", "one.metric"], ["notes.txt"]),
    ("metricc eval defs --data ", ["data", "notes.txt"], []),
    ("metricc eval defs --metric dail", ["daily_streak"], []),
    ("metricc why dail", ["daily_streak"], []),
    ("metricc explain C40", ["C401", "C402"], []),
    ("metricc sql defs --dialect ", ["duckdb", "postgres", "sqlite", "spark"], []),
    ("metricc test defs --engine s", ["sqlite", "spark"], []),
    ("metricc test defs --format j", ["json", "junit"], []),
]

START = {
    "bash": (["bash", "--norc", "-i"], "source script.bash; bind 'set bell-style none'; PS1='> '\n"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; PS1='> '; setopt no_beep no_list_beep\n",
    ),
    "fish": (["fish", "--no-config", "-i"], "source script.fish; function fish_prompt; echo '> '; end\n"),
}


class Shell:
    def __init__(self, name, folder, metricc):
        command, start = START[name]
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            path = f"{os.path.dirname(metricc)}:{os.environ['PATH']}"
            environment = {"PATH": path, "HOME": folder, "TERM": "xterm", "COLUMNS": "200", "LANG": "C.UTF-8"}
            os.execvpe(command[0], command, environment)
        self.child = child
        self.read()
        self.type(start)
        self.read(quiet=1.5)

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self, quiet=0.7, most=15):
        """What is shown until nothing comes for a while."""
        shown, end = b"", time.monotonic() + most
        while time.monotonic() < end and select.select([self.terminal], [], [], quiet)[0]:
            try:
                shown += os.read(self.terminal, 1 << 16)
            except OSError:
                break
        return re.sub(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|[()][0-9A-B]|[=>])", "", shown.decode(errors="replace"))

    def offered(self, line):
        self.type(line)
        self.read(quiet=0.2)
        self.type("\t\t")
        shown = self.read(quiet=0.9)
        self.type("\x03")
        self.read(quiet=0.2)
        return shown

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.child, 0)


def main(metricc):
    metricc = os.path.abspath(metricc)
    folder = tempfile.mkdtemp()
    shutil.copytree(ROOT / "Definitions/Habits", f"{folder}/defs", ignore=shutil.ignore_patterns("Sample"))
    os.mkdir(f"{folder}/data")
    for name in ("notes.txt", "one.metric"):
        pathlib.Path(folder, name).touch()
    for shell, script in (("bash", "script.bash"), ("zsh", "_metricc"), ("fish", "script.fish")):
        with open(f"{folder}/{script}", "w") as file:
            subprocess.run([metricc, "--generate-completion-script", shell], stdout=file, check=True)
    failed, count = 0, 0
    for name in START:
        if not shutil.which(name):
            print(f"SKIPPED: there is no {name}", file=sys.stderr)
            continue
        shell = Shell(name, folder, metricc)
        for line, wanted, unwanted in LINES:
            shown = shell.offered(line)
            # What is completed in place is shown without what was typed.
            shown = f"{line.split(' ')[-1]}{shown}\n{shown}"
            missing = [word for word in wanted if word not in shown]
            extra = [word for word in unwanted if word in shown]
            count += 1
            if missing or extra:
                failed += 1
                print(f"FAILED {name}: `{line}` offers no {missing}, or wrongly {extra}: {shown!r}")
        shell.end()
    shutil.rmtree(folder)
    print(f"{count} command lines completed, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
