/// How the contract of a record changed: what data has to look like, and what that promises.
package struct RecordChange: Hashable, Sendable {
  package var oldName: String?
  package var newName: String?
  package var details: [ChangeDetail]
  /// Names of the metrics that read the record, old and new.
  package var readers: [String]
}

struct RecordComparison {
  let old: Library
  let new: Library
  /// Old records that are gone, each with a new one of the same kind and fields.
  let renamed: [RecordID: RecordID]

  init(old: Library, new: Library) {
    self.old = old
    self.new = new
    var free = new.records.indices.filter { old.record(named: new.records[$0].name) == nil }
    var renamed: [RecordID: RecordID] = [:]
    for (id, record) in old.records.enumerated() where new.record(named: record.name) == nil {
      let match = free.first {
        new.records[$0].kind == record.kind
          && new.records[$0].fields.map(\.name) == record.fields.map(\.name)
      }
      guard let match else { continue }
      renamed[id] = match
      free.removeAll { $0 == match }
    }
    self.renamed = renamed
  }

  func newName(of id: RecordID) -> String {
    renamed[id].map { new.records[$0].name } ?? old.records[id].name
  }

  /// The records whose contract is another one. New records ask nothing of the data that is there.
  var changes: [RecordChange] {
    old.records.enumerated().compactMap { id, record in
      guard let match = renamed[id] ?? new.record(named: record.name) else {
        return change(record, nil, [ChangeDetail("record", record.name, "", "its data is no longer read")])
      }
      let details = self.details(record, new.records[match])
      return details.isEmpty ? nil : change(record, new.records[match], details)
    }
  }

  private func change(_ one: Record, _ other: Record?, _ details: [ChangeDetail]) -> RecordChange {
    func readers(_ library: Library, _ name: String) -> [String] {
      guard let record = library.record(named: name) else { return [] }
      let reads = DataNeeds(library: library, metrics: Array(library.metrics.indices)).reads
      return library.metrics.indices.filter { reads[$0]?.contains(record) == true }.map {
        library.metrics[$0].name
      }
    }
    let names = readers(old, one.name) + (other.map { readers(new, $0.name) } ?? [])
    return RecordChange(
      oldName: one.name, newName: other?.name, details: details, readers: Set(names).sorted())
  }

  private func yes(_ flag: Bool) -> String { flag ? "yes" : "no" }

  private func details(_ one: Record, _ other: Record) -> [ChangeDetail] {
    var compared = [
      ChangeDetail("name", one.name, other.name, "data files and tables need the new name"),
      ChangeDetail(
        "kind", one.kind.rawValue, other.kind.rawValue, "its references and what it counts for change"),
      ChangeDetail(
        "setting", yes(one.isSetting), yes(other.isSetting), "question C4 covers behaviour, not settings"),
      ChangeDetail(
        "consent", one.consent?.text ?? "none", other.consent?.text ?? "none",
        "team metrics count the facts of other people"),
    ]
    for field in one.fields {
      compared +=
        other.field(named: field.name).map { comparison(field, other.fields[$0]) }
        ?? [ChangeDetail(field.name, type(of: field, old), "", "the column is no longer read")]
    }
    for field in other.fields where one.field(named: field.name) == nil && field.computed == nil {
      let effect = field.isOptional ? "nothing for data without it" : "records without it are now malformed"
      compared.append(ChangeDetail(field.name, "", type(of: field, new), effect))
    }
    return compared.filter { $0.old != $0.new }
  }

  /// `Decimal? min 0`, `= greatest(endPage - startPage, 0)`
  private func type(of field: Field, _ library: Library) -> String {
    String(library.declaredType(of: field).trimmingPrefix(": "))
  }

  private func comparison(_ one: Field, _ other: Field) -> [ChangeDetail] {
    let name = one.name
    var compared: [ChangeDetail] = []
    if !isSame(one.type, other.type) || (one.computed == nil) != (other.computed == nil) {
      compared.append(
        ChangeDetail(name, type(of: one, old), type(of: other, new), typeEffect(one.type, other.type)))
    }
    if one.computed == nil, other.computed == nil {
      func word(_ field: Field) -> String { field.isOptional ? "optional" : "required" }
      compared.append(
        ChangeDetail(
          name, word(one), word(other),
          other.isOptional
            ? "it may now be missing: what reads it can be none" : "records without it are now malformed"))
    }
    let isLooser = other.minimum.map { new in one.minimum.map { new < $0 } ?? false } ?? true
    return compared + [
      ChangeDetail(
        "\(name) min", one.minimum?.description ?? "none", other.minimum?.description ?? "none",
        isLooser
          ? "smaller numbers now load: sums may fall, and proofs that used the promise no longer hold"
          : "records with a smaller number are now malformed"),
      ChangeDetail("\(name) stored", yes(one.isStored), yes(other.isStored), "whether metrics may read it"),
      ChangeDetail("\(name) pii", yes(one.isPersonal), yes(other.isPersonal), "whether metrics may read it"),
      ChangeDetail(
        "\(name) tombstone", yes(one.isTombstone), yes(other.isTombstone), "which records are live"),
    ]
  }

  private func typeEffect(_ one: FieldType, _ other: FieldType) -> String {
    let wider = "values that were malformed now load"
    let narrower = "records that loaded may now be malformed"
    return switch (one, other) {
    case (.int, .decimal), (.choice, .text), (.id, .text): wider
    case (.decimal, .int), (.text, .choice): narrower
    case (.choice(let before), .choice(let after)):
      Set(before).isSubset(of: after) ? "\(wider): no condition names the new ones yet" : narrower
    default: "the values mean something else"
    }
  }

  /// Whether two types are one, where a renamed record is the same.
  private func isSame(_ one: FieldType, _ other: FieldType) -> Bool {
    if case .reference(let before) = one, case .reference(let after) = other {
      return newName(of: before) == new.records[after].name
    }
    return one == other
  }
}
