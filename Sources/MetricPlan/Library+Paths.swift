extension Library {
  /// The index of an entity by its name.
  package func entity(named name: String) -> RecordID? {
    records.firstIndex { $0.kind == .entity && $0.name == name }
  }

  /// All chains of references of the smallest length from a record to an entity, in the order of the
  /// fields; empty where none leads there, one empty chain where the record is the entity itself.
  package func shortestPaths(from record: RecordID, to entity: RecordID) -> [[FieldReference]] {
    if record == entity { return [[]] }
    return MetricPlan.shortestPaths(in: records, from: record, to: entity)
  }
}

/// All chains of at least one reference, of the smallest length, in the order of the fields.
///
/// Personal, stored and computed references lead nowhere.
package func shortestPaths(
  in records: [Record], from record: RecordID, to entity: RecordID
) -> [[FieldReference]] {
  var level: [(record: RecordID, path: [FieldReference])] = [(record, [])]
  var seen: Set<RecordID> = [record]
  while !level.isEmpty {
    var next: [(record: RecordID, path: [FieldReference])] = []
    for (current, path) in level {
      for (index, field) in records[current].fields.enumerated() {
        guard case .reference(let target) = field.type, field.computed == nil, !field.isPersonal,
          !field.isStored
        else { continue }
        next.append((target, path + [FieldReference(record: current, field: index)]))
      }
    }
    let found = next.filter { $0.record == entity }
    if !found.isEmpty { return found.map(\.path) }
    // Parallel references multiply; a few chains are enough to call a path ambiguous.
    level = Array(next.filter { !seen.contains($0.record) }.prefix(64))
    seen.formUnion(next.map(\.record))
  }
  return []
}
