import MetricSyntax

/// What a name or a path of names stands for.
extension Resolver {
  /// - Parameter allowOpaque: whether personal fields and Instants may be named (`is none`).
  func resolvePath(
    _ names: [Name], span: Span, in scope: Scope, offset: Offset? = nil, allowOpaque: Bool = false
  ) throws -> Typed {
    guard let head = names.first, !head.isMissing else { throw Reported() }
    if offset == nil {
      if case .subjectCondition(let row) = scope.kind { try checkOwnFields(names, of: row) }
      if let row = scope.row, ownName(head, of: row, isLast: names.count == 1) {
        return try fieldPath(names[...], from: row, allowOpaque: allowOpaque)
      }
      switch scope.kind {
      case .subjectRow(let row), .subjectCondition(let row):
        guard head.text == records[row].subjectName, names.count > 1 else { break }
        note(head, .record(row))
        return try metricOfSubject(names, span: span, in: scope)
          ?? fieldPath(names.dropFirst(), from: row, allowOpaque: allowOpaque)
      case .metric, .condition, .fact, .computed: break
      }
      if let entity = scope.subject?.entity, head.text == records[entity].subjectName {
        note(head, .record(entity))
        try require(
          names.count > 1, .badOperand, "`\(head.text)` is the subject; name one of its fields",
          at: head.span,
          notes: ["its fields are \(quoted(records[entity].fields.map { "\(head.text).\($0.name)" }))"])
        return try fieldPath(names.dropFirst(), from: entity, root: .subject, allowOpaque: allowOpaque)
      }
      if head.text == "day", names.count == 1 {
        try require(
          scope.allows.day, .badOperand, "`day` means nothing in \(scope.allows.place)", at: span)
        return Typed(expression: .day, span: span)
      }
    }
    if metricSyntax[head.text] != nil {
      return try resolveMetricOperand(names[...], span: span, in: scope, offset: offset)
    }
    try unresolved(names, in: scope)
  }

  /// `for S where` is over the entity's own fields; no path leads further.
  private func checkOwnFields(_ names: [Name], of entity: RecordID) throws {
    let own = names[0].text == records[entity].subjectName ? names.dropFirst() : names[...]
    guard let head = own.first, own.count > 1,
      let target = records[entity].reference(named: head.text)?.target
    else { return }
    throw fail(
      .badOperand,
      "`for … where` asks for fields of `\(recordName(entity))` itself, and `\(own.dotted)` is one of `\(recordName(target))`",
      at: head.span.union(names[names.count - 1].span),
      notes: ["a metric's own conditions, such as `when`, can read it"])
  }

  /// `metric offset 7 days`.
  func resolveOffset(
    _ operand: ExpressionSyntax, _ length: LengthSyntax, span: Span, in scope: Scope
  ) throws -> Typed {
    let offset = try offset(length)
    // The parser has reported what is not a path.
    guard case .path(let names) = operand.kind else { throw Reported() }
    if let typed = try metricOfSubject(names, span: span, in: scope, offset: offset) { return typed }
    if let head = names.first, metricSyntax[head.text] == nil, isField(head, in: scope) {
      throw fail(.badOperand, "only a metric can be shifted with `offset`", at: operand.span)
    }
    return try resolvePath(names, span: span, in: scope, offset: offset)
  }

  /// Whether a name stands for a field, the subject or the day.
  private func isField(_ name: Name, in scope: Scope) -> Bool {
    if let row = scope.row, ownName(name, of: row, isLast: true) { return true }
    let subject = scope.subject?.entity ?? scope.row
    return name.text == "day" || subject.map { records[$0].subjectName } == name.text
  }

  /// `user.reading_minutes` inside an aggregate over users; nil if it names no metric.
  private func metricOfSubject(
    _ names: [Name], span: Span, in scope: Scope, offset: Offset? = nil
  ) throws -> Typed? {
    guard case .subjectRow(let row) = scope.kind, names.count > 1,
      names[0].text == records[row].subjectName, records[row].field(named: names[1].text) == nil,
      metricSyntax[names[1].text] != nil
    else { return nil }
    return try resolveMetricOperand(names.dropFirst(), span: span, in: scope, offset: offset)
  }

  /// Whether a name is a field of the record, or leads to an entity that it refers to.
  func ownName(_ name: Name, of record: RecordID, isLast: Bool) -> Bool {
    (isLast && records[record].field(named: name.text) != nil)
      || records[record].reference(named: name.text) != nil
  }

