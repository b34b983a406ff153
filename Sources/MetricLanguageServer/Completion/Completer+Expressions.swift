import MetricPlan
import MetricSyntax

extension Completer {
  func expressionItems(_ tokens: [CursorToken], scope outside: CompletionScope) -> [CompletionItem] {
    let calls = Completer.openCalls(tokens)
    let scope = scope(in: calls, outside: outside)
    if let texts = textItems(tokens, scope) { return texts }
    if context.isInText { return [] }
    if let call = calls.last, !call.function.isEmpty, let items = callItems(call, scope) { return items }
    guard let last = tokens.last else { return operands(scope) }
    if last.kind == .dot {
      return memberItems(Completer.path(endingAt: tokens.dropLast()), scope, isSource: false)
    }
    if last.kind == .number, tokens.dropLast().last?.word == .offset {
      return words([.days, .weeks, .months], rank: 0)
    }
    switch last.word {
    case .is: return phrases(["none", "not none"], rank: 0)
    case .not where tokens.dropLast().last?.endsOperand == true: return words([.in], rank: 0)
    case .in: return []
    default: break
    }
    return last.endsOperand ? operators(tokens) : operands(scope)
  }

  // MARK: Operands and operators

  private func operands(_ scope: CompletionScope) -> [CompletionItem] {
    var items = words([.if, .not, .true, .false], rank: 7)
    if let row = scope.row { items += fields(of: row) { !$0.isPersonal } + references(of: row) }
    if let subject = scope.subject { items += subjects { $0 == subject } }
    switch scope {
    case .value(let subject):
      items += functions()
      items += metrics { reads($0, for: subject) }
      items += words([.day])
    case .subjectRow(let entity): items += metrics { reads($0, for: entity) } + words([.day])
    case .fact: items += words([.day]) + functions().filter { Completer.scalars.contains($0.label) }
    case .subjectCondition, .computed: items += functions().filter { Completer.scalars.contains($0.label) }
    }
    return items
  }

  private static let scalars: Set = ["least", "greatest", "floor", "weekday"]

  private func reads(_ metric: Metric, for subject: RecordID?) -> Bool {
    metric.kind != .level && metric.grouping.isEmpty
      && (metric.kind.countsSubjects ? subject == nil : metric.subject.entity == subject)
  }

  private func operators(_ tokens: [CursorToken]) -> [CompletionItem] {
    var words = ["and", "or", "is none", "is not none", "in", "not in"]
    var open = 0
    for token in tokens {
      switch token.word {
      case .if: open += 1
      case .then where open > 0: words.removeAll { $0 == "then" }
      default: continue
      }
    }
    let conditionals = tokens.compactMap(\.word).filter { [.if, .then, .else].contains($0) }
    if conditionals.last == .if { words.insert("then", at: 0) }
    if conditionals.last == .then { words.insert("else", at: 0) }
    if let name = tokens.last?.text, analysis.metrics[name] != nil { words.append("offset") }
    return phrases(words, rank: 6)
  }

  // MARK: Calls

  /// What fits inside a call; nil where it is an expression like any other.
  private func callItems(_ call: OpenCall, _ scope: CompletionScope) -> [CompletionItem]? {
    guard !Completer.scalars.contains(call.function) else { return nil }
    guard let last = call.tokens.last, let source = call.tokens.first else {
      return facts() + subjects { $0 != scope.subject } + metrics { takes($0, call.function) }
    }
    if last.kind == .dot, call.lastWord == nil {
      return memberItems(Completer.path(endingAt: call.tokens.dropLast()[...]), scope, isSource: true)
    }
    switch call.lastWord {
    case nil where last.endsOperand:
      return words(analysis.metrics[source.text] == nil ? [.where, .over, .through] : [.over], rank: 0)
    case .over:
      let tail = call.tokens.reversed().prefix { $0.word != .over }.reversed()
      return periodItems(Array(tail))
    case .through:
      guard last.word == .through else { return words([.where, .over], rank: 0) }
      let links = records { $0.kind == .link }
      return links + (analysis.recordIDs[source.text].map { references(of: $0) } ?? [])
    case .where where last.endsOperand: return operators(call.tokens) + words([.over], rank: 6)
    default: return nil
    }
  }

