/// Windows as tables beside the statement, which a run after a change replaces from the first changed day on.
extension Windows {
  /// The rows `a` of such a table instead of a computation; nil if no table is asked for.
  func stored() -> SelectBuilder? {
    guard translation.request.storesWindows else { return nil }
    let table = translation.freeName("\(name)_closed_windows")
    translation.storedWindows.append((self, table))
    let builder = SelectBuilder(table: [table], as: "a")
    return builder.where(builder["subject"].isPresent)
  }

  /// The rows of such a table: `subject`, then `complete` and `rest` where windows may rest, and `r`. Of a
  /// change only the days from the first changed one on, each with a row without a subject, so that days
  /// whose windows are gone are replaced too.
  func rows(isChange: Bool) -> SQLQuery {
    let names = ["subject"] + (hasEach ? ["complete", "rest"] : []) + ["r"]
    let first = SQLExpression.operation(.dayNumber, [.parameter(.since)])
    if isChange { translation.changedReach = reach }
    let builder = SelectBuilder(from: hasEach ? states() : complete(), as: "a")
    if isChange { builder.where(builder["r"].isAtLeast(first)) }
    var queries = [builder.select(names)]
    func row(_ builder: SelectBuilder, subject: SQLExpression, day: SQLExpression) -> SQLQuery {
      builder.select(names.map { SQLColumn($0 == "subject" ? subject : $0 == "r" ? day : 0, $0) })
    }
    if isChange {
      let last = SQLExpression.operation(.dayNumber, [.parameter(.at)])
      let days = translation.define(
        "changed_days", columns: ["n"], "As many days as are computed again.", .series(through: last - first))
      let day = SelectBuilder(from: days, as: "d")
      queries.append(row(day, subject: .null(.text), day: first + day["n"]))
    }
    for problems in translation.broken {
      let problem = SelectBuilder(from: problems, as: "b")
      let error = SQLExpression.operation(.fail, [problem["problem"]])
      queries.append(row(problem, subject: error, day: 0))
    }
    return .rows(of: queries, isDistinct: false)
  }

  /// How many days before its end a window depends on facts; nil without a bound.
  private var reach: Int? {
    let all = [window.period] + presence.lookBack
    return hasEach || all.contains(.allTime) ? nil : all.compactMap(\.mostDaysBack).max()
  }
}
