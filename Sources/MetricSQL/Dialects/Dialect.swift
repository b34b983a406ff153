/// The dialect of an engine: what it spells in its own way. What most engines spell alike is in extensions; a
/// dialect's own file has what is different there. Arguments are SQL that may stand as an operand; names and constants
/// pass through `identifier` and `literal` and no other way.
protocol Dialect: Sendable {
  var traits: DialectTraits { get }

  /// A name in the engine's quotes, whatever characters it holds.
  func quoted(_ identifier: String) -> String
  /// A text constant, whatever characters it holds.
  func literal(_ text: String) -> String
  /// A number that is surely held in 64 bits.
  func literal(_ number: Int64) -> String
  /// No value, as one of this type.
  func null(_ type: SQLStoredType) -> String

  /// The type of a stored column.
  func name(of type: SQLStoredType) -> String
  /// The type of a column that `--schema` declares, with whether it may be missing.
  func declaration(of type: SQLStoredType, isRequired: Bool) -> String
  /// The value in a stored column: texts without the empty one, days and instants and decimals as numbers.
  func reading(_ column: String, as type: SQLStoredType) -> String
  /// The same of a column of decimals, and of an instant.
  func millionths(_ column: String) -> String
  func microseconds(_ instant: String) -> String
  /// What is null where a stored column holds no value.
  func presence(of column: String, _ type: SQLStoredType) -> String
  /// A value as one of a type, or an error.
  func cast(_ value: String, _ type: SQLStoredType) -> String
  /// A text that is compared by its bytes.
  func byBytes(_ text: String) -> String
  /// Days since 1970-01-01 as a date of the engine, and back.
  func date(_ number: String) -> String
  func number(ofDate date: String) -> String

  /// An operation that the engine spells in its own way; nil where it spells it like most.
  func own(_ operation: SQLOperation, _ first: String, _ second: String) -> String?
  /// A text without the zeros at its end.
  func withoutZeros(_ text: String) -> String
  /// Whether the magnitude of a number is at most a limit, and what fails with a text in place of a number.
  func isInRange(_ value: String, _ limit: Int64) -> String
  func failing(_ text: String) -> String

  /// A value that has a name in what follows.
  func naming(_ value: String, _ name: String, in body: String) -> String
  /// Aggregates that have names in what follows.
  func namingAggregates(_ values: [(name: String, value: String)], in body: String) -> String
  /// A number as an integer of more than 64 bits, and the quotient of two such numbers, towards zero.
  func wide(_ value: String) -> String
  func wideQuotient(_ dividend: String, _ divisor: String) -> String

  func sum(_ value: String) -> String
  /// The exact sum of millionths.
  func sumOfMillionths(_ value: String) -> String
  /// The average of millionths in millionths, rounded half away from zero.
  func averageOfMillionths(_ value: String) -> String
  /// A count or rank as the engine has it, as a number like all others.
  func signed(_ count: String) -> String
  /// What `LEAD` and `LAG` take so that they are null where there is no such row.
  func neighbour(_ value: String) -> String

  /// A query of the columns of files; nil if the engine has no statement for that.
  func query(of file: SQLFile, _ fields: [SQLField]) -> String?
  /// A query of the numbers from 0 through a bound; `name` and `column` are those of the relation that it
  /// defines, for engines that count by recursion.
  func series(through bound: String, relation name: String, column: String) -> String
  /// The same through the number `n` of a query's only row, where this is not an expression of the engine.
  func series(throughRowOf query: String, column: String) -> String?
  /// A query of `alias` and `person`, where the chains of a relation's links end; nil for engines that do not follow them by
  /// recursion, whose plans do not grow where each of several relations reads the one before twice.
  func chainEnds(of links: String) -> String?
  /// A query of rows of constants, each in commas.
  func rows(_ rows: [String]) -> String

  /// What makes a table of a script of the query after it, what follows, and what takes it away in the end.
  func creation(of table: String) -> String
  func behindCreation(of table: String) -> String
  func removal(of table: String) -> String
}

/// What engines call in another way, or have or lack.
struct DialectTraits: Sendable {
  /// The parameter that the caller binds to a day.
  var dayParameter: String
  var types: SQLTypeNames
  /// Words that may not stand as a name without quotes, in lower case.
  var reservedWords = commonReservedWords
  /// Whether `PERCENTILE_DISC` gives the value of the exact rank.
  var aggregatesPercentiles = false
  /// Of how many digits numbers of more than 64 bits may be.
  var wideDigits = 37
  /// How much of the engine's parser a constant, column or operation may take up, as `ParserDepth` measures; what is
  /// more is computed in steps. Nil if there is no such limit.
  var deepestExpression: Int?
  /// Whether missing values come first in an order that rises, and last in one that falls, without saying so.
  var ordersNulls = false
  /// Whether a column keeps its name in a query only where the query says so.
  var namesEveryColumn = false
  /// `WITH`, or what allows recursion.
  var withKeyword = "WITH"
  /// Whether a relation that several read has to be marked `MATERIALIZED` so that the engine computes it once.
  var marksShared = false
  /// Whether such a relation streams to all that read it, so that one scan costs less than two.
  var streamsShared = false
  /// Whether reading rows twice costs less than making a table of them.
  var scansTwice = false
  /// What ends a query, and what ends a declaration of a table.
  var settings = ""
  var tableEnd = ""
  /// What follows the name of a table that stays, in front of the query of its rows.
  var resultTableEnd = ""
  /// Statements before a query, for the session.
  var sessionSettings = ""
  /// What follows `CREATE` for a table that is gone with the session.
  var temporaryTable = "TEMPORARY TABLE"
  /// How dbt replaces the rows of some days `r` in a table.
  var dbtReplacement = "incremental_strategy='delete+insert', unique_key='r'"
}

