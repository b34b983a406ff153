import MetricEvaluate

/// Which metrics show ids of users, by the types of what they read.
package struct UserIDs: Sendable {
  /// Metrics with groups that are ids of users.
  package let groups: Set<String>
  /// Metrics with values that are.
  package let values: Set<String>

  /// The rows with other texts in place of ids of users in groups and values.
  package func replacing(in rows: [ResultRow], _ name: (String) -> String) -> [ResultRow] {
    guard !groups.isEmpty || !values.isEmpty else { return rows }
    return rows.map { row in
      var row = row
      if groups.contains(row.metric), !row.group.isEmpty { row.group = GroupKey(row.group.fields.map(name)) }
      if case .text(let id) = row.value, values.contains(row.metric) { row.value = .text(name(id)) }
      return row
    }
  }
}

extension MetricLibrary {
  package var userIDs: UserIDs {
    UserIDs(
      groups: Set(plan.metrics.filter { plan.showsUsers($0).groups }.map(\.name)),
      values: Set(plan.metrics.filter { plan.showsUsers($0).values }.map(\.name)))
  }
}
