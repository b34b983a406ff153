import MetricPlan

extension PlanProse {
  /// An expression in words; paths and names are in backticks.
  func words(_ expression: Expression) -> String {
    switch expression {
    case .literal(let literal): return literal == .bool(true) ? "true" : plan.text(of: literal)
    case .field(let path): return "`\(plan.text(of: path))`"
    case .day: return "the day"
    case .metric(let reference): return words(reference)
    case .aggregate(let aggregate): return words(aggregate)
    case .completions(let aggregate): return words(aggregate)
    case .subjects(let aggregate): return words(aggregate)
    case .arithmetic(let operation, let left, let right):
      return "\(term(left)) \(sign(operation)) \(term(right))"
    case .negated(let inner): return "−\(operand(inner))"
    case .comparison(let operation, let left, let right):
      return "\(operand(left)) \(verb(operation)) \(operand(right))"
    case .membership(let inner, let literals, let negated):
      let list = literals.map { plan.text(of: $0) }.joined(separator: ", ")
      return "\(operand(inner)) is \(negated ? "none" : "one") of \(list)"
    case .isNone(let inner, let negated):
      return "\(operand(inner)) has \(negated ? "a value" : "no value")"
    case .and(let left, let right): return "\(clause(left)) and \(clause(right))"
    case .or(let left, let right): return "\(clause(left)) or \(clause(right))"
    case .not(let inner): return "not \(operand(inner))"
    case .conditional(let condition, let then, let otherwise):
      return "\(words(then)) if \(words(condition)), else \(words(otherwise))"
    case .function(let function, let operands): return words(function, operands)
    case .widened(let inner): return words(inner)
    }
  }

  /// A fact or completion of a funnel or retention.
  func words(_ source: EventSource) -> String {
    switch source {
    case .fact(let record, _, let filter):
      "\(Counting.article(plan.records[record].name)) `\(plan.records[record].name)`\(condition(filter))"
    case .completion(let id): "a day on which `\(plan.metrics[id].name)` is true"
    }
  }

  private func sign(_ operation: ArithmeticOperator) -> String {
    switch operation {
    case .add: "+"
    case .subtract: "−"
    case .multiply: "×"
    case .divide: "÷"
    }
  }

  private func verb(_ operation: ComparisonOperator) -> String {
    switch operation {
    case .equal: "is"
    case .notEqual: "is not"
    case .less: "is less than"
    case .lessOrEqual: "is at most"
    case .greater: "is more than"
    case .greaterOrEqual: "is at least"
    }
  }

  private func words(_ function: ScalarFunction, _ operands: [Expression]) -> String {
    let texts = operands.map(words)
    return switch function {
    case .least: "the smaller of \(texts.joined(separator: " and "))"
    case .greatest: "the greater of \(texts.joined(separator: " and "))"
    case .floor: "\(texts[0]), rounded down,"
    case .weekday: "the weekday of \(texts[0])"
    case .daysBetween: "the days from \(texts[1]) to \(texts[0])"
    }
  }

  private func words(_ reference: MetricReference) -> String {
    let part = reference.part.isEmpty ? "" : ".\(reference.part)"
    let name = "`\(plan.metrics[reference.metric].name)\(part)`"
    if let days = reference.days {
      return words(days.function, "\(name) on each day", name) + over(days.period)
    }
    return switch reference.offset {
    case .days(let days): "\(name) of \(days) days before"
    case .months(let months): "\(name) of \(months == 1 ? "a month" : "\(months) months") before"
    case nil: name
    }
  }

  private func words(_ aggregate: Aggregate) -> String {
    let record = plan.records[aggregate.record].name
    let field = aggregate.argument.flatMap { argument in
      aggregate.function == .contribution ? nil : "`\(record).\(plan.text(of: argument))`"
    }
    let link =
      if case .link(let route) = aggregate.route { " through `\(plan.records[route.link].name)`" } else { "" }
    return words(aggregate.function, field, "`\(record)`") + link + condition(aggregate.filter)
      + over(aggregate.period)
  }

  private func words(_ aggregate: SubjectAggregate) -> String {
    let entity = "`\(plan.records[aggregate.entity].subjectName)`"
    let argument = aggregate.argument.map { "\(words($0)) of each \(entity)" }
    return words(aggregate.function, argument, entity) + condition(aggregate.filter)
  }

  /// - Parameter field: What is aggregated; nil for whole records.
  private func words(_ function: AggregateFunction, _ field: String?, _ record: String) -> String {
    let traits = function.traits
    let sentence = traits.sentence.split(separator: "%", omittingEmptySubsequences: false)
      .joined(separator: field ?? record)
    return traits.form == .picks && field == nil ? "the day of \(sentence)" : sentence
  }

  private func words(_ aggregate: CompletionAggregate) -> String {
    let name = "`\(plan.metrics[aggregate.completion].name)`"
    let period = over(aggregate.period)
    return switch aggregate.function {
    case .count: "how many times \(name) was true\(period)"
    case .first: "the first day on which \(name) was true\(period)"
    case .last: "the last day on which \(name) was true\(period)"
    }
  }

  private func condition(_ filter: Expression?) -> String { filter.map { " where \(words($0))" } ?? "" }
  private func over(_ period: Period?) -> String { period.map { " over \(words($0))" } ?? "" }

  /// Beside a sign, where a condition would run on into what follows.
  private func term(_ expression: Expression) -> String {
    let text = operand(expression)
    return text.contains(" where ") && !text.hasPrefix("(") ? "(\(text))" : text
  }

  /// With parentheses where it is an operation itself.
  private func operand(_ expression: Expression) -> String {
    switch expression {
    case .widened(let inner): operand(inner)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .function: words(expression)
    case .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not, .conditional:
      "(\(words(expression)))"
    }
  }

  /// A condition beside `and` or `or`: a comparison is there without parentheses.
  private func clause(_ expression: Expression) -> String {
    switch expression {
    case .comparison, .membership, .isNone: words(expression)
    case .widened(let inner): clause(inner)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .function, .arithmetic,
      .negated, .and, .or, .not, .conditional:
      operand(expression)
    }
  }
}
