import MetricPlan

/// Bundles resolved to their habits (LINK-02, LINK-05): nested at most 8 deep, each habit once.
struct Bundles {
  /// By number of the bundle: the numbers of its habits, rising, each once.
  private(set) var habits: [Int: [Int32]] = [:]

  private var children: [Int: [Int]] = [:]
  private var own: [Int: [Int32]] = [:]
  private let name: (Int) -> String

  /// No bundles at all.
  init() {
    name = { String($0) }
  }

  /// - Throws: `bundleCycle` and `bundleTooDeep`, for bundles in the order of their ids.
  init(dataset: Dataset, fields: BundleFields) throws(EvaluationError) {
    guard let bundle = dataset.library.target(of: fields.bundle),
      let habit = dataset.library.target(of: fields.habit)
    else {
      name = { String($0) }
      return
    }
    let bundles = dataset.space(bundle)
    let habitSpace = dataset.space(habit)
    let pool = dataset.pool
    name = { pool.string(bundles.ids[$0]) }
    let table = dataset.table(fields.record)
    for row in 0..<table.rowCount where table.isLive(row) {
      guard let id = table.cell(fields.bundle.field, row), let parent = bundles.number(ofPool: id) else {
        continue
      }
      if let member = table.cell(fields.habit.field, row), let number = habitSpace.number(ofPool: member) {
        own[parent, default: []].append(Int32(number))
      }
      if let member = table.cell(fields.child.field, row), let number = bundles.number(ofPool: member) {
        children[parent, default: []].append(number)
      }
    }
    for parent in 0..<bundles.count where own[parent] != nil || children[parent] != nil {
      var chain: [Int] = []
      habits[parent] = try resolve(parent, chain: &chain)
    }
  }

  private mutating func resolve(_ bundle: Int, chain: inout [Int]) throws(EvaluationError) -> [Int32] {
    if let start = chain.firstIndex(of: bundle) {
      throw .bundleCycle((chain[start...] + [bundle]).map(name))
    }
    chain.append(bundle)
    guard chain.count <= BundleFields.deepest else { throw .bundleTooDeep(chain.map(name)) }
    var found = Set(own[bundle] ?? [])
    for child in (children[bundle] ?? []).sorted() {
      found.formUnion(try resolve(child, chain: &chain))
    }
    chain.removeLast()
    return found.sorted()
  }
}
