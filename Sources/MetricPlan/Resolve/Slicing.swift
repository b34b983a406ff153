import MetricSyntax

/// What metrics are asked for in place of what their definitions say (SLC-01).
package struct Slice: Sendable {
  /// `by` and `over`, which take the place of the definition's.
  package var clauses: [Clause] = []
  package var dropsGroups = false
  package var condition: ExpressionSyntax?

  package init() {}
}

extension MetricDeclaration {
  /// The definition with the clauses of a slice; the condition holds for each aggregate, step, start and return.
  package func sliced(_ slice: Slice) -> MetricDeclaration {
    var sliced = self
    let words = slice.clauses.compactMap(\.word) + (slice.dropsGroups ? [.by] : [])
    sliced.clauses.removeAll { $0.word.map(words.contains) ?? false }
    if let condition = slice.condition {
      for index in sliced.clauses.indices where sliced.clauses[index].word != .without {
        sliced.clauses[index].content.narrow(to: condition)
      }
    }
    sliced.clauses += slice.clauses
    return sliced
  }

  /// Whether a condition can be added to anything.
  package var takesCondition: Bool { kind == .funnel || kind == .retention || !aggregates.isEmpty }

  /// Whether `over` says anything: not where each aggregate has a period of its own.
  package var takesPeriod: Bool {
    // Only records have periods, and their names start with a capital.
    kind == .funnel || kind == .retention
      || aggregates.contains { source in
        guard source.over == nil, case .path(let names) = source.value.kind else { return false }
        return names[0].text.first?.isUppercase ?? false
      }
  }

  /// The sources of the aggregates in its values and conditions.
  private var aggregates: [ArgumentSyntax] {
    var found: [ArgumentSyntax] = []
    let values: Set<ClauseWord> = [.when, .limit, .rest, .value, .target]
    for clause in clauses where clause.word.map(values.contains) ?? false {
      for expression in clause.content.expressions {
        expression.visit {
          guard case .call(let function, let arguments) = $0.kind,
            Functions.aggregates.contains(function.text)
          else { return }
          found += arguments.prefix(1)
        }
      }
    }
    return found
  }
}

extension ClauseContent {
  fileprivate mutating func narrow(to condition: ExpressionSyntax) {
    switch self {
    case .expression(let value): self = .expression(value.narrowed(to: condition))
    case .limit(let value, let reason): self = .limit(value.narrowed(to: condition), reason: reason)
    case .step(let name, let fact): self = .step(name, fact.narrowed(to: condition))
    case .start(let mode, let fact): self = .start(mode, fact.narrowed(to: condition))
    case .fact(let fact): self = .fact(fact.narrowed(to: condition))
    case .nothing, .text, .number, .length, .name, .subject, .every, .of, .forgive, .over, .overEach,
      .thresholds, .atLeast, .stepDays, .after, .by, .slice, .tags, .approved, .allow, .metrics, .forbidden,
      .unexpected:
      return
    }
  }
}

extension FactPattern {
  fileprivate func narrowed(to condition: ExpressionSyntax) -> FactPattern {
    var fact = self
    fact.condition = self.condition.narrowed(by: condition)
    return fact
  }
}

extension ExpressionSyntax? {
  /// Findings about both together are about what was asked.
  fileprivate func narrowed(by other: ExpressionSyntax) -> ExpressionSyntax {
    map { ExpressionSyntax(.binary(.and, $0, other), other.span) } ?? other
  }
}

extension ExpressionSyntax {
  /// The expression with a condition on each of its aggregates.
  fileprivate func narrowed(to condition: ExpressionSyntax) -> ExpressionSyntax {
    func narrowed(_ value: ExpressionSyntax) -> ExpressionSyntax { value.narrowed(to: condition) }
    let narrow: ExpressionKind
    switch kind {
    case .number, .string, .boolean, .none, .day, .path, .offset, .missing: return self
    case .call(let function, var arguments):
      let isAggregate = Functions.aggregates.contains(function.text)
      for index in isAggregate ? 0..<min(1, arguments.count) : arguments.indices {
        if isAggregate {
          arguments[index].condition = arguments[index].condition.narrowed(by: condition)
        } else {
          arguments[index].value = narrowed(arguments[index].value)
        }
      }
      narrow = .call(function: function, arguments: arguments)
    case .unary(let operation, let operand): narrow = .unary(operation, narrowed(operand))
    case .binary(let operation, let left, let right):
      narrow = .binary(operation, narrowed(left), narrowed(right))
    case .membership(let value, let items, let negated):
      narrow = .membership(narrowed(value), items, negated: negated)
    case .isNone(let value, let negated): narrow = .isNone(narrowed(value), negated: negated)
    case .conditional(let test, let then, let otherwise):
      narrow = .conditional(condition: narrowed(test), then: narrowed(then), else: narrowed(otherwise))
    case .parenthesized(let inner): narrow = .parenthesized(narrowed(inner))
    }
    return ExpressionSyntax(narrow, span)
  }
}

extension Resolver {
  /// Resolves the slices. Tests, metrics and other slices read what the definitions say; so the names stand for the
  /// slices only after them, as the result says.
  func resolveSlices() -> [(String, MetricState)] {
    let before = diagnostics.count
    let sliced = slices.map { slice -> (String, MetricState) in
      let name = slice.name.text
      let defined = metricStates[name]
      defer { metricStates[name] = defined }
      if case .resolved(let id) = defined { unsliced.append(id) }
      metricSyntax[name] = slice
      metricStates[name] = nil
      return (name, (try? resolveMetric(named: name)).map { .resolved($0) } ?? .failed)
    }
    // A condition that stands in several places has one finding.
    var seen: Set<Diagnostic> = []
    diagnostics.replaceSubrange(before..., with: diagnostics[before...].filter { seen.insert($0).inserted })
    return sliced
  }
}
