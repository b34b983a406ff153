import MetricPlan

/// A metric as the resolver understood it: the plan in the words of the language.
public struct PlannedMetric: Hashable, Sendable {
  /// One number of the metric.
  public struct Part: Hashable, Sendable {
    package var role: PartRole
    /// Whether people read it in percent.
    package var isShare: Bool
    /// Empty for the metric's own value.
    public var name: String { role.name }
    /// `Int`, `Decimal`, `Bool`, `DayKey` or `Text`
    public var type: String
  }

  /// A word and what follows it, with all defaults said: `over` and `all time`.
  public struct Clause: Hashable, Sendable {
    public var word: String
    public var text: String
  }

  public var summary: MetricSummary
  /// Who answers for it.
  public var owner: String?
  /// Words by which people find it.
  public var tags: [String]
  public var approval: MetricApproval?
  /// The condition of `for habit where …`.
  public var condition: String?
  public var parts: [Part]
  public var clauses: [Clause]
  /// Whose value it has on the unit's last day, where it is one of calendar months, quarters or years.
  package var calendarUnit: CalendarUnit?
  package var grouping: [GroupField]
  /// Names of the metrics that it reads itself, and of those that read it.
  public var reads: [String]
  public var readBy: [String]
}

extension MetricLibrary {
  /// The metrics that have a plan, in the order of the sources.
  public var plannedMetrics: [PlannedMetric] {
    let approvals = approvals
    let reads = plan.metrics.map { plan.reads($0).map { plan.metrics[$0].name }.sorted() }
    var readBy: [String: [String]] = [:]
    for (metric, names) in zip(plan.metrics, reads) {
      for name in names { readBy[name, default: []].append(metric.name) }
    }
    return metrics.compactMap { summary in
      guard summary.certificate != nil, let id = plan.metric(named: summary.name) else { return nil }
      let metric = plan.metrics[id]
      return PlannedMetric(
        summary: summary, owner: metric.owner, tags: metric.tags, approval: approvals[id],
        condition: metric.subject.condition.map { plan.text(of: $0) },
        parts: metric.parts.map {
          PlannedMetric.Part(
            role: $0.role, isShare: summary.shares.contains($0.role), type: $0.type.name)
        },
        clauses: plan.clauses(of: metric)
          + [PlannedMetric.Clause]([("nearest", metric.nearest?.description)]),
        calendarUnit: metric.body.over?.monthsUnit, grouping: plan.grouping(of: metric),
        reads: reads[id], readBy: (readBy[metric.name] ?? []).sorted())
    }
  }

  /// What the rows of a metric are grouped by, as `plan` says it; nil if they have no groups. A level has the groups of
  /// its metric.
  public func grouping(of name: String) -> String? {
    plan.metric(named: name).map { plan.grouping(of: plan.metrics[$0]) }
      .flatMap { $0.isEmpty ? nil : plan.text(of: $0) }
  }

  /// The columns of its group, `["country", "plan"]`; one is called `group`. None if its rows have no groups.
  package func groupColumns(of name: String) -> [String] {
    let names = plan.metric(named: name).map { plan.grouping(of: plan.metrics[$0]).map(\.name) } ?? []
    return names.count == 1 ? ["group"] : names
  }
}

extension [PlannedMetric.Clause] {
  /// Without those that have no text.
  init(_ texts: [(word: String, text: String?)]) {
    self = texts.compactMap { word, text in text.map { PlannedMetric.Clause(word: word, text: $0) } }
  }
}

extension Library {
  private typealias Texts = [(word: String, text: String?)]

  func clauses(of metric: Metric) -> [PlannedMetric.Clause] {
    let own: Texts = metric.body.clauses.map { ($0.word, text(of: $0.expression)) }
    let all: Texts =
      switch metric.body {
      case .completion(let completion):
        [("every", completion.window.text)] + own + [("because", completion.limit?.reason)]
      case .windows(let metric): texts(of: metric)
      case .measure(let measure):
        own + tail(measure.over, metric)
          + [("reading", metric.readingReason.map { "\($0); it may fall and is not a score" })]
      case .level(let level): texts(of: level)
      case .funnel(let funnel): texts(of: funnel) + tail(funnel.over, metric)
      case .retention(let retention): texts(of: retention) + tail(retention.over, metric)
      }
    return [PlannedMetric.Clause](all)
  }

