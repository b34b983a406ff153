import MetricSyntax

/// `test` blocks: rows of a small dataset, and what is expected of it.
extension Resolver {
  func resolveTest(_ test: TestDeclaration) -> TestCase {
    var rows: [TestRow] = []
    var expectations: [Expectation] = []
    for statement in test.statements {
      switch statement {
      case .given(let record, let fields, let span):
        if let row = try? givenRow(record, fields, span: span, number: rows.count) { rows.append(row) }
      case .log(let subject, let from, let pattern, let span):
        rows += logRows(subject: subject, from: from, pattern: pattern, span: span, number: rows.count)
      case .expect(let expect):
        if let expectation = try? expectation(expect) { expectations.append(expectation) }
      case .unexpected: break
      }
    }
    return TestCase(name: test.name.value, rows: rows, expectations: expectations, span: test.name.span)
  }

  private func givenRow(_ name: Name, _ fields: [GivenField], span: Span, number: Int) throws -> TestRow {
    guard !name.isMissing else { throw Reported() }
    guard let id = recordIDs[name.text] else { throw reportUnknownRecord(name) }
    note(name, .record(id))
    var values: [Int: Literal] = [:]
    var named: Set<String> = []
    for field in fields where !field.name.isMissing {
      guard let index = records[id].field(named: field.name.text) else {
        if isBroken(field.name.text, in: id) { continue }
        fail(
          .unknownField, "`\(name.text)` has no field `\(field.name.text)`", at: field.name.span,
          notes: [didYouMean(field.name.text, records[id].fields.map(\.name))], recordWithoutField: name.text)
        continue
      }
      note(field.name, .field(FieldReference(record: id, field: index)))
      if !named.insert(field.name.text).inserted {
        fail(.duplicateName, "`\(field.name.text)` is given twice", at: field.name.span)
      }
      if let value = try? givenValue(field, of: records[id].fields[index]) { values[index] = value }
    }
    fillIdentifier(&values, record: id, number: number)
    for (index, field) in records[id].fields.enumerated()
    where !field.isOptional && field.computed == nil && values[index] == nil && !named.contains(field.name) {
      fail(.badTest, "`\(name.text)` needs a value for `\(field.name)`", at: name.span)
    }
    return TestRow(record: id, values: values, span: span)
  }

  /// A record of a test without an id gets one.
  private func fillIdentifier(_ values: inout [Int: Literal], record: RecordID, number: Int) {
    guard records[record].kind != .entity, let field = records[record].idField, values[field] == nil else {
      return
    }
    values[field] = .text("#\(number + 1)")
  }

  /// The value of a field in a `given`, as its loader would take it; nil for `none`.
  private func givenValue(_ given: GivenField, of field: Field) throws -> Literal? {
    let span = given.value.span
    try require(
      field.computed == nil, .badTest, "`\(field.name)` is computed and cannot be given", at: given.name.span)
    let value = try literal(given.value)
    if case .none = value {
      try require(field.isOptional, .badTest, "`\(field.name)` cannot be missing", at: span)
      return nil
    }
    if field.type == .instant {
      guard case .text(let text) = value, let instant = Instant(text) else {
        throw fail(.badTest, "`\(field.name)` is an Instant, such as `\"2026-01-31T08:00:00Z\"`", at: span)
      }
      return .int(instant.microseconds)
    }
    let typed = try require(
      coerce(value, to: field.type.valueType), .typeMismatch,
      "`\(field.name)` is \(article(field.type.valueType.name)), found \(article(value.type.name))", at: span)
    if case .choice(let choices) = field.type, case .text(let text) = typed {
      try checkChoice(text, at: span, among: choices)
    } else if case .text("") = typed {
      throw fail(
        .badTest, "an empty text is a missing value", at: span, notes: ["leave the field out instead"])
    }
    if let minimum = field.minimum, let number = typed.inMillionths.map(FixedDecimal.init(millionths:)) {
      try require(
        number >= minimum, .badTest, "`\(field.name)` is at least `\(minimum)`, found `\(number)`", at: span)
    }
    return typed
  }

