import MetricDiagnostics

/// Why the text of a cell is no value of its field.
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
    let found = "`\(column.name)` is \(Wording.quoted(bytes))"
    func expected(_ code: DiagnosticCode) -> Finding {
      Finding(code: code, message: "\(found), expected \(Wording.expectation(column))")
    }
    switch self {
    case .notUTF8: return Finding(code: .notUTF8, message: "\(found), whose bytes are not valid UTF-8")
    case .noRealDate: return Finding(code: .noRealDate, message: "\(found), which is not a real date")
    case .outsideDays:
      return Finding(code: .noRealDate, message: "\(found), expected a day from \(DayKey.range)")
    case .notADay: return expected(.notADay)
    case .notTrueOrFalse: return expected(.notTrueOrFalse)
    case .notAnInstant: return expected(.notAnInstant)
    case .textNotAllowed: return expected(.textNotAllowed)
    case .belowMinimum:
      let least = column.minimum.map { "`\($0)` or more" } ?? "a greater number"
      return Finding(code: .belowMinimum, message: "\(found), expected \(least)")
    case .number(.malformed) where bytes.contains(UInt8(ascii: ",")):
      return Finding(code: .notANumber, message: "\(found), expected a number like `1000.5`, without commas")
    case .number(.malformed): return expected(.notANumber)
    case .number(.notWhole): return expected(.notWhole)
    case .number(.tooManyFractionalDigits):
      return Finding(
        code: .tooManyDigits, message: "\(found), expected at most 6 digits after the decimal point")
    case .number(.outOfRange):
      let limit = FixedDecimal.intLimit
      return Finding(code: .outOfRange, message: "\(found), expected a number from -\(limit) to \(limit)")
    }
  }

  /// A required value that is not there.
  static func missing(_ column: ColumnSchema) -> Finding {
    Finding(
      code: .missingValue,
      message: "`\(column.name)` is missing, expected \(Wording.expectation(column))")
  }
}
