/// The changes as GitHub shows them in a comment.
extension DiffReport {
  var markdown: String {
    var text = "### Metric definitions: \(isBreak ? "a break" : shown.isEmpty ? "no change" : "no break")\n\n"
    text += changes.summary + "\n"
    guard !shown.isEmpty else { return text }
    text += "\n| | metric | what |\n|---|---|---|\n"
    for change in shown {
      let icon = allowed.contains(change.level) ? "✅" : "❌"
      text += "| \(icon) \(change.level.rawValue) | \(title(change)) | \(note(change)) |\n"
    }
    for change in shown { text += details(change) }
    return text
  }

  private func title(_ change: MetricChange) -> String {
    change.level == .renamed
      ? "`\(change.oldName ?? "")` → `\(change.newName ?? "")`" : "`\(change.name)`"
  }

  /// A line for the table.
  private func note(_ change: MetricChange) -> String {
    var notes = change.details.map {
      Markdown.inline($0.effect.isEmpty ? $0.what : "\($0.what): \($0.effect)")
    }
    notes += stewards(change).map(Markdown.inline)
    for (words, names) in [("read by", change.readers), ("through", change.through)] where !names.isEmpty {
      notes.append("\(words) " + names.map { "`\($0)`" }.joined(separator: ", "))
    }
    if let compared = data(of: change) {
      notes.append(
        "\(Counting.grouped(compared.changedSubjectCount)) of \(Counting.of(compared.subjectCount, "subject")) changed"
      )
    }
    return notes.joined(separator: "; ")
  }

  private func details(_ change: MetricChange) -> String {
    var blocks: [String] = []
    let clauses = change.details.flatMap { detail in
      [("-", detail.old), ("+", detail.new)].flatMap { sign, text in
        text.split(separator: "\n").map { "\(sign) \(detail.what): \($0)" }
      }
    }
    if !clauses.isEmpty {
      blocks.append(Markdown.fenced(clauses.joined(separator: "\n"), language: "diff"))
    }
    if let witness = change.witness {
      blocks.append(
        "Smallest dataset found: \(Markdown.inline(witness.old.words)) before, \(Markdown.inline(witness.new.words)) now.\n\n"
          + Markdown.fenced(witness.test, language: "metric"))
    } else if let most = change.searchedFacts {
      blocks.append("No difference found with up to \(most) facts.\n")
    }
    if let compared = data(of: change), !compared.differences.isEmpty { blocks.append(table(compared)) }
    guard !blocks.isEmpty else { return "" }
    return "\n<details><summary>\(Markdown.inline(change.name))</summary>\n\n"
      + blocks.joined(separator: "\n") + "\n</details>\n"
  }

  private func table(_ compared: DataComparison.Change) -> String {
    var text = "| at \(data?.at.description ?? "") | before | now |\n|---|---|---|\n"
    for difference in compared.differences.prefix(10) {
      let place = Markdown.inline(String(self.place(difference).dropLast(2)))
      let (old, new) = (Markdown.inline(difference.old.words), Markdown.inline(difference.new.words))
      text += "| \(place) | \(old) | \(new) |\n"
    }
    let more = compared.differences.count - 10
    return more > 0 ? text + "\nand \(Counting.grouped(more)) more\n" : text
  }
}

/// The little of GitHub's Markdown that is written here.
enum Markdown {
  /// Text that is shown as it is, also inside a table and in HTML.
  static func inline(_ text: String) -> String {
    let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
    return printable(text).map { character in
      entities[character] ?? ("\\`*_|[]#~@".contains(character) ? "\\\(character)" : "\(character)")
    }.joined()
  }

  /// A block of code, fenced with more backticks than it contains.
  static func fenced(_ code: String, language: String) -> String {
    let longest = code.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(2, longest) + 1)
    let body = code.hasSuffix("\n") ? code : code + "\n"
    return "\(fence)\(language)\n\(body)\(fence)\n"
  }
}
