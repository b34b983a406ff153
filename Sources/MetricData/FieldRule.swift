/// What a reader must know to decode the cells of one field: the `ColumnSchema` without anything that
/// is counted by reference, since it is examined for every cell.
struct FieldRule {
  private(set) var type = ColumnType.bool
  private(set) var isRequired = false
  private(set) var isIdentifier = false
  /// The least number, in millionths.
  private(set) var minimum = Int64.min
  /// The allowed texts as numbers of the pool; owned by the `FieldRules`.
  private var choices: UnsafeMutableBufferPointer<Int32>?

  /// One that nothing is decoded by.
  init() {}

  fileprivate init(_ column: ColumnSchema, pool: StringPool) {
    type = column.type
    isRequired = column.isRequired
    isIdentifier = column.isIdentifier
    minimum = column.minimum?.millionths ?? .min
    choices = column.choices.map { texts in
      let buffer = UnsafeMutableBufferPointer<Int32>.allocate(capacity: texts.count)
      _ = buffer.initialize(from: texts.map { pool.intern($0) })
      return buffer
    }
  }

  /// Whether the numbers of texts are all of allowed ones; missing values are.
  func allows(_ cells: UnsafePointer<Int64>, count: Int) -> Bool {
    guard let choices else { return true }
    for index in 0..<count where cells[index] != Column.missingWide {
      guard choices.contains(Int32(truncatingIfNeeded: cells[index])) else { return false }
    }
    return true
  }

  fileprivate func deallocate() { choices?.deallocate() }

  /// The cell (see `Column`) of a text that is not empty.
  @inline(__always)
  func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ pool: StringPool) throws(CellFault) -> Int64 {
    switch type {
    case .text:
      guard let id = pool.internValidated(bytes) else { throw .notUTF8 }
      if let choices, !choices.contains(id) { throw .textNotAllowed }
      return Int64(id)
    case .dayKey:
      guard let day = DayKey(utf8: bytes) else { throw FieldRule.dayFault(bytes) }
      return Int64(day.number)
    case .decimal, .int:
      return try number(bytes)
    case .bool:
      return try FieldRule.bool(bytes)
    case .instant:
      guard let instant = Instant(utf8: bytes) else { throw .notAnInstant }
      return instant.microseconds
    }
  }

  @inline(__always)
  private func number(_ bytes: UnsafeBufferPointer<UInt8>) throws(CellFault) -> Int64 {
    let isWhole = type == .int
    let value: Int64
    do throws(NumberFault) {
      value = try isWhole ? FixedDecimal.parseInt(bytes) : FixedDecimal.parse(bytes).millionths
    } catch {
      throw .number(error)
    }
    guard (isWhole ? value * FixedDecimal.scale : value) >= minimum else { throw .belowMinimum }
    return value
  }

  private static func bool(_ bytes: UnsafeBufferPointer<UInt8>) throws(CellFault) -> Int64 {
    if bytes.elementsEqual("true".utf8) { return 1 }
    if bytes.elementsEqual("false".utf8) { return 0 }
    throw .notTrueOrFalse
  }

  /// A text of the right shape is a day that does not exist, or one outside the DayKeys.
  private static func dayFault(_ bytes: UnsafeBufferPointer<UInt8>) -> CellFault {
    guard bytes.count == 10 else { return .notADay }
    if DayKey.number(ofDate: bytes) != nil { return .outsideDays }
    let hasShape = bytes.enumerated().allSatisfy { index, byte in
      index == 4 || index == 7 ? byte == Byte.minus : Byte.digit(byte) <= 9
    }
    return hasShape ? .noRealDate : .notADay
  }
}

/// The rules of all columns of a schema, in its order.
struct FieldRules: ~Copyable {
  private let rules: UnsafeMutableBufferPointer<FieldRule>

  init(_ schema: TableSchema, pool: StringPool) {
    rules = .allocate(capacity: schema.columns.count)
    _ = rules.initialize(from: schema.columns.map { FieldRule($0, pool: pool) })
  }

  deinit {
    for rule in rules { rule.deallocate() }
    rules.deallocate()
  }

  @inline(__always)
  subscript(column: Int) -> FieldRule { rules[column] }
}

/// Asks of single texts what the readers ask of cells, for whoever writes records.
package final class FieldCheck {
  private let columns: [ColumnSchema]
  private let rules: FieldRules
  private let pool = StringPool()

  package init(_ schema: TableSchema) {
    columns = schema.columns
    rules = FieldRules(schema, pool: pool)
  }

  /// Why the text is not a value of the field; nil where it is, or where there is no such field.
  package func fault(of text: String, in field: String) -> String? {
    guard let index = columns.firstIndex(where: { $0.name == field }) else { return nil }
    let column = columns[index]
    guard !text.isEmpty else { return column.isRequired ? CellFault.missing(column).message : nil }
    // Any other text is one, and would only fill the pool.
    guard column.type != .text || column.choices != nil else { return nil }
    var text = text
    return text.withUTF8 { bytes in
      do throws(CellFault) {
        _ = try rules[index].decode(bytes, pool)
        return nil
      } catch {
        return error.finding(bytes, in: column).message
      }
    }
  }
}

