"""Runs the TextMate grammar over every accepted definition, with the engine of a real editor.

    pip install textmate-grammar-python
    python3 Tests/Editors/textmate.py

Every piece of text but a plain name has to get a scope, and none an `invalid` one.
"""

import json
import logging
import pathlib
import re
import sys

from textmate_grammar.parsers.base import LanguageParser

# Words that start declarations and clauses, and are no names in these files.
WORDS = {"completion", "streak", "measure", "funnel", "fact", "entity", "every", "when", "audience", "expect", "given"}

ROOT = pathlib.Path(__file__).resolve().parents[2]


class MetricParser(LanguageParser):
    def __init__(self):
        super().__init__(json.loads((ROOT / "Grammar/metric.tmLanguage.json").read_text()))


def main():
    logging.disable(logging.CRITICAL)
    parser = MetricParser()
    problems, pieces = [], 0
    paths = sorted(p for folder in ("Definitions", "Tests/Conformance") for p in (ROOT / folder).rglob("*.metric"))
    for path in paths:
        for (line, column), text, scopes in parser.parse_string(path.read_text()).flatten():
            if not text.strip():
                continue
            pieces += 1
            is_plain = re.fullmatch(r"[\s.\w]*", text) and not WORDS & set(re.split(r"\W+", text))
            if len(scopes) < 2 and not is_plain or any(scope.startswith("invalid") for scope in scopes):
                problems.append(f"{path.relative_to(ROOT)}:{line + 1}:{column + 1}: {text!r} is {scopes}")
    for problem in problems[:20]:
        print(problem)
    print(f"{len(paths)} files, {pieces} pieces of text, {len(problems)} without a colour")
    return 1 if problems or not pieces else 0


sys.exit(main())
