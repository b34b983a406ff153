"""Checks the tree-sitter grammar without tree-sitter's own generator.

    python3 Tests/Editors/treesitter.py [FILE…]

Reads Grammar/tree-sitter-metric/grammar.js (with node), builds its LR(1) table in the way tree-sitter does
(precedence, associativity, `conflicts`, `word`), reports conflicts that are neither resolved nor declared, and
parses the files (all of Definitions and Tests/Conformance) with it: each has to be parsed without an error.
Where the tree-sitter CLI is at hand, `tree-sitter generate` and `tree-sitter parse` say the same.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The functions that a grammar.js is written with, as tree-sitter's CLI gives them.
SHIM = r"""
const rule = (x) => typeof x === "string" ? {type: "STRING", value: x}
  : x instanceof RegExp ? {type: "PATTERN", value: x.source} : x;
const all = (xs) => xs.map(rule);
globalThis.seq = (...xs) => ({type: "SEQ", members: all(xs)});
globalThis.choice = (...xs) => ({type: "CHOICE", members: all(xs)});
globalThis.optional = (x) => choice(x, {type: "BLANK"});
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
  const rules = {};
  for (const [name, make] of Object.entries(g.rules)) rules[name] = rule(make.call($, $));
  const names = (f) => f ? f.call($, $) : [];
  return {name: g.name, rules, word: g.word($).name, extras: all(names(g.extras)),
    conflicts: names(g.conflicts).map((set) => set.map((x) => x.name))};
};
console.log(JSON.stringify(require(process.argv[1])));
"""


def load():
    path = ROOT / "Grammar/tree-sitter-metric/grammar.js"
    run = subprocess.run(["node", "-e", SHIM, str(path)], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


class Grammar:
    """Productions over terminals and nonterminals. A terminal is a pair: its pattern and its rank."""

    def __init__(self, source):
        self.source = source
        self.terminals = {}  # name -> (regex, rank, immediate, is a plain word)
        self.productions = []  # (left, symbols, precedences, associativities)
        self.of = collections.defaultdict(list)
        self.parent = {}  # repetitions belong to the rule that holds them
        self.lexical = {n for n, r in source["rules"].items() if self.is_token(r)}
        for name in self.lexical:
            self.terminals[name] = self.token(source["rules"][name])
        for name, rule in source["rules"].items():
            if name not in self.lexical:
                self.define(name, rule, name)

    def is_token(self, rule):
        return rule["type"] in ("PATTERN", "TOKEN", "IMMEDIATE_TOKEN")

    def token(self, rule, rank=0, immediate=False):
        kind = rule["type"]
        if kind == "STRING":
            return (re.compile(re.escape(rule["value"])), rank, immediate, rule["value"].isalpha())
        if kind == "PATTERN":
            return (re.compile(rule["value"]), rank, immediate, False)
        if kind.startswith("PREC"):
            return self.token(rule["content"], rule["value"], immediate)
        return self.token(rule["content"], rank, immediate or kind == "IMMEDIATE_TOKEN")

    def define(self, name, rule, owner):
        self.parent[name] = owner
        for symbols in self.expand(rule, owner, 0, None):
            self.of[name].append(len(self.productions))
            self.productions.append((name, [s[0] for s in symbols], [s[1:] for s in symbols]))

    def expand(self, rule, owner, rank, side):
        """All sequences of (symbol, precedence, associativity) that a rule stands for."""
        kind = rule["type"]
        if kind == "BLANK":
            return [[]]
        if kind == "STRING":
            name = json.dumps(rule["value"])  # in quotes: a rule may have the name of a word
            self.terminals.setdefault(name, self.token(rule))
            return [[(name, rank, side)]]
        if kind == "SYMBOL":
            return [[(rule["name"], rank, side)]]
        if kind in ("FIELD", "ALIAS"):
            return self.expand(rule["content"], owner, rank, side)
        if kind.startswith("PREC"):
            side = {"PREC": None, "PREC_LEFT": "left", "PREC_RIGHT": "right"}[kind]
            return self.expand(rule["content"], owner, rule["value"], side)
        if kind == "CHOICE":
            return [s for member in rule["members"] for s in self.expand(member, owner, rank, side)]
        if kind == "SEQ":
            found = [[]]
            for member in rule["members"]:
                tails = self.expand(member, owner, rank, side)
                found = [head + tail for head in found for tail in tails]
            return found
        if kind in ("REPEAT", "REPEAT1"):
            name = f"{owner}_repeat{sum(1 for p in self.parent if p.startswith(owner + '_repeat'))}"
            self.parent[name] = owner
            for symbols in self.expand(rule["content"], owner, 0, None) + [[(name, 0, None)] * 2]:
                self.of[name].append(len(self.productions))
                self.productions.append((name, [s[0] for s in symbols], [s[1:] for s in symbols]))
            once = [[(name, rank, side)]]
            return once if kind == "REPEAT1" else once + [[]]
        if kind in ("PATTERN", "TOKEN", "IMMEDIATE_TOKEN"):
            name = json.dumps(rule)
            self.terminals[name] = self.token(rule)
            return [[(name, rank, side)]]
        raise ValueError(kind)


class Table:
    """LR(1) states with their actions; `problems` are conflicts that nothing resolves."""

    def __init__(self, grammar):
        self.grammar = grammar
        self.firsts = self.first_sets()
        self.closures = {}
        self.problems = set()
        self.declared = {tuple(sorted(s)) for s in grammar.source["conflicts"]}
        self.used = set()
        start = frozenset({((-1, 0), "end")})
        self.states, self.kernels, self.actions = {start: 0}, [start], []
        while len(self.actions) < len(self.kernels):
            self.actions.append(self.build(self.kernels[len(self.actions)]))

    def production(self, number):
        if number < 0:
            return ("start", ["source_file"], [(0, None)])
        return self.grammar.productions[number]

    def first_sets(self):
        firsts = {t: {t} for t in self.grammar.terminals}
        self.nullable = {"source_file"}
        for name in self.grammar.of:
            firsts[name] = set()
        changed = True
        while changed:
            changed = False
            for left, symbols, _ in self.grammar.productions:
                for symbol in symbols[:1]:
                    if not firsts[symbol] <= firsts[left]:
                        firsts[left] |= firsts[symbol]
                        changed = True
        return firsts

    def closure(self, kernel):
        items = {}
        for item, look in kernel:
            items.setdefault(item, set()).add(look)
        open_ = list(items)
        while open_:
            number, dot = item = open_.pop()
            symbols = self.production(number)[1]
            if dot == len(symbols) or symbols[dot] in self.grammar.terminals:
                continue
            looks = self.firsts[symbols[dot + 1]] if dot + 1 < len(symbols) else items[item]
            for next_ in self.grammar.of[symbols[dot]]:
                known = items.setdefault((next_, 0), set())
                if not looks <= known or not known:
                    known |= looks
                    open_.append((next_, 0))
        return items

    def build(self, kernel):
        items = self.closure(kernel)
        shifts, reductions = collections.defaultdict(set), collections.defaultdict(set)
        for (number, dot), looks in items.items():
            symbols = self.production(number)[1]
            if dot < len(symbols):
                shifts[symbols[dot]] |= {((number, dot + 1), look) for look in looks}
            else:
                for look in looks:
                    reductions[look].add(number)
        actions = {}
        for symbol, target in shifts.items():
            target = frozenset(target)
            if target not in self.states:
                self.states[target] = len(self.kernels)
                self.kernels.append(target)
            actions[symbol] = [("shift", self.states[target])]
        for look, numbers in reductions.items():
            shift = actions.get(look) if look in self.grammar.terminals else None
            actions[look] = self.resolve(items, look, numbers, shift)
        return actions

    def rank(self, number, dot):
        """Precedence and associativity of a production, taken at its last step."""
        steps = self.production(number)[2]
        return steps[dot - 1] if dot > 0 and steps else (0, None)

    def resolve(self, items, look, numbers, shift):
        numbers = sorted(numbers)
        best = max(self.rank(n, len(self.production(n)[1]))[0] for n in numbers)
        kept = [n for n in numbers if self.rank(n, len(self.production(n)[1]))[0] == best]
        reduces = [("reduce", n) for n in kept]
        involved = {self.production(n)[0] for n in kept}
        if shift is None and len(kept) == 1:
            return reduces
        if shift is not None:
            shifting = [
                (n, d) for n, d in items
                if d > 0 and d < len(self.production(n)[1])
                and look in self.firsts[self.production(n)[1][d]]
            ]
            ranks = {self.rank(n, d)[0] for n, d in shifting}
            if all(rank < best for rank in ranks):
                return reduces
            if all(rank > best for rank in ranks):
                return shift
            sides = {self.rank(n, len(self.production(n)[1]))[1] for n in kept}
            if sides == {"left"}:
                return reduces
            if sides == {"right"}:
                return shift
            # A repetition of a repetition is the same either way.
            if all("_repeat" in self.production(n)[0] for n in kept) and len(kept) == 1:
                if self.production(kept[0])[1] == [self.production(kept[0])[0]] * 2:
                    return reduces
            involved |= {self.production(n)[0] for n, _ in shifting}
        names = tuple(sorted({self.grammar.parent.get(name, name) for name in involved}))
        if names not in self.declared:
            self.problems.add((names, look))
        self.used.add(names)
        return (shift or []) + reduces


class Parser:
    """Follows all actions of a table at once, as tree-sitter does where conflicts are declared."""

    def __init__(self, grammar, table):
        self.grammar, self.table = grammar, table
        self.word = grammar.terminals[grammar.source["word"]][0]
        self.extras = [
            grammar.terminals[e["name"]][0] if e["type"] == "SYMBOL" else re.compile(e["value"])
            for e in grammar.source["extras"]
        ]

    def skip(self, text, place):
        while True:
            for extra in self.extras:
                match = extra.match(text, place)
                if match and match.end() > place:
                    place = match.end()
                    break
            else:
                return place

    def token(self, text, place, valid):
        """The token that a state takes: the highest rank, then the longest, words before names."""
        behind = self.skip(text, place)
        if behind == len(text):
            return ("end", behind) if "end" in valid else None
        word = self.word.match(text, behind)
        best = None
        for name in valid & self.grammar.terminals.keys():
            regex, rank, immediate, is_word = self.grammar.terminals[name]
            if is_word:
                if word and json.dumps(word.group()) == name:
                    key = (rank, word.end() - behind, 2)
                    best = max(best or (key, name, word.end()), (key, name, word.end()))
                continue
            match = regex.match(text, place if immediate else behind)
            if match and match.group():
                start = place if immediate else behind
                key = (rank, match.end() - start, 1)
                best = max(best or (key, name, match.end()), (key, name, match.end()))
        return best[1:] if best else None

    def parse(self, text):
        """The offset of the first error; None where there is none."""
        stacks, furthest = [((0,), 0)], 0
        while stacks:
            stack, place = stacks.pop()
            furthest = max(furthest, place)
            actions = self.table.actions[stack[-1]]
            found = self.token(text, place, set(actions))
            if found is None:
                continue
            name, end = found
            for kind, target in actions[name]:
                if kind == "shift":
                    stacks.append((stack + (target,), end))
                elif target == -1:
                    return None
                else:
                    left, symbols, _ = self.table.production(target)
                    rest = stack[: len(stack) - len(symbols)]
                    stacks.append((rest + (self.table.actions[rest[-1]][left][0][1],), place))
        return furthest


def main(paths):
    grammar = Grammar(load())
    # An empty file: the rule may be empty, which the table says by its start.
    table = Table(grammar)
    for names, look in sorted(table.problems):
        print(f"conflict between {', '.join(names)} at `{look}`")
    unused = table.declared - table.used
    for names in sorted(unused):
        print(f"a conflict is declared that does not exist: {', '.join(names)}")
    parser = Parser(grammar, table)
    if not paths:
        paths = sorted(p for d in ("Definitions", "Tests/Conformance") for p in (ROOT / d).rglob("*.metric"))
    wrong = 0
    for path in paths:
        text = pathlib.Path(path).read_text()
        error = parser.parse(text)
        if error is not None:
            wrong += 1
            line = text.count("\n", 0, error) + 1
            print(f"{path}:{line}: cannot be parsed behind {text[max(0, error - 30):error]!r}")
    print(f"{len(table.kernels)} states, {len(paths)} files parsed, {wrong} with an error")
    return 1 if wrong or table.problems or unused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
