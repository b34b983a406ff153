extension Analysis {
  package func completions(in file: Int, at offset: Int) -> CompletionList? {
    guard trees.indices.contains(file), let context = CursorContext(trees[file], file: file, offset: offset)
    else { return nil }
    let items = Completer(analysis: self, context: context).items
      .filter { !context.isInText || $0.label.hasPrefix("\"") }
      .filter { !context.isInDay || $0.label.first?.isNumber == true }
      .once(by: \.label)
      .sorted { ($0.rank, $0.label) < ($1.rank, $1.label) }
    return CompletionList(replaced: context.replaced, items: items)
  }
}

/// Offers what fits what the parser asks for; one extension for each part of the grammar.
struct Completer {
  let analysis: Analysis
  let context: CursorContext

  var plan: Library { analysis.plan }

  var items: [CompletionItem] { context.awaited.items.flatMap { items(for: $0.item, in: $0.frames) } }

  private func items(for item: Awaited.Item, in frames: [Awaited.Frame]) -> [CompletionItem] {
    switch item {
    case .word(let word): wordItems(word, frames)
    case .declaration: words(Word.declarations, snippet: Completer.template)
    case .member: memberItems
    case .newName: []
    case .subject: subjects() + [CompletionItem("app", .subject, rank: 3, detail: "the whole dataset")]
    case .fact: facts() + metrics { $0.body.isOfDays }
    case .metric: metricNames
    case .record: records { _ in true }
    case .route:
      records { $0.kind == .link }
        + (Completer.source(in: frames).flatMap(plan.record).map(references) ?? [])
    case .group: groupItems([])
    case .unit: phrases(Set(plan.metrics.compactMap(\.unit)).filter { !$0.isEmpty }.sorted(), .unit)
    case .code:
      Page.all.filter { $0.code.id.hasPrefix("W") }.map { page in
        CompletionItem(page.code.id, .code, detail: page.code.name, documentation: page.about)
      }
    case .type: TypeNames.all.map { CompletionItem($0, .type, rank: 2) } + records { $0.kind == .entity }
    case .part(let names): partItems(names, frames)
    case .operand: operandItems(frames)
    case .operators(let names): operators(after: names)
    case .literal: literalItems(frames)
    case .text: textItems(frames)
    case .day: days
    case .version: [CompletionItem("1", .text)]
    case .length: phrases(["2 days", "7 days", "28 days", "4 weeks"], rank: 0)
    case .given: givenItems(frames)
    }
  }

  /// A word, or the phrases that it starts.
  private func wordItems(_ word: Word, _ frames: [Awaited.Frame]) -> [CompletionItem] {
    let kind = metric?.kind
    switch word {
    case .last: return phrases(["last 7 days", "last 28 days", "last 4 weeks"]) + words([.last])
    case .calendar: return phrases(["week", "month", "quarter", "year"].map { "calendar \($0)" })
    case .previous: return phrases(["previous calendar month"])
    case .all: return phrases(["all time"])
    case .or: return phrases(["or later"], rank: 0)
    case .not: return phrases(["not none"], rank: 0)
    case .least where kind.map(ClauseWord.atLeast.belongs) == true:
      return phrases(["least 5 users"], rank: 0)
    case .windows where kind.map(ClauseWord.of.belongs) != true, .least: return []
    case .cohort where kind == .measure: return []
    case .where, .through, .over:
      let source = Completer.source(in: frames) ?? ""
      let isScalar = Completer.call(in: frames).map { Functions.scalars.contains($0.function) } == true
      return isScalar || word != .over && analysis.metrics[source] != nil ? [] : words([word], rank: 0)
    default: return words([word], rank: 0)
    }
  }

  /// The metric that the cursor is in.
  var metric: MetricDeclaration? {
    if case .metric(let metric) = context.awaited.declaration { metric } else { nil }
  }

  /// A declaration, or a statement of a test, with places to fill in.
  private static func template(of word: Word) -> String {
    if let kind = MetricKind(rawValue: word.rawValue) {
      let clauses = kind.exampleClauses.enumerated().map { index, clause in
        let parts = clause.split(separator: " ", maxSplits: 1)
        return "  \(parts[0]) ${\(index + 2):\(parts[1])}\n"
      }
      return "\(kind.rawValue) ${1:name} {\n\(clauses.joined())}$0"
    }
    return switch word {
    case .fact: "fact ${1:Name} {\n  id     : ID\n  userId : User\n  dayKey : DayKey\n  $0\n}"
    case .entity: "entity ${1:Name} {\n  id : ID\n  $0\n}"
    case .link: "link ${1:Name} {\n  $0\n}"
    case .extend: "extend ${1:Habit} {\n  $0\n}"
    case .language: "language 1$0"
    case .report: "report ${1:name} {\n  title \"${2:What it shows}\"\n  metrics $0\n}"
    case .given: "given ${1:Record} { $0 }"
    case .log: "log \"${1:id}\" from ${2:2026-01-01} \"${3:###}\"$0"
    case .expect: "expect ${1:metric} for \"${2:id}\" at ${3:2026-01-01} = ${4:1}$0"
    default: "test \"${1:what must hold}\" {\n  $0\n}"
    }
  }