  /// Follows references from a record to a field.
  func fieldPath(
    _ names: ArraySlice<Name>, from record: RecordID, root: PathRoot = .row, allowOpaque: Bool = false
  ) throws -> Typed {
    var current = record
    var references: [FieldReference] = []
    guard let last = names.last, let first = names.first else { throw Reported() }
    for name in names.dropLast() {
      guard !isBroken(name.text, in: current) else { throw Reported() }
      guard let (field, target) = records[current].reference(named: name.text) else {
        try unknownField(name, of: current, wantsReference: true)
      }
      let hop = FieldReference(record: current, field: field)
      note(name, .field(hop))
      try checkReadable(hop, at: name.span)
      references.append(hop)
      current = target
    }
    let owner = records[current]
    guard let index = owner.field(named: last.text) ?? owner.reference(named: last.text)?.field else {
      try unknownField(last, of: current)
    }
    let target = FieldReference(record: current, field: index)
    note(last, .field(target))
    resolveComputed(target)
    if brokenFields[current]?.contains(last.text) == true { throw Reported() }
    try checkReadable(target, at: last.span, allowOpaque: allowOpaque)
    let field = records[current].fields[index]
    let path = FieldPath(root: root, references: references, field: target, type: field.type.valueType)
    var typed = Typed(expression: .field(path), span: first.span.union(last.span))
    if case .choice(let choices) = field.type { typed.choices = choices }
    return typed
  }

  private func unknownField(
    _ name: Name, of record: RecordID, wantsReference: Bool = false
  ) throws -> Never {
    guard !name.isMissing, !isBroken(name.text, in: record) else { throw Reported() }
    let (owner, fields) = (recordName(record), records[record].fields.map(\.name))
    if wantsReference, fields.contains(name.text) {
      throw fail(
        .unknownField, "`\(name.text)` of `\(owner)` refers to no entity and has no fields", at: name.span)
    }
    try refuseForbidden(name)
    let note: Note =
      name.text == owner
      ? "a field of `\(owner)` is written without its record here"
      : "a field is declared before it is read: `extend \(owner) { \(name.text) : TYPE? }`"
    throw fail(
      .unknownField, "`\(owner)` has no field `\(name.text)`", at: name.span,
      notes: [didYouMean(name.text, fields) ?? note], recordWithoutField: owner)
  }

  /// Reports a name that stands for nothing where it is one of the forbidden words.
  func refuseForbidden(_ name: Name) throws {
    if let word = ForbiddenWord(rawValue: name.text) { throw report(word.finding(at: name.span)) }
  }

  /// Whether a name may be that of a field, or of a reference, that could not be resolved.
  func isBroken(_ name: String, in record: RecordID) -> Bool {
    guard let broken = brokenFields[record], records[record].field(named: name) == nil else { return false }
    return broken.contains(name) || broken.contains(name + "Id") || broken.contains("")
  }

  /// Stored twins are never read, personal fields and Instants only by `is none`.
  func checkReadable(_ reference: FieldReference, at span: Span, allowOpaque: Bool = false) throws {
    let field = records[reference.record].fields[reference.field]
    let name = library.name(of: reference)
    if field.isStored { throw report(ReadsStoredField.finding(name, declaredAt: field.span, at: span)) }
    try require(
      !field.isPersonal || allowOpaque, .personalField,
      "`\(name)` is personal: only `is none` and `is not none` may read it", at: span,
      notes: [Note("declared `pii` here", at: .source(field.span))])
    if field.type == .instant, !allowOpaque { throw report(ReadsInstant.finding(name, at: span)) }
  }

  /// A metric, a part of it, perhaps shifted.
  func resolveMetricOperand(
    _ names: ArraySlice<Name>, span: Span, in scope: Scope, offset: Offset? = nil
  ) throws -> Typed {
    guard let head = names.first else { throw Reported() }
    try require(
      scope.allows.metrics, .badOperand,
      "`\(head.text)` is a metric, and \(scope.allows.place) cannot read one", at: span)
    note(head, .metric(head.text))
    let id = try resolveMetric(named: head.text, from: head)
    let metric = metrics[id]
    var (root, entity) = (PathRoot.subject, scope.subject?.entity)
    if case .subjectRow(let row) = scope.kind { (root, entity) = (.row, row) }
    try checkReadable(metric, at: head.span, by: entity, scope)
    let part = try part(of: metric, names: names.dropFirst(), span: span)
    let reference = MetricReference(
      root: root, metric: id, part: part.name, offset: offset, type: part.type)
    return Typed(expression: .metric(reference), span: span, unit: part.role.hasUnit ? metric.unit : nil)
  }

