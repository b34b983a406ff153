import MetricDiagnostics
import MetricLanguage

/// Findings as a log of the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS Standard):
/// one run, whose rules are the codes that were found.
///
///     {"$schema":…,"version":"2.1.0","runs":[{"tool":{"driver":{"name":"metricc",…}},"results":[…]}]}
///
/// Columns count Unicode scalars from 1, as everywhere in the tool, and an end column is the one behind
/// the last. A note with a place is a related location; any other is a line of the message.
struct SARIFLog {
  private let findings: [Diagnostic]
  private let sources: [SourceFile]
  /// By id.
  private let rules: [DiagnosticCode]

  init(_ findings: [Diagnostic], in sources: [SourceFile]) {
    self.findings = findings
    self.sources = sources
    rules = Set(findings.map(\.code)).sorted { ($0.id, $0.name) < ($1.id, $1.name) }
  }

  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  var json: JSONText {
    let driver: [(String, JSONText)] = [
      ("name", "metricc"), ("version", .string(Metricc.configuration.version)),
      (
        "rules",
        .array(rules.map(rule))
      ),
    ]
    let run: [(String, JSONText)] = [
      ("tool", .object([("driver", .object(driver))])),
      ("columnKind", "unicodeCodePoints"),
      ("results", .array(findings.map(result))),
    ]
    return .object([
      ("$schema", .string(SARIFLog.schema)), ("version", "2.1.0"), ("runs", .array([.object(run)])),
    ])
  }

  private func rule(_ code: DiagnosticCode) -> JSONText {
    let named: [(String, JSONText)] = [("id", .string(code.id)), ("name", .string(code.name))]
    guard let page = Page.all.first(where: { $0.code == code }) else { return .object(named) }
    let help: [(String, JSONText)] = [("text", .string(page.text)), ("markdown", .string(page.markdown))]
    return .object(
      named + [
        ("shortDescription", message(page.title)),
        ("fullDescription", message("\(page.what) \(page.why)".replacing("\n", with: " "))),
        ("help", .object(help)),
        ("helpUri", .string("\(Metricc.repository)/blob/main/Documentation/Diagnostics.md#\(page.anchor)")),
      ])
  }

  private func result(_ finding: Diagnostic) -> JSONText {
    let lines = [finding.message] + finding.notes.filter { $0.location == nil }.map { "note: \($0.message)" }
    var members: [(String, JSONText)] = [
      ("ruleId", .string(finding.code.id)),
      ("ruleIndex", .number(rules.firstIndex(of: finding.code) ?? -1)),
      ("level", .string(finding.severity.rawValue)),
      ("message", message(lines.joined(separator: "\n"))),
      ("locations", .array([location(of: finding)])),
    ]
    let placed = finding.notes.compactMap { note in note.location.map { (note.message, $0) } }
    let related = placed.enumerated().map { index, note in
      JSONText.object([
        ("id", .number(index + 1)), ("physicalLocation", physicalLocation(note.1)),
        ("message", message(note.0)),
      ])
    }
    if !related.isEmpty { members.append(("relatedLocations", .array(related))) }
    if !finding.fixes.isEmpty { members.append(("fixes", .array(finding.fixes.map(fix)))) }
    return .object(members)
  }

  private func message(_ text: String) -> JSONText { .object([("text", .string(text))]) }

  private func location(of finding: Diagnostic) -> JSONText {
    var members = [("physicalLocation", physicalLocation(finding.location))]
    if let metric = finding.metric {
      let logical = JSONText.object([("name", .string(metric)), ("kind", "metric")])
      members.append(("logicalLocations", .array([logical])))
    }
    return .object(members)
  }

  private func physicalLocation(_ location: Location) -> JSONText {
    switch location {
    case .source(let span):
      return .object([artifact(path(of: span)), ("region", region(span))])
    case .data(let path, let line, let column):
      let region = JSONText.object([("startLine", .number(line)), ("startColumn", .number(column))])
      return .object([artifact(path), ("region", region)])
    case .path(let path):
      return .object([artifact(path)])
    }
  }

  private func path(of span: Span) -> String {
    sources.indices.contains(span.file) ? sources[span.file].path : ""
  }

  private func artifact(_ path: String) -> (String, JSONText) {
    ("artifactLocation", .object([("uri", .string(SARIFLog.uri(ofPath: path)))]))
  }

  private func region(_ span: Span) -> JSONText {
    guard sources.indices.contains(span.file) else { return .object([("startLine", .number(1))]) }
    let start = sources[span.file].position(of: span.start)
    let end = sources[span.file].position(of: span.end)
    return .object([
      ("startLine", .number(start.line)), ("startColumn", .number(start.column)),
      ("endLine", .number(end.line)), ("endColumn", .number(end.column)),
    ])
  }

  private func fix(_ fix: Fix) -> JSONText {
    let replacement = JSONText.object([
      ("deletedRegion", region(fix.span)),
      ("insertedContent", .object([("text", .string(fix.replacement))])),
    ])
    let change = JSONText.object([
      artifact(path(of: fix.span)), ("replacements", .array([replacement])),
    ])
    return .object([("description", message(fix.title)), ("artifactChanges", .array([change]))])
  }

  /// The path as a URI (RFC 3986): relative where the path is, `file:///…` where it is not.
  static func uri(ofPath path: String) -> String {
    var uri = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isLetterOrDigit = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isLetterOrDigit || "/-._~".unicodeScalars.contains(scalar) {
        uri.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return uri
  }
}
