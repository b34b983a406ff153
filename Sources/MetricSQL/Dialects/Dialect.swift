/// What an engine spells in its own way. The arguments of operations are SQL already; names and constants
/// pass through `identifier` and `literal` and no other way.
package protocol Dialect: Sendable {
  /// As `--dialect` has it.
  var name: String { get }

  /// A name in the engine's quotes, whatever characters it holds.
  func quoted(_ identifier: String) -> String
  /// Words that may not stand as a name without quotes, in lower case.
  var reservedWords: Set<String> { get }
  /// A text constant, whatever characters it holds.
  func literal(_ text: String) -> String
  /// A number that is surely held in 64 bits.
  func literal(_ number: Int64) -> String
  /// The parameter that the caller binds to a day.
  var dayParameter: String { get }
  func parameter(_ day: SQLDayParameter) -> String
  /// How dbt replaces the rows of some days `r` in a table.
  var dbtReplacement: String { get }
  /// A value of no kind, as a value of this type.
  func name(of type: SQLType) -> String

  /// The type of a stored column.
  func name(of type: SQLStoredType) -> String
  /// The type of a column that `--schema` declares, with whether it may be missing.
  func declaration(of type: SQLStoredType, isRequired: Bool) -> String
  /// The value in a stored column: texts without the empty one, days and instants and decimals as numbers.
  func reading(_ column: String, as type: SQLStoredType) -> String

  /// What is null where a stored column holds no value.
  func presence(of column: String, _ type: SQLStoredType) -> String

  /// A query of the columns of files; nil if the engine has no statement for that.
  func query(of file: SQLFile, _ fields: [SQLField]) -> String?
  func call(_ operation: SQLOperation, _ arguments: [String]) -> String
  func call(_ aggregate: SQLAggregate, _ argument: String) -> String
  /// A query of the numbers from 0 through a bound; `name` and `column` are those of the relation that it
  /// defines, for engines that count by recursion.
  func series(through bound: String, relation name: String, column: String) -> String
  /// A query of `alias` and `person`, where the chains of a relation's links end; nil for engines that do not follow them by
  /// recursion, whose plans do not grow where each of several relations reads the one before twice.
  func chainEnds(of links: String, most: Int) -> String?
  /// The same through the number `n` of a query's only row, where this is not an expression of the engine.
  func series(throughRowOf query: String, column: String) -> String?
  /// How missing values come first in an order that rises, and last in one that falls; empty if the engine does so by
  /// itself.
  func nullOrder(isDescending: Bool) -> String
  /// `WITH`, or what allows recursion.
  var withKeyword: String { get }
  /// Whether a relation that several read has to be marked `MATERIALIZED` so that the engine computes it once.
  var marksShared: Bool { get }
  /// Whether such a relation streams to all that read it, so that one scan costs less than two.
  var streamsShared: Bool { get }
  /// Whether reading rows twice costs less than making a table of them.
  var scansTwice: Bool { get }
  /// Whether `PERCENTILE_DISC` gives the value of the exact rank.
  var aggregatesPercentiles: Bool { get }
  /// Whether a column keeps its name in a query only where the query says so.
  var namesEveryColumn: Bool { get }
  /// A query of rows of constants, each in commas.
  func rows(_ rows: [String]) -> String
  /// A count or rank as the engine has it, as a number like all others.
  func signed(_ count: String) -> String
  /// What `LEAD` and `LAG` take so that they are null where there is no such row.
  func neighbour(_ value: String) -> String
  /// What ends a query, and what ends a declaration of a table.
  var settings: String { get }
  var tableEnd: String { get }
  /// Statements before a query, for the session.
  var sessionSettings: String { get }
  /// What makes a table of a script of the query after it, what follows, and what takes it away in the end.
  func creation(of table: String) -> String
  func behindCreation(of table: String) -> String
  func removal(of table: String) -> String
  /// What follows the name of a table that stays, in front of the query of its rows.
  var resultTableEnd: String { get }
  /// What follows `CREATE` for a table that is gone with the session.
  var temporaryTable: String { get }
  /// How much of the engine's parser a constant, column or operation may take up, as `ParserDepth` measures; what is
  /// more is computed in steps. Nil if there is no such limit.
  var deepestExpression: Int? { get }
}

extension Dialect {
  /// A text between single quotes that are doubled inside.
  func doublingQuotes(_ text: String, _ quote: Character) -> String {
    var quoted = String(quote)
    for character in text.unicodeScalars {
      if character == quote.unicodeScalars.first { quoted.unicodeScalars.append(character) }
      quoted.unicodeScalars.append(character)
    }
    return quoted + String(quote)
  }