  private func texts(of metric: WindowMetric) -> Texts {
    let reading: (word: String, text: String?) =
      switch metric.reading {
      case .current: ("read", "up to window 0; 0 if that is incomplete")
      case .best: ("read", "the longest streak so far")
      case .previous: ("read", "the last run that ended")
      case .grace(let windows): ("read", "the largest read from windows 0 to \(windows)")
      case .forgiving(let forgiveness):
        ("read", "the longest stretch with at most \(forgiveness.asWritten) incomplete")
      case .bestForgiving(let forgiveness):
        ("read", "the most in a stretch so far with at most \(forgiveness.asWritten) incomplete")
      case .last(let windows): ("over", "last \(Counting.written(windows, "window"))")
      case .halfLife(let windows): ("half life", Counting.written(windows, "window"))
      }
    return [("of", metrics[metric.completion].name), reading]
  }

  private func texts(of level: Level) -> Texts {
    [
      ("of", metrics[level.metric].name + (level.part.isEmpty ? "" : ".\(level.part)")),
      ("at", level.thresholds.map(\.description).joined(separator: ", ")),
      ("days", level.hasDays ? "on which each was first reached" : nil),
    ]
  }

  private func texts(of funnel: Funnel) -> Texts {
    let order =
      switch funnel.order {
      case .inOrder: "as written"
      case .any: "any"
      case .strict: "strict"
      }
    let percentiles = funnel.percentiles.map(\.description).joined(separator: ", ")
    return funnel.steps.map { ("step \($0.name)", text(of: $0.source)) }
      + [
        ("within", funnel.within.map { Counting.written($0, "day") }), ("order", order),
        ("days", percentiles.isEmpty ? nil : "\(percentiles), as percentiles"),
        ("without", funnel.without.map { text(of: $0) }),
      ]
  }

  private func texts(of retention: Retention) -> Texts {
    let days = retention.after.map(\.asWritten).joined(separator: ", ")
    let isBracket = retention.after.contains { $0.from != nil }
    let unit = retention.after == [DaysAfter(through: 1)] ? "day" : "days"
    return [
      (retention.startsEachDay ? "start each" : "start first", text(of: retention.start)),
      retention.value.map { ("value", text(of: .aggregate($0))) } ?? ("return", text(of: retention.returns)),
      ("after", isBracket ? "days \(days)" : "\(days) \(unit)\(retention.orLater ? " or later" : "")"),
    ]
  }

  private func tail(_ over: Period, _ metric: Metric) -> Texts {
    let slices = metric.slices.map(\.name).joined(separator: ", ")
    return [
      ("over", over.asWritten), ("by", metric.grouping.isEmpty ? nil : text(of: metric.grouping)),
      ("slice by", slices.isEmpty ? nil : slices),
      ("at least", metric.body.atLeast.map { Counting.written($0, "user") }),
    ]
  }

  func text(of grouping: [GroupField]) -> String {
    grouping.map { field in
      switch field {
      case .field(_, let paths, _):
        paths.sorted { $0.key < $1.key }.map { "\(records[$0.key].name).\(text(of: $0.value))" }
          .joined(separator: ", ")
      case .metric(_, let reference, let entity):
        "\(records[entity].subjectName).\(text(of: .metric(reference)))"
      case .cohort(let unit): "cohort \(unit.name)"
      }
    }.joined(separator: grouping.count > 1 ? "; " : "")
  }
}

extension Window {
  fileprivate var text: String {
    switch self {
    case .rolling(let days) where days > 1: "\(asWritten), rolling"
    case .rolling, .calendar: asWritten
    }
  }
}

extension Period {
  /// The kind of calendar month it takes: the one up to the day, or the whole one before.
  fileprivate var monthsUnit: CalendarUnit? {
    switch self {
    case .calendar(let unit), .previous(let unit): if case .months = unit { unit } else { nil }
    case .lastDays, .allTime: nil
    }
  }
}
