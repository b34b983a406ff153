/// A relation: what follows `as` in a common table expression.
package indirect enum SQLQuery: Hashable, Sendable {
  case select(SQLSelect)
  /// All rows of several queries of the same columns; distinct ones where asked for.
  case union([SQLQuery], isDistinct: Bool)
  /// Rows of constants; the columns are named by the common table expression.
  case values([[SQLExpression]])
  /// The numbers 0, 1, … up to a bound in the one column that is named; none where it is null or below 0.
  case series(through: SQLExpression)
  /// `alias`, `person`: where the chains of a relation's links end (`Dialect.chainEnds`).
  case chainEnds(links: String)
}

extension SQLQuery {
  static func all(of relation: String) -> SQLQuery {
    .select(SQLSelect(columns: [], from: SQLRelation(path: [relation], alias: relation)))
  }

  static func rows(of queries: [SQLQuery], isDistinct: Bool) -> SQLQuery {
    queries.count == 1 ? queries[0] : .union(queries, isDistinct: isDistinct)
  }
}

package struct SQLSelect: Hashable, Sendable {
  package var isDistinct = false
  /// None: all that there are.
  package var columns: [SQLColumn]
  package var from: SQLRelation?
  package var joins: [SQLJoin] = []
  package var conditions: [SQLExpression] = []
  package var groups: [SQLExpression] = []
  package var order: [SQLOrder] = []
}

package struct SQLColumn: Hashable, Sendable {
  package var expression: SQLExpression
  package var name: String

  package init(_ expression: SQLExpression, _ name: String) {
    (self.expression, self.name) = (expression, name)
  }
}

/// A table of the database or a common table expression, under a name of its own.
package struct SQLRelation: Hashable, Sendable {
  /// `schema.table` is two names.
  package var path: [String]
  package var alias: String
}

package struct SQLJoin: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case inner = "JOIN"
    case left = "LEFT JOIN"
  }

  package var kind: Kind
  package var relation: SQLRelation
  /// None: each row beside each other one.
  package var on: [SQLExpression] = []
}

/// A common table expression, with a sentence for the reader.
package struct SQLDefinition: Hashable, Sendable {
  package var name: String
  package var columns: [String]?
  package var comment: String?
  package var query: SQLQuery
  /// Whether its rows are kept however few read it, so that its columns are not computed in its readers.
  package var isKept = false
}

package struct SQLField: Hashable, Sendable {
  package var name: String
  package var type: SQLStoredType
  package var isRequired: Bool

  /// What the column of a file is read as.
  var typeInFiles: SQLStoredType { type == .decimal ? .decimal : .text }
}

/// How a field is stored in the database.
package enum SQLStoredType: Hashable, Sendable {
  case text, int, decimal, bool, day, instant
  /// A day as the engine has it, so that a condition on it skips partitions.
  case date
}
