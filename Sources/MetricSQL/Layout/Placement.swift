/// Which relations are tables of their own because several results or tables read them, and where the others are
/// common table expressions. What is cheaper computed again than kept is one in each of its readers.
struct Placement<Result: Hashable> {
  enum Reader: Hashable {
    case result(Result)
    case table(String)
  }

  private let definitions: [SQLDefinition]
  private var homes: [String: Set<Reader>] = [:]

  /// With `splitsReaders`, what one reader reads more than once is a table too; with `scansTwice`, reading a
  /// relation's rows twice costs less than keeping them. The results are the last queries.
  init(
    _ definitions: [SQLDefinition], for results: [(result: Result, query: SQLQuery)], splitsReaders: Bool,
    scansTwice: Bool = false
  ) {
    self.definitions = definitions
    var (readers, uses): ([String: Set<Reader>], [String: Int]) = ([:], [:])
    func add(_ query: SQLQuery, readBy places: Set<Reader>, times: Int = 1) {
      for relation in query.relations {
        readers[relation, default: []].formUnion(places)
        uses[relation, default: 0] += times
      }
    }
    for (result, query) in results {
      // Spark computes rows a first time to find how to divide the order.
      add(query, readBy: [.result(result)], times: scansTwice && query.isOrdered ? 2 : 1)
    }
    // Readers come after what they read, so that going backwards, every reader is placed first.
    for definition in definitions.reversed() {
      guard let own = readers[definition.name] else { continue }
      let times = uses[definition.name, default: 0]
      let isDoneAgain = definition.query.isRenaming || scansTwice && times == 2 && definition.query.isRowByRow
      let isShared = !isDoneAgain && (own.count > 1 || splitsReaders && times > 1)
      let places = isShared ? [.table(definition.name)] : own
      homes[definition.name] = places
      add(definition.query, readBy: places, times: isShared ? 1 : times)
    }
  }

  /// The relations that are tables, each after those that it reads.
  var tables: [SQLDefinition] { definitions.filter { homes[$0.name] == [.table($0.name)] } }

  /// The common table expressions of a reader; a table's own is the last.
  func relations(of reader: Reader) -> [SQLDefinition] {
    definitions.filter { homes[$0.name]?.contains(reader) == true }
  }
}
