/// What is shown about a place: Markdown, and the text that it is about.
package struct Hover: Hashable, Sendable {
  package var span: Span
  package var markdown: String
}

extension Analysis {
  /// What is known about the name, the code or the keyword at an offset.
  package func hover(in file: Int, at offset: Int) -> Hover? {
    if let (span, targets) = targets(in: file, at: offset) {
      return Hover(span: span, markdown: targets.map { markdown(of: $0) }.joined(separator: "\n\n---\n\n"))
    }
    guard let (span, text, next) = word(in: file, at: offset) else { return nil }
    if let page = Page.named(text).first, page.code.id == text {
      return Hover(span: span, markdown: "**\(page.code)**: \(page.title)\n\n\(page.about)")
    }
    let function = next?.kind == .leftParenthesis ? WordHelp.functions[text] : nil
    let help = function ?? WordHelp.text(of: text, in: declaration(in: file, at: offset))
    return help.map { Hover(span: span, markdown: $0) }
  }

  func declaration(in file: Int, at offset: Int) -> Declaration? {
    trees[file].declarations.first { $0.span.covers(Span(file: file, at: offset)) }
  }

  func markdown(of target: NameTarget) -> String {
    switch target {
    case .metric(let name): metricMarkdown(name)
    case .record(let id): recordMarkdown(plan.records[id])
    case .field(let reference): fieldMarkdown(reference)
    case .part(let metric, let part): partMarkdown(metric, part)
    case .report(let name): plan.reports.first { $0.name == name }.map(reportMarkdown) ?? ""
    }
  }

  private func metricMarkdown(_ name: String) -> String {
    let doc = metrics[name]?.doc
    guard let planned = planned[name] else {
      let kind = metrics[name]?.kind.rawValue ?? "metric"
      return Markdown.sections([
        Markdown.code("\(kind) \(name)"), doc, "It has errors, so nothing is known of its value.",
      ])
    }
    let width = planned.lines.map(\.word.count).max() ?? 0
    let lines = planned.lines.map { "\($0.word.padded(to: width))  \($0.text)" }
    return Markdown.sections([
      Markdown.code(planned.head), doc, Markdown.block(lines.joined(separator: "\n"), language: "text"),
    ])
  }

  private func reportMarkdown(_ report: Report) -> String {
    Markdown.sections([
      Markdown.code("report \(report.name)"), report.title, report.doc,
      report.every.map { "A series has a value for every \($0.name)." },
      report.metrics.map { "- `\(plan.metrics[$0.metric].name)`" }.joined(separator: "\n"),
    ])
  }

  private func recordMarkdown(_ record: Record) -> String {
    let head = "\(record.kind.rawValue) \(record.name)\(record.isSetting ? " setting" : "") {"
    let width = record.fields.map(\.name.count).max() ?? 0
    let fields = record.fields.map { "  \($0.name.padded(to: width)) \(plan.declaredType(of: $0))" }
    let consent = record.consent.map { ["  consent \($0.text)"] } ?? []
    return Markdown.sections([
      Markdown.code(([head] + fields + consent + ["}"]).joined(separator: "\n")), record.doc,
      record.isBuiltIn ? "Built in." : nil,
    ])
  }

  private func fieldMarkdown(_ reference: FieldReference) -> String {
    let field = plan[reference]
    let record = plan.records[reference.record]
    return Markdown.sections([
      Markdown.code("\(record.name).\(field.name) \(plan.declaredType(of: field))"), field.doc,
      field.isPersonal ? "Personal: it supports only `is none` and `is not none`." : nil,
      field.isStored ? "A stored metric: nothing may read it." : nil,
      field.observed.map { "Observed: \($0)" },
    ])
  }

  private func partMarkdown(_ metric: String, _ part: String) -> String {
    guard let planned = planned[metric], let certificate = planned.summary.certificate,
      let (known, proved) = zip(planned.parts, certificate.parts).first(where: { $0.0.name == part })
    else { return Markdown.code("\(metric).\(part)") }
    let step = planned.clauses.first { $0.word == "step \(part)" }
    return Markdown.sections([
      Markdown.code("\(metric).\(part)"), step.map { "Reached with `\($0.text)`." },
      "\(known.type), \(proved.text)",
    ])
  }
}

enum Markdown {
  static func code(_ text: String) -> String { block(text, language: "metric") }

  static func block(_ text: String, language: String) -> String { "```\(language)\n\(text)\n```" }

  /// The same without what only Markdown needs: fences, rules, stars and backticks.
  static func plain(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("```") && $0 != "---" }.joined(separator: "\n")
      .replacing("**", with: "").replacing("`", with: "")
  }

  /// The sections that are there, with empty lines between them.
  static func sections(_ sections: [String?]) -> String {
    sections.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}
