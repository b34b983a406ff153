/// What a reader must know to decode the cells of one field: the `ColumnSchema` without anything that
/// is counted by reference, since it is examined for every cell.
struct FieldRule {
  let type: ColumnType
  let isRequired: Bool
  let isIdentifier: Bool
  /// The least number, in millionths.
  let minimum: Int64
  /// The allowed texts as numbers of the pool; owned by the `FieldRules`.
  private let choices: UnsafeMutableBufferPointer<Int32>?

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
    case .decimal:
      return try decimal(bytes)
    case .int:
      return try integer(bytes)
    case .bool:
      return try FieldRule.bool(bytes)
    case .instant:
      guard let instant = Instant(utf8: bytes) else { throw .notAnInstant }
      return instant.microseconds
    }
  }

  @inline(__always)
  private func decimal(_ bytes: UnsafeBufferPointer<UInt8>) throws(CellFault) -> Int64 {
    let millionths: Int64
    do throws(NumberFault) {
      millionths = try FixedDecimal.parse(bytes).millionths
    } catch {
      throw .number(error)
    }
    guard millionths >= minimum else { throw .belowMinimum }
    return millionths
  }

  private func integer(_ bytes: UnsafeBufferPointer<UInt8>) throws(CellFault) -> Int64 {
    let value: Int64
    do throws(NumberFault) {
      value = try FixedDecimal.parseInt(bytes)
    } catch {
      throw .number(error)
    }
    guard value * FixedDecimal.scale >= minimum else { throw .belowMinimum }
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
