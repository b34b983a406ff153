import MetricDiagnostics

/// A rule of the checklist that is recognised by a word which people write by habit.
protocol WordRule: SendableMetatype {
  static var page: Page { get }
  /// Why the word has no place in a metric.
  static var reason: String { get }
  /// What to write instead.
  static var fix: String { get }
}

extension ForbiddenWord {
  private static let rules: [any WordRule.Type] = [
    StoresState.self, MutatesState.self, PenaltyTerm.self, UsesTimeZone.self, ReadsClock.self,
  ]

  static let pages = rules.map { $0.page }

  private var rule: any WordRule.Type {
    switch self {
    case .stored, .cached, .persist, .store, .cache, .save: StoresState.self
    case .increment, .reset, .override, .decrement, .expire, .rollover, .carry: MutatesState.self
    case .penalty, .missed, .late, .deadline, .punish, .lose: PenaltyTerm.self
    case .timezone, .timestamp: UsesTimeZone.self
    case .now, .today: ReadsClock.self
    }
  }

  /// The page that says why.
  package var page: Page { rule.page }

  /// The finding for the word where it starts a clause, or is an operand that stands for nothing.
  package func finding(at span: Span) -> Diagnostic {
    .error(
      rule.page.code, "`\(rawValue)` has no place here: \(rule.reason)", at: span, notes: [Note(rule.fix)])
  }
}
