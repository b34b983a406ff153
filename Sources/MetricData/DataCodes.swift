/// The codes of what is wrong with data while it is read; `D0xx`.
extension DiagnosticCode {
  // The file as a whole.
  public static let emptyFile = DiagnosticCode("D001", "empty-file")
  public static let missingColumn = DiagnosticCode("D002", "missing-column")
  public static let repeatedColumn = DiagnosticCode("D003", "repeated-column")
  public static let wrongCellCount = DiagnosticCode("D004", "wrong-cell-count")
  public static let strayQuote = DiagnosticCode("D005", "stray-quote")
  public static let unterminatedQuote = DiagnosticCode("D006", "unterminated-quote")
  public static let notUTF8 = DiagnosticCode("D007", "not-utf8")
  public static let wrongSeparator = DiagnosticCode("D008", "wrong-separator")

  // One value.
  public static let missingValue = DiagnosticCode("D010", "missing-value")
  public static let noRealDate = DiagnosticCode("D011", "no-real-date")
  public static let notADay = DiagnosticCode("D012", "not-a-day")
  public static let notANumber = DiagnosticCode("D013", "not-a-number")
  public static let notWhole = DiagnosticCode("D014", "not-whole")
  public static let tooManyDigits = DiagnosticCode("D015", "too-many-digits")
  public static let outOfRange = DiagnosticCode("D016", "out-of-range")
  public static let belowMinimum = DiagnosticCode("D017", "below-minimum")
  public static let textNotAllowed = DiagnosticCode("D018", "text-not-allowed")
  public static let notTrueOrFalse = DiagnosticCode("D019", "not-true-or-false")
  public static let notAnInstant = DiagnosticCode("D020", "not-an-instant")

  // JSON.
  public static let wrongJSONType = DiagnosticCode("D021", "wrong-json-type")
  public static let repeatedKey = DiagnosticCode("D022", "repeated-key")
  public static let malformedJSON = DiagnosticCode("D023", "malformed-json")
  public static let notAnArray = DiagnosticCode("D024", "not-an-array")
  public static let truncatedJSON = DiagnosticCode("D025", "truncated-json")
  public static let nestedTooDeeply = DiagnosticCode("D026", "nested-too-deeply")

  // Any format.
  public static let recordTooLong = DiagnosticCode("D027", "record-too-long")
}
