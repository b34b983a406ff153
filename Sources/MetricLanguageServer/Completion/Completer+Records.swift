import MetricData
import MetricPlan
import MetricResolve
import MetricSyntax

/// Completion in records and tests.
extension Completer {
  // MARK: Records

  func recordItems(_ body: [CursorToken]) -> [CompletionItem] {
    let name = context.header.count > 1 ? context.header[1].text : ""
    let record = analysis.recordIDs[name]
    let line = Completer.member(body)
    if context.leadsLine, line.last?.kind != .bar, line.last?.kind != .colon { return words([.consent]) }
    guard let first = line.first else { return words([.consent]) }
    if first.word == .consent {
      switch line.last?.word {
      case .consent, .default: return words([.none, .essential, .standard, .detailed])
      case .for: return []
      case _ where line.last?.kind == .string: return words([.default])
      default: return words([.for, .default])
      }
    }
    if let sign = line.firstIndex(where: { $0.kind == .equal }), let record {
      return expressionItems(Array(line[(sign + 1)...]), scope: .computed(record))
    }
    guard let colon = line.firstIndex(where: { $0.kind == .colon }) else { return [] }
    if colon == line.count - 1 {
      return TypeNames.all.map { CompletionItem($0, .type).ranked(2) } + records { $0.kind == .entity }
    }
    return modifiers(Array(line[(colon + 1)...]))
  }

  /// The field or line that the cursor is in: from the last word with `:` or `=` behind it on.
  private static func member(_ body: [CursorToken]) -> [CursorToken] {
    for index in body.indices.reversed() where body[index].kind == .identifier {
      if body[index].leadsLine { return Array(body[index...]) }
      let next = index + 1 < body.count ? body[index + 1].kind : nil
      if next == .colon || next == .equal { return Array(body[index...]) }
    }
    return body
  }

  private func modifiers(_ type: [CursorToken]) -> [CompletionItem] {
    guard type.last?.kind != .bar, type.last?.word != .min else { return [] }
    let isNumber = type.first?.text == "Int" || type.first?.text == "Decimal"
    let written = Set(type.map(\.text))
    return words((isNumber ? [.min] : []) + [.stored, .observed, .pii, .tombstone])
      .filter { !written.contains($0.label) }
  }

  // MARK: Tests

  func testItems(_ body: [CursorToken]) -> [CompletionItem] {
    guard let start = body.lastIndex(where: { [.given, .log, .expect].contains($0.word) }) else {
      return statementWords
    }
    let statement = Array(body[start...])
    if let items = givenItems(statement) { return items }
    let isWhole = Completer.isWhole(statement)
    if context.leadsLine, isWhole || statement.last?.endsOperand == true { return statementWords }
    return statement[0].word == .expect
      ? expectItems(statement)
      : statement[0].word == .log ? logItems(statement) : statement.count == 1 ? records { _ in true } : []
  }

  private var statementWords: [CompletionItem] {
    let templates: [(Word, String)] = [
      (.given, "given ${1:Record} { $0 }"), (.log, "log \"${1:id}\" from ${2:2026-01-01} \"${3:###}\"$0"),
      (.expect, "expect ${1:metric} for \"${2:id}\" at ${3:2026-01-01} = ${4:1}$0"),
    ]
    return templates.map { .snippet($0.rawValue, .keyword, $1, $0.help) }
  }

  private static func isWhole(_ statement: [CursorToken]) -> Bool {
    switch statement[0].word {
    case .given: statement.last?.kind == .rightBrace
    case .log: statement.count >= 5
    default: statement.dropLast().last?.kind == .equal
    }
  }

  /// Inside the braces of a `given`: fields, and behind a colon their values.
  private func givenItems(_ statement: [CursorToken]) -> [CompletionItem]? {
    guard statement[0].word == .given, statement.count > 2, statement[2].kind == .leftBrace,
      statement.last?.kind != .rightBrace
    else { return nil }
    guard let record = analysis.recordIDs[statement[1].text], let last = statement.last else { return [] }
    let names = Set(statement.dropFirst(3).filter { $0.kind == .identifier }.map(\.text))
    switch last.kind {
    case .leftBrace, .comma:
      return fields(of: record) { !names.contains($0.name) && $0.computed == nil }.map { item in
        var item = item
        item.insert = "\(item.label): "
        return item
      }
    case .colon: return givenValues(statement.dropLast().last?.text ?? "", of: record)
    default: return []
    }
  }

