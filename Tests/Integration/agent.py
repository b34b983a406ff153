"""Talks to `metricc mcp` with the client of the Model Context Protocol from PyPI: agent.py METRICC

    pip install mcp
    python Tests/Integration/agent.py .build/debug/metricc

Both kinds of sessions: with `initialize`, and without. The client validates each answer against the protocol's types.
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from mcp import Client, StdioServerParameters, stdio_client

ROOT = pathlib.Path(__file__).resolve().parents[2]
HABITS = ROOT / "Definitions/Habits"
DRAFT = """/// Days with an entry, of the last three.
momentum three_days { of done  over last 3 days }

test "a draft" {
  log "read" from 2026-01-01 "#"
  expect three_days for "read" at 2026-01-01 = 1
}
"""


def command_line(metricc, *arguments):
    return subprocess.run([metricc, *arguments], capture_output=True, text=True, check=True).stdout


async def answer(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    texts = [content.text for content in result.content]
    return result.is_error, (texts if result.is_error else json.loads(texts[0])), texts[1:]


async def session(metricc, mode):
    parameters = StdioServerParameters(
        command=metricc, args=["mcp", str(HABITS), "--data", str(HABITS / "Sample")])
    async with Client(stdio_client(parameters), mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert sorted(tools) == ["ahead", "check", "evaluate", "list_dimensions", "list_metrics", "plan", "test", "why"], tools
        assert all(tool.annotations.read_only_hint for tool in tools.values())

        _, listed, _ = await answer(client, "list_metrics")
        assert "daily_streak" in [metric["name"] for metric in listed["metrics"]]
        _, listed, _ = await answer(client, "list_dimensions")
        assert "habit" in [subject["subject"] for subject in listed["subjects"]]

        _, plan, _ = await answer(client, "plan", metrics=["daily_streak"])
        assert plan == json.loads(
            command_line(metricc, "plan", HABITS, "--metric", "daily_streak", "--format", "json"))

        # The numbers are those of the command line, and so is what it says beside them.
        failed, values, said = await answer(client, "evaluate", metrics=["daily_streak"])
        wanted = command_line(
            metricc, "eval", HABITS, "--data", HABITS / "Sample", "--metric", "daily_streak", "--format", "ndjson")
        assert not failed and values["rows"] == [json.loads(line) for line in wanted.splitlines()]
        assert values["leftOut"] == 0 and "last DayKey, 2026-06-30" in said[0], said
        _, values, _ = await answer(
            client, "evaluate", metrics=["done"], **{"from": "2026-06-01"}, to="2026-06-28", limit=5)
        assert len(values["rows"]) == 5 and values["leftOut"] > 0

        _, why, _ = await answer(client, "why", metric="daily_streak", subject="aiko-journal", at="2026-06-30")
        assert why["values"][0]["value"] == 23 and why["windows"]["windows"]

        # A draft is checked and tested, and is in nothing else.
        _, checked, _ = await answer(client, "check", text=DRAFT)
        assert checked["findings"] == [] and "three_days" in [metric["name"] for metric in checked["metrics"]], checked
        _, tests, _ = await answer(client, "test", text=DRAFT, filter="a draft")
        assert (tests["passed"], tests["failed"]) == (1, 0)
        _, checked, _ = await answer(client, "check", text="measure m { for habit  value average(HabitEntry.value) }")
        assert "C401" in [finding["code"] for finding in checked["findings"]]
        failed, texts, _ = await answer(client, "evaluate", metrics=["three_days"])
        assert failed and "no metric is named `three_days`" in texts[0], texts

        # No text becomes an option, and what is wrong is told to the model.
        for metrics in (["--output=stolen"], ["done", "--rejects=stolen"]):
            failed, texts, _ = await answer(client, "evaluate", metrics=metrics)
            assert failed and "no metric is named" in texts[0], texts
        failed, texts, _ = await answer(client, "why", metric="--help")
        assert failed and "no metric is named `--help`" in texts[0], texts
        for arguments, wanted in [
            ({"metrics": ["done"], "at": "soon"}, "is not a day"), ({"metric": ["done"]}, "did you mean `metrics`?"),
            ({}, "`metrics` has to be a list"), ({"metrics": ["done"], "limit": 0}, "whole number"),
        ]:
            failed, texts, _ = await answer(client, "evaluate", **arguments)
            assert failed and wanted in texts[0], texts
        return len(tools)


async def main(metricc):
    for mode in ("legacy", "auto", "2026-07-28"):
        print(f"{mode}: {await session(metricc, mode)} tools, used")


if __name__ == "__main__":
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        asyncio.run(main(program))
        assert not list(pathlib.Path(folder).iterdir()), "a tool wrote something"
