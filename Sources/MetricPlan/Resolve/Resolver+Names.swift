import MetricSyntax

/// What a name or a path of names stands for.
extension Resolver {
  /// - Parameter allowOpaque: whether personal fields and Instants may be named (`is none`).
  func resolvePath(
    _ names: [Name], span: Span, in scope: Scope, offset: Offset?, allowOpaque: Bool = false
  ) -> Typed? {
    guard let head = names.first, !head.isMissing else { return nil }
    if offset == nil {
      if case .subjectCondition(let row) = scope.kind, !checkOwnFields(names, of: row) { return nil }
      if let row = scope.row, ownName(head, of: row, isLast: names.count == 1) {
        return fieldPath(names[...], from: row, root: .row, allowOpaque: allowOpaque)
      }
      if case .subjectRow(let row) = scope.kind, head.text == records[row].subjectName, names.count > 1 {
        note(head, .record(row))
        if case .some(let typed) = metricOfSubject(names, row: row, span: span, in: scope, offset: nil) {
          return typed
        }
        return fieldPath(names.dropFirst(), from: row, root: .row, allowOpaque: allowOpaque)
      }
      if case .subjectCondition(let row) = scope.kind, head.text == records[row].subjectName, names.count > 1
      {
        note(head, .record(row))
        return fieldPath(names.dropFirst(), from: row, root: .row, allowOpaque: allowOpaque)
      }
      if let entity = scope.subject?.entity, head.text == records[entity].subjectName {
        note(head, .record(entity))
        guard names.count > 1 else {
          return fail(
            .badOperand, "`\(head.text)` is the subject; name one of its fields", at: head.span,
            notes: ["its fields are \(quoted(records[entity].fields.map { "\(head.text).\($0.name)" }))"])
        }
        return fieldPath(names.dropFirst(), from: entity, root: .subject, allowOpaque: allowOpaque)
      }
      if head.text == "day", names.count == 1 {
        guard scope.allows.day else {
          return fail(.badOperand, "`day` means nothing in \(scope.place)", at: span)
        }
        return Typed(expression: .day, span: span)
      }
    }
    if metricSyntax[head.text] != nil {
      return resolveMetricOperand(names, span: span, in: scope, offset: offset)
    }
    return unresolved(names, in: scope)
  }

  /// `for S where` is over the entity's own fields; false, reported, where a path leads further.
  private func checkOwnFields(_ names: [Name], of entity: RecordID) -> Bool {
    let own = names[0].text == records[entity].subjectName ? names.dropFirst() : names[...]
    guard let head = own.first, own.count > 1, let target = reference(named: head.text, of: entity)?.target
    else { return true }
    return fail(
      .badOperand,
      "`for … where` asks for fields of `\(recordName(entity))` itself, and `\(own.dotted)` is one of `\(recordName(target))`",
      at: head.span.union(names[names.count - 1].span),
      notes: ["a metric's own conditions, such as `when`, can read it"])
  }

  /// `metric offset 7 days`.
  func resolveOffset(
    _ operand: ExpressionSyntax, _ length: LengthSyntax, span: Span, in scope: Scope
  ) -> Typed? {
    let offset = offset(length)
    // The parser has reported what is not a path.
    guard case .path(let names) = operand.kind, let offset else { return nil }
    if case .subjectRow(let row) = scope.kind,
      case .some(let typed) = metricOfSubject(names, row: row, span: span, in: scope, offset: offset)
    {
      return typed
    }
    if let head = names.first, metricSyntax[head.text] == nil, isField(head, in: scope) {
      return fail(.badOperand, "only a metric can be shifted with `offset`", at: operand.span)
    }
    return resolvePath(names, span: span, in: scope, offset: offset)
  }

  /// Whether a name stands for a field, the subject or the day.
  private func isField(_ name: Name, in scope: Scope) -> Bool {
    if let row = scope.row, ownName(name, of: row, isLast: true) { return true }
    let subject = scope.subject?.entity ?? scope.row
    return name.text == "day" || subject.map { records[$0].subjectName } == name.text
  }

  /// `user.reading_minutes` inside an aggregate over users; nil if it names no metric.
  private func metricOfSubject(
    _ names: [Name], row: RecordID, span: Span, in scope: Scope, offset: Offset?
  ) -> Typed?? {
    guard names.count > 1, names[0].text == records[row].subjectName,
      records[row].field(named: names[1].text) == nil, metricSyntax[names[1].text] != nil
    else { return nil }
    return .some(resolveMetricOperand(Array(names.dropFirst()), span: span, in: scope, offset: offset))
  }

  /// Whether a name is a field of the record, or leads to an entity that it refers to.
  func ownName(_ name: Name, of record: RecordID, isLast: Bool) -> Bool {
    (isLast && records[record].field(named: name.text) != nil)
      || reference(named: name.text, of: record) != nil
  }

  /// The reference field that a path names.
  func reference(named name: String, of record: RecordID) -> (field: Int, target: RecordID)? {
    records[record].reference(named: name)
  }

