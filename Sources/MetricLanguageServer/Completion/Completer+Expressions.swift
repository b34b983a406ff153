extension Completer {
  /// What an operand can be: of a comparison the texts of its other side, in an aggregate what it is taken of.
  func operandItems(_ frames: [Awaited.Frame]) -> [CompletionItem] {
    let scope = scope(in: frames)
    if case .comparison(let left) = frames.last {
      let known = texts(of: left, scope)
      if !known.isEmpty { return texts(known, rank: 0) }
    }
    guard let (function, argument) = Completer.aggregate(in: frames) else { return operands(scope) }
    guard argument == 0 else { return [] }
    return facts() + subjects { $0 != scope.subject } + metrics { takes($0, function) }
  }

  private func operands(_ scope: CompletionScope) -> [CompletionItem] {
    var items = words([.if, .not, .true, .false], rank: 7)
    if let row = scope.row { items += fields(of: row) { !$0.isPersonal } + references(of: row) }
    if let subject = scope.subject { items += subjects { $0 == subject } }
    if scope.place != .subjectRow {
      let known = WordHelp.functions.filter { scope.place == .value || Functions.scalars.contains($0.key) }
      items += known.sorted { $0.key < $1.key }.map { name, help in
        CompletionItem(name, .function, documentation: help, snippet: "\(name)($0)")
      }
    }
    if scope.place == .value || scope.place == .subjectRow {
      items += metrics { reads($0, for: scope.subject) }
    }
    return items + (scope.place == .condition ? [] : words([.day]))
  }

  private func reads(_ metric: Metric, for subject: RecordID?) -> Bool {
    metric.kind != .level && metric.grouping.isEmpty
      && (metric.kind.countsSubjects ? subject == nil : metric.subject.entity == subject)
  }

  func operators(after names: [String]) -> [CompletionItem] {
    let words = ["and", "or", "is none", "is not none", "in", "not in"]
    return phrases(
      words + (names.last.map { analysis.metrics[$0] != nil } == true ? ["offset"] : []), rank: 6)
  }

  /// Whether an aggregate can be taken of a metric: of a completion, or of the days of a number (OPD-04, OPD-09).
  private func takes(_ metric: Metric, _ function: String) -> Bool {
    if metric.kind == .completion { return CompletionFunction(rawValue: function) != nil }
    let traits = AggregateFunction.all.first { $0.word == function }?.traits
    return (traits?.argument == .number || traits?.form == .picks) && metric.grouping.isEmpty
      && metric.kind != .level && metric.parts.contains { $0.type.isNumber }
  }

  func partItems(_ names: [String], _ frames: [Awaited.Frame]) -> [CompletionItem] {
    if case .group = frames.last { return groupItems(names) }
    guard let head = names.first else { return [] }
    let scope = scope(in: frames)
    // What an aggregate takes starts with a record.
    let isSource = Completer.aggregate(in: frames) != nil
    if isSource, let record = plan.record(named: head) {
      return follow(names.dropFirst(), from: record).map { fields(of: $0) + references(of: $0) } ?? []
    }
    if let row = scope.row, let target = follow(names[...], from: row) {
      return fields(of: target) + references(of: target)
    }
    if let entity = analysis.subject(named: head), isSource || scope.subject == entity {
      guard let target = follow(names.dropFirst(), from: entity) else { return [] }
      let own = isSource && names.count == 1 ? metrics { reads($0, for: entity) } : []
      return fields(of: target) + references(of: target) + own
    }
    // What follows a metric's name, or the beginning of a part's.
    guard let id = plan.metric(named: head) else { return [] }
    let written = names.dropFirst().map { $0 + "." }.joined()
    return plan.metrics[id].parts.filter { !$0.name.isEmpty && $0.name.hasPrefix(written) }.map { part in
      CompletionItem(String(part.name.dropFirst(written.count)), .text, rank: 1, detail: part.type.name)
    }
  }

  /// The record that references lead to from another.
  func follow(_ names: ArraySlice<String>, from record: RecordID) -> RecordID? {
    names.reduce(record) { current, name in
      current.flatMap { plan.records[$0].reference(named: name)?.target }
    }
  }

  /// The texts that the left side of a comparison or `in` can be.
  func texts(of left: ExpressionSyntax, _ scope: CompletionScope) -> [String] {
    if case .call(let function, _) = left.kind, function.text == "weekday" {
      return Word.weekdays.map(\.rawValue)
    }
    var names = left.names.map(\.text)
    guard let last = names.popLast() else { return [] }
    var record = scope.row.flatMap { follow(names[...], from: $0) }
    if let head = names.first, let entity = analysis.subject(named: head), scope.subject == entity {
      record = follow(names.dropFirst(), from: entity)
    }
    guard let record, let index = plan.records[record].field(named: last) else { return [] }
    if case .choice(let texts) = plan.records[record].fields[index].type { return texts }
    return analysis.comparedTexts[FieldReference(record: record, field: index)] ?? []
  }
}

extension Analysis {
  /// The texts that each field is compared with somewhere, such as the names of events.
  var comparedTexts: [FieldReference: [String]] {
    var found: [FieldReference: Set<String>] = [:]
    func visit(_ part: Expression) {
      switch part {
      case .comparison(_, .field(let path), .literal(.text(let text))):
        found[path.field, default: []].insert(text)
      case .membership(.field(let path), let literals, _):
        for case .text(let text) in literals { found[path.field, default: []].insert(text) }
      case .aggregate(let aggregate): aggregate.filter?.visit(visit)
      // Nothing else stands between a field and texts.
      default: break
      }
    }
    for metric in plan.metrics {
      for expression in metric.body.expressions { expression.visit(visit) }
      for case .fact(_, _, let filter?) in metric.body.sources { filter.visit(visit) }
    }
    return found.mapValues { $0.sorted() }
  }
}
