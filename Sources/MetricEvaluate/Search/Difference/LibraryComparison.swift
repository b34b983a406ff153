/// How a metric changed, from the least severe on.
public enum ChangeLevel: String, CaseIterable, Sendable, Comparable {
  case equal
  /// Docs, title and the like, or only how it is written.
  case words
  case added
  /// The same under a new name.
  case renamed
  case removed
  /// A record asks something else of the data.
  case records
  /// Neither proved equal nor shown to differ.
  case unproved
  /// Subject, kind, parts, types, unit, audience or groups: what reads its rows has to change.
  case shape
  /// The same rows with other values.
  case meaning

  private var rank: Int { ChangeLevel.allCases.firstIndex(of: self) ?? 0 }

  public static func < (left: ChangeLevel, right: ChangeLevel) -> Bool { left.rank < right.rank }

  /// Whether somebody who uses the metric has to know.
  public var isBreak: Bool { self > .added }
}

/// Something about a metric that is not what it was.
public struct ChangeDetail: Hashable, Sendable {
  /// `subject`, `unit`, `when`
  public var what: String
  public var old: String
  public var new: String
  /// The possible consequence; empty if it is obvious.
  public var effect: String

  package init(_ what: String, _ old: String = "", _ new: String = "", _ effect: String = "") {
    (self.what, self.old, self.new, self.effect) = (what, old, new, effect)
  }
}

/// How the metrics of two libraries correspond, by what they mean.
package struct LibraryComparison {
  package struct Pair {
    package var old: MetricID?
    package var new: MetricID?
    /// Equal, added, renamed, removed, shape or meaning.
    package var level: ChangeLevel
    package var shape: [ChangeDetail] = []
    /// Whether the plan of the metric itself differs, not only that of one which it reads.
    package var isOwn = true
    /// Names of the metrics that it reads, itself, whose values may differ.
    package var through: [String] = []
  }

  /// By name, the new one where there is one.
  package private(set) var pairs: [Pair] = []

  private let old: Library
  private let new: Library
  private let records: RecordComparison
  private var oldForms: [Int] = []
  private var newForms: [Int] = []

  package init(old: Library, new: Library) {
    self.old = old
    self.new = new
    let records = RecordComparison(old: old, new: new)
    self.records = records
    var numbers: [ByteKey: Int] = [:]
    oldForms = LibraryComparison.forms(of: old, recordName: records.newName, &numbers)
    newForms = LibraryComparison.forms(of: new, recordName: { new.records[$0].name }, &numbers)
    let renamed = renames()
    var newOf: [MetricID: MetricID] = renamed
    for (id, metric) in old.metrics.enumerated() where newOf[id] == nil {
      newOf[id] = new.metric(named: metric.name)
    }
    let oldOf = Dictionary(newOf.map { ($1, $0) }, uniquingKeysWith: { one, _ in one })
    for id in old.metrics.indices {
      pairs.append(
        newOf[id].map { pair(id, $0, isRenamed: renamed[id] != nil, newOf) } ?? Pair(old: id, level: .removed)
      )
    }
    for id in new.metrics.indices where oldOf[id] == nil { pairs.append(Pair(new: id, level: .added)) }
    let names = pairs.map { pair in
      ByteKey(pair.new.map { new.metrics[$0].name } ?? pair.old.map { old.metrics[$0].name } ?? "")
    }
    pairs = pairs.indices.sorted { names[$0] < names[$1] }.map { pairs[$0] }
  }

  /// The records whose contract is another one.
  package var recordChanges: [RecordChange] { records.changes }

  /// New names by old ones, of metrics and of records.
  package var newNames: [String: String] {
    var names: [String: String] = [:]
    for pair in pairs {
      guard let one = pair.old, let other = pair.new else { continue }
      let (before, after) = (old.metrics[one].name, new.metrics[other].name)
      if before != after { names[before] = after }
    }
    for (one, other) in records.renamed {
      names[old.records[one].name] = new.records[other].name
      names[old.records[one].subjectName] = new.records[other].subjectName
    }
    return names
  }

  /// The form of each metric as a number, equal for equal forms. A metric comes after those it reads.
  private static func forms(
    of library: Library, recordName: @escaping (RecordID) -> String, _ numbers: inout [ByteKey: Int]
  ) -> [Int] {
    var forms: [Int] = []
    let values = NormalForm.values(of: library)
    for (id, metric) in library.metrics.enumerated() {
      let form = NormalForm(
        library: library, values: values, recordName: recordName, reference: { [forms] in "#\(forms[$0])" })
      let text = ByteKey(form.text(of: metric, id: id))
      let number = numbers[text] ?? numbers.count
      numbers[text] = number
      forms.append(number)
    }
    return forms
  }

  /// Old names that are gone, each with a new one of the same plan and shape.
  private func renames() -> [MetricID: MetricID] {
    var free = new.metrics.indices.filter { old.metric(named: new.metrics[$0].name) == nil }
    var renamed: [MetricID: MetricID] = [:]
    for (id, metric) in old.metrics.enumerated() where new.metric(named: metric.name) == nil {
      let candidates = free.filter {
        newForms[$0] == oldForms[id] && shapeDetails(metric, new.metrics[$0]).isEmpty
      }
      let alike = candidates.first { new.metrics[$0].doc == metric.doc && metric.doc != nil }
      guard let match = alike ?? candidates.first else { continue }
      renamed[id] = match
      free.removeAll { $0 == match }
    }
    return renamed
  }

  private func pair(
    _ one: MetricID, _ other: MetricID, isRenamed: Bool, _ newOf: [MetricID: MetricID]
  ) -> Pair {
    let shape = shapeDetails(old.metrics[one], new.metrics[other])
    let isSame = oldForms[one] == newForms[other]
    let level: ChangeLevel =
      !shape.isEmpty ? .shape : !isSame ? .meaning : isRenamed ? .renamed : .equal
    var pair = Pair(old: one, new: other, level: level, shape: shape, isOwn: !shape.isEmpty)
    if isSame { return pair }
    // The plan itself, where what it reads is called by its new name.
    func newName(_ id: MetricID) -> String? { newOf[id].map { new.metrics[$0].name } }
    let before = NormalForm(
      library: old, recordName: records.newName, reference: { newName($0) ?? "-\(old.metrics[$0].name)" })
    let after = NormalForm(
      library: new, recordName: { new.records[$0].name }, reference: { new.metrics[$0].name })
    let isAlike = before.text(of: old.metrics[one], id: one)
      .hasSameBytes(as: after.text(of: new.metrics[other], id: other))
    if !isAlike { pair.isOwn = true }
    pair.through = old.metrics[one].body.reads.filter { read in
      newOf[read].map { oldForms[read] != newForms[$0] } ?? true
    }.map { newName($0) ?? old.metrics[$0].name }.sorted()
    return pair
  }

  private func shapeDetails(_ one: Metric, _ other: Metric) -> [ChangeDetail] {
    let before = old.shape(of: one, recordName: records.newName)
    let after = new.shape(of: other) { new.records[$0].name }
    return zip(before, after).filter { $0.text != $1.text }.map { ChangeDetail($0.what, $0.text, $1.text) }
  }
}
