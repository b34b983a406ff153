/// What a reader turns a field into.
public enum ColumnType: Hashable, Sendable {
  /// ID, references, Text: interned.
  case text
  case int, decimal, bool, dayKey, instant
}

/// One field that a reader is to decode, and what it refuses.
public struct ColumnSchema: Hashable, Sendable {
  public var name: String
  /// What the file calls the field.
  public var nameInFile: String
  public var type: ColumnType
  /// A missing value is malformed.
  public var isRequired: Bool
  /// A smaller number is malformed.
  public var minimum: FixedDecimal?
  /// Any other text is malformed.
  public var choices: [String]?
  /// Whether JSON may give a whole number for it (ids are numbers in many exports).
  public var isIdentifier: Bool

  public init(
    name: String, type: ColumnType, isRequired: Bool, minimum: FixedDecimal? = nil,
    choices: [String]? = nil, isIdentifier: Bool = false
  ) {
    self.name = name
    nameInFile = name
    self.type = type
    self.isRequired = isRequired
    self.minimum = minimum
    self.choices = choices
    self.isIdentifier = isIdentifier
  }

  /// Whether two names differ in nothing but capitals, `_`, `-` and blanks: `habit_id` and `habitId`.
  package static func isSimilar(_ left: String, _ right: String) -> Bool {
    func letters(_ name: String) -> String { name.lowercased().filter { !"_- ".contains($0) } }
    return letters(left) == letters(right)
  }
}

/// The fields of one record type that are to be decoded; all others are skipped.
public struct TableSchema: Hashable, Sendable {
  public var record: String
  public var columns: [ColumnSchema]

  public init(record: String, columns: [ColumnSchema]) {
    self.record = record
    self.columns = columns
  }

  /// The same fields, some under the names that a file uses: `names` has them by field.
  public func reading(_ names: [String: String]) -> TableSchema {
    var schema = self
    for (index, column) in columns.enumerated() {
      schema.columns[index].nameInFile = names[column.name] ?? column.name
    }
    return schema
  }
}
