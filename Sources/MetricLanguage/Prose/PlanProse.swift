import MetricPlan

/// A plan in words: a sentence or more, with code in backticks.
///
///     True when, in the 7 days up to the day, the number of `HabitEntry` records is at least 3.
struct PlanProse {
  let plan: Library

  func sentences(of metric: Metric) -> [String] {
    let body: [String] =
      switch metric.body {
      case .completion(let completion): sentences(of: completion)
      case .windows(let metric): sentences(of: metric)
      case .measure(let measure): sentences(of: measure)
      case .level(let level): sentences(of: level)
      case .funnel(let funnel): sentences(of: funnel, metric)
      case .retention(let retention): sentences(of: retention, metric)
      }
    return body + groups(metric) + [scope(metric)].compactMap { $0 }
  }

  /// Whom there is a value for; funnels and retentions say so themselves.
  private func scope(_ metric: Metric) -> String? {
    guard !metric.kind.countsSubjects else { return nil }
    let isGrouped = !metric.grouping.isEmpty
    guard metric.subject.entity != nil else {
      return "There is one value for \(isGrouped ? "each group" : "the whole app")."
    }
    let condition = metric.subject.condition.map { " where \(words($0))" } ?? ""
    return
      "There is a value for each `\(plan.name(of: metric.subject))`\(condition)\(isGrouped ? " and group" : "")."
  }

  private func groups(_ metric: Metric) -> [String] {
    let fields = metric.grouping.map { field in
      switch field {
      case .field(_, let paths, _):
        paths.sorted { $0.key < $1.key }.map { record, path in
          "`\(plan.records[record].name).\(plan.text(of: path))`"
        }.joined(separator: " and ")
      case .metric(_, let reference, let entity):
        "`\(plan.text(of: .metric(reference)))` of each \(plan.records[entity].subjectName) on the day"
      case .cohort(let unit): "the \(unit.name) of the start"
      }
    }
    let slices = metric.slices.map { "`\($0.name)`" }
    let sentences: [String?] = [
      fields.isEmpty ? nil : "Grouped by \(fields.joined(separator: ", then by ")).",
      slices.isEmpty ? nil : "May be asked for by \(slices.joined(separator: " or ")).",
      metric.body.atLeast.map { "Numbers based on fewer than \($0) users are hidden." },
      metric.nearest.map { "Values are rounded to multiples of \($0)." },
    ]
    return sentences.compactMap { $0 }
  }

  func words(_ period: Period) -> String {
    switch period {
    case .lastDays(1): "the day itself"
    case .lastDays(let days): "the \(days) days up to the day"
    case .calendar(let unit): "the \(words(unit)) up to the day"
    case .previous(let unit): "the whole \(words(unit)) before the day's"
    case .allTime: "all time up to the day"
    }
  }

  private func words(_ window: Window) -> String {
    switch window {
    case .rolling(1): "on the day"
    case .rolling(let days): "in the \(days) days up to the day"
    case .calendar(let unit): "in the \(words(unit)) up to the day"
    }
  }

  private func words(_ unit: CalendarUnit) -> String {
    switch unit {
    case .week(let first): "week from \(first.name.capitalizedFirst)"
    case .months(_, let first) where first > 1:
      "calendar \(unit.name) from \(DayKey.monthNames[first - 1].capitalizedFirst)"
    case .day, .months: "calendar \(unit.name)"
    }
  }

  /// The windows of a completion: `days`, `windows of 7 days`.
  private func windows(of id: MetricID) -> String {
    guard case .completion(let completion) = plan.metrics[id].body else { return "windows" }
    return switch completion.window {
    case .rolling(1): "days"
    case .rolling(7): "weeks"
    case .rolling(let days): "windows of \(days) days"
    case .calendar(let unit): "calendar \(unit.name)s"
    }
  }

  private func sentences(of completion: Completion) -> [String] {
    let sentences: [String?] = [
      "True when, \(words(completion.window)), \(words(completion.when)).",
      completion.limit.map { "And only where \(words($0.condition)): \($0.reason)." },
      completion.rest.map {
        "It rests when \(words($0)): a streak passes over such a window and does not end there."
      },
      "It is never true without a record.",
    ]
    return sentences.compactMap { $0 }
  }

