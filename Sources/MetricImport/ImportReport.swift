/// What an import did with an export, and what it found there that the dataset cannot hold.
public final class ImportReport {
  /// Something that was not taken over: how often it was met.
  public struct Item: Hashable, Sendable {
    /// `notes of entries`
    public var kind: String
    public var count: Int
    /// Why, or what happened instead; empty if the kind says it.
    public var reason: String
  }

  private var counted: [String: Item] = [:]
  /// What was decided on the way: `12 days come from the zone of the record`.
  private var chosen: [String: Item] = [:]

  /// Kinds hold names from the export, and a broken export may have millions; all further ones are one kind.
  static let mostKinds = 10_000

  /// Counts something that the model does not hold.
  func leftOut(_ kind: String, count: Int = 1, _ reason: String = "") {
    guard count > 0 else { return }
    // Kinds hold names out of the export, which are as long as somebody made them.
    var kind = shortened(kind, to: 100)
    if counted.count >= ImportReport.mostKinds, counted[kind] == nil { kind = "what else there is" }
    counted[kind, default: Item(kind: kind, count: 0, reason: reason)].count += count
  }

  func rounded(_ amount: Amount?) {
    leftOut("digits after the sixth", count: amount?.isRounded == true ? 1 : 0, "amounts have six")
  }

  /// Counts something that was taken over in a way that is worth knowing.
  func decided(_ kind: String) {
    chosen[kind, default: Item(kind: kind, count: 0, reason: "")].count += 1
  }

  /// What was left out, by kind.
  public var items: [Item] { ImportReport.sorted(counted) }

  /// How often each decision was taken, by its text.
  public var choices: [Item] { ImportReport.sorted(chosen) }

  private static func sorted(_ items: [String: Item]) -> [Item] {
    items.values.sorted { $0.kind.utf8.lexicographicallyPrecedes($1.kind.utf8) }
  }
}

/// Why an export cannot be turned into a dataset.
public struct ImportFailure: Error, Hashable, Sendable {
  /// Where, if one place is at fault. `file` is one of the names that the input was given with.
  public var file: String?
  public var position: Position?
  /// What was found and what was expected.
  public var message: String

  public init(_ message: String, file: String? = nil, at position: Position? = nil) {
    (self.message, self.file, self.position) = (message, file, position)
  }

  /// `export.csv:3:7: found …`.
  public var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return file.map { "\($0)\(place): \(message)" } ?? message
  }
}

/// The text, or a number of its scalars and an ellipsis.
func shortened(_ text: String, to longest: Int) -> String {
  guard text.utf8.count > longest else { return text }
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
    end < scalars.endIndex
  else { return text }
  return text[..<end] + "…"
}
