/// A link named `Identity`: of the two ids of one entity, the first is another name of the second (REC-13).
package struct IdentityLink: Hashable, Sendable {
  package var record: RecordID
  package var entity: RecordID
  package var alias: FieldReference
  package var target: FieldReference

  /// The most links in a row.
  package static let longestChain = 16
}

extension Library {
  /// The library's `Identity`, where it declares one.
  package var identity: IdentityLink? {
    guard let record = record(named: "Identity"), records[record].kind == .link else { return nil }
    let ends = records[record].references
    guard ends.count == 2, case .reference(let entity) = records[record].fields[ends[0]].type,
      records[record].fields[ends[1]].type == .reference(entity)
    else { return nil }
    return IdentityLink(
      record: record, entity: entity, alias: FieldReference(record: record, field: ends[0]),
      target: FieldReference(record: record, field: ends[1]))
  }

  /// The fields of a record that hold ids of the entity that `Identity` merges.
  package func mergedFields(of record: RecordID) -> [Int] {
    guard let identity, record != identity.record else { return [] }
    let own = record == identity.entity ? records[record].idField : nil
    return references(from: record, to: identity.entity) + [own].compactMap { $0 }
  }
}

extension Record {
  /// The fields that refer to an entity.
  package var references: [Int] {
    fields.indices.filter {
      if case .reference = fields[$0].type { fields[$0].computed == nil } else { false }
    }
  }
}