struct SQLTypeNames {
  var text, int, bool, decimal, day, instant: String

  subscript(_ type: SQLStoredType) -> String {
    switch type {
    case .text: text
    case .int: int
    case .decimal: decimal
    case .bool: bool
    case .day, .date: day
    case .instant: instant
    }
  }
}

extension Dialect {
  var types: SQLTypeNames { traits.types }
  func quoted(_ identifier: String) -> String { identifier.quoted("\"", ["\"": "\"\""]) }
  func literal(_ number: Int64) -> String { "CAST(\(number) AS \(name(of: .int)))" }
  func null(_ type: SQLStoredType) -> String { "CAST(NULL AS \(name(of: type)))" }

  /// The name as it is where the engine takes it, else in quotes.
  func identifier(_ name: String) -> String {
    let isPlain =
      name.utf8.enumerated().allSatisfy { index, byte in
        (0x61...0x7A).contains(byte) || byte == 0x5F || (index > 0 && (0x30...0x39).contains(byte))
      } && !name.isEmpty
    return isPlain && !traits.reservedWords.contains(name) ? name : quoted(name)
  }

  func name(of type: SQLStoredType) -> String { types[type] }
  func declaration(of type: SQLStoredType, isRequired: Bool) -> String {
    "\(name(of: type))\(isRequired ? " NOT NULL" : "")"
  }
  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: byBytes("NULLIF(CAST(\(column) AS \(name(of: type))), '')")
    case .int, .bool: cast(column, type)
    case .date: "CAST(\(column) AS \(name(of: type)))"
    case .decimal: millionths(column)
    case .day: number(ofDate: "CAST(\(column) AS \(name(of: type)))")
    case .instant: microseconds("CAST(\(column) AS \(name(of: type)))")
    }
  }
  func presence(of column: String, _ type: SQLStoredType) -> String {
    type == .text ? reading(column, as: .text) : "CAST(\(column) AS \(name(of: type)))"
  }
  func cast(_ value: String, _ type: SQLStoredType) -> String { "CAST(\(value) AS \(name(of: type)))" }
  func byBytes(_ text: String) -> String { text }

  func signed(_ count: String) -> String { count }
  func neighbour(_ value: String) -> String { value }

  func query(of file: SQLFile, _ fields: [SQLField]) -> String? { nil }
  func series(throughRowOf query: String, column: String) -> String? { nil }
  func chainEnds(of links: String) -> String? { nil }
  func rows(_ rows: [String]) -> String {
    "VALUES " + rows.map { "(\($0))" }.joined(separator: ",\n    ")
  }

  func creation(of table: String) -> String { "CREATE \(traits.temporaryTable) \(table) AS" }
  func behindCreation(of table: String) -> String { "" }
  func removal(of table: String) -> String { "" }
}

extension String {
  /// The text between quotes, with others in place of some of its characters.
  func quoted(_ quote: String, _ escapes: [Unicode.Scalar: String]) -> String {
    quote + unicodeScalars.map { escapes[$0] ?? String($0) }.joined() + quote
  }
}

/// Words that one of the engines reserves: a name of these is written in quotes everywhere.
let commonReservedWords = Set(
  """
  abort action add after all alter always analyse analyze and anti any array as asc asof asymmetric at
  attach authorization autoincrement before begin between binary both by cascade case cast check collate
  collation column commit concurrently conflict constraint create cross current current_catalog current_date
  current_role current_schema current_time current_timestamp current_user database day default deferrable
  deferred delete desc describe detach distinct do drop each else end escape except exclude exclusive exists
  explain fail false fetch filter first following for foreign freeze from full function generated glob grant
  group groups having hour if ignore ilike immediate in index indexed initially inner insert instead
  intersect interval into is isnull join key lambda last lateral leading left like limit localtime
  localtimestamp map match materialized minus minute month natural no not nothing notnull null nulls of
  offset on only or order others outer over overlaps partition pivot pivot_longer pivot_wider placing plan
  positional pragma preceding primary qualify query raise range recursive references regexp reindex release
  rename replace restrict returning right rollback row rows savepoint second select semi session_user set
  show similar some struct summarize symmetric table tablesample temp temporary then ties time timestamp to
  trailing transaction trigger true unbounded union unique unnest unpivot update user using vacuum value
  values variadic verbose view virtual week when where window with within without year
  """.split(whereSeparator: \.isWhitespace).map(String.init))
