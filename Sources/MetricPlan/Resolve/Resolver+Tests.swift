import MetricSyntax

/// `test` blocks: rows of a small dataset, and what is expected of it.
extension Resolver {
  func resolveTest(_ test: TestDeclaration) -> TestCase? {
    var rows: [TestRow] = []
    var expectations: [Expectation] = []
    for statement in test.statements {
      switch statement {
      case .given(let record, let fields, let span):
        if let row = givenRow(record, fields, span: span, number: rows.count) { rows.append(row) }
      case .log(let subject, let from, let pattern, let span):
        rows += logRows(subject: subject, from: from, pattern: pattern, span: span, number: rows.count)
      case .expect(let expect):
        if let expectation = expectation(expect) { expectations.append(expectation) }
      case .unexpected: break
      }
    }
    return TestCase(name: test.name.value, rows: rows, expectations: expectations, span: test.name.span)
  }

  private func givenRow(_ name: Name, _ fields: [GivenField], span: Span, number: Int) -> TestRow? {
    guard !name.isMissing else { return nil }
    guard let id = recordIDs[name.text] else {
      reportUnknownRecord(name)
      return nil
    }
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
      if let value = givenValue(field, of: records[id].fields[index]) { values[index] = value }
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

  /// The value of a field in a `given`, as its loader would take it.
  private func givenValue(_ given: GivenField, of field: Field) -> Literal? {
    if field.computed != nil {
      return fail(.badTest, "`\(field.name)` is computed and cannot be given", at: given.name.span)
    }
    guard let value = literal(given.value) else { return nil }
    if case .none = value {
      guard field.isOptional else {
        return fail(.badTest, "`\(field.name)` cannot be missing", at: given.value.span)
      }
      return nil
    }
    if field.type == .instant {
      guard case .text(let text) = value, let instant = Instant(text) else {
        return fail(
          .badTest, "`\(field.name)` is an Instant, such as `\"2026-01-31T08:00:00Z\"`", at: given.value.span)
      }
      return .int(instant.microseconds)
    }
    guard let typed = coerce(value, to: field.type.valueType) else {
      return fail(
        .typeMismatch,
        "`\(field.name)` is \(article(field.type.valueType.name)), found \(article(value.type.name))",
        at: given.value.span)
    }
    return checkGiven(typed, of: field, at: given.value.span) ? typed : nil
  }

  private func checkGiven(_ value: Literal, of field: Field, at span: Span) -> Bool {
    if case .choice(let choices) = field.type, case .text(let text) = value {
      return checkChoice(text, at: span, among: choices)
    }
    let number = value.inMillionths.map { FixedDecimal(millionths: $0) }
    if let minimum = field.minimum, let number, number < minimum {
      return fail(.badTest, "`\(field.name)` is at least `\(minimum)`, found `\(number)`", at: span)
    }
    if case .text("") = value {
      return fail(
        .badTest, "an empty text is a missing value", at: span, notes: ["leave the field out instead"])
    }
    return true
  }

  /// `log "read" from 2026-01-01 "### #.."`: a HabitEntry for each mark.
  private func logRows(
    subject: StringSyntax, from: ExpressionSyntax, pattern: StringSyntax, span: Span, number: Int
  ) -> [TestRow] {
    guard let entry = recordIDs["HabitEntry"], var day = dayLiteral(from),
      let habit = records[entry].field(named: "habitId"), let dayKey = records[entry].field(named: "dayKey"),
      let value = records[entry].field(named: "value")
    else { return [] }
    guard checkLog(subject, entry: entry, span: span) else { return [] }
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
  private func checkLog(_ subject: StringSyntax, entry: RecordID, span: Span) -> Bool {
    if subject.value.isEmpty {
      return fail(.badTest, "`log` needs the habit's id, found an empty text", at: subject.span)
    }
    let filled: Set = ["id", "habitId", "dayKey", "value"]
    let open = records[entry].fields.first {
      !$0.isOptional && $0.computed == nil && !filled.contains($0.name)
    }
    guard let open else { return true }
    return fail(
      .badTest, "a log cannot fill `\(open.name)`, which every `HabitEntry` needs here", at: span,
      notes: ["write `given HabitEntry { … }` for each entry"])
  }

  private func expectation(_ expect: ExpectStatement) -> Expectation? {
    let name = expect.metric
    guard !name.isMissing, noteMetric(name) else { return nil }
    let day = dayLiteral(expect.at)
    let value = literal(expect.value)
    guard let id = resolveMetric(named: name.text), let day, let value else { return nil }
    let metric = metrics[id]
    let hasSubject = metric.subject.entity != nil && !metric.kind.countsSubjects
    if hasSubject, expect.subject == nil {
      return fail(
        .badTest, "`\(name.text)` has a value for each \(subjectName(metric.subject.entity)); say which",
        at: name.span, notes: ["write `expect \(name.text) for \"…\" at …`"])
    }
    if !hasSubject, let subject = expect.subject {
      return fail(.badTest, "`\(name.text)` has no subject to name", at: subject.span)
    }
    let fields = library.grouping(of: metric)
    if let group = expect.group.first, expect.group.count != fields.count {
      return fail(
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
    guard let part = expectedPart(expect, metric) else { return nil }
    guard let typed = coerce(value, to: part.type) else {
      return fail(
        .typeMismatch,
        "`\(name.text)` gives \(article(part.type.name)) and can never be \(article(value.type.name))",
        at: expect.value.span)
    }
    let group = expect.group.isEmpty ? fields.map { _ in "" } : expect.group.map(\.value)
    return Expectation(
      metric: id, subject: expect.subject?.value ?? "", group: GroupKey(group), part: part.name,
      day: day, value: typed, span: expect.span)
  }

  private func expectedPart(_ expect: ExpectStatement, _ metric: Metric) -> Part? {
    let wanted = expect.part?.value ?? ""
    if let part = metric.parts.first(where: { $0.name == wanted }) {
      if let written = expect.part, !wanted.isEmpty {
        uses.append(NameUse(written.span, .part(metric: metric.name, name: wanted)))
      }
      return part
    }
    let named = metric.parts.map(\.name).filter { !$0.isEmpty }
    return fail(
      .unknownPart,
      wanted.isEmpty
        ? "`\(metric.name)` has only parts; say which" : "`\(metric.name)` has no part `\(wanted)`",
      at: expect.part?.span ?? expect.metric.span,
      notes: named.isEmpty ? [] : ["its parts are \(quoted(named))"])
  }
}
