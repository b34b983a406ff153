/// Which ids lead to which, as live links say it: bundles that hold bundles, names of a person. Ids are numbers of the
/// string pool.
///
/// No function here recurses: a dataset can nest bundles as deeply as it likes.
struct LinkGraph {
  struct Edge {
    var child: Int32
    /// The link that says so.
    var row: Int
  }

  /// By row.
  let parents: [Int32]
  /// By parent, in the order of the rows.
  private(set) var children: [Int32: [Edge]] = [:]
  /// The habits that are members of a bundle themselves.
  private(set) var habits: [Int32: [Int32]] = [:]
  /// By id that leads into no cycle: of how many ids its longest chain is, itself included.
  private(set) var depths: [Int32: Int] = [:]
  /// In the order in which links first name them.
  private var nodes: [Int32] = []

  init(_ table: LoadedTable, parent: FieldReference, child: FieldReference, habit: FieldReference? = nil) {
    parents = table.texts(parent.field) ?? []
    var seen: Set<Int32> = []
    for row in parents.indices where parents[row] >= 0 && table.isLive(row) {
      let parent = parents[row]
      if seen.insert(parent).inserted { nodes.append(parent) }
      if let habit = habit.flatMap({ table.cell($0.field, row) }) {
        habits[parent, default: []].append(Int32(truncatingIfNeeded: habit))
      }
      guard let cell = table.cell(child.field, row) else { continue }
      let child = Int32(truncatingIfNeeded: cell)
      children[parent, default: []].append(Edge(child: child, row: row))
      if seen.insert(child).inserted { nodes.append(child) }
    }
    // From the ids without children upwards; what is never reached leads into a cycle.
    var above: [Int32: [Int32]] = [:]
    var waiting: [Int32: Int] = [:]
    for (parent, edges) in children {
      waiting[parent] = edges.count
      for edge in edges { above[edge.child, default: []].append(parent) }
    }
    var ready = nodes.filter { waiting[$0] == nil }
    for node in ready { depths[node] = 1 }
    while let node = ready.popLast() {
      for parent in above[node] ?? [] {
        waiting[parent, default: 0] -= 1
        guard waiting[parent] == 0 else { continue }
        depths[parent] = 1 + (children[parent] ?? []).map { depths[$0.child] ?? 0 }.reduce(0, max)
        ready.append(parent)
      }
    }
  }

  /// The edges of circles, each circle once. Cycles that share an edge are reported one at a time.
  func circles() -> [[Edge]] {
    var circles: [[Edge]] = []
    var done: Set<Int32> = []
    for start in nodes where depths[start] == nil && !done.contains(start) {
      // Each of these has a child that leads into a cycle, so the walk meets itself or what is done.
      var path: [Int32: Int] = [:]
      var edges: [Edge] = []
      var node = start
      while !done.contains(node), path[node] == nil {
        path[node] = edges.count
        guard let edge = (children[node] ?? []).first(where: { depths[$0.child] == nil }) else { break }
        edges.append(edge)
        node = edge.child
      }
      if let first = path[node], !done.contains(node), first < edges.count {
        circles.append(Array(edges[first...]))
      }
      done.formUnion(path.keys)
    }
    return circles
  }

  /// The longest chain of each id that leads too far and that no other such id leads to.
  func chainsThatAreTooDeep(_ deepest: Int) -> [[Edge]] {
    let tooDeep = nodes.filter { depths[$0, default: 0] > deepest }
    let held = Set(tooDeep.flatMap { children[$0] ?? [] }.map(\.child))
    return tooDeep.filter { !held.contains($0) }.map { top in
      var chain: [Edge] = []
      var node = top
      func isShallower(_ one: Edge, _ other: Edge) -> Bool {
        (depths[one.child, default: 0], other.row) < (depths[other.child, default: 0], one.row)
      }
      while let longest = children[node]?.max(by: isShallower) {
        chain.append(longest)
        node = longest.child
      }
      return chain
    }
  }

  /// All habits of a bundle, each once, in rising order; none if it leads into a cycle.
  func allHabits(of bundle: Int32) -> [Int32] {
    guard depths[bundle] != nil else { return [] }
    var found: Set<Int32> = []
    var seen: Set<Int32> = [bundle]
    var open = [bundle]
    while let next = open.popLast() {
      found.formUnion(habits[next] ?? [])
      for edge in children[next] ?? [] where seen.insert(edge.child).inserted { open.append(edge.child) }
    }
    return found.sorted()
  }
}
