extension Library {
  /// An expression as the language writes it, for messages and plans.
  package func text(of expression: Expression) -> String {
    switch expression {
    case .literal(let literal): text(of: literal)
    case .field(let path): text(of: path)
    case .day: "day"
    case .metric(let reference): text(of: reference)
    case .aggregate(let aggregate): text(of: aggregate)
    case .completions(let aggregate):
      "\(aggregate.function.rawValue)(\(metrics[aggregate.completion].name)\(suffix(aggregate.period)))"
    case .subjects(let aggregate): text(of: aggregate)
    case .arithmetic(let operation, let left, let right):
      "\(operand(left)) \(operation.rawValue) \(operand(right))"
    case .negated(let inner): "-\(operand(inner))"
    case .comparison(let operation, let left, let right):
      "\(operand(left)) \(operation.rawValue) \(operand(right))"
    case .membership(let inner, let literals, let negated):
      "\(operand(inner)) \(negated ? "not in" : "in") [\(literals.map { text(of: $0) }.joined(separator: ", "))]"
    case .isNone(let inner, let negated): "\(operand(inner)) is \(negated ? "not none" : "none")"
    case .and(let left, let right): "\(operand(left)) and \(operand(right))"
    case .or(let left, let right): "\(operand(left)) or \(operand(right))"
    case .not(let inner): "not \(operand(inner))"
    case .conditional(let condition, let then, let otherwise):
      "if \(text(of: condition)) then \(text(of: then)) else \(text(of: otherwise))"
    case .function(.daysBetween, let operands): "\(operand(operands[0])) - \(operand(operands[1]))"
    case .function(let function, let operands):
      "\(function.rawValue)(\(operands.map { text(of: $0) }.joined(separator: ", ")))"
    case .widened(let inner): text(of: inner)
    }
  }

  package func text(of literal: Literal) -> String { literal.value.literalText }

  /// With parentheses where it is an operation itself.
  private func operand(_ expression: Expression) -> String {
    switch expression {
    case .widened(let inner): operand(inner)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects: text(of: expression)
    case .function(let function, _) where function != .daysBetween: text(of: expression)
    case .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not, .conditional, .function:
      "(\(text(of: expression)))"
    }
  }

  package func text(of path: FieldPath) -> String {
    let first = path.references.first ?? path.field
    let subject = path.root == .subject ? [records[first.record].subjectName] : []
    let names = path.references.map { self[$0].nameInPaths } + [self[path.field].name]
    return (subject + names).joined(separator: ".")
  }

  private func text(of reference: MetricReference) -> String {
    var text = metrics[reference.metric].name
    if !reference.part.isEmpty { text += "." + reference.part }
    if let days = reference.days { return call(days.function, text + suffix(days.period)) }
    switch reference.offset {
    case .days(let days): text += " offset \(Counting.written(days, "day"))"
    case .months(let months): text += " offset \(Counting.written(months, "month"))"
    case nil: break
    }
    return text
  }

  private func text(of aggregate: Aggregate) -> String {
    var source = records[aggregate.record].name
    // `contribution` reads the fact's `value` without saying so.
    if let argument = aggregate.argument, aggregate.function != .contribution {
      source += "." + text(of: argument)
    }
    source += suffix(aggregate.route, from: aggregate.record) + suffix(aggregate.filter)
    return call(aggregate.function, source + suffix(aggregate.period))
  }

  private func text(of aggregate: SubjectAggregate) -> String {
    var source = records[aggregate.entity].subjectName
    if let argument = aggregate.argument { source += "." + text(of: argument) }
    return call(aggregate.function, source + suffix(aggregate.filter))
  }

  private func call(_ function: AggregateFunction, _ source: String) -> String {
    "\(function.word)(\(source)\(function.rank.map { ", \($0)" } ?? ""))"
  }

  /// ` through GoalLink`, or ` through from` where the record has several shortest paths.
  private func suffix(_ route: Route, from record: RecordID) -> String {
    switch route {
    case .whole: return ""
    case .link(let route): return " through \(records[route.link].name)"
    case .references(let references):
      guard let first = references.first, let last = references.last,
        case .reference(let subject) = self[last].type,
        records.shortestPaths(from: record, to: subject).count > 1
      else { return "" }
      return " through \(self[first].nameInPaths)"
    }
  }

  private func suffix(_ filter: Expression?) -> String { filter.map { " where \(text(of: $0))" } ?? "" }

  private func suffix(_ period: Period?) -> String { period.map { " over \($0.asWritten)" } ?? "" }

  /// A fact or completion of a funnel or retention as the language writes it.
  package func text(of source: EventSource) -> String {
    switch source {
    case .fact(let record, let route, let filter):
      records[record].name + suffix(route, from: record) + suffix(filter)
    case .completion(let id): metrics[id].name
    }
  }

  /// `: Decimal? min 0`, `= greatest(endPage - startPage, 0)`
  package func declaredType(of field: Field) -> String {
    if let computed = field.computed { return "= \(text(of: computed))" }
    var text = ": \(name(of: field.type))"
    if field.isOptional { text += field.type.choices == nil ? "?" : " ?" }
    if let minimum = field.minimum { text += " min \(minimum)" }
    if field.isStored { text += " stored" }
    if let why = field.observed { text += " observed \(self.text(of: .literal(.text(why))))" }
    if field.isPersonal { text += " pii" }
    if field.isTombstone { text += " tombstone" }
    return text
  }

  private func name(of type: FieldType) -> String {
    switch type {
    case .id: "ID"
    case .text, .int, .decimal, .bool, .dayKey, .instant: type.valueType.name
    case .choice(let texts): texts.map { text(of: .text($0)) }.joined(separator: " | ")
    case .reference(let record): records[record].name
    }
  }
}