  /// Follows references from a record to a field.
  func fieldPath(
    _ names: ArraySlice<Name>, from record: RecordID, root: PathRoot, allowOpaque: Bool
  ) -> Typed? {
    var current = record
    var references: [FieldReference] = []
    guard let last = names.last, let first = names.first else { return nil }
    for name in names.dropLast() {
      guard !isBroken(name.text, in: current) else { return nil }
      guard let (field, target) = reference(named: name.text, of: current) else {
        return unknownField(name, of: current, wantsReference: true)
      }
      let hop = FieldReference(record: current, field: field)
      note(name, .field(hop))
      guard checkReadable(hop, at: name.span, allowOpaque: false) else { return nil }
      references.append(hop)
      current = target
    }
    let index = records[current].field(named: last.text) ?? reference(named: last.text, of: current)?.field
    guard let index else { return unknownField(last, of: current, wantsReference: false) }
    let target = FieldReference(record: current, field: index)
    note(last, .field(target))
    resolveComputed(target)
    if brokenFields[current]?.contains(last.text) == true { return nil }
    guard checkReadable(target, at: last.span, allowOpaque: allowOpaque) else { return nil }
    let field = records[current].fields[index]
    let path = FieldPath(root: root, references: references, field: target, type: field.type.valueType)
    var typed = Typed(expression: .field(path), span: first.span.union(last.span))
    if case .choice(let choices) = field.type { typed.choices = choices }
    return typed
  }

  private func unknownField(_ name: Name, of record: RecordID, wantsReference: Bool) -> Typed? {
    guard !name.isMissing, !isBroken(name.text, in: record) else { return nil }
    let fields = records[record].fields
    if wantsReference, fields.contains(where: { $0.name == name.text }) {
      return fail(
        .unknownField, "`\(name.text)` of `\(recordName(record))` refers to no entity and has no fields",
        at: name.span)
    }
    if reportAntiPattern(name) { return nil }
    let owner = recordName(record)
    let note: Note =
      name.text == owner
      ? "a field of `\(owner)` is written without its record here"
      : "a field is declared before it is read: `extend \(owner) { \(name.text) : TYPE? }`"
    return fail(
      .unknownField, "`\(owner)` has no field `\(name.text)`", at: name.span,
      notes: [didYouMean(name.text, fields.map(\.name)) ?? note], recordWithoutField: owner)
  }

  /// Whether a name may be that of a field, or of a reference, that could not be resolved.
  func isBroken(_ name: String, in record: RecordID) -> Bool {
    guard let broken = brokenFields[record], records[record].field(named: name) == nil else { return false }
    return broken.contains(name) || broken.contains(name + "Id") || broken.contains("")
  }

  /// Stored twins are never read, personal fields and Instants only by `is none`.
  func checkReadable(_ reference: FieldReference, at span: Span, allowOpaque: Bool) -> Bool {
    let field = records[reference.record].fields[reference.field]
    let name = library.name(of: reference)
    if field.isStored {
      report(ReadsStoredField.finding(name, declaredAt: field.span, at: span))
      return false
    }
    if field.isPersonal, !allowOpaque {
      return fail(
        .personalField, "`\(name)` is personal: only `is none` and `is not none` may read it",
        at: span, notes: [Note("declared `pii` here", at: .source(field.span))])
    }
    if field.type == .instant, !allowOpaque {
      report(ReadsInstant.finding(name, at: span))
      return false
    }
    return true
  }

  /// A metric, a part of it, perhaps shifted.
  func resolveMetricOperand(
    _ names: [Name], span: Span, in scope: Scope, offset: Offset?
  ) -> Typed? {
    let head = names[0]
    guard scope.allows.metrics else {
      return fail(
        .badOperand, "`\(head.text)` is a metric, and \(scope.place) cannot read one", at: span)
    }
    note(head, .metric(head.text))
    guard let id = resolveMetric(named: head.text, from: head) else { return nil }
    let metric = metrics[id]
    let root: PathRoot
    let entity: RecordID?
    if case .subjectRow(let row) = scope.kind {
      (root, entity) = (.row, row)
    } else {
      (root, entity) = (.subject, scope.subject?.entity)
    }
    guard checkReadable(metric, at: head.span, by: entity, scope) else { return nil }
    guard let part = part(of: metric, names: names.dropFirst(), span: span) else { return nil }
    let reference = MetricReference(
      root: root, metric: id, part: part.name, offset: offset, type: part.type)
    return Typed(expression: .metric(reference), span: span, unit: part.role.hasUnit ? metric.unit : nil)
  }

  private func checkReadable(_ metric: Metric, at span: Span, by entity: RecordID?, _ scope: Scope) -> Bool {
    if metric.kind == .level {
      report(ReadsLevel.finding(metric.name, at: span))
      return false
    }
    if metric.kind.countsSubjects {
      guard entity == nil else {
        return fail(
          .otherSubject, "`\(metric.name)` is about many subjects; only a metric `for app` can read it",
          at: span)
      }
    } else {
      guard metric.subject.entity == entity else {
        let own = subjectName(metric.subject.entity)
        return fail(
          .otherSubject,
          "`\(metric.name)` is a metric for `\(own)` and cannot be read for `\(subjectName(entity))`",
          at: span,
          notes: metric.subject.entity == nil
            ? ["no number for a person compares that person with others"]
            : ["count or average over subjects: `count(\(own) where …)`, `average(\(own).\(metric.name))`"])
      }
    }
    return isReadableInGroups(metric, at: span, scope)
  }

