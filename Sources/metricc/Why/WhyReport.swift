struct WhyReport {
  let layout: Layout
  let places: RecordPlaces
  let library: MetricLibrary

  /// The most records, subjects and links that are listed; the others are counted.
  private static let mostListed = 20

  private func unlisted(of count: Int, _ noun: String = "", listed: Int = WhyReport.mostListed) -> [String] {
    count > listed ? ["and \(Counting.grouped(count - listed)) more\(noun)"] : []
  }

  func text(_ explanation: Explanation) -> String {
    lines(explanation, indent: 0).joined(separator: "\n") + "\n"
  }

  private func lines(_ explanation: Explanation, indent: Int) -> [String] {
    var sections: [[String]] = [heading(explanation, indent)]
    if let windows = explanation.windows { sections.append(lines(windows, explanation, indent)) }
    sections.append(
      explanation.thresholds.map {
        "\($0.isReached ? "✓" : "·") \($0.value.description)\($0.on.map { " on \($0)" } ?? "")"
      })
    if let journey = explanation.journey { sections.append(lines(journey)) }
    if let returning = explanation.returning { sections.append(lines(returning, indent: indent)) }
    for clause in explanation.clauses { sections.append(lines(clause)) }
    if !explanation.links.isEmpty { sections.append(lines(explanation.links)) }
    let room = max(20, layout.width - indent)
    if !layout.isColored { sections = sections.map { $0.map { DisplayWidth.cut($0, to: room) } } }
    if explanation.recordCount > 0 { sections.append(lines(of: explanation)) }
    if explanation.withheldCount > 0 {
      let records = Counting.of(explanation.withheldCount, "record")
      sections.append(["\(records) not read: the people behind them had not agreed, or withdrew"])
    }
    for read in explanation.reads { sections.append(lines(read, indent: indent + 2)) }
    let blank = sections.filter { !$0.isEmpty }.joined(separator: [""])
    let margin = String(repeating: " ", count: indent == 0 ? 0 : 2)
    return blank.map { $0.isEmpty ? "" : margin + $0 }
  }

  private func heading(_ explanation: Explanation, _ indent: Int) -> [String] {
    let summary = library.metrics.first { $0.name == explanation.metric }
    var head = explanation.metric
    if !explanation.subject.isEmpty { head += " for \(explanation.subject.quoted)" }
    if !explanation.group.isEmpty { head += ", group \(explanation.group.text.quoted)" }
    head += " at \(explanation.at)"
    var parts: [String] = []
    switch explanation.parts.count {
    case 0: head += ": no row"
    case 1:
      let value = explanation.parts[0].value
      let unit = summary?.unit.map { " " + (value == .int(1) ? Counting.singular($0) : $0) } ?? ""
      head += ": \(words(value))\(value == .none ? "" : unit)"
    default:
      let names = explanation.parts.map { $0.name.isEmpty ? "value" : $0.name }
      let width = names.map(\.count).max() ?? 0
      parts = zip(names, explanation.parts).map { "  \($0.padded(to: max(width, 5)))  \(words($1.value))" }
    }
    let absence = explanation.absence.map { wrapped("because \($0.text)", indent: indent) } ?? []
    return [layout.bold(head)] + parts + absence
  }

  private func wrapped(_ text: String, indent: Int) -> [String] {
    Grid.wrapped(text, to: max(20, layout.width - indent))
  }

  private func words(_ value: Value) -> String {
    if case .text(let text) = value { "\"\(printable(text))\"" } else { value.words }
  }

  private func lines(_ story: WindowStory, _ explanation: Explanation, _ indent: Int) -> [String] {
    let marks = DayMarks(story)
    var lines = marks.lines(width: layout.width - indent)
    if !lines.isEmpty { lines += [layout.dim(marks.legend), ""] }
    let counted = story.windows.filter(\.counts)
    let windows = Counting.of(counted.filter { $0.state == .complete }.count, "complete window")
    var summary = "\(windows) of `\(story.completion)`, every \(story.every)"
    if let newest = counted.first, let oldest = counted.last {
      summary += ": \(oldest.first) … \(newest.last)"
    }
    if story.readAt != explanation.at { summary += ", reached on \(story.readAt)" }
    lines.append(summary)
    let forgiven = story.windows.filter { $0.state == .forgiven }.map { "\($0.last)" }
    if !forgiven.isEmpty { lines += wrapped("forgiven: \(forgiven.joined(separator: ", "))", indent: indent) }
    if let ending = words(story.ending) { lines.append(ending) }
    return lines
  }

  private func words(_ ending: WindowStory.Ending) -> String? {
    switch ending {
    case .incomplete(let day): "ended by the window of \(day), which is not complete"
    case .unforgiven(let day): "starts after the window of \(day), which is one more than is forgiven"
    case .firstFact(let day): "before \(day) there is no record that `when` names"
    case .noFact: "there is no record that `when` names"
    case .enough: nil
    case .cut: "there are more windows; these are the newest"
    }
  }

  private func lines(_ clause: Explanation.Clause) -> [String] {
    [layout.bold("\(clause.word), at \(clause.at)")] + lines(clause.expression, indent: 1)
  }

  private func lines(_ expression: ExplainedExpression, indent: Int) -> [String] {
    let margin = String(repeating: "  ", count: indent)
    guard expression.isEvaluated else {
      return [margin + layout.dim(short(expression.text, margin, "not evaluated"))]
    }
    var value = "= \(words(expression.value))"
    if expression.recordCount > 0 { value += "  (\(Counting.of(expression.recordCount, "record")))" }
    var notes: [String] = []
    if let reason = expression.reason, !expression.operands.contains(where: { $0.reason != nil }) {
      notes.append(printable(reason.text))
    }
    notes += expression.subjects.prefix(WhyReport.mostListed).map { subject in
      subject.id.quoted + (subject.value.map { " = \(words($0))" } ?? "")
    }
    notes += unlisted(of: expression.subjects.count)
    // A literal says nothing that the line above does not.
    let operands = expression.operands.filter { !$0.isLiteral }
    return [margin + short(expression.text, margin, value)] + notes.map { "\(margin)  \($0)" }
      + operands.flatMap { lines($0, indent: indent + 1) }
  }

  /// An expression with what it was; of a long one the beginning.
  private func short(_ text: String, _ margin: String, _ value: String) -> String {
    let room = layout.width - margin.count - DisplayWidth.of(value) - 4
    return "\(DisplayWidth.cut(printable(text), to: max(16, room))) \(value)"
  }

  private func lines(_ journey: FunnelStory) -> [String] {
    let names = WhyReport.padded(journey.steps.map(\.name))
    let steps = zip(names, journey.steps).map { name, step in
      let what = [step.day?.description, step.record.map(self.name)].compactMap { $0 }.joined(separator: "  ")
      let alone = "\(Counting.of(step.factCount, "record")) of this kind alone"
      return step.isReached ? "✓ \(name)  \(what)" : "· \(name)  not reached (\(alone))"
    }
    let deadline = journey.deadline.map { ["all steps must happen on \($0) or before"] } ?? []
    return ["\(journey.reached) of \(Counting.of(journey.steps.count, "step"))"] + steps + deadline
  }

  private func lines(_ story: RetentionStory, indent: Int) -> [String] {
    guard !story.starts.isEmpty else { return ["there is no day 0"] }
    let width = story.starts.flatMap(\.checks).map(\.name.count).max() ?? 0
    let starts = story.starts.prefix(WhyReport.mostListed).flatMap { start in
      ["day 0 is \(start.day)"]
        + start.checks.map { "  \($0.name.padded(to: width))  \($0.day)  \(answer($0))" }
    }
    let days = story.returnDays.prefix(WhyReport.mostListed).map(\.description)
    let more = story.returnDays.count > days.count ? ", …" : ""
    let returns = days.isEmpty ? "no return on any day" : "returns on \(days.joined(separator: ", "))\(more)"
    return starts + unlisted(of: story.starts.count, " days 0") + wrapped(returns, indent: indent)
  }

  private func answer(_ check: RetentionStory.Check) -> String {
    guard check.isEligible else { return "not yet" }
    if let worth = check.worth { return "adds \(words(worth))" }
    guard check.hasReturned else { return "did not come back" }
    return "came back" + (check.returnDay == check.day ? "" : " on \(check.returnDay?.description ?? "")")
  }

  private func lines(_ links: [LinkStory]) -> [String] {
    let grid = Grid(
      keys: ["link"],
      ["to", "through", "counts as"].map { .init($0) } + ["records", "adds"].map { .init($0, .number) },
      rows: links.prefix(WhyReport.mostListed).map { link in
        [
          Cell(name(link.link)), Cell(link.end), Cell(link.bundle ?? ""), Cell(link.contribution),
          Cell(Counting.grouped(link.factCount)),
          link.counts ? link.amount.map(\.cell) ?? .empty : Cell("as above", .dim),
        ]
      })
    return grid.lines(layout) + unlisted(of: links.count, " links")
  }

  private func name(_ record: RecordReference) -> String {
    record.id.map { "\(record.record) \(printable($0))" } ?? record.record
  }

  /// The records: links, then the newest facts. A place is whole however narrow the terminal is.
  private func lines(of explanation: Explanation) -> [String] {
    let newest = explanation.records.sorted { ($1.day ?? .last) < ($0.day ?? .last) }
    let shown = newest.prefix(WhyReport.mostListed)
    let columns = [shown.map(name), shown.map { $0.day?.description ?? "" }].map(WhyReport.padded)
    let rows = shown.indices.map { index in
      let place = places.place(of: shown[index]).map { printable($0.text) } ?? ""
      return (columns.map { $0[index] } + [place]).joined(separator: "  ").withoutBlankEnd
    }
    return [layout.bold(Counting.of(explanation.recordCount, "record"))] + rows
      + unlisted(of: explanation.recordCount, listed: shown.count)
  }

  /// The cells of a column, all of the width of the widest.
  private static func padded(_ cells: [String]) -> [String] {
    let width = cells.map(DisplayWidth.of).max() ?? 0
    return cells.map { $0 + String(repeating: " ", count: width - DisplayWidth.of($0)) }
  }
}

extension ExplainedExpression {
  /// Whether it is written as a value.
  fileprivate var isLiteral: Bool {
    switch value {
    case .none: text == "none"
    case .text(let value): text == "\"\(value)\""
    case .bool, .int, .decimal, .day: text == value.plainText
    }
  }
}
