/// Which relations are tables of their own because several results or tables read them, and where the others are
/// common table expressions.
struct Placement<Result: Hashable> {
  enum Reader: Hashable {
    case result(Result)
    /// A relation that is a table.
    case table(String)
  }

  private let definitions: [SQLDefinition]
  private var home: [String: Reader] = [:]

  /// - Parameters:
  ///   - results: the last queries, each with what it is the result of.
  ///   - splitsReaders: whether what one reader reads more than once is a table too.
  init(
    _ definitions: [SQLDefinition], for results: [(result: Result, query: SQLQuery)], splitsReaders: Bool
  ) {
    self.definitions = definitions
    var readers: [String: Set<Reader>] = [:]
    var uses: [String: Int] = [:]
    func add(_ query: SQLQuery, readBy reader: Reader) {
      for relation in query.relations {
        readers[relation, default: []].insert(reader)
        uses[relation, default: 0] += 1
      }
    }
    for (result, query) in results { add(query, readBy: .result(result)) }
    // Readers stand behind what they read, so that backwards every reader has its place first.
    for definition in definitions.reversed() {
      guard let own = readers[definition.name] else { continue }
      let isShared = own.count > 1 || splitsReaders && uses[definition.name, default: 0] > 1
      let place = isShared ? .table(definition.name) : own.first ?? .table(definition.name)
      home[definition.name] = place
      add(definition.query, readBy: place)
    }
  }

  /// The relations that are tables, each behind those that it reads.
  var tables: [SQLDefinition] { definitions.filter { home[$0.name] == .table($0.name) } }

  /// The common table expressions of a reader; a table's own is the last.
  func relations(of reader: Reader) -> [SQLDefinition] { definitions.filter { home[$0.name] == reader } }
}
