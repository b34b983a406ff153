import MetricDiagnostics

/// Why an export cannot be turned into a dataset.
public struct ImportFailure: Error, Hashable, Sendable {
  /// Where, if one place is at fault. `file` is one of the names that the input was given with.
  public var file: String?
  public var position: Position?
  /// What was found and what was expected.
  public var message: String

  public init(_ message: String, file: String? = nil, at position: Position? = nil) {
    self.message = message
    self.file = file
    self.position = position
  }

  /// `export.csv:3:7: found …`.
  public var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return file.map { "\($0)\(place): \(message)" } ?? message
  }

  /// The same failure, said of a file where it names none.
  func inFile(_ name: String) -> ImportFailure {
    ImportFailure(message, file: file ?? name, at: position)
  }
}

/// The text, or so many scalars of it and an ellipsis.
func shortened(_ text: String, to longest: Int) -> String {
  guard text.utf8.count > longest else { return text }
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
    end < scalars.endIndex
  else { return text }
  return text[..<end] + "…"
}