  private func sentences(of metric: WindowMetric) -> [String] {
    let name = "`\(plan.metrics[metric.completion].name)`"
    let windows = windows(of: metric.completion)
    return switch metric.reading {
    case .current: ["How many \(windows) in a row \(name) was true, counted back from the day."]
    case .best: ["The most \(windows) in a row that \(name) was ever true."]
    case .previous: ["How many \(windows) in a row \(name) was true in the last run that ended."]
    case .grace(let count):
      [
        "How many \(windows) in a row \(name) was true; the run may have ended up to \(Counting.of(count, "window")) ago."
      ]
    case .forgiving(let forgiveness):
      [
        "\(sentence(forgiveness, name, windows)) up to the day.",
        "`left` is how many more may stay open now; \(windows) before the first record count as open.",
      ]
    case .bestForgiving(let forgiveness):
      ["\(sentence(forgiveness, name, windows)) up to any day so far, the most of these."]
    case .last(1): ["Whether \(name) was true in the last of the \(windows): 1 or 0."]
    case .last(let count): ["In how many of the last \(count) \(windows) \(name) was true."]
    case .halfLife(let count):
      [
        "A strength from 0 to 1: each of the \(windows) in which \(name) was true counts, and half as much "
          + "when \(count == 1 ? "one more has" : "\(count) more have") passed."
      ]
    }
  }

  private func sentence(_ forgiveness: Forgiveness, _ name: String, _ windows: String) -> String {
    "In how many \(windows) \(name) was true, in the longest stretch with at most \(forgiveness.open) "
      + "open in any \(forgiveness.windows) in a row,"
  }

  private func sentences(of measure: Measure) -> [String] {
    let over = measure.over == .allTime ? "" : ", over \(words(measure.over))"
    let value = "\(words(measure.value))\(over).".capitalizedFirst
    let target = measure.target.map {
      "The target is \(words($0)); `fraction` is the value divided by it, and may be more than 1."
    }
    return [value, target].compactMap { $0 }
  }

  private func sentences(of level: Level) -> [String] {
    let part = level.part.isEmpty ? "" : ".\(level.part)"
    let thresholds = level.thresholds.map(\.description).joined(separator: ", ")
    let name = "`\(plan.metrics[level.metric].name)\(part)`"
    return ["How many of these \(name) has reached: \(thresholds)."]
      + (level.hasDays ? ["`on1`, `on2`, … are the days on which each was first reached."] : [])
  }

  private func sentences(of funnel: Funnel, _ metric: Metric) -> [String] {
    let who = plural(of: metric)
    let steps = funnel.steps.map { "`\($0.name)`, \(words($0.source))" }.joined(separator: "; ")
    let count =
      switch funnel.order {
      case .inOrder: "How many \(who) reached each step, in order: \(steps)."
      case .any: "How many \(who) did at least one, two, … of these, in any order: \(steps)."
      case .strict: "How many \(who) reached each step, with nothing of the same kind between: \(steps)."
      }
    let ranks = funnel.percentiles.map { "`STEP.days\($0)`" }.joined(separator: ", ")
    let sentences: [String?] = [
      count,
      funnel.within.map { "All within \(Counting.of($0, "day")) of the first." },
      funnel.without.map { "Between two steps lies none of \(words($0))." },
      ranks.isEmpty ? nil : "\(ranks): percentiles of the days from the first step to each later one.",
      funnel.over == .allTime ? nil : "The first step lies in \(words(funnel.over)).",
    ]
    return sentences.compactMap { $0 }
  }

  private func sentences(of retention: Retention, _ metric: Metric) -> [String] {
    let who = plural(of: metric)
    let first = retention.startsEachDay ? "each day with" : "the first day with"
    let numbers = retention.after.map(\.asWritten)
    let days = ([numbers.dropLast().joined(separator: ", ")] + numbers.suffix(1)).filter { !$0.isEmpty }
      .joined(separator: " or ")
    let isBracket = retention.after.contains { $0.from != nil }
    let whose = "Of the \(who) whose \(isBracket ? "days \(days) are over" : "day \(days) has come"),"
    let when =
      retention.orLater ? "on that day or later" : isBracket ? "on one of them" : "on that very day"
    let what =
      retention.value.map { value in
        "\(words(.aggregate(value))) \(isBracket ? "on them" : "from day 0 to then"), also for each of them"
      } ?? "how many had \(words(retention.returns)) \(when)"
    return ["Day 0 is \(first) \(words(retention.start)).", "\(whose) \(what)."]
      + (retention.over == .allTime ? [] : ["Day 0 lies in \(words(retention.over))."])
  }

  private func plural(of metric: Metric) -> String {
    Counting.plural(plan.name(of: metric.subject))
  }
}
