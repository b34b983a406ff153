import MetricSyntax

/// Calls: aggregates over facts, over subjects and of completions.
extension Resolver {
  func resolveCall(
    _ function: Name, _ arguments: [ArgumentSyntax], span: Span, in scope: Scope
  ) -> Typed? {
    if Functions.scalars.contains(function.text) {
      return resolveScalar(function, arguments, span: span, in: scope)
    }
    guard Functions.aggregates.contains(function.text) else {
      if reportAntiPattern(function) { return nil }
      return fail(
        .unknownName, "no function is called `\(function.text)`", at: function.span,
        notes: [
          metricSyntax[function.text] != nil
            ? "`\(function.text)` is a metric: write its name alone, or `\(function.text) offset 7 days`"
            : FamiliarWord.note(function.text, as: .function) ?? didYouMean(function.text, Functions.all)
        ])
    }
    guard scope.allows.aggregates else {
      return fail(
        .badOperand, "`\(function.text)` is an aggregate, and \(scope.place) cannot hold one", at: span)
    }
    guard let (plan, source) = aggregateFunction(function, arguments, span: span) else { return nil }
    return resolveAggregate(
      AggregateCall(function: plan, word: function.text, source: source, span: span, scope: scope))
  }

  /// The function with its literal arguments, and the argument that names the source.
  private func aggregateFunction(
    _ function: Name, _ arguments: [ArgumentSyntax], span: Span
  ) -> (AggregateFunction, ArgumentSyntax)? {
    let wanted = function.text == "percentile" ? 2 : 1
    guard arguments.count == wanted else {
      let isScalar = (function.text == "min" || function.text == "max") && arguments.count == 2
      let other = function.text == "min" ? "least" : "greatest"
      return fail(
        .wrongArguments,
        wanted == 1
          ? "`\(function.text)` takes one source, found \(arguments.count)"
          : "`percentile` takes a source and a rank, found \(Counting.of(arguments.count, "argument"))",
        at: span,
        notes: isScalar
          ? ["the \(other) of two values is `\(other)(a, b)`"]
          : [
            wanted == 2
              ? "write `percentile(Record.field, 95)`"
              : arguments.isEmpty
                ? "write `\(function.text)(\(Functions.source(of: function.text)))`"
                : "a condition follows `where`: `\(function.text)(… where …)`"
          ])
    }
    guard wanted == 2 else { return Functions.aggregate(named: function.text).map { ($0, arguments[0]) } }
    guard case .number(let rank) = arguments[1].value.kind else {
      return fail(
        .wrongArguments, "the rank of `percentile` is a literal from 1 to 100", at: arguments[1].span,
        notes: ["write `percentile(Record.field, 95)`"])
    }
    return positiveInt(rank, what: "the rank of `percentile`", most: 100, code: .wrongArguments)
      .map { (.percentile($0), arguments[0]) }
  }

  /// An aggregate as it is written, with the function that it names.
  private struct AggregateCall {
    var function: AggregateFunction
    var word: String
    var source: ArgumentSyntax
    /// The path that names what is aggregated.
    var names: [Name] = []
    var span: Span
    var scope: Scope
  }

  private func resolveAggregate(_ written: AggregateCall) -> Typed? {
    var (call, operand) = (written, written.source.value)
    if case .offset(let inner, _) = operand.kind { operand = inner }
    guard case .path(let names) = operand.kind, let head = names.first else {
      if case .missing = operand.kind { return nil }
      return fail(
        .wrongArguments, "`\(call.word)` takes a record or a field, found an expression", at: operand.span,
        notes: computedFieldNotes(operand, function: call.word))
    }
    call.names = names
    if let record = recordIDs[head.text] {
      note(head, .record(record))
      guard case .path = call.source.value.kind else {
        return fail(.badOperand, "only a metric can be shifted with `offset`", at: call.source.value.span)
      }
      return resolveFactAggregate(call, record)
    }
    if let entity = subjectIDs[head.text] {
      note(head, .record(entity))
      return resolveSubjectAggregate(call, entity)
    }
    if metricSyntax[head.text] != nil { return resolveMetricAggregate(call) }
    if reportAntiPattern(head) { return nil }
    return fail(
      .unknownRecord, "no record, subject or completion is called `\(head.text)`", at: head.span,
      notes: [unknownSourceNote(head.text, function: call.word)])
  }

