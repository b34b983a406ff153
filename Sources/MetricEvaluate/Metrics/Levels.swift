/// A compiled level: how many thresholds its metric has reached, and the day on which it first reached each.
struct LevelEvaluation {
  let metric: CompiledMetric
  private let part: Int
  private let thresholds: [Cell]
  /// If days are asked for: the facts whose first one opens them (LEV-03).
  private let presence: [FactSource]?

  init(_ level: Level, _ compiler: Compiler) throws(EvaluationError) {
    let engine = compiler.engine
    metric = try engine.compile(level.metric)
    part = metric.plan.parts.firstIndex { $0.name == level.part } ?? 0
    let isDecimal = metric.plan.parts[part].type == .decimal
    // An Int reaches a threshold where it reaches the next whole number.
    thresholds = level.thresholds.map { isDecimal ? $0.millionths : -Operators.floor(-$0.millionths) }
    presence = level.hasDays ? try compiler.sources(engine.library.presence(of: level.metric)) : nil
  }

  /// What fills the level alone; nil if groups or days are to be kept.
  var program: Program? {
    guard metric.hasParts, presence == nil else { return nil }
    return { place, out, worker in
      metric.evaluate(
        part: part, subject: metric.isWhole ? 0 : place.subject, days: place.days, out, worker)
      for lane in 0..<place.count { out[lane] = reached(out[lane]) }
    }
  }

  /// LEV-01
  private func reached(_ value: Cell) -> Cell {
    value == outOfRange ? value : value == noValue ? 0 : Cell(thresholds.count { $0 <= value })
  }

  func columns(_ subject: Int, _ days: DayRange, _ worker: Worker) -> [GroupColumn] {
    let subject = metric.isWhole ? 0 : subject
    let firsts = firstDays(subject, through: days.last, worker)
    return metric.groups(subject: subject, days: days, worker).map { column in
      let parts = presence == nil ? 1 : 1 + thresholds.count
      var own = GroupColumn(group: column.group, parts: parts, dayCount: days.count)
      column.forEachDay { day in
        own[0, day] = reached(column[part, day])
        for place in 1..<parts {
          let first = firsts[column.group]?[place - 1]
          own[place, day] = first.map { $0.day <= days[day] ? $0.cell : noValue } ?? noValue
        }
      }
      return own
    }
  }

  /// By group, for each threshold the first day when it is reached; `outOfRange` where it cannot be told.
  private func firstDays(
    _ subject: Int, through last: Int32, _ worker: Worker
  ) -> [Cell: [(day: Int32, cell: Cell)?]] {
    guard let since = presence?.firstDay(of: subject, worker), since <= last else { return [:] }
    let days = DayRange(from: since, through: last)
    let columns = metric.groups(subject: subject, days: days, worker)
    return columns.reduce(into: [:]) { firsts, column in
      firsts[column.group] = thresholds.map { threshold in
        (0..<days.count).first { day in
          let value = column[part, day]
          return column.exists(on: day) && (value == outOfRange || value != noValue && value >= threshold)
        }.map { (days[$0], column[part, $0] == outOfRange ? outOfRange : Cell(days[$0])) }
      }
    }
  }
}
