/// Findings as a log of the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS Standard):
/// one run, whose rules are the codes that were found.
///
/// Columns count Unicode scalars from 1, as everywhere in the tool, and an end column is the one after
/// the last. A note with a place is a related location; any other is a line of the message.
struct SARIFLog {
  let findings: [Diagnostic]
  let sources: [SourceFile]
  /// Why nothing could be checked at all.
  var problems: [String] = []

  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  var json: JSONText {
    let rules = Set(findings.map(\.code)).sorted { ($0.id, $0.name) < ($1.id, $1.name) }
    let notifications = problems.map { JSONText.object(["level": "error", "message": message($0)]) }
    let invocation = JSONText.object([
      "executionSuccessful": false, "toolExecutionNotifications": notifications,
    ])
    let driver = JSONText.object([
      "name": "metricc", "version": Metricc.configuration.version, "rules": rules.map(rule),
    ])
    let run = JSONText.object([
      "tool": JSONText.object(["driver": driver]), "columnKind": "unicodeCodePoints",
      "invocations": problems.isEmpty ? .omitted : [invocation].json,
      "results": findings.map { result($0, rules) },
    ])
    return .object(["$schema": SARIFLog.schema, "version": "2.1.0", "runs": [run]])
  }

  private func rule(_ code: DiagnosticCode) -> JSONText {
    guard let page = Page.all.first(where: { $0.code == code }) else {
      return .object(["id": code.id, "name": code.name])
    }
    return .object([
      "id": code.id, "name": code.name, "shortDescription": message(page.title),
      "fullDescription": message(page.about.replacing("\n", with: " ")),
      "help": JSONText.object(["text": page.text, "markdown": page.markdown]),
      "helpUri": "\(Metricc.repository)/blob/main/Documentation/Diagnostics.md#\(page.anchor)",
    ])
  }

  private func result(_ finding: Diagnostic, _ rules: [DiagnosticCode]) -> JSONText {
    let lines = [finding.message] + finding.notes.filter { $0.location == nil }.map { "note: \($0.message)" }
    let placed = finding.notes.compactMap { note in note.location.map { (note.message, $0) } }
    let related = placed.enumerated().map { index, note in
      JSONText.object([
        "id": index + 1, "physicalLocation": physicalLocation(note.1), "message": message(note.0),
      ])
    }
    let logical = finding.metric.map { [JSONText.object(["name": $0, "kind": "metric"])] }
    let location = JSONText.object([
      "physicalLocation": physicalLocation(finding.location), "logicalLocations": logical?.json ?? .omitted,
    ])
    return .object([
      "ruleId": finding.code.id, "ruleIndex": rules.firstIndex(of: finding.code) ?? -1,
      "level": finding.severity.rawValue, "message": message(lines.joined(separator: "\n")),
      "locations": [location],
      "relatedLocations": related.isEmpty ? .omitted : related.json,
      "fixes": finding.fixes.isEmpty ? .omitted : finding.fixes.map(fix).json,
    ])
  }

  private func message(_ text: String) -> JSONText { .object(["text": text]) }

  private func physicalLocation(_ location: Location) -> JSONText {
    let place = Place(location, in: sources)
    return .object(["artifactLocation": artifact(place), "region": region(place)])
  }

  private func artifact(_ place: Place?) -> JSONText {
    .object(["uri": SARIFLog.uri(ofPath: place?.path ?? "")])
  }

  private func region(_ place: Place?) -> JSONText {
    guard let place else { return .object(["startLine": 1]) }
    guard let start = place.start else { return .omitted }
    return .object([
      "startLine": start.line, "startColumn": start.column, "endLine": place.end?.line.json ?? .omitted,
      "endColumn": place.end?.column.json ?? .omitted,
    ])
  }

  private func fix(_ fix: Fix) -> JSONText {
    let place = Place(.source(fix.span), in: sources)
    let replacement = JSONText.object([
      "deletedRegion": region(place), "insertedContent": message(fix.replacement),
    ])
    let change = JSONText.object(["artifactLocation": artifact(place), "replacements": [replacement]])
    return .object(["description": message(fix.title), "artifactChanges": [change]])
  }

  /// The path as a URI (RFC 3986): relative where the path is, `file:///…` where it is not.
  static func uri(ofPath path: String) -> String {
    let encoded = path.utf8.map { byte -> String in
      let scalar = Unicode.Scalar(byte)
      let isLetterOrDigit = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isLetterOrDigit || "/-._~".unicodeScalars.contains(scalar)
        ? String(scalar) : "%" + String(byte, radix: 16, uppercase: true).leftPadded(to: 2, with: "0")
    }
    return (path.hasPrefix("/") ? "file://" : "") + encoded.joined()
  }
}