  func literal(_ number: Int64) -> String { "CAST(\(number) AS \(name(of: SQLType.number)))" }
  var withKeyword: String { "WITH" }
  func declaration(of type: SQLStoredType, isRequired: Bool) -> String {
    "\(name(of: type) as String)\(isRequired ? " NOT NULL" : "")"
  }
  func parameter(_ day: SQLDayParameter) -> String { dayParameter }
  var dbtReplacement: String { "incremental_strategy='delete+insert', unique_key='r'" }
  func query(of file: SQLFile, _ fields: [SQLField]) -> String? { nil }
  func chainEnds(of links: String, most: Int) -> String? { nil }
  func rows(_ rows: [String]) -> String {
    "VALUES " + rows.map { "(\($0))" }.joined(separator: ",\n    ")
  }
  func signed(_ count: String) -> String { count }
  func neighbour(_ value: String) -> String { value }
  var namesEveryColumn: Bool { false }
  var sessionSettings: String { "" }
  func creation(of table: String) -> String { "CREATE \(temporaryTable) \(table) AS" }
  func behindCreation(of table: String) -> String { "" }
  func removal(of table: String) -> String { "" }
  var resultTableEnd: String { "" }
  var settings: String { "" }
  var tableEnd: String { "" }
  var marksShared: Bool { false }
  var streamsShared: Bool { false }
  var scansTwice: Bool { false }
  var aggregatesPercentiles: Bool { false }
  var temporaryTable: String { "TEMPORARY TABLE" }
  var deepestExpression: Int? { nil }
  func nullOrder(isDescending: Bool) -> String { isDescending ? " NULLS LAST" : " NULLS FIRST" }

  /// The name as it is where the engine takes it, else in quotes.
  func identifier(_ name: String) -> String {
    let isPlain =
      name.utf8.enumerated().allSatisfy { index, byte in
        (0x61...0x7A).contains(byte) || byte == 0x5F || (index > 0 && (0x30...0x39).contains(byte))
      } && !name.isEmpty
    return isPlain && !reservedWords.contains(name) ? name : quoted(name)
  }
}

/// Words that one of the engines reserves: a name of these is written in quotes everywhere.
let commonReservedWords: Set<String> = [
  "abort", "action", "add", "after", "all", "alter", "always", "analyse", "analyze", "and", "anti", "any",
  "array", "as", "asc", "asof", "asymmetric", "at", "attach", "authorization", "autoincrement", "before",
  "begin", "between", "binary", "both", "by", "cascade", "case", "cast", "check", "collate", "collation",
  "column", "commit", "concurrently", "conflict", "constraint", "create", "cross", "current",
  "current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp",
  "current_user", "database", "day", "default", "deferrable", "deferred", "delete", "desc", "describe",
  "detach", "distinct", "do", "drop", "each", "else", "end", "escape", "except", "exclude", "exclusive",
  "exists", "explain", "fail", "false", "fetch", "filter", "first", "following", "for", "foreign", "freeze",
  "from", "full", "function", "generated", "glob", "grant", "group", "groups", "having", "hour", "if",
  "ignore", "ilike", "immediate", "in", "index", "indexed", "initially", "inner", "insert", "instead",
  "intersect", "interval", "into", "is", "isnull", "join", "key", "lambda", "last", "lateral", "leading",
  "left", "like", "limit", "localtime", "localtimestamp", "map", "match", "materialized", "minus", "minute",
  "month", "natural", "no", "not", "nothing", "notnull", "null", "nulls", "of", "offset", "on", "only", "or",
  "order", "others", "outer", "over", "overlaps", "partition", "pivot", "pivot_longer", "pivot_wider",
  "placing", "plan", "positional", "pragma", "preceding", "primary", "qualify", "query", "raise", "range",
  "recursive", "references", "regexp", "reindex", "release", "rename", "replace", "restrict", "returning",
  "right", "rollback", "row", "rows", "savepoint", "second", "select", "semi", "session_user", "set", "show",
  "similar", "some", "struct", "summarize", "symmetric", "table", "tablesample", "temp", "temporary", "then",
  "ties", "time", "timestamp", "to", "trailing", "transaction", "trigger", "true", "unbounded", "union",
  "unique", "unnest", "unpivot", "update", "user", "using", "vacuum", "value", "values", "variadic",
  "verbose", "view", "virtual", "week", "when", "where", "window", "with", "within", "without", "year",
]
