import MetricPlan
import MetricSyntax

extension Analysis {
  /// What can be written at an offset.
  package func completions(in file: Int, at offset: Int) -> CompletionList? {
    guard trees.indices.contains(file), let context = CursorContext(trees[file], file: file, offset: offset)
    else { return nil }
    var seen: Set<String> = []
    let items = Completer(analysis: self, context: context, file: file).items
      .filter { !context.isInText || $0.label.hasPrefix("\"") }
      .filter { !context.isInDay || $0.label.first?.isNumber == true }
      .filter { seen.insert($0.label).inserted }
      .sorted { ($0.rank, $0.label) < ($1.rank, $1.label) }
    return CompletionList(replaced: context.replaced, items: items)
  }
}

/// Works out what fits a place; one extension for each part of the grammar.
struct Completer {
  let analysis: Analysis
  let context: CursorContext
  let file: Int

  var plan: Library { analysis.plan }

  var items: [CompletionItem] {
    guard let body = context.body else { return topItems }
    switch context.keyword {
    case .fact, .entity, .link, .extend: return recordItems(body)
    case .test: return testItems(body)
    case .report: return reportItems(body)
    case .some(let word) where MetricKeyword(rawValue: word.rawValue) != nil: return metricItems(body)
    default: return []
    }
  }

  // MARK: The top

  private var topItems: [CompletionItem] {
    guard let keyword = context.keyword, keyword != .language else {
      return context.header.count == 1 ? [CompletionItem("1", .text)] : declarationItems
    }
    guard context.header.count == 1 else {
      let isNamedFact = keyword == .fact && context.header.count == 2
      return isNamedFact ? words([.setting]) : context.leadsLine ? declarationItems : []
    }
    if keyword == .extend { return records { _ in true } }
    return []
  }

  private var declarationItems: [CompletionItem] {
    Word.declarations.map { word in
      .snippet(word.rawValue, .keyword, Completer.template(of: word), word.help)
    }
  }

  /// A declaration with places to fill in.
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
    default: "test \"${1:what must hold}\" {\n  $0\n}"
    }
  }

  // MARK: Names

  func words(_ words: [Word], rank: Int = 5) -> [CompletionItem] {
    words.map { word in
      CompletionItem(word.rawValue, .keyword, documentation: word.help)
        .ranked(rank)
    }
  }

  func phrases(_ phrases: [String], _ kind: CompletionItem.Kind = .keyword, rank: Int = 5) -> [CompletionItem]
  {
    phrases.map { CompletionItem($0, kind).ranked(rank) }
  }

  func records(where isWanted: (Record) -> Bool) -> [CompletionItem] {
    plan.records.filter(isWanted).map { record in
      CompletionItem(record.name, .record, detail: record.kind.rawValue, documentation: record.doc).ranked(3)
    }
  }

  func facts() -> [CompletionItem] { records { $0.kind == .fact } }

  /// Entities with their name as a subject.
  func subjects(where isWanted: (RecordID) -> Bool = { _ in true }) -> [CompletionItem] {
    plan.records.indices.filter { plan.records[$0].kind == .entity && isWanted($0) }.map { id in
      CompletionItem(
        plan.records[id].subjectName, .subject, detail: plan.records[id].name,
        documentation: plan.records[id].doc
      ).ranked(3)
    }
  }

  /// The metrics that have a plan, but for the one that is being written.
  func metrics(where isWanted: (Metric) -> Bool) -> [CompletionItem] {
    let own = context.header.count > 1 ? context.header[1].text : ""
    return plan.metrics.filter { $0.name != own && isWanted($0) }.map { metric in
      var item = CompletionItem(metric.name, .metric, detail: metric.kind.rawValue, documentation: metric.doc)
      item.isDeprecated = metric.deprecated != nil
      return item.ranked(2)
    }
  }

  func fields(of record: RecordID, where isWanted: (Field) -> Bool = { _ in true }) -> [CompletionItem] {
    plan.records[record].fields.filter(isWanted).map { field in
      CompletionItem(field.name, .field, detail: plan.declaredType(of: field), documentation: field.doc)
        .ranked(1)
    }
  }

  /// The references of a record by the name that paths give them.
  func references(of record: RecordID) -> [CompletionItem] {
    plan.records[record].fields.compactMap { field in
      guard case .reference(let target) = field.type else { return nil }
      let name = field.name.hasSuffix("Id") ? String(field.name.dropLast(2)) : field.name
      return CompletionItem(name, .field, detail: plan.records[target].name).ranked(2)
    }
  }

  func functions() -> [CompletionItem] {
    WordHelp.functions.keys.sorted().map { name in
      .snippet(name, .function, "\(name)($0)", WordHelp.functions[name])
    }
  }
}
