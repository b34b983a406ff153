import MetricSyntax

/// Calls: aggregates over facts, over subjects and of completions.
extension Resolver {
  func resolveCall(
    _ function: Name, _ arguments: [ArgumentSyntax], span: Span, in scope: Scope
  ) throws -> Typed {
    if Functions.scalars.contains(function.text) {
      return try resolveScalar(function, arguments, span: span, in: scope)
    }
    guard Functions.aggregates.contains(function.text) else {
      try refuseForbidden(function)
      throw fail(
        .unknownName, "no function is called `\(function.text)`", at: function.span,
        notes: [
          metricSyntax[function.text] != nil
            ? "`\(function.text)` is a metric: write its name alone, or `\(function.text) offset 7 days`"
            : FamiliarWord.note(function.text, as: .function) ?? didYouMean(function.text, Functions.all)
        ])
    }
    try require(
      scope.allows.aggregates, .badOperand,
      "`\(function.text)` is an aggregate, and \(scope.allows.place) cannot hold one", at: span)
    let plan = try aggregateFunction(function, arguments, span: span)
    return try resolveAggregate(
      AggregateCall(function: plan, word: function.text, source: arguments[0], span: span, scope: scope))
  }

  /// The function with its literal arguments; the first argument names the source.
  private func aggregateFunction(
    _ function: Name, _ arguments: [ArgumentSyntax], span: Span
  ) throws -> AggregateFunction {
    let wanted = function.text == "percentile" ? 2 : 1
    guard arguments.count == wanted else {
      let isScalar = (function.text == "min" || function.text == "max") && arguments.count == 2
      let other = function.text == "min" ? "least" : "greatest"
      throw fail(
        .wrongArguments,
        wanted == 1
          ? "`\(function.text)` takes one source, found \(arguments.count)"
          : "`percentile` takes a source and a rank, found \(Counting.of(arguments.count, "argument"))",
        at: span,
        notes: [
          isScalar
            ? "the \(other) of two values is `\(other)(a, b)`"
            : wanted == 2
              ? "write `percentile(Record.field, 95)`"
              : arguments.isEmpty
                ? "write `\(function.text)(\(Functions.source(of: function.text)))`"
                : "a condition follows `where`: `\(function.text)(… where …)`"
        ])
    }
    guard wanted == 2 else {
      guard let plain = Functions.aggregate(named: function.text) else { throw Reported() }
      return plain
    }
    guard case .number(let rank) = arguments[1].value.kind else {
      throw fail(
        .wrongArguments, "the rank of `percentile` is a literal from 1 to 100", at: arguments[1].span,
        notes: ["write `percentile(Record.field, 95)`"])
    }
    return try .percentile(
      positiveInt(rank, what: "the rank of `percentile`", most: 100, code: .wrongArguments))
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

  private func resolveAggregate(_ written: AggregateCall) throws -> Typed {
    var (call, operand) = (written, written.source.value)
    if case .offset(let inner, _) = operand.kind { operand = inner }
    guard case .path(let names) = operand.kind, let head = names.first else {
      if case .missing = operand.kind { throw Reported() }
      throw fail(
        .wrongArguments, "`\(call.word)` takes a record or a field, found an expression", at: operand.span,
        notes: computedFieldNotes(operand, function: call.word))
    }
    call.names = names
    if let record = recordIDs[head.text] {
      note(head, .record(record))
      guard case .path = call.source.value.kind else {
        throw fail(.badOperand, "only a metric can be shifted with `offset`", at: call.source.value.span)
      }
      return try resolveFactAggregate(call, record)
    }
    if let entity = subjectIDs[head.text] {
      note(head, .record(entity))
      return try resolveSubjectAggregate(call, entity)
    }
    if metricSyntax[head.text] != nil { return try resolveMetricAggregate(call) }
    try refuseForbidden(head)
    throw fail(
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

  private func resolveFactAggregate(_ call: AggregateCall, _ record: RecordID) throws -> Typed {
    guard records[record].kind == .fact else { throw notAFact(call, record) }
    let inner = Scope(kind: .fact(record), subject: call.scope.subject)
    let source = call.source
    let route = Result {
      try self.route(from: record, through: source.through, span: call.names[0].span, in: call.scope)
    }
    let filter = Result { try source.condition.map { try resolveBool($0, in: inner, what: "`where`") } }
    let period = Result { try source.over.map(self.period) }
    let argument = try resolveArgument(call, record)
    let aggregate = try Aggregate(
      call.function, of: record, route.get(), argument: argument.expression,
      where: filter.get()?.expression, over: period.get(), type: argument.type)
    if call.function == .contribution { try checkContribution(aggregate.route, record, span: call.span) }
    return Typed(expression: .aggregate(aggregate), span: call.span, choices: argument.choices)
  }

  /// `count(Habit)`: subjects are counted by their name, `count(habit)`.
  private func notAFact(_ call: AggregateCall, _ record: RecordID) -> Reported {
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
  private func resolveArgument(_ call: AggregateCall, _ record: RecordID) throws -> ArgumentPlan {
    let (word, names, traits) = (call.word, call.names, call.function.traits)
    guard names.count > 1 else {
      switch traits.argument {
      case .record where call.function == .contribution:
        return try contributionArgument(record, span: names[0].span)
      case .record: return ArgumentPlan(type: .int)
      case .recordOrField: return ArgumentPlan(type: .dayKey)
      case .field, .number:
        throw fail(
          .wrongArguments, "`\(word)` takes a field, such as `\(names[0].text).value`", at: names[0].span)
      }
    }
    let field = try fieldPath(names.dropFirst(), from: record)
    switch traits.argument {
    case .record:
      let (record, field) = (names[0].text, names[1].text)
      throw fail(
        .wrongArguments, "`\(word)` takes a record without a field", at: names[1].span,
        notes: [
          call.function == .count
            ? "write `count(\(record) where \(field) is not none)`, or `distinct(…)` for different values"
            : nil
        ])
    case .recordOrField:
      return ArgumentPlan(expression: field.expression, type: field.type, choices: field.choices)
    case .field: return ArgumentPlan(expression: field.expression, type: .int)
    case .number:
      try require(
        field.type.isNumber, .typeMismatch,
        "`\(word)` takes numbers, and `\(names.dotted)` is \(article(field.typeName))", at: field.span,
        notes: [
          field.type == .dayKey
            ? "`first(\(names[0].text))` and `last(\(names[0].text))` are the first and the last day with a record"
            : "`distinct(…)` counts different values of any type"
        ])
      guard traits.isDecimal else { return ArgumentPlan(expression: field.expression, type: field.type) }
      return ArgumentPlan(expression: field.widened, type: .decimal)
    }
  }

  /// `contribution` sums the fact's `value`.
  private func contributionArgument(_ record: RecordID, span: Span) throws -> ArgumentPlan {
    guard let index = records[record].field(named: "value"),
      [.int, .decimal].contains(records[record].fields[index].type)
    else {
      throw fail(
        .wrongArguments,
        "`contribution` sums the field `value`, and `\(recordName(record))` has no number of that name",
        at: span)
    }
    let field = FieldReference(record: record, field: index)
    try checkReadable(field, at: span)
    let type = records[record].fields[index].type.valueType
    let path = FieldPath(root: .row, references: [], field: field, type: type)
    return ArgumentPlan(expression: .field(path), type: type)
  }

  private func checkContribution(_ route: Route, _ record: RecordID, span: Span) throws {
    guard case .link(let route) = route else {
      throw fail(
        .wrongArguments, "`contribution` goes through a link", at: span,
        notes: ["write `contribution(\(recordName(record)) through GoalLink)`"])
    }
    let link = records[route.link]
    guard let index = link.field(named: "contribution"),
      case .choice(let choices) = link.fields[index].type, Set(choices) == ["count", "sum"]
    else {
      throw fail(
        .wrongArguments,
        "`contribution` goes through a link with a field `contribution : \"count\" | \"sum\"`, and `\(link.name)` has none",
        at: span)
    }
  }

  private func resolveSubjectAggregate(_ call: AggregateCall, _ entity: RecordID) throws -> Typed {
    let (function, source, scope) = (call.function, call.source, call.scope)
    if let through = source.through {
      throw fail(.wrongArguments, "an aggregate over subjects takes no `through`", at: through.span)
    }
    try require(
      source.over == nil, .wrongArguments,
      "an aggregate over subjects takes no `over`: their metrics have their own periods", at: source.span)
    let relation = try relation(from: entity, span: call.names[0].span, in: scope)
    let inner = Scope(kind: .subjectRow(entity), subject: scope.subject)
    let filter = Result { try source.condition.map { try resolveBool($0, in: inner, what: "`where`") } }
    let argument = try call.names.count > 1 ? resolve(source.value, in: inner) : nil
    let condition = try filter.get()?.expression
    let type = try subjectAggregateType(call, argument)
    let aggregate = SubjectAggregate(
      function: function, entity: entity, relation: relation, filter: condition,
      argument: function.traits.isDecimal ? argument?.widened : argument?.expression, type: type)
    return Typed(
      expression: .subjects(aggregate), span: call.span,
      unit: function.traits.argument == .number ? argument?.unit : nil)
  }

  private func subjectAggregateType(_ call: AggregateCall, _ argument: Typed?) throws -> ValueType {
    let (traits, names) = (call.function.traits, call.names)
    try require(
      traits.isOfSubjects, .wrongArguments, "`\(call.word)` looks at days, and subjects have none",
      at: names[0].span)
    guard traits.argument != .record else {
      try require(
        argument == nil, .wrongArguments, "`count` takes a subject without a field", at: names[1].span)
      return .int
    }
    let argument = try require(
      argument, .wrongArguments,
      "`\(call.word)` takes a field or a metric of the subject, such as `\(names[0].text).…`",
      at: names[0].span)
    guard traits.argument == .number else { return .int }
    try expect(argument.type.isNumber, "`\(call.word)` takes numbers", found: argument)
    return traits.isDecimal ? .decimal : argument.type
  }

  /// `count(c)` of a completion, `average(m over last 28 days)` of the days of a number.
  private func resolveMetricAggregate(_ call: AggregateCall) throws -> Typed {
    let (function, names, source) = (call.function, call.names, call.source)
    guard source.through == nil, source.condition == nil, case .path = source.value.kind else {
      throw fail(
        .wrongArguments, "`\(call.word)` of a metric takes a period and nothing else",
        at: source.condition?.span ?? source.span)
    }
    let typed = try resolveMetricOperand(names[...], span: source.value.span, in: call.scope)
    guard case .metric(var reference) = typed.expression else { throw Reported() }
    let kind = metrics[reference.metric].kind
    let isOfDays = function.traits.argument == .number || function.traits.form == .picks
    let ofCompletion = CompletionFunction(rawValue: function.word)
    try require(
      kind == .completion ? ofCompletion != nil : isOfDays, .wrongArguments,
      "`\(call.word)` cannot be taken of a \(kind.rawValue)", at: names[0].span,
      notes: [
        kind == .completion
          ? "`first`, `last` and `count` read completions"
          : "`sum`, `min`, `max`, `average`, `stddev`, `percentile`, `first` and `last` take a metric on each day"
      ])
    let period = try source.over.map(self.period)
    if let ofCompletion, kind == .completion {
      let aggregate = CompletionAggregate(
        function: ofCompletion, root: reference.root, completion: reference.metric, period: period)
      return Typed(expression: .completions(aggregate), span: call.span)
    }
    try expect(typed.type.isNumber, "`\(call.word)` takes numbers", found: typed)
    try require(
      factReaders.contains(reference.metric), .readsNoFact,
      "`\(names[0].text)` reads no fact, so it is the same on each day", at: typed.span)
    reference.days = DayAggregate(function: function, period: period)
    if function.traits.isDecimal { reference.type = .decimal }
    return Typed(expression: .metric(reference), span: call.span, unit: typed.unit)
  }
}
