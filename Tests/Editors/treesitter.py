"""Runs the real tree-sitter over every definition and every query.

    pip install tree-sitter
    python3 Tests/Editors/treesitter.py METRICC

Compiles Grammar/tree-sitter-metric/src/parser.c and requires that

- it was generated from grammar.js as it is now (needs `node`);
- every .metric file that `metricc` parses has no error in tree-sitter;
- every query compiles, and every word of the language has a colour wherever it is a keyword.
"""

import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile

from tree_sitter import Language, Parser, Query, QueryCursor

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "Grammar/tree-sitter-metric"

# The functions that a grammar.js is written with, as tree-sitter's CLI defines them.
SHIM = r"""
const rule = (x) => typeof x === "string" ? {type: "STRING", value: x}
  : x instanceof RegExp ? {type: "PATTERN", value: x.source} : x;
const all = (xs) => xs.map(rule);
const blank = {type: "BLANK"};
globalThis.seq = (...xs) => ({type: "SEQ", members: all(xs)});
globalThis.choice = (...xs) => ({type: "CHOICE", members: all(xs)});
globalThis.optional = (x) => choice(x, blank);
globalThis.repeat = (x) => ({type: "REPEAT", content: rule(x)});
globalThis.repeat1 = (x) => ({type: "REPEAT1", content: rule(x)});
globalThis.field = (name, x) => ({type: "FIELD", name, content: rule(x)});
globalThis.alias = (x, y) => ({type: "ALIAS", content: rule(x), named: true, value: y.name});
const withPrec = (type) => (n, x) => x === undefined
  ? {type, value: 0, content: rule(n)} : {type, value: n, content: rule(x)};
globalThis.prec = withPrec("PREC");
globalThis.prec.left = withPrec("PREC_LEFT");
globalThis.prec.right = withPrec("PREC_RIGHT");
globalThis.token = (x) => ({type: "TOKEN", content: rule(x)});
globalThis.token.immediate = (x) => ({type: "IMMEDIATE_TOKEN", content: rule(x)});
globalThis.grammar = (g) => {
  const $ = new Proxy({}, {get: (_, name) => ({type: "SYMBOL", name})});
  const rules = Object.fromEntries(Object.entries(g.rules).map(([name, make]) => [name, rule(make.call($, $))]));
  const names = (f) => f.call($, $).map((x) => x.name);
  return {word: g.word($).name, rules, extras: all(g.extras.call($, $)),
    conflicts: g.conflicts.call($, $).map((set) => set.map((x) => x.name)), supertypes: names(g.supertypes)};
};
console.log(JSON.stringify(require(process.argv[1])));
"""


def is_fresh():
    run = ["node", "-e", SHIM, str(GRAMMAR / "grammar.js")]
    written = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    generated = json.loads((GRAMMAR / "src/grammar.json").read_text())
    return all(generated[key] == value for key, value in written.items())


def language():
    library = pathlib.Path(tempfile.mkdtemp()) / "metric.so"
    source = GRAMMAR / "src"
    command = ["cc", "-O1", "-shared", "-fPIC", "-I", source, source / "parser.c", "-o", library]
    subprocess.run(command, check=True)
    make = ctypes.CDLL(str(library)).tree_sitter_metric
    make.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(capsule(make(), b"tree_sitter.Language", None))


def has_syntax_error(metricc, path):
    run = subprocess.run([metricc, "check", "--format", "json", path], capture_output=True, text=True)
    findings = json.loads(run.stdout)["findings"]
    return any(found["code"].startswith("S") and found["severity"] == "error" for found in findings)


def first_error(node):
    if node.is_error or node.is_missing:
        return node
    return next(found for child in node.children if child.has_error and (found := first_error(child)))


def leaves(node):
    if not node.children:
        yield node
    for child in node.children:
        yield from leaves(child)


def main(metricc):
    problems = []
    if not is_fresh():
        problems.append("src/ is not what grammar.js says; run: tree-sitter generate --abi 14")
    metric = language()
    queries = {}
    for path in sorted((GRAMMAR / "queries").glob("*.scm")):
        try:
            queries[path.name] = Query(metric, path.read_text())
        except Exception as error:  # what is wrong depends on the version of the bindings
            problems.append(f"{path.name}: {error}")
    parser = Parser(metric)
    paths = sorted(p for folder in ("Definitions", "Tests") for p in (ROOT / folder).rglob("*.metric"))
    coloured, accepted = 0, 0
    for path in paths:
        root = parser.parse(path.read_bytes()).root_node
        name = path.relative_to(ROOT)
        if root.has_error:
            if not has_syntax_error(metricc, path):
                node = first_error(root)
                problems.append(f"{name}:{node.start_point[0] + 1}: {node.text[:60]!r} is an error for tree-sitter")
            continue
        accepted += 1
        if "highlights.scm" not in queries:
            continue
        captures = QueryCursor(queries["highlights.scm"]).captures(root)
        places = {(node.start_byte, node.end_byte) for nodes in captures.values() for node in nodes}
        for leaf in leaves(root):
            if leaf.type == "rest_of_line" or leaf.start_byte == leaf.end_byte:
                continue
            coloured += 1
            if (leaf.start_byte, leaf.end_byte) not in places:
                problems.append(f"{name}:{leaf.start_point[0] + 1}: {leaf.text.decode()!r} has no colour")
    for problem in problems[:40]:
        print(problem)
    print(f"{len(paths)} files, {accepted} without an error, {len(queries)} queries, {coloured} tokens with a colour")
    return 1 if problems or not coloured else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
