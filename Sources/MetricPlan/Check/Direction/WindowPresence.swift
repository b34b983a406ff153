/// What a completion's windows owe to presence: one without a fact of the records that `when` names, in
/// the window or as far back as `when` looks, is never complete.
struct WindowPresence {
  private let when: Expression
  private let window: Period
  private var sources: Set<PresenceSources.Fact> = []
  private var periods: Set<Period>
  private var readsMetrics = false

  init(_ completion: Completion) {
    when = completion.when
    window = completion.window.period
    periods = [window]
    for part in when.parts {
      switch part {
      case .aggregate(let aggregate):
        sources.insert(aggregate.source)
        if let period = aggregate.period { periods.insert(period) }
      case .metric, .completions, .subjects: readsMetrics = true
      case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
        .conditional, .function, .widened:
        break
      }
    }
  }

  /// Whether one fact, once it is there, is present in every later window.
  var lastsForever: Bool { readsMetrics || periods.contains(.allTime) }

  /// Whether a window without presence has no fact for the aggregate, with or without its `where`.
  func covers(_ aggregate: Aggregate) -> Bool {
    guard sources.contains(aggregate.source) else { return false }
    let period = aggregate.period ?? window
    return readsMetrics || periods.contains { period.isWithin($0) }
  }

  /// What is known of aggregates in a window that has presence: that there is a fact, where `when` names
  /// one record only and the aggregate looks as far back as any.
  func refinement(_ library: Library) -> Refinement {
    var refinement = Refinement()
    guard sources.count == 1, !readsMetrics else { return refinement }
    for part in when.parts {
      guard case .aggregate(let aggregate) = part, aggregate.filter == nil,
        periods.allSatisfy({ $0.isWithin(aggregate.period ?? window) }),
        isNeverMissing(aggregate.argument, library)
      else { continue }
      switch aggregate.function.traits.form {
      case .counts: refinement.know(part, low: Values.one)
      case .least, .greatest, .mixes, .picks: refinement.know(part, low: -Values.limit)
      case .adds: break
      }
    }
    return refinement
  }

  /// Whether every fact has a value there.
  private func isNeverMissing(_ argument: Expression?, _ library: Library) -> Bool {
    guard let argument else { return true }
    guard case .field(let path) = argument, path.references.isEmpty else { return false }
    let field = library[path.field]
    return !field.isOptional && field.computed == nil
  }
}
