/// A stable code with its readable name: `C401 falls-when-logged`.
///
/// Families: `S0xx` syntax, `T0xx` names and types, `C1xx`…`C4xx` the four questions of the
/// checklist, `W0xx` warnings, `D0xx` data. Each target declares its own: `Page`,
/// `StageCode`, `extension DiagnosticCode`.
public struct DiagnosticCode: Hashable, Sendable, CustomStringConvertible {
  public let id: String
  public let name: String

  public init(_ id: String, _ name: String) {
    self.id = id
    self.name = name
  }

  public var description: String { "\(id) \(name)" }
}

/// An error rejects; a warning does only where the caller is strict.
public enum Severity: String, Sendable, Hashable {
  case error, warning
  /// A remark on what is normal and may still be worth a look; `--strict` skips it.
  case note
}

/// Where a finding is.
public enum Location: Hashable, Sendable {
  /// In a source of the library.
  case source(Span)
  /// In a data file, which is never held as a whole: line and column were counted while reading.
  case data(path: String, line: Int, column: Int)
  /// In something that has no lines: a folder, a dataset as a whole.
  case path(String)

  fileprivate var span: Span? { if case .source(let span) = self { span } else { nil } }
}

/// More about a finding: a second place, an explanation, a way to fix it.
public struct Note: Hashable, Sendable {
  public var message: String
  public var location: Location?
  /// What was probably meant instead: not certain, so not a fix.
  package var replacement: String?

  public init(_ message: String, at location: Location? = nil) {
    self.message = message
    self.location = location
  }

  package init(_ message: String, replacement: String?) {
    self.message = message
    self.replacement = replacement
  }

  package static func didYouMean(_ name: String) -> Note {
    Note("did you mean `\(name)`?", replacement: name)
  }
}

extension Note: ExpressibleByStringInterpolation {
  /// An explanation without a place: `notes: ["write \`every day\`"]`.
  public init(stringLiteral message: String) { self.init(message) }
}

/// A safe fix: replace the text of `span` by `replacement`.
public struct Fix: Hashable, Sendable {
  public var title: String
  public var span: Span
  public var replacement: String

  public init(_ title: String, replace span: Span, with replacement: String) {
    self.title = title
    self.span = span
    self.replacement = replacement
  }

  /// Called by what it writes.
  package init(replace span: Span, with replacement: String) {
    self.init(
      replacement.isEmpty ? "remove it" : "write `\(replacement)`", replace: span, with: replacement)
  }
}

/// One finding. The code is never optional; the message starts in lower case, has no full stop
/// and sets the user's text in backticks.
public struct Diagnostic: Hashable, Sendable {
  public var severity: Severity
  public var code: DiagnosticCode
  public var message: String
  public var location: Location
  /// The metric that the finding is about, where there is one.
  public var metric: String?
  public var notes: [Note]
  public var fixes: [Fix]
  /// The record that lacks a field of the name at the finding's place.
  package var recordWithoutField: String?
  /// The smallest dataset found that shows the harm, where one was looked for and found.
  public var counterexample: Counterexample?

  /// A dataset that shows what a finding means.
  public struct Counterexample: Hashable, Sendable {
    /// `with 2026-01-01 alone: 30 — after logging 2026-01-02: 15.5`
    public var summary: String
    /// Ready `test` blocks of the language: the value before and after.
    public var test: String
    public var before: String
    public var after: String

    public init(summary: String, test: String, before: String, after: String) {
      self.summary = summary
      self.test = test
      self.before = before
      self.after = after
    }
  }

  /// The most findings that a file or a library reports; nobody who fixes something reads more.
  public static let mostShown = 10_000

  public init(
    _ severity: Severity, _ code: DiagnosticCode, _ message: String, at location: Location,
    metric: String? = nil, notes: [Note] = [], fixes: [Fix] = []
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.location = location
    self.metric = metric
    self.notes = notes
    self.fixes = fixes
  }

  /// A finding that rejects.
  public static func error(
    _ code: DiagnosticCode, _ message: String, at span: Span,
    metric: String? = nil, notes: [Note] = [], fixes: [Fix] = []
  ) -> Diagnostic {
    Diagnostic(.error, code, message, at: .source(span), metric: metric, notes: notes, fixes: fixes)
  }

  /// A finding that advises.
  public static func warning(
    _ code: DiagnosticCode, _ message: String, at span: Span,
    metric: String? = nil, notes: [Note] = [], fixes: [Fix] = []
  ) -> Diagnostic {
    Diagnostic(.warning, code, message, at: .source(span), metric: metric, notes: notes, fixes: fixes)
  }

  /// Where it is in a source; nil where it is about data or a path.
  package var span: Span? { location.span }

  /// All places in sources that it points at.
  package var spans: [Span] {
    ([location] + notes.compactMap(\.location)).compactMap(\.span) + fixes.map(\.span)
  }

  /// The same where the text is that it points at.
  package func movingSpans(_ move: (Span) -> Span) -> Diagnostic {
    func moved(_ location: Location) -> Location { location.span.map { .source(move($0)) } ?? location }
    var finding = self
    finding.location = moved(location)
    for index in notes.indices { finding.notes[index].location = notes[index].location.map(moved) }
    for index in fixes.indices { finding.fixes[index].span = move(fixes[index].span) }
    return finding
  }
}