  private func unknownSourceNote(_ name: String, function: String) -> Note {
    if let owner = records.first(where: { $0.kind == .fact && $0.field(named: name) != nil }) {
      return "a field follows its record: `\(owner.name).\(name)`"
    }
    if let note = FamiliarWord.note(name, as: .operand) { return note }
    let isType = name.first?.isUppercase == true
    let sources = records.map { $0.kind == .entity && !isType ? $0.subjectName : $0.name }
    return didYouMean(name, sources + metricSyntax.keys)
      ?? (isType
        ? "declare it: `fact \(name) { id : ID  userId : User  dayKey : DayKey }`"
        : "a kind of event is a condition: `\(function)(Event where name == \"\(name)\")`")
  }

  // MARK: Facts

  private func resolveFactAggregate(_ call: AggregateCall, _ record: RecordID) -> Typed? {
    guard records[record].kind == .fact else { return notAFact(call, record) }
    let inner = Scope(kind: .fact(record), subject: call.scope.subject)
    let source = call.source
    let route = route(from: record, through: source.through, span: call.names[0].span, in: call.scope)
    let filter = Optionally(source.condition) { resolveBool($0, in: inner, what: "`where`") }
    let period = Optionally(source.over, period)
    let argument = resolveArgument(call, record)
    guard let route, let argument, !filter.failed, !period.failed else { return nil }
    if call.function == .contribution, !checkContribution(route, record, span: call.span) { return nil }
    let aggregate = Aggregate(
      call.function, of: record, route, argument: argument.expression, where: filter.value?.expression,
      over: period.value, type: argument.type)
    return Typed(expression: .aggregate(aggregate), span: call.span, choices: argument.choices)
  }

  /// `count(Habit)`: subjects are counted by their name, `count(habit)`.
  private func notAFact(_ call: AggregateCall, _ record: RecordID) -> Typed? {
    let isEntity = records[record].kind == .entity
    let name = records[record].subjectName
    let path = ([name] + call.names.dropFirst().map(\.text)).joined(separator: ".")
    let subject = call.scope.subject?.entity
    let isReached =
      subject.map { $0 != record && !records.shortestPaths(from: record, to: $0).isEmpty } ?? true
    let advice: Note =
      !isEntity
      ? "a link joins records: `count(Record through \(recordName(record)))`"
      : call.function.traits.isOfSubjects && isReached
        ? "write `\(call.word)(\(path))`: an entity's subjects start with a lower-case letter"
        : "count the facts that refer to it, or write a metric `for app` with `count(\(name))`"
    return fail(
      .wrongArguments,
      "`\(call.word)` reads facts, and `\(recordName(record))` is \(isEntity ? "an entity" : "a link")",
      at: call.names[0].span, notes: [advice])
  }

  /// `sum(Sale.qty * product.price)`: an expression over a record's fields is a computed field of the record.
  private func computedFieldNotes(_ operand: ExpressionSyntax, function: String) -> [Note] {
    guard let record = heads(operand).first(where: { recordIDs[$0] != nil }) else {
      return ["write `\(function)(\(Functions.source(of: function)))`"]
    }
    if case .call(let inner, _) = operand.kind, Functions.aggregates.contains(inner.text) {
      let value = Functions.source(of: inner.text, record)
      return [
        "aggregates are not nested: declare `measure NAME { for user  value \(inner.text)(\(value)) }`",
        "then write `\(function)(user.NAME)`",
      ]
    }
    let text = text(operand, of: record) ?? "…"
    return [
      "write it as a computed field: `extend \(record) { amount = \(text) }`",
      "then write `\(function)(\(record).amount)`",
    ]
  }

  /// The first names of the paths in an expression.
  private func heads(_ expression: ExpressionSyntax) -> [String] {
    switch expression.kind {
    case .path(let names): names.first.map { [$0.text] } ?? []
    case .parenthesized(let inner), .unary(_, let inner): heads(inner)
    case .binary(_, let left, let right): heads(left) + heads(right)
    case .call(_, let arguments): arguments.flatMap { heads($0.value) }
    case .conditional(let condition, let then, let otherwise):
      heads(condition) + heads(then) + heads(otherwise)
    case .number, .string, .boolean, .none, .day, .membership, .isNone, .offset, .missing: []
    }
  }