  private var memberItems: [CompletionItem] {
    switch context.awaited.declaration {
    case .metric(let metric):
      let (required, written) = (metric.kind.required, metric.clauses)
      return clauses(required, beside: written, rank: 0)
        + clauses(metric.kind.clauses.filter { !required.contains($0) }, beside: written, rank: 1)
        + clauses(ClauseWord.common, beside: written, rank: 4)
    case .report(let report): return clauses(ClauseWord.ofReports, beside: report.clauses, rank: 0)
    case .record(let record): return context.leadsLine || record.members.isEmpty ? words([.consent]) : []
    case .test: return words([.given, .log, .expect], snippet: Completer.template)
    case .language, .unexpected, nil: return []
    }
  }

  /// The clauses that are not there yet, or can be there several times.
  private func clauses(_ words: [ClauseWord], beside written: [Clause], rank: Int) -> [CompletionItem] {
    words.filter { word in word == .step || word == .allow || !written.contains { $0.word == word } }.map {
      CompletionItem($0.rawValue, .keyword, rank: rank, documentation: $0.help)
    }
  }

  private var metricNames: [CompletionItem] {
    guard let kind = metric?.kind else { return metrics { _ in true } }
    return metrics { metric in
      kind == .level
        ? metric.kind != .level && metric.parts.contains { $0.type.isNumber } : metric.kind == .completion
    }
  }

  /// Fields of the facts that the metric reads, or of what they refer to; or metrics of the subjects that it counts.
  func groupItems(_ path: [String]) -> [CompletionItem] {
    let facts = context.names.compactMap(plan.record).filter { plan.records[$0].kind == .fact }
    guard facts.isEmpty, path.isEmpty else {
      return facts.compactMap { follow(path[...], from: $0) }.flatMap { fields(of: $0) + references(of: $0) }
    }
    let own = scope(in: []).subject
    let counted = Set(context.names.compactMap(analysis.subject))
    return metrics { metric in
      metric.subject.entity.map { $0 != own && counted.contains($0) } ?? false
        && metric.parts.contains { $0.type != .decimal }
        && !metric.kind.countsSubjects
    }
  }

  func words(
    _ words: [Word], rank: Int = 5, snippet: (Word) -> String? = { _ in nil }
  ) -> [CompletionItem] {
    words.map { word in
      CompletionItem(word.rawValue, .keyword, rank: rank, documentation: word.help, snippet: snippet(word))
    }
  }

  func phrases(_ phrases: [String], _ kind: CompletionItem.Kind = .keyword, rank: Int = 5) -> [CompletionItem]
  {
    phrases.map { CompletionItem($0, kind, rank: rank) }
  }

  func texts(_ texts: some Sequence<String>, rank: Int) -> [CompletionItem] {
    texts.map { CompletionItem("\"\($0)\"", .text, rank: rank) }
  }

  func records(where isWanted: (Record) -> Bool) -> [CompletionItem] {
    plan.records.filter(isWanted).map { record in
      CompletionItem(record.name, .record, rank: 3, detail: record.kind.rawValue, documentation: record.doc)
    }
  }

  func facts() -> [CompletionItem] { records { $0.kind == .fact } }

  /// Entities with their name as a subject.
  func subjects(where isWanted: (RecordID) -> Bool = { _ in true }) -> [CompletionItem] {
    plan.records.indices.filter { plan.records[$0].kind == .entity && isWanted($0) }.map { id in
      CompletionItem(
        plan.records[id].subjectName, .subject, rank: 3, detail: plan.records[id].name,
        documentation: plan.records[id].doc)
    }
  }

  /// The metrics that have a plan, but for the one that is being written.
  func metrics(where isWanted: (Metric) -> Bool) -> [CompletionItem] {
    let own = metric?.name.text
    return plan.metrics.filter { $0.name != own && isWanted($0) }.map { metric in
      CompletionItem(
        metric.name, .function, rank: 2, detail: metric.kind.rawValue, documentation: metric.doc,
        isDeprecated: metric.deprecated != nil)
    }
  }

  func fields(of record: RecordID, where isWanted: (Field) -> Bool = { _ in true }) -> [CompletionItem] {
    plan.records[record].fields.filter(isWanted).map { field in
      CompletionItem(
        field.name, .field, rank: 1, detail: plan.declaredType(of: field), documentation: field.doc)
    }
  }

  /// The references of a record by the name that paths give them.
  func references(of record: RecordID) -> [CompletionItem] {
    plan.records[record].fields.compactMap { field in
      field.type.target.map {
        CompletionItem(field.nameInPaths, .field, rank: 2, detail: plan.records[$0].name)
      }
    }
  }
}

extension Body {
  /// Whether it is a completion of days, which can be a step.
  fileprivate var isOfDays: Bool {
    if case .completion(let completion) = self { completion.window == .rolling(days: 1) } else { false }
  }
}