  /// `log "read" from 2026-01-01 "### #.."`: a HabitEntry for each mark.
  private func logRows(
    subject: StringSyntax, from: ExpressionSyntax, pattern: StringSyntax, span: Span, number: Int
  ) -> [TestRow] {
    guard let entry = recordIDs["HabitEntry"], var day = try? dayLiteral(from),
      let habit = records[entry].field(named: "habitId"), let dayKey = records[entry].field(named: "dayKey"),
      let value = records[entry].field(named: "value"),
      (try? checkLog(subject, entry: entry, span: span)) != nil
    else { return [] }
    var rows: [TestRow] = []
    for mark in pattern.value where !mark.isWhitespace {
      var values: [Int: Literal] = [habit: .text(subject.value), dayKey: .day(day)]
      switch mark {
      case ".", "#": break
      case "0"..."9":
        if let amount = mark.wholeNumberValue, let decimal = FixedDecimal(Int64(amount)) {
          values[value] = .decimal(decimal)
        }
      default:
        fail(
          .badTest, "`\(mark)` is not a mark of a log", at: pattern.span,
          notes: ["`#` is an entry, a digit an entry with that value, `.` no entry; blanks are ignored"])
        return rows
      }
      if mark != "." {
        fillIdentifier(&values, record: entry, number: number + rows.count)
        rows.append(TestRow(record: entry, values: values, span: span))
      }
      day = day.advanced(by: 1)
    }
    if day > DayKey.last.advanced(by: 1) {
      fail(.noRealDate, "the log goes beyond \(DayKey.last), the last DayKey", at: pattern.span)
      return []
    }
    return rows
  }

  /// A log fills habit, day and value of an entry, which has to be enough for one.
  private func checkLog(_ subject: StringSyntax, entry: RecordID, span: Span) throws {
    try require(
      !subject.value.isEmpty, .badTest, "`log` needs the habit's id, found an empty text", at: subject.span)
    let filled: Set = ["id", "habitId", "dayKey", "value"]
    let open = records[entry].fields.first {
      !$0.isOptional && $0.computed == nil && !filled.contains($0.name)
    }
    guard let open else { return }
    throw fail(
      .badTest, "a log cannot fill `\(open.name)`, which every `HabitEntry` needs here", at: span,
      notes: ["write `given HabitEntry { … }` for each entry"])
  }

  private func expectation(_ expect: ExpectStatement) throws -> Expectation {
    let name = expect.metric
    guard !name.isMissing else { throw Reported() }
    try noteMetric(name)
    let day = try? dayLiteral(expect.at)
    let value = try? literal(expect.value)
    let id = try resolveMetric(named: name.text)
    guard let day, let value else { throw Reported() }
    let metric = metrics[id]
    let hasSubject = metric.subject.entity != nil && !metric.kind.countsSubjects
    try require(
      !hasSubject || expect.subject != nil, .badTest,
      "`\(name.text)` has a value for each \(subjectName(metric.subject.entity)); say which", at: name.span,
      notes: ["write `expect \(name.text) for \"…\" at …`"])
    if !hasSubject, let subject = expect.subject {
      throw fail(.badTest, "`\(name.text)` has no subject to name", at: subject.span)
    }
    let fields = library.grouping(of: metric)
    if let group = expect.group.first, expect.group.count != fields.count {
      throw fail(
        .badTest,
        fields.isEmpty
          ? "`\(name.text)` has no groups" : "`\(name.text)` is grouped by \(quoted(fields.map(\.name)))",
        at: group.span,
        notes: [
          fields.count < 2
            ? nil
            : "write `group` and a text for each, \(fields.map { _ in "`\"…\"`" }.joined(separator: ", "))"
        ])
    }
    let part = try expectedPart(expect, metric)
    let typed = try require(
      coerce(value, to: part.type), .typeMismatch,
      "`\(name.text)` gives \(article(part.type.name)) and can never be \(article(value.type.name))",
      at: expect.value.span)
    let group = expect.group.isEmpty ? fields.map { _ in "" } : expect.group.map(\.value)
    return Expectation(
      metric: id, subject: expect.subject?.value ?? "", group: GroupKey(group), part: part.name,
      day: day, value: typed, span: expect.span)
  }

  private func expectedPart(_ expect: ExpectStatement, _ metric: Metric) throws -> Part {
    let wanted = expect.part?.value ?? ""
    let named = metric.parts.map(\.name).filter { !$0.isEmpty }
    let part = try require(
      metric.parts.first { $0.name == wanted }, .unknownPart,
      wanted.isEmpty
        ? "`\(metric.name)` has only parts; say which" : "`\(metric.name)` has no part `\(wanted)`",
      at: expect.part?.span ?? expect.metric.span,
      notes: [named.isEmpty ? nil : "its parts are \(quoted(named))"])
    if let written = expect.part, !wanted.isEmpty {
      uses.append(NameUse(written.span, .part(metric: metric.name, name: wanted)))
    }
    return part
  }
}
