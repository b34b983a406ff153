import MetricPlan
import MetricValues

/// The reference days of a statement.
public enum SQLDays: Hashable, Sendable {
  /// - Parameter isLastOpen: whether the week or month of the last day goes on after it. Then each row says in a
  ///   seventh column, `open`, whether its day is that one.
  case list([DayKey], isLastOpen: Bool = false)
  /// One day, bound by the caller.
  case parameter
  /// The last DayKey of the facts that the statement reads.
  case lastOfFacts

  /// Whether there are so few that comparing each with a range costs no more than looking it up.
  var areFew: Bool { if case .list(let days, _) = self { days.count <= 8 } else { true } }
}

/// What a statement is asked for, and what the database calls things.
package struct SQLRequest: Sendable {
  package var metrics: [MetricID]
  /// Ids whose rows alone are given; empty for all.
  package var subjects: [String]
  package var days: SQLDays
  /// `schema.table` of a record, as names; its own name where there is none.
  package var tables: [RecordID: [String]]
  /// The column of a field; its own name where there is none.
  package var columns: [FieldReference: String]

  package init(
    metrics: [MetricID], subjects: [String] = [], days: SQLDays, tables: [RecordID: [String]] = [:],
    columns: [FieldReference: String] = [:]
  ) {
    self.metrics = metrics
    self.subjects = subjects
    self.days = days
    self.tables = tables
    self.columns = columns
  }
}

/// From a plan to the tree of one statement. Relations are defined when they are first asked for, each
/// behind those that it reads; `Documentation/SQL.md` says how a definition becomes relations.
final class Translation {
  let library: Library
  let request: SQLRequest
  let needs: DataNeeds
  private(set) var definitions: [SQLDefinition] = []
  /// Relations of a column `problem` with a row for what evaluation refuses in the data.
  var broken: [String] = []
  private var names: Set<String> = []
  /// How often a name was wanted.
  private var uses: [String: Int] = [:]
  private var known: [RelationKey: String] = [:]
  /// By entity the records that the metrics of the statement read which speak of it.
  var readsOfAll: [RecordID: Set<RecordID>] = [:]
  private(set) lazy var completionsReadWhole = findCompletionsReadWhole()
  private(set) lazy var completionsReadByWindows = findCompletionsReadByWindows()

  /// What a relation is the only one of.
  enum RelationKey: Hashable {
    case live(RecordID)
    case facts(RecordID, Route, isTeam: Bool)
    case factDays(RecordID, Route, isTeam: Bool, filter: Expression?, entity: RecordID?)
    case linkPairs(LinkRoute)
    case linkEnds(LinkRoute)
    case unitProblems(LinkRoute)
    case bundleHabits
    case consents(AskedConsent)
    case identities
    case askedPersons
    case agreeing(String, [AskedConsent])
    case subjects(RecordID, [RecordID], isTeam: Bool)
    case days
    case shiftedDays(String, Offset)
    case chainDays(String, Int)
    case anchors(RecordID?, days: String)
    case shiftedAnchors(String, Offset)
    case appAnchors(String)
    case offsets(Int)
    case spine(String)
    case metric(MetricID, isTeam: Bool, Anchors)
    case windows(MetricID, isTeam: Bool, WindowMode, WindowPart)
    case weights(Int)
    case events(MetricID, EventSource, isTeam: Bool)
    case numbers(CompletionAggregate, isTeam: Bool, Anchors)
    case members(MetricID, RecordID, [FieldReference], isTeam: Bool)
  }

  init(library: Library, request: SQLRequest) {
    self.library = library
    self.request = request
    needs = DataNeeds(library: library, metrics: request.metrics)
    for record in needs.fields.keys {
      if let table = path(of: record).last { names.insert(table.lowercased()) }
    }
  }

  // MARK: Relations

  /// The relation of a key, defined by `query` where it is not there yet.
  func relation(
    _ key: RelationKey, named hint: String, columns: [String]? = nil, _ comment: String? = nil,
    _ query: () -> SQLQuery
  ) -> String {
    if let name = known[key] { return name }
    let name = define(hint, columns: columns, comment, query())
    known[key] = name
    return name
  }

  func isDefined(_ key: RelationKey) -> Bool { known[key] != nil }

  /// A new relation; its name is like `hint` and like no table or relation that is there.
  func define(
    _ hint: String, columns: [String]? = nil, _ comment: String?, _ query: SQLQuery
  ) -> String {
    let name = freeName(hint)
    definitions.append(SQLDefinition(name: name, columns: columns, comment: comment, query: query))
    return name
  }

  /// A new relation that needs no word.
  func define(_ hint: String, _ query: SQLQuery) -> String { define(hint, nil, query) }

  private func freeName(_ hint: String) -> String {
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

  // MARK: Names of the database

  func path(of record: RecordID) -> [String] { request.tables[record] ?? [library.records[record].name] }

  func stored(_ field: FieldReference, in alias: String) -> SQLExpression {
    .stored(
      relation: alias, name: request.columns[field] ?? library[field].name,
      library[field].type.storedType)
  }

  /// `habit_entry` for `HabitEntry`.
  func relationName(_ record: RecordID) -> String {
    var name = ""
    for character in library.records[record].name {
      if character.isUppercase, !name.isEmpty, name.last != "_" { name += "_" }
      name += character.lowercased()
    }
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
  var sqlType: SQLType {
    switch self {
    case .int, .decimal, .dayKey, .instant: .number
    case .bool: .bool
    case .text: .text
    }
  }
}