  private func checkReadable(
    _ metric: Metric, at span: Span, by entity: RecordID?, _ scope: Scope
  ) throws {
    if metric.kind == .level { throw report(ReadsLevel.finding(metric.name, at: span)) }
    if metric.kind.countsSubjects {
      try require(
        entity == nil, .otherSubject,
        "`\(metric.name)` is about many subjects; only a metric `for app` can read it", at: span)
    } else {
      let own = subjectName(metric.subject.entity)
      try require(
        metric.subject.entity == entity, .otherSubject,
        "`\(metric.name)` is a metric for `\(own)` and cannot be read for `\(subjectName(entity))`",
        at: span,
        notes: metric.subject.entity == nil
          ? ["no number for a person compares that person with others"]
          : ["count or average over subjects: `count(\(own) where …)`, `average(\(own).\(metric.name))`"])
    }
    try checkReadableInGroups(metric, at: span, scope)
  }

  /// A metric with groups is read in groups that have its fields (GRP-03).
  func checkReadableInGroups(_ metric: Metric, at span: Span, _ scope: Scope) throws {
    let own = scope.kind == .metric ? scope.groups : []
    let fields = library.grouping(of: metric)
    let by = fields.map(\.name)
    let missing = fields.filter { !own.contains($0.name) || $0.isCohort }
    try require(
      missing.isEmpty, .badGroup, "`\(metric.name)` has a value for each \(quoted(by))", at: span,
      notes: [
        missing.contains(where: \.isCohort)
          ? "no metric reads one by cohort"
          : "read it in a team measure that is grouped `by \(by.joined(separator: ", "))`"
      ])
  }

  /// The part that the names after a metric's name stand for.
  func part(of metric: Metric, names: ArraySlice<Name>, span: Span) throws -> Part {
    let wanted = names.dotted
    if let part = metric.parts.first(where: { $0.name == wanted }) {
      if let first = names.first, let last = names.last, !wanted.isEmpty {
        uses.append(NameUse(first.span.union(last.span), .part(metric: metric.name, name: wanted)))
      }
      return part
    }
    let named = metric.parts.map(\.name).filter { !$0.isEmpty }
    try require(
      !wanted.isEmpty, .badOperand, "`\(metric.name)` has only parts and no value of its own", at: span,
      notes: ["name one of \(quoted(named.map { "\(metric.name).\($0)" }))"])
    throw fail(
      .unknownPart, "`\(metric.name)` has no part `\(wanted)`", at: span,
      notes: named.isEmpty
        ? ["it has one value and no parts"] : [didYouMean(wanted, named), "its parts are \(quoted(named))"])
  }

  /// The metric that `total-visits` means, where the span is a part of it.
  private func hyphenated(_ span: Span) -> String? {
    guard trees.indices.contains(span.file) else { return nil }
    let source = trees[span.file].source
    func isPart(_ place: Int) -> Bool {
      guard source.bytes.indices.contains(place) else { return false }
      let letter = Character(Unicode.Scalar(source.bytes[place]))
      return letter == "-" || letter == "_" || letter.isASCII && (letter.isLetter || letter.isNumber)
    }
    var (start, end) = (span.start, span.end)
    while isPart(start - 1) { start -= 1 }
    while isPart(end) { end += 1 }
    let name = source.text(start, end).replacing("-", with: "_")
    return end - start > span.end - span.start && metricSyntax[name] != nil ? name : nil
  }

