/// The difference of two texts, as `diff -u` and `git diff` show it.
struct UnifiedDiff {
  private static let context = 3
  private let path: String
  private let old: [Substring]
  private let new: [Substring]
  private let changes: [LineDifference.Change]

  init(path: String, old: String, new: String) {
    self.path = path
    (self.old, self.new) = (UnifiedDiff.lines(of: old), UnifiedDiff.lines(of: new))
    changes = LineDifference(from: self.old, to: self.new).changes
  }

  /// The hunks below their header; empty if the texts are equal.
  var text: String {
    // Changes whose contexts touch are in one hunk.
    var hunks: [[LineDifference.Change]] = []
    for change in changes {
      if let last = hunks.last?.last, change.old.lowerBound - last.old.upperBound <= 2 * Self.context {
        hunks[hunks.count - 1].append(change)
      } else {
        hunks.append([change])
      }
    }
    let header = "--- \(printable(path))\n+++ \(printable(path))\n"
    return hunks.isEmpty ? "" : header + hunks.map(text).joined()
  }

  private func text(_ hunk: [LineDifference.Change]) -> String {
    let (first, last) = (hunk[0], hunk[hunk.count - 1])
    let before = min(Self.context, first.old.lowerBound)
    let after = min(Self.context, old.count - last.old.upperBound)
    let olds = first.old.lowerBound - before..<last.old.upperBound + after
    let news = first.new.lowerBound - before..<last.new.upperBound + after
    var text = "@@ -\(UnifiedDiff.place(olds)) +\(UnifiedDiff.place(news)) @@\n"
    func write(_ sign: Character, _ lines: ArraySlice<Substring>) {
      for line in lines {
        text += "\(sign)\(line)"
        text += line.utf8.last == UInt8(ascii: "\n") ? "" : "\n\\ No newline at end of file\n"
      }
    }
    var end = olds.lowerBound
    for change in hunk {
      write(" ", old[end..<change.old.lowerBound])
      write("-", old[change.old])
      write("+", new[change.new])
      end = change.old.upperBound
    }
    write(" ", old[end..<olds.upperBound])
    return text
  }

  /// `12,7`: the first line of a hunk in one of the texts, and how many lines it has there.
  private static func place(_ lines: Range<Int>) -> String {
    "\(lines.isEmpty ? lines.lowerBound : lines.lowerBound + 1),\(lines.count)"
  }

  /// An annotation at each run of old lines that change, with what they should be.
  var workflowCommands: String {
    changes.map { change in
      let first = change.old.lowerBound + 1
      let command = WorkflowCommand.error(
        path: path, lines: first...max(first, change.old.upperBound), title: "fmt",
        "not in the canonical layout; run `metricc fmt`. Expected:\n\(new[change.new].joined())")
      return command + "\n"
    }.joined()
  }

  /// The lines with their ends. `\r\n` is one character to Swift, so that they are sought in the bytes.
  private static func lines(of text: String) -> [Substring] {
    var (lines, rest): ([Substring], Substring) = ([], text[...])
    while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")).map(rest.utf8.index(after:)) {
      lines.append(rest[..<end])
      rest = rest[end...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }
}
