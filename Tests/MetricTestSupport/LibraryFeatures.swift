/// What random libraries may contain beyond completions, streaks, momenta, progress, measures and
/// levels over facts.
package struct LibraryFeatures: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `first(c)`, `last(c)`, `count(c)`.
  package static let completionsAsNumbers = LibraryFeatures(rawValue: 1 << 0)
  /// `count(habit where done)`.
  package static let subjectsAsRows = LibraryFeatures(rawValue: 1 << 1)
  package static let funnels = LibraryFeatures(rawValue: 1 << 2)
  package static let retention = LibraryFeatures(rawValue: 1 << 3)
  /// `by FIELD`, `by cohort`.
  package static let groups = LibraryFeatures(rawValue: 1 << 4)
  /// `consent` lines and `at least K users`.
  package static let consent = LibraryFeatures(rawValue: 1 << 5)
  /// Completions in place of facts in funnels and retentions.
  package static let completionsAsFacts = LibraryFeatures(rawValue: 1 << 6)
  /// `contribution`, and aggregates through links.
  package static let links = LibraryFeatures(rawValue: 1 << 7)
  /// Literals near the limit of the range.
  package static let hugeNumbers = LibraryFeatures(rawValue: 1 << 8)

  package static let all: LibraryFeatures = [
    .completionsAsNumbers, .subjectsAsRows, .funnels, .retention, .groups, .consent, .completionsAsFacts,
    .links,
  ]
}