  /// Reports a name that stands for nothing.
  private func unresolved(_ names: [Name], in scope: Scope) throws -> Never {
    let head = names[0]
    try refuseForbidden(head)
    if let row = scope.row {
      if isBroken(head.text, in: row) { throw Reported() }
      // A field that refers to nothing, followed by a dot.
      if names.count > 1, records[row].field(named: head.text) != nil {
        try unknownField(head, of: row, wantsReference: true)
      }
    }
    if let record = recordIDs[head.text] {
      note(head, .record(record))
      let field = names.dropFirst().first { records[record].field(named: $0.text) != nil }?.text ?? "field"
      throw fail(
        .badOperand, "`\(head.text)` is a record; an aggregate reads its facts", at: head.span,
        notes: ["write `count(\(head.text))` or `sum(\(head.text).\(field))`"])
    }
    var candidates = scope.row.map { records[$0].fields.map(\.name) } ?? Array(metricSyntax.keys)
    var advice = FamiliarWord.note(head.text, as: .operand) ?? didYouMean(head.text, candidates)
    if let entity = scope.subject?.entity {
      candidates.append(records[entity].subjectName)
      if scope.row == nil, records[entity].field(named: head.text) != nil {
        advice = .didYouMean("\(records[entity].subjectName).\(head.text)")
      } else if advice == nil {
        advice = didYouMean(head.text, candidates)
      }
    }
    if let row = scope.row {
      if head.text.lowercased() == recordName(row).lowercased() {
        advice = "inside `where` the fields of `\(recordName(row))` are named alone, such as `name`"
      } else if advice == nil, names.count == 1 {
        let field = "extend \(recordName(row)) { \(head.text) : Text? }"
        advice = "a text is written in quotes, `\"\(head.text)\"`; a new field is declared, `\(field)`"
      }
    }
    if let meant = hyphenated(head.span) { advice = .didYouMean(meant) }
    if subjectIDs[head.text] != nil {
      advice = "`\(head.text)` is a subject; this metric is for `\(subjectName(scope.subject?.entity))`"
    }
    let message =
      scope.row.map { "`\(recordName($0))` has no field `\(head.text)`, and nothing else has that name" }
      ?? "no metric or subject is called `\(head.text)`"
    throw fail(
      .unknownName, message, at: head.span, notes: [advice], recordWithoutField: scope.row.map(recordName))
  }
}

/// What an expression may name.
struct Scope {
  enum Kind: Equatable {
    /// `value` and `target`: metrics, aggregates, the subject's fields, `day`.
    case metric
    /// `when` and `rest when`: the same, over a window.
    case condition
    /// An aggregate's `where` and argument: the fact's fields first, then the subject's.
    case fact(RecordID)
    /// `for S where`: the entity's fields.
    case subjectCondition(RecordID)
    /// Inside an aggregate over subjects: the counted subject's fields and metrics.
    case subjectRow(RecordID)
    /// A computed field: the record's own fields and those of entities it refers to.
    case computed(RecordID)
  }

  var kind: Kind
  /// The metric's subject; nil if there is none (computed fields).
  var subject: Subject?
  /// In the value of a measure, the fields that its `by` names.
  var groups: [String] = []

  /// The record whose fields are named without a prefix.
  var row: RecordID? {
    switch kind {
    case .metric, .condition: nil
    case .fact(let record), .subjectCondition(let record), .subjectRow(let record), .computed(let record):
      record
    }
  }

  /// What the place is called in a message, and what may be named there.
  var allows: (place: String, metrics: Bool, aggregates: Bool, day: Bool) {
    switch kind {
    case .metric: ("a metric's value", metrics: true, aggregates: true, day: true)
    case .condition: ("a condition", metrics: true, aggregates: true, day: true)
    case .fact: ("an aggregate's `where`", metrics: false, aggregates: false, day: true)
    case .subjectCondition: ("`for … where`", metrics: false, aggregates: false, day: false)
    case .subjectRow: ("an aggregate over subjects", metrics: true, aggregates: false, day: true)
    case .computed: ("a computed field", metrics: false, aggregates: false, day: false)
    }
  }
}

/// An expression with what the resolver knows of it beyond its plan.
struct Typed {
  var expression: Expression
  var span: Span
  /// The texts that it can be, where they are declared.
  var choices: [String]?
  /// The unit of the metrics that it comes from.
  var unit: String?
  /// Whether it is the bare literal `none`, whose type its place decides.
  var isNone = false

  var type: ValueType { expression.type }

  var literalText: String? {
    if case .literal(.text(let text)) = expression { text } else { nil }
  }

  /// The type as messages name it.
  var typeName: String { isNone ? "none" : type.name }

  /// The same as a Decimal; an Int literal is turned into a Decimal literal.
  var widened: Expression {
    guard type == .int else { return expression }
    if case .literal(.int(let value)) = expression, let decimal = FixedDecimal(value) {
      return .literal(.decimal(decimal))
    }
    return .widened(expression)
  }
}
