import MetricDiagnostics
import MetricLanguage

/// Definitions as text: a hundred times the same kinds of metrics under other names.
func manyDefinitions(_ count: Int) -> String {
  var source = ""
  for number in 0..<(count + 4) / 5 {
    source += """
      /// Was the habit done on this day?
      completion done_\(number) {
        for habit where cadence == "daily"
        every day
        when if habit.kind == "quantity" then sum(HabitEntry.value) >= habit.weeklyTarget
             else count(HabitEntry where value > \(number).5) >= 1
      }

      /// Days in a row.
      streak run_\(number) { of done_\(number) }

      /// The longest run.
      streak best_\(number) { of done_\(number)  best }

      /// Days of the last seven.
      momentum week_\(number) { of done_\(number)  over last 7 days }

      /// All that was logged.
      progress total_\(number) {
        for habit where cadence == "daily"
        value sum(HabitEntry.value over last 4 weeks) + count(HabitEntry)
      }


      """
  }
  return source
}

/// Lexing and parsing, and checking a library.
func definitionBenchmarks(_ isWanted: (String) -> Bool) throws -> [Measurement] {
  var found: [Measurement] = []
  let source = manyDefinitions(1000)
  let bytes = Double(source.utf8.count)
  // With a mistake at the end nothing but lexing and parsing is done.
  let rejected = source + "metric {"
  if isWanted("lex and parse") {
    found.append(
      measure("lex and parse", "\(Int(bytes / 1000)) kB", units: (bytes / 1e6, "MB")) {
        if case .rejected(let findings) = formatted(SourceFile(path: "many.metric", text: rejected)) {
          sink += findings.count
        }
      })
  }
  if isWanted("format") {
    found.append(
      measure("lex, parse, format and prove", "\(Int(bytes / 1000)) kB", units: (bytes / 1e6, "MB")) {
        if case .changed(let text) = formatted(SourceFile(path: "many.metric", text: source)) {
          sink += text.utf8.count
        }
      })
  }
  if isWanted("check a library") {
    found.append(
      measure("check a library", "1,000 definitions", units: (1000, "definition")) {
        sink += MetricLibrary(sources: [SourceFile(path: "many.metric", text: source)]).findings.count
      })
  }
  return found
}
