/// What moves as a day passes, where only a part of it is looked at.
enum Passing {
  case everything
  /// Only `day` moves; no fact leaves a window.
  case day
  /// Only streaks end.
  case streaks
  /// Streaks end, and completions stop being true.
  case windows
  /// No day passes: a setting is added.
  case settings
  /// No day passes: an entity or a setting is added.
  case records

  func moves(of id: MetricID, _ analysis: DirectionAnalysis) -> Moves {
    let metric = analysis.library.metrics[id]
    switch (self, metric.body) {
    case (.day, .completion(let completion)): return waits(completion, analysis) ? .all : []
    case (.everything, _), (.windows, .completion),
      (.streaks, .windows) where metric.kind == .streak, (.windows, .windows) where metric.kind == .streak:
      return analysis.behaviours(of: id).first?.passing ?? .all
    // A metric that is read has its own finding.
    case (.settings, .completion(let completion)), (.records, .completion(let completion)):
      return ExpressionAnalysis(analysis, over: completion.window.period, passing: self)
        .behaviour(of: completion.holds).passing
    case (.settings, .windows), (.records, .windows):
      return metric.body.base.map { moves(of: $0, analysis) } ?? []
    case (.day, _), (.streaks, .completion), (_, .windows), (_, .level), (_, .funnel), (_, .retention):
      return []
    case (_, .measure):
      guard let first = metric.body.clauses.first, let over = metric.body.over else { return [] }
      return analysis.scope(over: over, passing: self).behaviour(of: first.expression).passing
    }
  }

  /// Whether a window stops being complete because `day` is compared, and does not rest instead.
  private func waits(_ completion: Completion, _ analysis: DirectionAnalysis) -> Bool {
    let free = ExpressionAnalysis(analysis, over: completion.window.period, passing: .day)
    return (completion.rest.map { free.knowing($0, .notTrue) } ?? free)
      .behaviour(of: completion.holds).passing.contains(.falls)
  }

  func moves(of aggregate: Aggregate, _ analysis: DirectionAnalysis) -> Moves {
    guard self == .records || self == .settings, analysis.library.records[aggregate.record].isSetting else {
      return []
    }
    switch aggregate.function.traits.form {
    case .counts, .adds, .greatest: return .rises
    case .least: return .falls
    // The setting that holds is a parameter.
    case .picks: return []
    case .mixes: return [.rises, .falls]
    }
  }

  func moves(of aggregate: SubjectAggregate) -> Moves {
    guard self == .records else { return [] }
    switch aggregate.function.traits.form {
    case .counts, .adds, .greatest: return .rises
    case .least, .mixes, .picks: return []
    }
  }
}

extension DirectionAnalysis {
  /// Whether a person may see less of an expression, where only this passes.
  func loses(_ expression: Expression, over period: Period, _ passing: Passing) -> Bool {
    let losses: Moves = expression.type == .bool ? .falls : [.falls, .vanishes]
    return !scope(over: period, passing: passing).behaviour(of: expression).passing.isDisjoint(with: losses)
  }
}