  /// A metric with groups is read in groups that have its fields (GRP-03).
  func isReadableInGroups(_ metric: Metric, at span: Span, _ scope: Scope) -> Bool {
    let own = scope.kind == .metric ? scope.groups : []
    let fields = library.grouping(of: metric)
    let missing = fields.filter { !own.contains($0.name) || $0.isCohort }
    guard !missing.isEmpty else { return true }
    let by = fields.map(\.name).joined(separator: ", ")
    return fail(
      .badGroup, "`\(metric.name)` has a value for each \(quoted(fields.map(\.name)))", at: span,
      notes: [
        missing.contains(where: \.isCohort)
          ? "no metric reads one by cohort" : "read it in a team measure that is grouped `by \(by)`"
      ])
  }

  /// The part that the names after a metric's name stand for.
  func part(of metric: Metric, names: ArraySlice<Name>, span: Span) -> Part? {
    let wanted = names.dotted
    if let part = metric.parts.first(where: { $0.name == wanted }) {
      if let first = names.first, let last = names.last, !wanted.isEmpty {
        uses.append(NameUse(first.span.union(last.span), .part(metric: metric.name, name: wanted)))
      }
      return part
    }
    let named = metric.parts.map(\.name).filter { !$0.isEmpty }
    if wanted.isEmpty {
      return fail(
        .badOperand, "`\(metric.name)` has only parts and no value of its own", at: span,
        notes: ["name one of \(quoted(named.map { "\(metric.name).\($0)" }))"])
    }
    return fail(
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
  private func unresolved(_ names: [Name], in scope: Scope) -> Typed? {
    let head = names[0]
    if reportAntiPattern(head) { return nil }
    if let row = scope.row {
      if isBroken(head.text, in: row) { return nil }
      // A field that refers to nothing, followed by a dot.
      if names.count > 1, records[row].field(named: head.text) != nil {
        return fieldPath(names[...], from: row, root: .row, allowOpaque: false)
      }
    }
    if let record = recordIDs[head.text] {
      note(head, .record(record))
      let field = names.dropFirst().first { records[record].field(named: $0.text) != nil }?.text ?? "field"
      return fail(
        .badOperand, "`\(head.text)` is a record; an aggregate reads its facts", at: head.span,
        notes: ["write `count(\(head.text))` or `sum(\(head.text).\(field))`"])
    }
    var candidates = Array(metricSyntax.keys)
    if let row = scope.row { candidates = records[row].fields.map(\.name) }
    var advice = FamiliarWord.note(head.text, as: .operand) ?? didYouMean(head.text, candidates)
    if let entity = scope.subject?.entity {
      candidates.append(records[entity].subjectName)
      if scope.row == nil, records[entity].field(named: head.text) != nil {
        advice = .didYouMean("\(records[entity].subjectName).\(head.text)")
      } else if advice == nil {
        advice = didYouMean(head.text, candidates)
      }
    }
    if advice == nil, let row = scope.row, names.count == 1 {
      let field = "extend \(recordName(row)) { \(head.text) : Text? }"
      advice = "a text is written in quotes, `\"\(head.text)\"`; a new field is declared, `\(field)`"
    }
    if let row = scope.row, head.text.lowercased() == recordName(row).lowercased() {
      advice = "inside `where` the fields of `\(recordName(row))` are named alone, such as `name`"
    }
    if let meant = hyphenated(head.span) { advice = .didYouMean(meant) }
    if subjectIDs[head.text] != nil {
      advice = "`\(head.text)` is a subject; this metric is for `\(subjectName(scope.subject?.entity))`"
    }
    let message =
      scope.row.map { "`\(recordName($0))` has no field `\(head.text)`, and nothing else has that name" }
      ?? "no metric or subject is called `\(head.text)`"
    return fail(
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

  var place: String { allows.place }
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

/// The result of something optional: its value, nothing, or a finding.
struct Optionally<Value> {
  /// Nil if it was left out, and where it failed.
  private(set) var value: Value?
  private(set) var failed = false

  /// Left out.
  init() {}

  /// Resolves what was written; nil is a failure that has been reported.
  init<Syntax>(_ syntax: Syntax?, _ resolve: (Syntax) -> Value?) {
    guard let syntax else { return }
    value = resolve(syntax)
    failed = value == nil
  }
}

extension Resolver {
  /// Reports a name that stands for nothing and is one of the forbidden words; false where it is none.
  func reportAntiPattern(_ name: Name) -> Bool {
    guard let word = ForbiddenWord(rawValue: name.text) else { return false }
    report(word.finding(at: name.span))
    return true
  }
}
