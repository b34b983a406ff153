/// The reference days of a statement.
public enum SQLDays: Hashable, Sendable {
  /// - Parameter isLastOpen: whether the week or month of the last day continues after it. Then each row says in a
  ///   seventh column, `open`, whether its day is that one.
  case list([DayKey], isLastOpen: Bool = false)
  /// One day, bound by the caller.
  case parameter
  /// The last DayKey of the facts that the statement reads.
  case lastOfFacts

  /// Whether there are so few that comparing each with a range costs no more than looking it up.
  var areFew: Bool { if case .list(let days, _) = self { days.count <= 8 } else { true } }
}

/// What a statement computes, and what the database calls things.
package struct SQLRequest: Sendable {
  package var metrics: [MetricID]
  /// Ids whose rows alone are given; empty for all.
  package var subjects: [String]
  package var days: SQLDays
  /// `schema.table` of a record, as names; its own name where there is none.
  package var tables: [RecordID: [String]] = [:]
  /// The column of a field; its own name where there is none.
  package var columns: [FieldReference: String] = [:]
  /// Whether the windows of completions are tables beside the statement: `storedWindows` of the translation.
  var storesWindows = false

  package init(metrics: [MetricID], subjects: [String] = [], days: SQLDays) {
    (self.metrics, self.subjects, self.days) = (metrics, subjects, days)
  }
}

/// From a plan to the tree of one statement. Relations are defined when they are first asked for, each
/// after those that it reads; `Documentation/SQL.md` says how a definition becomes relations.
final class Translation {
  let library: Library
  let request: SQLRequest
  let needs: DataNeeds
  let dialect: any Dialect
  private var closed: [SQLDefinition] = []
  private var open: [OpenRelation] = []
  private var openByKey: [RelationKey: OpenRelation] = [:]
  /// By anchors: the relations of metrics there, by level.
  private var values: [Anchors: [OpenRelation]] = [:]
  var metricPlaces: [RelationKey: MetricPlace] = [:]
  private var levels: [MetricID: Int] = [:]
  /// The relations of one day only, with that day, and the first day of those whose days are known.
  var singleDays: [String: SQLExpression] = [:]
  var firstDays: [String: DayKey] = [:]
  /// By relation of live facts: the first day that is read of them; nil for no lower bound.
  var factBounds: [String: (record: RecordID, since: DayKey?)] = [:]
  /// The windows that tables beside the statement hold, with the names of these.
  var storedWindows: [(windows: Windows, table: String)] = []
  /// How many days before the first changed one facts are read; nil for all.
  var changedReach: Int?
  /// Relations of a column `problem` with a row for what evaluation refuses in the data.
  var broken: [String] = []
  private var names: Set<String> = []
  var columnNames: Set<String> = ["subject", "r"]
  /// How often a name was wanted.
  private var uses: [String: Int] = [:]
  private(set) var known: [RelationKey: String] = [:]
  private var defined: [SQLQuery: String] = [:]
  /// By entity the records that the metrics of the statement read which name it.
  var readsOfAll: [RecordID: Set<RecordID>] = [:]
  private(set) lazy var completionsReadWhole = findCompletionsReadWhole()
  private(set) lazy var completionsReadByWindows = findCompletionsReadByWindows()

  /// What a relation is the only one of.
  enum RelationKey: Hashable {
    case live(RecordID)
    case liveFacts(RecordID)
    case aggregates(String, Anchors, Period?, [GroupField])
    case spanValues(MetricID, Anchors.Kind, Anchors)
    case facts(RecordID, Route, AskedConsent?)
    case factDays(RecordID, Route, AskedConsent?, filter: Expression?, entity: RecordID?)
    case linkPairs(LinkRoute)
    case bundleHabits
    case consents(AskedConsent)
    case identities
    case subjects(RecordID, [RecordID], withConsent: Bool)
    case days
    case anchors(RecordID?, days: String)
    case offsets(Int)
    case spine(String)
    case metric(MetricID, Anchors)
    case windows(MetricID, Anchors.Kind, WindowPart)
    case events(MetricID, EventSource)
    case numbers(CompletionAggregate, Anchors)
    case members(MetricID, RecordID, [FieldReference])
  }

  init(library: Library, request: SQLRequest, in dialect: any Dialect) {
    let library = library.withTeamReadings(of: request.metrics)
    (self.library, self.request, self.dialect) = (library, request, dialect)
    needs = DataNeeds(library: library, metrics: request.metrics)
    names = Set(needs.fields.keys.compactMap { path(of: $0).last?.lowercased() })
  }

  /// The relation of a key, defined by `query` where it is not there yet.
  func relation(
    _ key: RelationKey, named hint: String, columns: [String]? = nil, _ comment: String? = nil,
    _ query: () -> SQLQuery
  ) -> String {
    if let name = known[key] { return name }
    let name = append(hint, columns: columns, comment, query())
    known[key] = name
    return name
  }

  func isDefined(_ key: RelationKey) -> Bool { known[key] != nil || openByKey[key] != nil }

