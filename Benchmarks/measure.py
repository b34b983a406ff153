"""Runs a command and measures the whole process; describes the machine."""

import datetime
import json
import os
import platform
import statistics
import subprocess
import sys


class Run:
    """One run of a process: wall seconds, processor seconds, peak memory in MiB."""

    def __init__(self, wall, cpu, peak):
        self.wall, self.cpu, self.peak = wall, cpu, peak


class Failed(Exception):
    """A command ended with an error; the text is what it said."""


LAUNCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.py")


def run(command):
    """Runs a command to its end. The peak is that of the largest process, as the kernel counts it."""
    reader, writer = os.pipe()
    launcher = [sys.executable, "-S", "-E", LAUNCH, str(writer), *command]
    process = subprocess.Popen(
        launcher, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[writer])
    os.close(writer)
    said = process.stderr.read().decode(errors="replace")
    process.wait()
    with os.fdopen(reader) as answer:
        text = answer.read()
    taken = json.loads(text) if text else {"status": "not started"}
    if taken["status"] != 0:
        raise Failed(f"{' '.join(command)}\n{said[-2000:]}")
    # Linux counts in KiB, macOS in bytes.
    unit = 2**20 if platform.system() == "Darwin" else 2**10
    return Run(taken["wall"], taken["cpu"], taken["peak"] / unit)


def median(runs, field):
    return statistics.median(getattr(run, field) for run in runs)


def paired_ratio(runs, base):
    """The median of the ratios of neighbouring runs: a machine that slows down slows both."""
    return statistics.median(one.wall / other.wall for one, other in zip(runs, base))


def machine(python, versions_of):
    """Lines that say where the figures come from."""
    name, cores = platform.processor() or platform.machine(), os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
        name = names[0] if names else name
    versions = []
    for package in versions_of:
        text = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
        found = subprocess.run([python, "-c", text, package], capture_output=True, text=True)
        if found.returncode == 0:
            versions.append(f"{package} {found.stdout.strip()}")
    yield f"{name}, {cores} processors, {memory:.0f} GiB of memory"
    yield f"{platform.system()} {platform.release()}, {datetime.date.today()}"
    yield f"Python {platform.python_version()}, " + ", ".join(versions)
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True) if which("swift") else None
    if swift and swift.returncode == 0:
        yield swift.stdout.splitlines()[0].strip()
    load = os.getloadavg()[0]
    yield f"load before the runs {load:.1f}" + ("" if load < 0.5 else ": **the machine was not idle**")


def which(program):
    return any(os.access(os.path.join(folder, program), os.X_OK) for folder in os.get_exec_path())
