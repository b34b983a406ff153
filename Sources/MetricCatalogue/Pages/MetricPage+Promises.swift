extension MetricPage {
  /// What the checker proved, in words that need no knowledge of how.
  var promises: HTML {
    guard let certificate = entry.summary.certificate else { return "" }
    return .section(
      "promises", "What it promises",
      """
      <p>Checked by metricc for every dataset, not only for the one at hand.</p>
      <ul class="answers">
      \(answers(certificate))</ul>
      \(parts(certificate))
      """)
  }

  private func answers(_ certificate: MetricCertificate) -> [HTML] {
    [
      answer(
        "Can it be computed again at any time?", certificate.isRecomputable,
        "Yes, from records and their days alone.", "No. It reads something that cannot be computed again."),
      answer(
        "Can it be deleted without loss?", certificate.isDerived,
        "Yes. It stores and changes nothing; the records remain the truth.",
        "No. It would keep something that exists nowhere else."),
      answer(
        "Does history stay the same when somebody travels?", certificate.isTimeZoneSafe,
        "Yes. Each record carries its own calendar day; no clock or time zone is read.",
        "No. It depends on a clock or a time zone."),
      answer(
        "Is it free of punishment?", certificate.isNonPunitive,
        "Yes. Logging something never lowers it, and it never goes below zero.", "That could not be proved.",
        open: "Not checked. The number is for the team; no metric for a person may read it."),
    ]
  }

  /// What is nil was not checked.
  private func answer(
    _ question: String, _ isYes: Bool?, _ yes: String, _ no: String, open: String = ""
  ) -> HTML {
    let (style, sign, spoken, text) =
      switch isYes {
      case true?: ("yes", "✓", "Yes:", yes)
      case false?: ("no", "✗", "No:", no)
      case nil: ("open", "–", "Not checked:", open)
      }
    return """
      <li><span class="mark \(style)" role="img" aria-label="\(spoken)">\(sign)</span>\
      <strong>\(question)</strong>\(text)</li>

      """
  }

  private func parts(_ certificate: MetricCertificate) -> HTML {
    let headings = ["Part", "Is", "When something is logged", "Range", "Without data"]
    let rows = zip(entry.planned.parts, certificate.parts).map { part, proved -> HTML in
      let range = part.type == "Bool" ? "no or yes" : rangeText(proved.low, proved.high, Wording.number)
      return .row(
        part.name.isEmpty ? "The value" : Wording.title(ofName: part.name),
        [
          "\(type(part.type))", "\(direction(proved.direction))", "\(range ?? "any")",
          "\(onNoData(proved.onNoData))",
        ], labels: headings.dropFirst())
    }
    return .table(
      "Values", caption: "How the value can move, and its range", style: " class=\"stack\"",
      headings: headings, rows: rows)
  }

  private func type(_ name: String) -> String {
    switch name {
    case "Int": "a whole number"
    case "Decimal": "a number"
    case "Bool": "yes or no"
    case "DayKey": "a day"
    default: "a text"
    }
  }

  private func direction(_ direction: Direction) -> String {
    switch direction {
    case .constant: "it stays as it is"
    case .rising: "it rises or stays"
    case .falling: "it falls or stays"
    case .unknown: "it may rise or fall"
    }
  }

  private func onNoData(_ value: ValueOnNoData) -> String {
    switch value {
    case .none: "no value"
    case .bool(let value): value ? "yes" : "no"
    case .number(let value): Wording.number(value)
    case .between(let low, let high, let orNone):
      (rangeText(low, high, Wording.number) ?? "any value") + (orNone ? ", or none" : "")
    }
  }
}
