import ArgumentParser

/// Help that several commands share.
extension ArgumentHelp {
  static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }

  static let library = value(
    "path", "A .metric file, or a folder that is read with its subfolders. All together are one library.")
  static let dataFiles: ArgumentHelp =
    "A folder of data files, or Record=path for a single one. May be repeated."
  static let referenceDay = value(
    "day", "The reference day, YYYY-MM-DD. Without it, the last DayKey of all fact files.")
  static let onlyMetric = value("name", "Evaluate this metric only. May be repeated.")
  static let onlySubject = value("id", "Evaluate for this subject only. May be repeated.")
  static let testFilter = value("text", "Run only the tests whose name contains the text.")
}

/// Refuses a command line whose options make no sense together.
func refuse(_ isWrong: Bool, _ message: @autoclosure () -> String) throws(ValidationError) {
  if isWrong { throw ValidationError(message()) }
}

/// The formats of commands that answer people or programs, and nobody else.
enum TextFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json

  func print(_ json: @autoclosure () -> JSONText, text: @autoclosure () -> String) throws(CommandFailure) {
    try BufferedOutput.print(self == .json ? "\(json())\n" : text())
  }
}
