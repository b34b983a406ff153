/**
 * The metric language for tree-sitter. Grammar/metric.ebnf beside it is the norm; a test holds the words of
 * both against the parser.
 *
 * Words are keywords only where the grammar asks for them: `word` lets tree-sitter take them for names
 * everywhere else.
 */

/** One or more, with a separator. */
function separated(rule, separator) {
  return seq(rule, repeat(seq(separator, rule)));
}

module.exports = grammar({
  name: "metric",

  word: ($) => $.identifier,

  extras: ($) => [/\s/, $.comment, $.doc_comment],

  // Whether `min` behind a type is a modifier or the next field shows one token later.
  // And whether `days` behind thresholds is theirs or the next clause.
  conflicts: ($) => [[$.field], [$.thresholds]],

  supertypes: ($) => [$._declaration, $._clause, $._expression, $._literal],

  rules: {
    source_file: ($) => repeat($._declaration),

    _declaration: ($) => choice($.metric, $.record, $.test, $.report, $.language),

    language: ($) => seq("language", field("version", $.number)),

    // Metrics

    metric: ($) =>
      seq(
        field(
          "kind",
          choice("completion", "streak", "momentum", "progress", "measure", "level", "funnel", "retention"),
        ),
        field("name", $.identifier),
        "{",
        repeat($._clause),
        "}",
      ),

    _clause: ($) =>
      choice(
        $.subject, $.every, $.when, $.limit, $.rest, $.of, $.best, $.previous, $.grace, $.forgive, $.half_life, $.over, $.value,
        $.target, $.thresholds, $.at_least, $.nearest, $.step, $.within, $.order, $.step_days, $.without, $.start, $.return, $.after, $.by,
        $.slice, $.family,
        $.title, $.unit, $.audience, $.owner, $.tags, $.approved, $.deprecated, $.allow, $.reading, $.metrics, $.forbidden,
      ),

    subject: ($) => seq("for", field("subject", $.identifier), optional($.where)),
    every: ($) => seq("every", $._window),
    when: ($) => seq("when", $._expression),
    limit: ($) => seq("limit", $._expression, $.string),
    rest: ($) => seq("rest", "when", $._expression),
    of: ($) => seq("of", $.path),
    best: () => "best",
    previous: () => "previous",
    grace: ($) => seq("grace", $.length),
    forgive: ($) => seq("forgive", $.number, "in", $.length),
    half_life: ($) => seq("half", "life", $.length),
    over: ($) => seq("over", $._period),
    family: ($) => seq("over", "each", "[", separated($.member, ","), "]"),
    member: ($) => seq($._period, "as", field("name", $.identifier)),
    value: ($) => seq("value", $._expression),
    target: ($) => seq("target", $._expression),
    thresholds: ($) => seq("at", separated($.signed_number, ","), optional(choice("day", "days"))),
    at_least: ($) => seq("at", "least", $.number, "users"),
    nearest: ($) => seq("nearest", $.number),
    step: ($) => seq("step", field("name", $.identifier), $.fact_pattern),
    within: ($) => seq("within", $.length),
    order: () => seq("order", choice("any", "strict")),
    step_days: ($) => seq("days", separated($.number, ",")),
    without: ($) => seq("without", $.fact_pattern),
    start: ($) => seq("start", optional(choice("first", "each")), $.fact_pattern),
    return: ($) => seq("return", $.fact_pattern),
    after: ($) => seq("after", choice(
      seq(separated($.number, ","), $._rolling_unit, optional(seq("or", "later"))),
      seq("days", separated(seq($.number, "to", $.number), ",")),
    )),
    by: ($) => seq("by", separated(choice($.path, $.cohort), ",")),
    slice: ($) => seq("slice", "by", separated($.path, ",")),
    cohort: () => seq("cohort", choice("day", "week", "month", "quarter", "year")),
    title: ($) => seq("title", $.string),
    unit: ($) => seq("unit", field("unit", choice($.identifier, $.record_name))),
    audience: () => seq("audience", choice("user", "team")),
    owner: ($) => seq("owner", $.string),
    tags: ($) => seq("tags", "[", separated($.string, ","), "]"),
    approved: ($) => seq("approved", $.string, "on", $.day, "meaning", $.string),
    deprecated: ($) => seq("deprecated", $.string),
    reading: ($) => seq("reading", $.string),
    metrics: ($) => seq("metrics", separated($.identifier, ",")),
    allow: ($) => seq("allow", field("code", $.record_name), $.string),

    // Words that the checklist refuses with a finding of their own, and the rest of their line.
    forbidden: ($) =>
      prec.right(
        seq(
          choice(
            "stored", "cached", "persist", "store", "cache", "save", "increment", "decrement", "reset",
            "override", "expire", "rollover", "carry", "penalty", "missed", "late", "deadline", "punish",
            "lose", "timezone", "timestamp", "now", "today",
          ),
          optional($.rest_of_line),
        ),
      ),
    rest_of_line: () => token.immediate(prec(1, /[ \t]+([^\s{}\/"]|"[^"\n]*")([^\n{}\/"]|"[^"\n]*"|\/[^\/\n])*/)),

    fact_pattern: ($) => prec.right(seq(field("source", choice($.identifier, $.record_name)), optional($.where))),
    where: ($) => prec.right(seq("where", $._expression)),

    // Windows, periods, lengths

    _window: ($) => choice($._rolling_unit, $.length, $.calendar),
    calendar: ($) =>
      prec.right(
        seq("calendar", choice(
          seq(choice("week", "weeks"), optional(seq("from", $.weekday))), "month", "months",
          seq(choice("quarter", "year"), optional(seq("from", $.month))),
        )),
      ),
    weekday: () => choice("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    month: () => choice(
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
      "december",
    ),
    _period: ($) => choice($.last, $.calendar, $.previous_calendar, $.all_time),
    previous_calendar: ($) => seq("previous", $.calendar),
    last: ($) => seq("last", $.length),
    all_time: () => seq("all", "time"),
    length: ($) => seq($.number, choice($._rolling_unit, "window", "windows", "month", "months")),
    _rolling_unit: () => choice("day", "days", "week", "weeks"),

    // Expressions, loosest first

    _expression: ($) =>
      choice(
        $.conditional, $.binary, $.not, $.membership, $.is_none, $.negation, $.offset, $.path, $.call,
        $.parenthesized, $.number, $.string, $.day, $.boolean, $.none,
      ),

    conditional: ($) => prec.right(0, seq("if", $._expression, "then", $._expression, "else", $._expression)),

    binary: ($) =>
      choice(
        ...[
          ["or", 1],
          ["and", 2],
          [choice("==", "!=", "<", "<=", ">", ">="), 4],
          [choice("+", "-"), 5],
          [choice("*", "/"), 6],
        ].map(([operator, rank]) =>
          prec.left(
            rank,
            seq(field("left", $._expression), field("operator", operator), field("right", $._expression)),
          ),
        ),
      ),

    not: ($) => prec(3, seq("not", $._expression)),
    membership: ($) => prec.left(4, seq($._expression, optional("not"), "in", $.list)),
    is_none: ($) => prec.left(4, seq($._expression, "is", optional("not"), $.none)),
    negation: ($) => prec(7, seq("-", $._expression)),
    offset: ($) => prec(8, seq($.path, "offset", $.length)),
    parenthesized: ($) => seq("(", $._expression, ")"),

    call: ($) => prec(9, seq(field("function", $.identifier), "(", optional(separated($.argument, ",")), ")")),
    argument: ($) =>
      seq($._expression, optional($.through), optional($.where), optional(seq("over", $._period))),
    through: ($) => seq("through", choice($.identifier, $.record_name)),

    path: ($) => prec.right(separated(choice($.identifier, $.record_name), ".")),
    list: ($) => seq("[", separated($._literal, ","), "]"),

    _literal: ($) => choice($.signed_number, $.string, $.day, $.boolean, $.none),
    signed_number: ($) => seq(optional("-"), $.number),
    boolean: () => choice("true", "false"),
    none: () => "none",

    // Records

    record: ($) =>
      seq(
        choice(
          seq(field("kind", "fact"), field("name", $.record_name), optional("setting")),
          seq(field("kind", choice("entity", "link", "extend")), field("name", $.record_name)),
        ),
        "{",
        repeat(choice($.field, $.consent)),
        "}",
      ),

    field: ($) =>
      seq(
        field("name", $._field_name),
        choice(seq(":", field("type", $._type), optional("?"), repeat($.modifier)), seq("=", $._expression)),
      ),

    // A modifier word with `:` or `=` behind it is the next field's name.
    _field_name: ($) =>
      choice(
        $.identifier,
        ...["min", "stored", "observed", "pii", "tombstone", "consent"].map((word) => alias(word, $.identifier)),
      ),

    _type: ($) => choice($.record_name, $.choices),
    choices: ($) => prec.right(separated($.string, "|")),
    modifier: ($) => choice(seq("min", $.signed_number), "stored", seq("observed", $.string), "pii", "tombstone"),
    consent: ($) =>
      seq("consent", $._level, optional(seq("for", field("purpose", $.string))), optional(seq("default", $._level))),
    _level: () => choice("none", "essential", "standard", "detailed"),

    // Reports and tests

    report: ($) => seq("report", field("name", $.identifier), "{", repeat($._clause), "}"),

    test: ($) => seq("test", field("name", $.string), "{", repeat(choice($.given, $.log, $.expect)), "}"),

    given: ($) => seq("given", field("record", $.record_name), "{", optional(separated($.given_field, ",")), "}"),
    given_field: ($) => seq(field("name", $.identifier), ":", field("value", $._literal)),
    log: ($) => seq("log", field("subject", $.string), "from", $.day, field("marks", $.string)),
    expect: ($) =>
      seq(
        "expect",
        field("metric", $.identifier),
        optional(seq("for", $.string)),
        optional(seq("group", separated($.string, ","))),
        optional(seq("part", $.string)),
        "at",
        $.day,
        "=",
        field("value", $._literal),
      ),

    // Lexical rules

    identifier: () => /[a-z][A-Za-z0-9_]*/,
    record_name: () => /[A-Z][A-Za-z0-9_]*/,
    day: () => token(prec(1, /[0-9]{4}-[0-9]{2}-[0-9]{2}/)),
    number: () => /[0-9][0-9_]*(\.[0-9][0-9_]*)?%?/,
    string: () => /"([^"\\\n]|\\.)*"/,
    doc_comment: () => token(prec(1, /\/\/\/[^\n]*/)),
    comment: () => token(/\/\/[^\n]*/),
  },
});
