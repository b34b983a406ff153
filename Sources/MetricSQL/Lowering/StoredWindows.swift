/// The windows of completions as tables beside the statement, which a run after a change replaces from the first changed
/// day on.
extension Translation {
  /// The rows `a` of such a table instead of a computation; nil if no table is asked for.
  func stored(_ windows: Windows) -> SelectBuilder? {
    guard request.storesWindows else { return nil }
    let table = freeName("\(library.metrics[windows.id].name)_closed_windows")
    storedWindows.append((windows, table))
    let builder = SelectBuilder(table: [table], as: "a")
    builder.conditions.append(builder["subject"].isPresent)
    return builder
  }

  /// The rows of such a table: `subject`, then `complete` and `rest` where windows may rest, and `r`.
  ///
  /// - Parameter isChange: only the days from the first changed one on. Each has a row without a subject, so that
  ///   days whose windows are gone are replaced too.
  func rows(of windows: Windows, isChange: Bool) -> SQLQuery {
    let names = ["subject"] + (windows.hasEach ? ["complete", "rest"] : []) + ["r"]
    let first = SQLExpression.operation(.dayNumber, [.parameter(.since)])
    if isChange { changedReach = reach(of: windows) }
    let builder = SelectBuilder(from: windows.hasEach ? states(windows) : complete(windows), as: "a")
    if isChange { builder.conditions.append(builder["r"].isAtLeast(first)) }
    var queries = [builder.select(builder.columns(names))]
    func row(_ builder: SelectBuilder, subject: SQLExpression, day: SQLExpression) -> SQLQuery {
      builder.select(names.map { SQLColumn($0 == "subject" ? subject : $0 == "r" ? day : 0, $0) })
    }
    if isChange {
      let last = SQLExpression.operation(.dayNumber, [.parameter(.at)])
      let days = define(
        "changed_days", columns: ["n"], "As many days as are computed again.", .series(through: last - first))
      let day = SelectBuilder(from: days, as: "d")
      queries.append(row(day, subject: .null(.text), day: first + day["n"]))
    }
    for problems in broken {
      let problem = SelectBuilder(from: problems, as: "b")
      let error = SQLExpression.operation(.fail, [problem["problem"]])
      queries.append(row(problem, subject: error, day: 0))
    }
    return queries.count == 1 ? queries[0] : .union(queries, isDistinct: false)
  }

  /// How many days before its end a window depends on facts; nil without a bound.
  private func reach(of windows: Windows) -> Int? {
    let all = [windows.completion.window.period] + presence(of: windows).lookBack
    let isBounded = !windows.hasEach && !all.contains(.allTime)
    return isBounded ? all.compactMap(\.mostDaysBack).max() : nil
  }
}
