/// The changes between two libraries, as they are written.
struct DiffReport {
  /// Sorted by name; equal metrics are among them.
  var changes: [MetricChange]
  var allowed: Set<ChangeLevel>
  var data: DataComparison?

  /// What is not equal: what breaks most first, then by name.
  var shown: [MetricChange] { changes.ranked }

  var isBreak: Bool { changes.contains { !allowed.contains($0.level) } }

  func data(of change: MetricChange) -> DataComparison.Change? {
    data?.changes.first { $0.metric == change.name }
  }

  func text(_ layout: Layout) -> String {
    let lines = shown.flatMap { [layout.bold(head($0))] + body($0).map { "  \($0)" } + [""] }
    return (lines + [changes.summary, ""]).joined(separator: "\n")
  }

  /// `meaning  weekly_streak (through weekly_target_met)`
  func head(_ change: MetricChange) -> String {
    let name =
      change.oldName != nil && change.newName != nil && change.oldName != change.newName
      ? "\(change.oldName ?? "") → \(change.newName ?? "")" : change.name
    let through = change.through.isEmpty ? "" : " (through \(change.through.joined(separator: ", ")))"
    let isLet = allowed.contains(change.level) && change.level.isBreak ? ", allowed" : ""
    return printable("\(change.level.rawValue)\(isLet): \(name)\(through)")
  }

  private func body(_ change: MetricChange) -> [String] {
    var lines = change.details.flatMap(\.lines)
    if let witness = change.witness {
      lines.append("smallest dataset found: \(witness.old.words) before, \(witness.new.words) now")
      lines += witness.test.split(separator: "\n").map { "  \($0)" }
      if !witness.newOnly.isEmpty {
        lines.append("with data that only the new definitions know:")
        lines += witness.newOnly.map { "  \($0)" }
      }
    } else if let most = change.searchedFacts {
      lines.append("no difference found with up to \(most) facts")
    }
    lines += stewards(change)
    if !change.readers.isEmpty { lines.append("read by \(change.readers.joined(separator: ", "))") }
    if let compared = data(of: change) { lines += self.lines(compared) }
    return lines.map { printable($0.split(separator: "\n").joined(separator: " ")) }
  }

  /// `owner growth team`, `approved by Ana on 2026-06-30, void: it means something else now`
  func stewards(_ change: MetricChange) -> [String] {
    [change.owner.map { "owner \($0)" }, change.approval.map { "approved by \($0.text)" }].compactMap { $0 }
  }

  private static let mostListed = 5

  private func lines(_ compared: DataComparison.Change) -> [String] {
    let day = data.map { " at \($0.at)" } ?? ""
    var line = "on the data\(day): \(Counting.grouped(compared.changedSubjectCount)) of "
    line += "\(Counting.of(compared.subjectCount, "subject")) changed"
    if compared.rose + compared.fell > 0 {
      line += "; \(Counting.of(compared.rose, "value")) rose, \(Counting.grouped(compared.fell)) fell"
    }
    let shown = compared.differences.prefix(DiffReport.mostListed)
    let more = compared.differences.count - shown.count
    return [line] + shown.map { "  \(place($0))\($0.old.words) → \($0.new.words)" }
      + (more > 0 ? ["  and \(Counting.grouped(more)) more"] : [])
  }

  func place(_ difference: DataComparison.Difference) -> String {
    let group = difference.group.isEmpty ? "" : "group \(difference.group)"
    let texts = [difference.subject, group, difference.part].filter { !$0.isEmpty }
    return texts.isEmpty ? "" : texts.joined(separator: " ") + ": "
  }

  /// `{"changes":[…],"summary":{…},"break":…}`; equal metrics are only counted.
  var json: JSONText {
    let counts = ChangeLevel.allCases.map { level in
      (level.rawValue, changes.count { $0.level == level }.json)
    }
    return .object(["changes": shown.map(json), "summary": JSONText.object(counts), "break": isBreak])
  }

  private func json(_ change: MetricChange) -> JSONText {
    .object([
      "metric": change.name, "old": change.oldName, "new": change.newName, "level": change.level.rawValue,
      "allowed": allowed.contains(change.level), "owner": change.owner.map(JSONText.string) ?? .omitted,
      "approval": change.approval?.json ?? .omitted, "through": change.through, "readers": change.readers,
      "details": change.details.map {
        JSONText.object(["what": $0.what, "old": $0.old, "new": $0.new, "effect": $0.effect])
      },
      "witness": change.witness.map {
        JSONText.object(["test": $0.test, "newOnly": $0.newOnly, "old": $0.old, "new": $0.new])
      },
      "searchedFacts": change.searchedFacts, "data": data(of: change).map(json),
    ])
  }

  private func json(_ compared: DataComparison.Change) -> JSONText {
    .object([
      "at": data?.at.description ?? "", "subjects": compared.subjectCount,
      "changedSubjects": compared.changedSubjectCount, "rose": compared.rose, "fell": compared.fell,
      "rows": compared.differences.map {
        JSONText.object([
          "subject": $0.subject, "group": $0.group, "part": $0.part, "old": $0.old, "new": $0.new,
        ])
      },
    ])
  }
}