  /// An arithmetic expression as the record itself would write it; nil where it is more than arithmetic.
  private func text(_ expression: ExpressionSyntax, of record: String) -> String? {
    switch expression.kind {
    case .number(let number): return number.text
    case .path(let names):
      return names.map(\.text).drop { $0 == record }.joined(separator: ".")
    case .parenthesized(let inner): return text(inner, of: record).map { "(\($0))" }
    case .binary(let operation, let left, let right):
      guard let left = text(left, of: record), let right = text(right, of: record) else { return nil }
      return "\(left) \(operation.rawValue) \(right)"
    default: return nil
    }
  }

  private struct ArgumentPlan {
    var expression: Expression?
    var type: ValueType
    var choices: [String]?
  }

  /// What is aggregated, and the type that comes out.
  private func resolveArgument(_ call: AggregateCall, _ record: RecordID) -> ArgumentPlan? {
    let (function, word, names) = (call.function, call.word, call.names)
    var field: Typed?
    if names.count > 1 {
      guard let typed = fieldPath(names.dropFirst(), from: record, root: .row, allowOpaque: false) else {
        return nil
      }
      field = typed
    }
    let traits = function.traits
    guard let field else {
      switch traits.argument {
      case .record where function == .contribution: return contributionArgument(record, span: names[0].span)
      case .record: return ArgumentPlan(expression: nil, type: .int)
      case .recordOrField: return ArgumentPlan(expression: nil, type: .dayKey)
      case .field, .number:
        return fail(
          .wrongArguments, "`\(word)` takes a field, such as `\(names[0].text).value`", at: names[0].span)
      }
    }
    switch traits.argument {
    case .record:
      return fail(
        .wrongArguments, "`\(word)` takes a record without a field", at: names[1].span,
        notes: function == .count
          ? [
            "write `count(\(names[0].text) where \(names[1].text) is not none)`, or `distinct(…)` for different values"
          ] : [])
    case .recordOrField:
      return ArgumentPlan(expression: field.expression, type: field.type, choices: field.choices)
    case .field: return ArgumentPlan(expression: field.expression, type: .int)
    case .number:
      guard field.type.isNumber else {
        return fail(
          .typeMismatch, "`\(word)` takes numbers, and `\(names.dotted)` is \(article(field.typeName))",
          at: field.span,
          notes: [
            field.type == .dayKey
              ? "`first(\(names[0].text))` and `last(\(names[0].text))` are the first and the last day with a record"
              : "`distinct(…)` counts different values of any type"
          ])
      }
      guard traits.isDecimal else { return ArgumentPlan(expression: field.expression, type: field.type) }
      return ArgumentPlan(expression: field.widened, type: .decimal)
    }
  }

  /// `contribution` sums the fact's `value`.
  private func contributionArgument(_ record: RecordID, span: Span) -> ArgumentPlan? {
    guard let index = records[record].field(named: "value"),
      [.int, .decimal].contains(records[record].fields[index].type)
    else {
      return fail(
        .wrongArguments,
        "`contribution` sums the field `value`, and `\(recordName(record))` has no number of that name",
        at: span)
    }
    let field = FieldReference(record: record, field: index)
    guard checkReadable(field, at: span, allowOpaque: false) else { return nil }
    let type = records[record].fields[index].type.valueType
    let path = FieldPath(root: .row, references: [], field: field, type: type)
    return ArgumentPlan(expression: .field(path), type: type)
  }

  private func checkContribution(_ route: Route, _ record: RecordID, span: Span) -> Bool {
    guard case .link(let route) = route else {
      return fail(
        .wrongArguments, "`contribution` goes through a link", at: span,
        notes: ["write `contribution(\(recordName(record)) through GoalLink)`"])
    }
    let link = records[route.link]
    guard let index = link.field(named: "contribution"),
      case .choice(let choices) = link.fields[index].type, Set(choices) == ["count", "sum"]
    else {
      return fail(
        .wrongArguments,
        "`contribution` goes through a link with a field `contribution : \"count\" | \"sum\"`, and `\(link.name)` has none",
        at: span)
    }
    return true
  }

  // MARK: Subjects