  /// Whether an aggregate can be taken of a metric: of a completion, or of the days of a number (OPD-04, OPD-09).
  private func takes(_ metric: Metric, _ function: String) -> Bool {
    if metric.kind == .completion { return CompletionFunction(rawValue: function) != nil }
    let traits = AggregateFunction.all.first { $0.word == function }?.traits
    return (traits?.argument == .number || traits?.form == .picks) && metric.grouping.isEmpty
      && metric.kind != .level && metric.parts.contains { $0.type.isNumber }
  }

  // MARK: Behind a dot

  static func path(endingAt tokens: ArraySlice<CursorToken>) -> [String] {
    var names: [String] = []
    var wantsName = true
    for token in tokens.reversed() {
      if wantsName, token.kind == .identifier {
        names.insert(token.text, at: 0)
      } else if wantsName || token.kind != .dot {
        break
      }
      wantsName.toggle()
    }
    return names
  }

  static func path(endingAt tokens: [CursorToken]) -> [String] { path(endingAt: tokens[...]) }

  /// - Parameter isSource: whether the path is what an aggregate takes: it starts with a record.
  private func memberItems(_ names: [String], _ scope: CompletionScope, isSource: Bool) -> [CompletionItem] {
    guard let head = names.first else { return [] }
    if isSource, let record = analysis.recordIDs[head] {
      return follow(names.dropFirst(), from: record).map { fields(of: $0) + references(of: $0) } ?? []
    }
    if let row = scope.row, let target = follow(names[...], from: row) {
      return fields(of: target) + references(of: target)
    }
    if let entity = analysis.subjectIDs[head], isSource || scope.subject == entity {
      guard let target = follow(names.dropFirst(), from: entity) else { return [] }
      let own = isSource && names.count == 1 ? metrics { reads($0, for: entity) } : []
      return fields(of: target) + references(of: target) + own
    }
    return parts(of: names)
  }

  /// The record that references lead to from another.
  func follow(_ names: ArraySlice<String>, from record: RecordID) -> RecordID? {
    var current = record
    for name in names {
      let next = plan.records[current].fields.lazy.compactMap { field -> RecordID? in
        guard case .reference(let target) = field.type, field.name == name || field.name == name + "Id" else {
          return nil
        }
        return target
      }.first
      guard let next else { return nil }
      current = next
    }
    return current
  }

  /// What follows a metric's name, or the beginning of a part's.
  func parts(of names: [String]) -> [CompletionItem] {
    guard let head = names.first(where: { $0 != "." }), let id = plan.metric(named: head) else { return [] }
    let written = names.filter { $0 != "." }.dropFirst().map { $0 + "." }.joined()
    return plan.metrics[id].parts.filter { !$0.name.isEmpty && $0.name.hasPrefix(written) }.map { part in
      CompletionItem(String(part.name.dropFirst(written.count)), .part, detail: part.type.name).ranked(1)
    }
  }

  // MARK: Texts

  /// The texts that the left side of a comparison or `in` can be; nil where none is requested.
  private func textItems(_ tokens: [CursorToken], _ scope: CompletionScope) -> [CompletionItem]? {
    var before = tokens[...]
    // In a list: back to the bracket.
    if let bracket = before.lastIndex(where: { $0.kind == .leftBracket }),
      !before[bracket...].contains(where: { $0.kind == .rightBracket })
    {
      guard before.last?.kind == .leftBracket || before.last?.kind == .comma else { return [] }
      before = before[..<bracket]
      guard before.popLast()?.word == .in else { return [] }
      if before.last?.word == .not { before = before.dropLast() }
    } else {
      guard let last = before.popLast(), last.kind == .equalEqual || last.kind == .notEqual else {
        return nil
      }
    }
    let texts = texts(ofOperandEndingAt: before, scope)
    return texts.isEmpty
      ? (context.isInText ? [] : nil) : texts.map { CompletionItem("\"\($0)\"", .text).ranked(0) }
  }

  private func texts(ofOperandEndingAt tokens: ArraySlice<CursorToken>, _ scope: CompletionScope) -> [String]
  {
    if tokens.last?.kind == .rightParenthesis {
      let call = tokens.lastIndex { $0.text == "weekday" }
      return call == nil
        ? [] : Word.allCases.map(\.rawValue).filter { $0.hasSuffix("day") && $0.count > 3 && $0 != "today" }
    }
    var names = Completer.path(endingAt: tokens)
    guard let last = names.popLast() else { return [] }
    var record = scope.row.flatMap { follow(names[...], from: $0) }
    if let head = names.first, let entity = analysis.subjectIDs[head], scope.subject == entity {
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
