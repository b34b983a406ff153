/// What metrics mean, as hashes (MET-07).
///
/// A meaning is a metric's shape and its normal form, the one by which two versions of a library are compared: every way to
/// write the same has one hash, and so has a metric under another name. A metric that is read is
/// represented by its own hash.
package struct Meanings {
  private let library: Library
  /// What stands for measures that are read, as far as it was asked for.
  private var values: [MetricID: Expression] = [:]
  private var valued: Set<MetricID> = []
  private lazy var declarations = Dictionary(grouping: library.metrics.indices) { [library] in
    library.metrics[$0].declaration
  }
  /// The hashes of metrics by themselves, as far as they were asked for.
  package private(set) var known: [MetricID: String]

  /// - Parameter known: of metrics of which a library of the same records knew them.
  package init(_ library: Library, known: [MetricID: String] = [:]) {
    self.library = library
    self.known = known
  }

  /// The hash of what a metric means: the first 16 hexadecimal digits of a SHA-256. The metrics of a family, which are one
  /// declaration, have one.
  package mutating func hash(of id: MetricID) -> MeaningHash {
    let own = (declarations[library.metrics[id].declaration] ?? [id]).map { hash(ofOne: $0) }
    return MeaningHash(digits: own.count == 1 ? own[0] : SHA256.prefix(of: own.joined(separator: "\n")))
  }

  private mutating func hash(ofOne id: MetricID) -> String {
    if let known = known[id] { return known }
    let metric = library.metrics[id]
    for read in library.reads(metric) { _ = hash(ofOne: read) }
    // A metric comes after those that it reads.
    for read in library.withRead([id]).subtracting(valued).sorted() where read != id {
      valued.insert(read)
      values[read] = NormalForm.value(of: read, in: library, values)
    }
    let form = NormalForm(
      library: library, values: values, recordName: { [library] in library.records[$0].name },
      reference: { [known] in known[$0] ?? "" })
    let shape = library.shape(of: metric) { [library] in library.records[$0].name }
    let lines = shape.map { "\($0.what) \($0.text)" } + [form.text(of: metric, id: id)]
    let hash = SHA256.prefix(of: "\(MeaningHash.currentForm)\n" + lines.joined(separator: "\n"))
    known[id] = hash
    return hash
  }
}

extension Library {
  /// What whoever reads a metric's rows depends on.
  func shape(of metric: Metric, recordName: (RecordID) -> String) -> [(what: String, text: String)] {
    let grouping = grouping(of: metric)
    let groups = grouping.map { field in
      // Several have a column each, named after the field, in this order.
      if grouping.count > 1 { return "\(field.name): \(field.type.name)" }
      return switch field {
      case .cohort(let unit): "cohort \(unit.name)"
      case .field(_, _, let type): "field of type \(type.name)"
      case .metric(_, let reference, _): "metric of type \(reference.type.name)"
      }
    }
    let parts = metric.parts.map { "\($0.name.isEmpty ? "value" : $0.name): \($0.type.name)" }
    func list(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: ", ") }
    return [
      ("kind", metric.kind.rawValue), ("subject", metric.subject.entity.map(recordName) ?? "app"),
      ("parts", list(parts)), ("unit", metric.unit ?? "none"), ("audience", metric.audience.rawValue),
      ("groups", list(groups)), ("slices", list(metric.slices.map(\.name))),
    ]
  }
}