  private func resolveSubjectAggregate(_ call: AggregateCall, _ entity: RecordID) -> Typed? {
    let (function, source, scope) = (call.function, call.source, call.scope)
    if let through = source.through {
      return fail(.wrongArguments, "an aggregate over subjects takes no `through`", at: through.span)
    }
    if source.over != nil {
      return fail(
        .wrongArguments, "an aggregate over subjects takes no `over`: their metrics have their own periods",
        at: source.span)
    }
    guard let relation = relation(from: entity, span: call.names[0].span, in: scope) else { return nil }
    let inner = Scope(kind: .subjectRow(entity), subject: scope.subject)
    let filter = Optionally(source.condition) { resolveBool($0, in: inner, what: "`where`") }
    let argument = Optionally(call.names.count > 1 ? source.value : nil) { resolve($0, in: inner) }
    guard !filter.failed, !argument.failed, let type = subjectAggregateType(call, argument.value) else {
      return nil
    }
    let aggregate = SubjectAggregate(
      function: function, entity: entity, relation: relation, filter: filter.value?.expression,
      argument: function.traits.isDecimal ? argument.value?.widened : argument.value?.expression, type: type)
    return Typed(
      expression: .subjects(aggregate), span: call.span,
      unit: function.traits.argument == .number ? argument.value?.unit : nil)
  }

  private func subjectAggregateType(_ call: AggregateCall, _ argument: Typed?) -> ValueType? {
    let (traits, names) = (call.function.traits, call.names)
    guard traits.isOfSubjects else {
      return fail(.wrongArguments, "`\(call.word)` looks at days, and subjects have none", at: names[0].span)
    }
    guard traits.argument != .record else {
      guard argument == nil else {
        return fail(.wrongArguments, "`count` takes a subject without a field", at: names[1].span)
      }
      return .int
    }
    guard let argument else {
      return fail(
        .wrongArguments,
        "`\(call.word)` takes a field or a metric of the subject, such as `\(names[0].text).…`",
        at: names[0].span)
    }
    guard traits.argument == .number else { return .int }
    guard argument.type.isNumber else {
      return fail(
        .typeMismatch, "`\(call.word)` takes numbers, found \(article(argument.typeName))",
        at: argument.span)
    }
    return traits.isDecimal ? .decimal : argument.type
  }

  // MARK: Metrics

  /// `count(c)` of a completion, `average(m over last 28 days)` of the days of a number.
  private func resolveMetricAggregate(_ call: AggregateCall) -> Typed? {
    let (function, names, source) = (call.function, call.names, call.source)
    guard source.through == nil, source.condition == nil, case .path = source.value.kind else {
      return fail(
        .wrongArguments, "`\(call.word)` of a metric takes a period and nothing else",
        at: source.condition?.span ?? source.span)
    }
    guard let typed = resolveMetricOperand(names, span: source.value.span, in: call.scope, offset: nil),
      case .metric(var reference) = typed.expression
    else { return nil }
    let kind = metrics[reference.metric].kind
    let isOfDays = function.traits.argument == .number || function.traits.form == .picks
    let ofCompletion = CompletionFunction(rawValue: function.word)
    guard kind == .completion ? ofCompletion != nil : isOfDays else {
      return fail(
        .wrongArguments, "`\(call.word)` cannot be taken of a \(kind.rawValue)", at: names[0].span,
        notes: [
          kind == .completion
            ? "`first`, `last` and `count` read completions"
            : "`sum`, `min`, `max`, `average`, `stddev`, `percentile`, `first` and `last` take a metric on each day"
        ])
    }
    let period = Optionally(source.over, period)
    guard !period.failed else { return nil }
    if let ofCompletion, kind == .completion {
      let aggregate = CompletionAggregate(
        function: ofCompletion, root: reference.root, completion: reference.metric, period: period.value)
      return Typed(expression: .completions(aggregate), span: call.span)
    }
    guard reference.type.isNumber else {
      return fail(
        .typeMismatch, "`\(call.word)` takes numbers, found \(article(reference.type.name))", at: typed.span)
    }
    guard factReaders.contains(reference.metric) else {
      return fail(
        .readsNoFact, "`\(names[0].text)` reads no fact, so it is the same on each day", at: typed.span)
    }
    reference.days = DayAggregate(function: function, period: period.value)
    if function.traits.isDecimal { reference.type = .decimal }
    return Typed(expression: .metric(reference), span: call.span, unit: typed.unit)
  }
}
