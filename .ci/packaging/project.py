"""What every package says of the project, from the places where it is written once."""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = (ROOT / "Sources/metricc/Metricc.swift").read_text()

VERSION = re.search(r'^    version: "(.+)"', COMMAND, re.MULTILINE)[1]
REPOSITORY = re.search(r'repository = "(.+)"', COMMAND)[1]
SUMMARY = "Checks, evaluates and tests definitions of app metrics, and writes them as SQL"
LICENCE = "Apache-2.0"


def epoch():
    """The time of the commit, in seconds: equal sources make equal packages."""
    shown = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True)
    return int(shown.stdout)


def dependencies(resolved):
    """The packages of a Package.resolved: name, version, revision and address."""
    return [
        (pin["identity"], pin["state"].get("version", ""), pin["state"]["revision"], pin["location"])
        for pin in json.loads(pathlib.Path(resolved).read_text())["pins"]
    ]
