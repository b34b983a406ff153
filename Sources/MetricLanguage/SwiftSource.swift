import MetricPlan

extension MetricLibrary {
  /// A Swift file for an app: a `Codable` struct for each record, and for each accepted metric methods of
  /// `MetricSession` that give its values as Swift types. Equal definitions give equal bytes.
  ///
  /// - Parameters:
  ///   - isPublic: whether another module will use it.
  ///   - embedsSources: whether the file holds the definitions, too, as `MetricLibrary.embedded`.
  package func swiftSource(isPublic: Bool, embedsSources: Bool) -> String {
    let writer = SwiftWriter(library: plan, access: isPublic ? "public " : "")
    let accepted = Set(metrics.lazy.filter(\.isAccepted).map(\.name))
    let metrics = plan.metrics.filter { accepted.contains($0.name) }
    let needs = DataNeeds(library: plan, metrics: metrics.compactMap { plan.metric(named: $0.name) })
    let records = plan.records.indices.filter { !plan.records[$0].isBuiltIn || needs.fields[$0] != nil }
    var pieces = [
      "// Made from metric definitions by `metricc swift`. Do not edit.\n\nimport MetricLanguage\n"
    ]
    if embedsSources { pieces.append(writer.embedded(sources.dropLast())) }
    pieces += records.map { writer.structure(plan.records[$0]) }
    if !metrics.isEmpty { pieces.append(writer.accessors(metrics)) }
    return pieces.joined(separator: "\n")
  }
}

/// Writes Swift in the layout of `swift format`, in lines of at most 100 characters.
private struct SwiftWriter {
  let library: Library
  let access: String