/// Why the text of a cell is not a value of its field.
enum CellFault: Error {
  case notUTF8, noRealDate, outsideDays, notADay, notTrueOrFalse, notAnInstant, belowMinimum, textNotAllowed
  case number(NumberFault)
}

/// A code and a message, not yet at a place.
struct Finding {
  var code: DiagnosticCode
  var message: String
}

extension CellFault {
  /// What was found in the cell of `column` and what was expected there.
  func finding(_ bytes: UnsafeBufferPointer<UInt8>, in column: ColumnSchema) -> Finding {
    func finding(_ code: DiagnosticCode, _ reason: String? = nil) -> Finding {
      let reason = reason ?? "expected \(Wording.expectation(column))"
      return Finding(code: code, message: "`\(column.name)` is \(Wording.quoted(bytes)), \(reason)")
    }
    let limit = FixedDecimal.intLimit
    return switch self {
    case .notUTF8: finding(.notUTF8, "whose bytes are not valid UTF-8")
    case .noRealDate: finding(.noRealDate, "which is not a real date")
    case .outsideDays: finding(.noRealDate, "expected a day from \(DayKey.range)")
    case .notADay: finding(.notADay)
    case .notTrueOrFalse: finding(.notTrueOrFalse)
    case .notAnInstant: finding(.notAnInstant)
    case .textNotAllowed: finding(.textNotAllowed)
    case .belowMinimum:
      finding(.belowMinimum, "expected \(column.minimum.map { "`\($0)` or more" } ?? "a greater number")")
    case .number(.malformed) where bytes.contains(Byte.comma):
      finding(.notANumber, "expected a number like `1000.5`, without commas")
    case .number(.malformed): finding(.notANumber)
    case .number(.notWhole): finding(.notWhole)
    case .number(.tooManyFractionalDigits):
      finding(.tooManyDigits, "expected at most 6 digits after the decimal point")
    case .number(.outOfRange): finding(.outOfRange, "expected a number from -\(limit) to \(limit)")
    }
  }

  /// A required value that is not there.
  static func missing(_ column: ColumnSchema) -> Finding {
    let message = "`\(column.name)` is missing, expected \(Wording.expectation(column))"
    return Finding(code: .missingValue, message: message)
  }
}

/// How findings about data quote what they found.
enum Wording {
  /// The user's text in backticks, bytes that are not UTF-8 made visible.
  static func quoted(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // A scalar has at most four bytes, so this is always enough to see whether the text is cut.
    MetricDiagnostics.quoted(String(decoding: bytes.prefix(4 * 61), as: UTF8.self))
  }

  /// `a`, `b` or `c`.
  static func alternatives(_ texts: [String]) -> String {
    let all = texts.map { MetricDiagnostics.quoted($0) }
    guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Whether a text is a day in another form, or a moment: `2026-01-31T08:15:00Z`, `31.01.2026`, `20260131`.
  static func isForeignDay(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count >= 8 && bytes.count(where: { (0x30...0x39).contains($0) }) >= 8
      && bytes.allSatisfy { $0 < 0x80 && ($0 <= 0x3A || $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "Z")) }
  }

  /// What to write in place of such a text.
  static func foreignDayNotes(_ bytes: UnsafeBufferPointer<UInt8>) -> [Note] {
    let day = String(decoding: bytes.prefix(10), as: UTF8.self)
    guard bytes.count > 10, DayKey(day) != nil else {
      return [Note("reading stops here: write every day as `YYYY-MM-DD`")]
    }
    return [
      Note("reading stops here: a day is the local date on which it happened, such as `\(day)`"),
      Note("one moment has different dates in different places; keep it in a field of type `Instant`"),
    ]
  }

  /// What a field takes.
  static func expectation(_ column: ColumnSchema) -> String {
    if let choices = column.choices { return alternatives(choices) }
    return switch column.type {
    case .text: column.isIdentifier ? "a text or a whole number" : "a text"
    case .int: "a whole number"
    case .decimal: "a number"
    case .bool: "`true` or `false`"
    case .dayKey: "a day `YYYY-MM-DD`"
    case .instant: "an instant with its zone like `2026-01-31T08:15:00Z`"
    }
  }
}