  /// The relation of a query that needs no key: equal queries are one.
  func define(_ hint: String, columns: [String]? = nil, _ comment: String?, _ query: SQLQuery) -> String {
    if columns == nil, let name = defined[query] { return name }
    let name = append(hint, columns: columns, comment, query)
    defined[query] = name
    return name
  }

  /// A new relation; its name is like `hint` and like no table or relation that is there.
  private func append(_ hint: String, columns: [String]?, _ comment: String?, _ query: SQLQuery) -> String {
    let name = freeName(hint)
    closed.append(SQLDefinition(name: name, columns: columns, comment: comment, query: query))
    return name
  }

  /// All relations, each after those that it reads.
  var definitions: [SQLDefinition] {
    let open = open.map { relation in
      let chain = relation.builder.anchors.flatMap { values[$0] } ?? []
      return relation.definition(behind: Array(chain.prefix { $0 !== relation }))
    }
    return (closed.map(bounded) + open).inOrder
  }

  /// The open relation of a key, begun by `start` where it is not there yet.
  func openRelation(
    _ key: RelationKey, named hint: String, _ comment: String,
    _ start: () -> (builder: SelectBuilder, keys: [SQLColumn], isGrouped: Bool)
  ) -> OpenRelation {
    if let known = openByKey[key] { return known }
    let (builder, keys, isGrouped) = start()
    let relation = OpenRelation(freeName(hint), comment, builder, keys: keys, isGrouped: isGrouped)
    openByKey[key] = relation
    open.append(relation)
    return relation
  }

  /// SQLite joins 64 relations at most.
  private static let mostJoins = 40

  /// `subject`, `r` and a column for each part of the metrics of a level at some anchors.
  func values(at anchors: Anchors, level: Int) -> OpenRelation {
    let chain = values[anchors] ?? []
    if let last = chain.last(where: { $0.level == level }), last.builder.joins.count < Translation.mostJoins {
      return last
    }
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    builder.anchors = anchors
    let base = anchors.relation.hasSuffix("_days") ? String(anchors.relation.dropLast(5)) : anchors.relation
    let relation = OpenRelation(
      freeName("\(base)_values"), level: level, "The metrics at each row of \(anchors.relation).", builder,
      keys: builder.columns(), isGrouped: false)
    open.append(relation)
    values[anchors, default: []].insert(relation, at: chain.prefix { $0.level <= level }.count)
    return relation
  }

  /// How many metrics lie below one: what it reads is of a lower level.
  func level(of id: MetricID) -> Int {
    if let known = levels[id] { return known }
    let below = library.metrics[id].body.reads.map { level(of: $0) + 1 }.max() ?? 0
    levels[id] = below
    return below
  }

  /// The relation of all metrics at some anchors that are requested by now.
  func allValues(at anchors: Anchors) -> String { values[anchors]?.last?.name ?? anchors.relation }

  /// Adds a relation of errors: in each row `problem` says what evaluation refuses, then the value of a column.
  func refuse(
    _ hint: String, _ comment: String, _ builder: SelectBuilder, _ text: String, _ column: String
  ) {
    let problem = SQLExpression.infix(.concatenate, .text(text), builder[column])
    let name = define(hint, comment, builder.select(["problem": problem], isDistinct: true))
    if !broken.contains(name) { broken.append(name) }
  }

  /// A new relation that needs no word.
  func define(_ hint: String, _ query: SQLQuery) -> String { define(hint, nil, query) }

  func freeName(_ hint: String) -> String {
    var name = hint
    // Most engines compare names without case.
    let wanted = hint.lowercased()
    var number = uses[wanted] ?? 1
    while !names.insert(name.lowercased()).inserted {
      number += 1
      name = "\(hint)_\(number)"
    }
    uses[wanted] = number
    return name
  }

  func path(of record: RecordID) -> [String] { request.tables[record] ?? [library.records[record].name] }

  func stored(
    _ field: FieldReference, in alias: String, as type: SQLStoredType? = nil
  ) -> SQLExpression {
    let declared = library[field]
    let name = request.column(of: field, declared)
    return .stored(relation: alias, name: name, type ?? declared.type.storedType)
  }

  /// `habit_entry` for `HabitEntry`.
  func relationName(_ record: RecordID) -> String {
    library.records[record].name.reduce(into: "") { name, character in
      if character.isUppercase, !name.isEmpty, name.last != "_" { name += "_" }
      name += character.lowercased()
    }
  }
}

extension Set<String> {
  /// Takes in a name, with `_` behind it where one like it is there: most engines compare names without case.
  mutating func takeIn(_ hint: String) -> String {
    var name = hint
    while !insert(name.lowercased()).inserted { name += "_" }
    return name
  }
}

extension FieldType {
  /// How a field of this type is stored.
  package var storedType: SQLStoredType {
    switch self {
    case .id, .text, .choice, .reference: .text
    case .int: .int
    case .decimal: .decimal
    case .bool: .bool
    case .dayKey: .day
    case .instant: .instant
    }
  }
}

extension ValueType {
  /// What the engine computes with: days and decimals are numbers.
  var storedType: SQLStoredType {
    switch self {
    case .int, .decimal, .dayKey, .instant: .int
    case .bool: .bool
    case .text: .text
    }
  }
}