  func embedded(_ sources: ArraySlice<SourceFile>) -> String {
    let library = type("MetricLibrary", in: "MetricLanguage")
    var text = "extension \(library) {\n"
    text += doc(["The definitions that this file was made from."], 2)
    text += "  \(access)static var embedded: \(library) {\n    \(library)(sources: [\n"
    for source in sources {
      let content = String(decoding: source.bytes, as: UTF8.self)
      let name = source.path.split(separator: "/").last.map(String.init) ?? source.path
      // As many marks as no quote of the text is followed by.
      var marks = "#"
      while content.contains("\"\(marks)") || content.contains("\\\(marks)") { marks += "#" }
      text +=
        "      \(type("SourceFile", in: "MetricLanguage"))(\n        path: \(name.debugDescription),\n        text: \(marks)\"\"\"\n"
      for line in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        text += line.isEmpty ? "\n" : "          \(line)\n"
      }
      text += "          \"\"\"\(marks))" + (sources.count > 1 ? ",\n" : "\n")
    }
    return text + "    ])\n  }\n}\n"
  }

  func structure(_ record: Record) -> String {
    let fields = record.fields.filter { $0.computed == nil }
    let isIdentifiable = fields.contains { $0.name == "id" && !$0.isOptional }
    let protocols = ["Codable", "Hashable"] + (isIdentifiable ? ["Identifiable"] : []) + ["Sendable"]
    var text = doc([record.doc ?? "The \(record.kind.rawValue) `\(record.name)`."], 0)
    text +=
      "\(access)struct \(record.name.escaped): \(protocols.map { type($0) }.joined(separator: ", ")) {\n"
    for field in fields {
      guard case .choice(let texts) = field.type else { continue }
      text +=
        "  \(access)enum \(choiceName(field)): \(type("String")), \(type("Codable")), \(type("Sendable")) {\n"
      for (name, content) in zip(SwiftWriter.caseNames(texts), texts) {
        text += "    case \(name)\(name == content.escaped ? "" : " = \(content.debugDescription)")\n"
      }
      text += "  }\n\n"
    }
    for field in fields {
      if let doc = field.doc { text += self.doc([doc], 2) }
      text += "  \(access)var \(field.name.escaped): \(type(of: field))\n"
    }
    if !access.isEmpty {
      let parameters = fields.map { "\($0.name.escaped): \(type(of: $0))\($0.isOptional ? " = nil" : "")" }
      text += "\n" + call("  \(access)init(", parameters, ") {")
      text += fields.map { "    self.\($0.name.escaped) = \($0.name.escaped)\n" }.joined() + "  }\n"
    }
    return text + "}\n"
  }

  private func choiceName(_ field: Field) -> String { field.name.capitalizedFirst + "Choice" }

  private func type(of field: Field) -> String {
    let plain =
      switch field.type {
      case .choice: choiceName(field)
      case .id, .reference: type("String")
      case .text, .int, .decimal, .bool, .dayKey, .instant: type(of: field.type.valueType)
      }
    return field.isOptional ? plain + "?" : plain
  }

  private func type(of type: ValueType) -> String {
    switch type {
    case .text: self.type("String")
    case .int: self.type("Int")
    case .bool: self.type("Bool")
    case .decimal: self.type("FixedDecimal", in: "MetricLanguage")
    case .dayKey: self.type("DayKey", in: "MetricLanguage")
    case .instant: self.type("Instant", in: "MetricLanguage")
    }
  }

  /// A record of the same name would hide the type.
  private func type(_ name: String, in module: String = "Swift") -> String {
    library.record(named: name) == nil ? name : "\(module).\(name)"
  }

  /// `cases` of texts: in camel case where that tells them apart.
  private static func caseNames(_ texts: [String]) -> [String] {
    let names = texts.map { text in
      let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
      let name = words.enumerated().map { $0 == 0 ? $1.lowercasedFirst : $1.capitalizedFirst }.joined()
      return name.first?.isNumber == false ? name : "text" + name
    }
    guard Set(names).count == names.count else { return texts.indices.map { "text\($0 + 1)" } }
    return names.map(\.escaped)
  }

  func accessors(_ metrics: [Metric]) -> String {
    var text = "extension \(type("MetricSession", in: "MetricLanguage")) {\n"
    let parts = metrics.flatMap { metric in metric.parts.map { (metric, $0) } }
    let spelled = parts.map { camelCase([$0.name, $1.name]) }
    let counts = Dictionary(grouping: spelled) { $0 }.mapValues(\.count)
    for (index, (metric, part)) in parts.enumerated() {
      if index > 0 { text += "\n" }
      // Names that are one in camel case stay as they are written.
      let raw = metric.name + (part.name.isEmpty ? "" : "__" + part.name.replacing(".", with: "_"))
      text += accessor(counts[spelled[index]] == 1 ? spelled[index] : raw, metric, part)
    }
    return text + "}\n"
  }

  private func accessor(_ name: String, _ metric: Metric, _ part: Part) -> String {
    var parameters: [String] = []
    var arguments = ["of: \"\(metric.name)\""]
    if !part.name.isEmpty { arguments.append("part: \"\(part.name)\"") }
    if let entity = metric.subject.entity, !metric.isOfMany(library) {
      let label = library.records[entity].subjectName
      let isTaken = ["day", "days", "group"].contains(label) || label.escaped != label
      parameters.append("\(label)\(isTaken ? " subject" : ""): \(type("String"))")
      arguments.append("for: \(isTaken ? "subject" : label)")
    }
    let fields = library.grouping(of: metric)
    if fields.count == 1 {
      parameters.append("group: \(type("String"))")
      arguments.append("group: \(type("GroupKey", in: "MetricLanguage"))(group)")
    } else if !fields.isEmpty {
      let labels = fields.map { camelCase($0.name.split(separator: ".").map(String.init)) }
      parameters += labels.enumerated().map { "\($1) group\($0 + 1): \(type("String"))" }
      arguments.append("group: [\(labels.indices.map { "group\($0 + 1)" }.joined(separator: ", "))]")
    }
    let unit = part.name.isEmpty ? metric.unit.map { "in \($0), or " } ?? "" : ""
    var lines = [metric.doc ?? metric.title ?? "The \(metric.kind.rawValue) `\(metric.name)`."]
    if !part.name.isEmpty { lines.append("This is its part `\(part.name)`.") }
    lines.append("- Returns: \(unit)nil where there is no value.")
    let day = type("DayKey", in: "MetricLanguage")
    let point = type("SeriesPoint", in: "MetricLanguage")
    let value = type(of: part.type)
    let throwing = "throws(\(type("SessionError", in: "MetricLanguage")))"
    func method(_ doc: [String], _ last: String, _ result: String, _ call: String) -> String {
      self.doc(doc, 2)
        + (metric.deprecated.map { "  @available(*, deprecated, message: \($0.debugDescription))\n" } ?? "")
        + self.call(
          "  \(access)func \(name.escaped)(", parameters + [last], ") \(throwing) -> \(result) {")
        + call + "  }\n"
    }
    return method(
      lines, "on day: \(day)", "\(value)?", self.call("    try value(", arguments + ["on: day"], ")"))
      + "\n"
      + method(
        ["`\(metric.name)\(part.name.isEmpty ? "" : ".")\(part.name)` on each day of a range, for a chart."],
        "days: \(type("ClosedRange"))<\(day)>", "[\(point)<\(value)>]",
        self.call("    try series(", arguments + ["days: days"], ")"))
  }

  private func camelCase(_ names: [String]) -> String {
    let words = names.flatMap { $0.split { "_.".contains($0) } }.map(String.init)
    return words.enumerated().map { $0 == 0 ? $1 : $1.capitalizedFirst }.joined()
  }

  fileprivate static let words = Set(
    """
    associatedtype borrowing class consuming deinit enum extension fileprivate func import init inout internal let \
    nonisolated open operator precedencegroup private protocol public rethrows static struct subscript typealias var \
    break case catch continue default defer do else fallthrough for guard if in repeat return switch throw where while \
    Any as await false is nil self Self super throws true try Type Protocol
    """.split(separator: " ").map(String.init))

  private func doc(_ paragraphs: [String], _ indent: Int) -> String {
    let start = String(repeating: " ", count: indent) + "///"
    let texts = paragraphs.map { paragraph in
      let words = paragraph.split(whereSeparator: \.isWhitespace).map(String.init)
      return words.isEmpty ? start + "\n" : wrapped(words, after: start + " ")
    }
    return texts.joined(separator: start + "\n")
  }

  /// `head`, arguments and `tail` on one line, or the arguments on lines between.
  private func call(_ head: String, _ arguments: [String], _ tail: String) -> String {
    let whole = head + arguments.joined(separator: ", ") + tail
    guard whole.count > 100 else { return whole + "\n" }
    let indent = String(head.prefix { $0 == " " })
    let pieces = arguments.dropLast().map { $0 + "," } + arguments.suffix(1)
    return head + "\n" + wrapped(pieces, after: indent + "  ") + indent + tail + "\n"
  }

  private func wrapped(_ words: [String], after start: String) -> String {
    var lines: [String] = []
    for word in words {
      if let line = lines.last, line.count + 1 + word.count <= 100 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(start + word)
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension String {
  /// With a capital letter in front, also after a parenthesis.
  package var capitalizedFirst: String {
    let length = first == "(" ? 2 : 1
    return prefix(length).uppercased() + dropFirst(length)
  }
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
  /// Words of Swift are in backticks.
  fileprivate var escaped: String { SwiftWriter.words.contains(self) ? "`\(self)`" : self }
}
