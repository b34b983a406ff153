import MetricDiagnostics
import MetricLanguage

/// The difference of two texts, as `diff -u` and `git diff` show it.
///
///     --- habits.metric
///     +++ habits.metric
///     @@ -1,2 +1,2 @@
///     -streak s {of done}
///     +streak s { of done }
///      // the rest
struct UnifiedDiff {
  /// One line: what it says, and whether it is in both texts, only in the old or only in the new one.
  private struct Line {
    var sign: Character
    var text: Substring
  }

  private static let context = 3
  private let path: String
  private var lines: [Line] = []

  init(path: String, old: String, new: String) {
    self.path = path
    let old = UnifiedDiff.lines(of: old)
    let new = UnifiedDiff.lines(of: new)
    let difference = LineDifference(from: old, to: new)
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
      if oldIndex < old.count, difference.removed.contains(oldIndex) {
        lines.append(Line(sign: "-", text: old[oldIndex]))
        oldIndex += 1
      } else if newIndex < new.count, difference.inserted.contains(newIndex) {
        lines.append(Line(sign: "+", text: new[newIndex]))
        newIndex += 1
      } else {
        lines.append(Line(sign: " ", text: old[oldIndex]))
        oldIndex += 1
        newIndex += 1
      }
    }
  }

  /// The hunks below their header; empty if the texts are equal.
  var text: String {
    let hunks = hunks
    guard !hunks.isEmpty else { return "" }
    var text = "--- \(printable(path))\n+++ \(printable(path))\n"
    var (end, oldBefore, newBefore) = (0, 0, 0)
    for hunk in hunks {
      // Between hunks all lines are in both texts.
      oldBefore += hunk.lowerBound - end
      newBefore += hunk.lowerBound - end
      let old = lines[hunk].count { $0.sign != "+" }
      let new = lines[hunk].count { $0.sign != "-" }
      text += "@@ -\(UnifiedDiff.place(oldBefore, old)) +\(UnifiedDiff.place(newBefore, new)) @@\n"
      for line in lines[hunk] {
        text += "\(line.sign)\(line.text)"
        text += line.text.utf8.last == UInt8(ascii: "\n") ? "" : "\n\\ No newline at end of file\n"
      }
      (end, oldBefore, newBefore) = (hunk.upperBound, oldBefore + old, newBefore + new)
    }
    return text
  }

  /// An annotation at each run of old lines that change, with what they should be.
  var workflowCommands: String {
    var text = ""
    var (line, index) = (1, 0)
    while index < lines.count {
      let run = lines[index...].prefix { $0.sign != " " }
      let removed = run.count { $0.sign == "-" }
      if !run.isEmpty {
        let wanted = run.filter { $0.sign == "+" }.map(\.text).joined()
        text +=
          WorkflowCommand.error(
            path: path, lines: line...(line + max(removed, 1) - 1), title: "fmt",
            "not in the canonical layout; run `metricc fmt`. Expected:\n\(wanted)"
          ).text + "\n"
      }
      line += run.isEmpty ? 1 : removed
      index = max(run.endIndex, index + 1)
    }
    return text
  }

  /// `12,7`: the first line of a hunk in one of the texts, and how many lines it has there.
  private static func place(_ before: Int, _ count: Int) -> String {
    "\(count == 0 ? before : before + 1),\(count)"
  }

  /// Ranges of lines around the changes; neighbours whose contexts touch are one.
  private var hunks: [Range<Int>] {
    var hunks: [Range<Int>] = []
    for (index, line) in lines.enumerated() where line.sign != " " {
      let range = max(0, index - Self.context)..<min(lines.count, index + Self.context + 1)
      if let last = hunks.last, range.lowerBound <= last.upperBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  /// The lines with their ends. `\r\n` is one character to Swift, so that they are sought in the bytes.
  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var start = text.utf8.startIndex
    for index in text.utf8.indices where text.utf8[index] == UInt8(ascii: "\n") {
      let end = text.utf8.index(after: index)
      lines.append(text[start..<end])
      start = end
    }
    if start < text.utf8.endIndex { lines.append(text[start...]) }
    return lines
  }
}
