import MetricPlan

/// Where numbers come from: the records with the fields that are read, the metrics, and what reads what.
///
/// Records come before metrics and a metric comes after those that it reads, so that every edge goes
/// from left to right.
public struct Lineage: Hashable, Sendable {
  /// A fact, an entity or a link.
  public struct Source: Hashable, Sendable {
    public var name: String
    /// `fact`, `entity` or `link`
    public var kind: String
    /// The fields that some metric of the lineage reads, in the order of the record.
    public var fields: [String]
  }

  /// A metric in the drawing.
  public struct Node: Hashable, Sendable {
    public var name: String
    public var kind: String
    public var subject: String
    /// `user` or `team`
    public var audience: String
    public var title: String?
    public var isAccepted: Bool
  }

  /// From a record or metric to a metric that reads it. A record's name starts with an upper-case letter and a metric's
  /// with a lower-case one, so names are enough to distinguish them.
  public struct Edge: Hashable, Sendable {
    public var from: String
    public var to: String
  }

  public var sources: [Source]
  public var metrics: [Node]
  public var edges: [Edge]

  /// The names given and everything that they read, directly or not; records too.
  public func ancestors(of names: [String]) -> Set<String> {
    closure(of: names, over: Dictionary(grouping: edges, by: \.to).mapValues { $0.map(\.from) })
  }

  /// The names given and everything that reads them, directly or not.
  public func descendants(of names: [String]) -> Set<String> {
    closure(of: names, over: Dictionary(grouping: edges, by: \.from).mapValues { $0.map(\.to) })
  }

  private func closure(of names: [String], over next: [String: [String]]) -> Set<String> {
    var found = Set(names)
    var waiting = names
    while let name = waiting.popLast() {
      for other in next[name] ?? [] where found.insert(other).inserted { waiting.append(other) }
    }
    return found
  }

  /// Only the nodes with these names, and the edges between them.
  public func restricted(to names: Set<String>) -> Lineage {
    Lineage(
      sources: sources.filter { names.contains($0.name) },
      metrics: metrics.filter { names.contains($0.name) },
      edges: edges.filter { names.contains($0.from) && names.contains($0.to) })
  }
}

extension MetricLibrary {
  /// Metrics that only serve others: without a title, and read by another metric.
  package var servingMetrics: Set<String> {
    let read = Set(plan.metrics.indices.flatMap { id in plan.reads(plan.metrics[id]).filter { $0 != id } })
    return Set(read.map { plan.metrics[$0] }.filter { $0.title == nil }.map(\.name))
  }

  /// The lineage of all metrics that have a plan.
  public var lineage: Lineage { lineage(of: Set(plan.metrics.indices)) }

  /// The lineage of some metrics alone: them and all that they read, with the fields of their own.
  public func lineage(of names: [String]) -> Lineage {
    lineage(of: plan.withRead(names.compactMap(plan.metric(named:))))
  }

  private func lineage(of ids: Set<MetricID>) -> Lineage {
    let summaries = Dictionary(metrics.map { ($0.name, $0) }) { first, _ in first }
    var lineage = Lineage(sources: [], metrics: [], edges: [])
    var fields: [RecordID: Set<Int>] = [:]
    for id in ids.sorted() {
      let metric = plan.metrics[id]
      lineage.metrics.append(
        Lineage.Node(
          name: metric.name, kind: metric.kind.rawValue, subject: plan.name(of: metric.subject),
          audience: metric.audience.rawValue, title: metric.title,
          isAccepted: summaries[metric.name]?.isAccepted ?? false))
      let leaves = plan.directReads(of: metric).leaves
      for leaf in leaves { fields[leaf.record, default: []].insert(leaf.field) }
      let records = Set(leaves.map(\.record)).sorted().map { plan.records[$0].name }
      let others = plan.reads(metric).sorted().map { plan.metrics[$0].name }
      lineage.edges += (records + others).map { Lineage.Edge(from: $0, to: metric.name) }
    }
    lineage.sources = fields.sorted { $0.key < $1.key }.map { id, fields in
      let record = plan.records[id]
      return Lineage.Source(
        name: record.name, kind: record.kind.rawValue, fields: fields.sorted().map { record.fields[$0].name })
    }
    return lineage
  }
}

extension Library {
  /// `habit`, or `app` for the whole dataset.
  func name(of subject: Subject) -> String { subject.entity.map { records[$0].subjectName } ?? "app" }
}
