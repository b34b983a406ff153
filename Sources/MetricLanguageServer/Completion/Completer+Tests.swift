extension Completer {
  private var statements: [TestStatement] {
    if case .test(let test) = context.awaited.declaration { test.statements } else { [] }
  }

  /// Fields of a `given` that are not there yet.
  func givenItems(_ frames: [Awaited.Frame]) -> [CompletionItem] {
    guard case .given(let name, _) = frames.last, let record = plan.record(named: name),
      case .given(_, let written, _) = statements.last
    else { return [] }
    return fields(of: record) { field in
      field.computed == nil && !written.contains { $0.name.text == field.name }
    }.map { item in
      var item = item
      item.insert = "\(item.label): "
      return item
    }
  }

  /// The metric that the last statement expects something of.
  private var expectedMetric: Metric? {
    if case .expect(let expect) = statements.last { metric(of: expect) } else { nil }
  }

  private func metric(of expect: ExpectStatement) -> Metric? {
    plan.metric(named: expect.metric.text).map { plan.metrics[$0] }
  }

  /// What a literal can be: in a list of a condition, in a `given`, or as what is expected.
  func literalItems(_ frames: [Awaited.Frame]) -> [CompletionItem] {
    switch frames.last {
    case .comparison(let left): texts(texts(of: left, scope(in: frames)), rank: 0)
    case .given(let record, let field): givenValues(field, of: plan.record(named: record))
    case .call, .rows, .option, .group, nil:
      words(expectedMetric?.parts.first?.type == .bool ? [.true, .false, .none] : [.none], rank: 0)
    }
  }

  func textItems(_ frames: [Awaited.Frame]) -> [CompletionItem] {
    guard case .option(let word) = frames.last else { return [] }
    return switch word {
    case .for: identifiers(of: expectedMetric?.subject.entity)
    case .part: texts((expectedMetric?.parts ?? []).map(\.name).filter { !$0.isEmpty }, rank: 5)
    case .log: identifiers(of: plan.record(named: "Habit"))
    case .from: texts(["###", "##.#", "5.3"], rank: 5)
    default: []
    }
  }

  private func givenValues(_ name: String, of record: RecordID?) -> [CompletionItem] {
    guard let record, let index = plan.records[record].field(named: name) else { return [] }
    let field = plan.records[record].fields[index]
    var items = field.isOptional ? words([.none], rank: 7) : []
    switch field.type {
    case .choice(let texts): items += self.texts(texts, rank: 0)
    case .bool: items += words([.true, .false], rank: 0)
    case .text:
      items += texts(analysis.comparedTexts[FieldReference(record: record, field: index)] ?? [], rank: 0)
    case .reference(let target): items += identifiers(of: target)
    case .id: items += identifiers(of: record)
    case .dayKey: items += days
    case .int, .decimal, .instant: break
    }
    return items
  }

  /// The ids of an entity: those of this test, which need not be whole, before the others of the library.
  private func identifiers(of entity: RecordID?) -> [CompletionItem] {
    func holdsID(_ field: Int, _ record: RecordID) -> Bool {
      let type = plan.records[record].fields[field].type
      return type == .id ? record == entity : type.target.map { $0 == entity } ?? false
    }
    let all = plan.tests.flatMap(\.rows).flatMap { row in
      row.values.compactMap { field, value in
        if case .text = value, holdsID(field, row.record) { plan.text(of: value) } else { nil }
      }
    }
    let own = statements.flatMap { statement -> [String] in
      switch statement {
      case .given(let name, let given, _):
        guard let record = plan.record(named: name.text) else { return [] }
        return given.compactMap { field in
          guard case .string(let text) = field.value.kind,
            let index = plan.records[record].field(named: field.name.text), holdsID(index, record)
          else { return nil }
          return text.value
        }
      case .log(let subject, _, _, _): return entity == plan.record(named: "Habit") ? [subject.value] : []
      case .expect(let expect):
        return metric(of: expect)?.subject.entity == entity ? [expect.subject?.value ?? ""] : []
      case .unexpected: return []
      }
    }
    let known = Set(own).subtracting([""])
    return texts(known.sorted(), rank: 1)
      + Set(all).subtracting(known.map { "\"\($0)\"" }).sorted().map { CompletionItem($0, .text, rank: 2) }
  }

  /// The days that the test has written already, and those of its `log` lines with the day after each.
  var days: [CompletionItem] {
    var days: Set<String> = []
    for statement in statements {
      for case .day(let day) in Member.statement(statement).expressions.map(\.kind) { days.insert(day) }
      guard case .log(_, let from, let pattern, _) = statement, case .day(let text) = from.kind,
        let first = DayKey(text)
      else { continue }
      for offset in 0...min(pattern.value.count, 62) { days.insert(first.advanced(by: offset).description) }
    }
    return (days.isEmpty ? ["2026-01-01"] : days.sorted()).map { CompletionItem($0, .text, rank: 1) }
  }
}