  private func givenValues(_ name: String, of record: RecordID) -> [CompletionItem] {
    guard let index = plan.records[record].field(named: name) else { return [] }
    let field = plan.records[record].fields[index]
    var items = field.isOptional ? words([.none], rank: 7) : []
    switch field.type {
    case .choice(let texts): items += texts.map { CompletionItem("\"\($0)\"", .text).ranked(0) }
    case .bool: items += words([.true, .false], rank: 0)
    case .text:
      let known = analysis.comparedTexts[FieldReference(record: record, field: index)] ?? []
      items += known.map { CompletionItem("\"\($0)\"", .text).ranked(0) }
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
      switch plan.records[record].fields[field].type {
      case .id: record == entity
      case .reference(let target): target == entity
      default: false
      }
    }
    let all = plan.tests.flatMap(\.rows).flatMap { row in
      row.values.compactMap { field, value in
        if case .text = value, holdsID(field, row.record) { plan.text(of: value) } else { nil }
      }
    }
    var own: Set<String> = []
    var record: RecordID?
    let body = context.body ?? []
    for (index, token) in body.enumerated().dropFirst() {
      let before = body[index - 1]
      if before.word == .given { record = analysis.recordIDs[token.text] }
      guard token.kind == .string else { continue }
      let field =
        before.kind == .colon ? record.flatMap { plan.records[$0].field(named: body[index - 2].text) } : nil
      let isID =
        before.word == .for
        && plan.metric(named: body[max(index - 2, 0)].text)
          .map { plan.metrics[$0].subject.entity == entity } != false
        || before.word == .log && entity == analysis.recordIDs["Habit"]
        || record.map { record in field.map { holdsID($0, record) } ?? false } ?? false
      if isID, token.text != "\"\"" { own.insert(token.text) }
    }
    return own.sorted().map { CompletionItem($0, .text).ranked(1) }
      + Set(all).subtracting(own).sorted().map { CompletionItem($0, .text).ranked(2) }
  }

  /// The days that the test has written already, and those of its `log` lines with the day behind each.
  private var days: [CompletionItem] {
    let body = context.body ?? []
    var days = Set(body.filter { $0.kind == .day }.map(\.text))
    for (index, token) in body.enumerated() where token.word == .from && index + 2 < body.count {
      guard let first = DayKey(body[index + 1].text) else { continue }
      for offset in 0...max(0, min(body[index + 2].text.count - 2, 62)) {
        days.insert(first.advanced(by: offset).description)
      }
    }
    return days.sorted().map { CompletionItem($0, .text).ranked(1) }
  }

  private func expectItems(_ statement: [CursorToken]) -> [CompletionItem] {
    guard statement.count > 1, let last = statement.last else { return metrics { _ in true } }
    let metric = plan.metric(named: statement[1].text).map { plan.metrics[$0] }
    switch last.word {
    case .for: return identifiers(of: metric?.subject.entity)
    case .at: return days
    case .part:
      return (metric?.parts ?? []).filter { !$0.name.isEmpty }.map { CompletionItem("\"\($0.name)\"", .part) }
    default: break
    }
    if last.kind == .equal {
      let type = metric?.parts.first?.type
      return words(type == .bool ? [.true, .false, .none] : [.none], rank: 0)
    }
    let written = Set(statement.compactMap(\.word))
    return last.endsOperand && !written.contains(.at)
      ? words([.for, .group, .part, .at], rank: 0).filter {
        !written.contains(Word(rawValue: $0.label) ?? .expect)
      }
      : []
  }

  private func logItems(_ statement: [CursorToken]) -> [CompletionItem] {
    switch statement.count {
    case 1: identifiers(of: analysis.recordIDs["Habit"])
    case 2: words([.from], rank: 0)
    case 3: days.isEmpty ? [CompletionItem("2026-01-01", .text)] : days
    case 4: phrases(["\"###\"", "\"##.#\"", "\"5.3\""], .text)
    default: []
    }
  }
}
