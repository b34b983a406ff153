/// `approved "Ana" on 2026-06-30 meaning "1:3f1c27a09be4d856"`: who agreed to a meaning, and when.
package struct Approval: Hashable, Sendable {
  package var who: String
  package var day: DayKey
  /// The hash of the meaning that was approved, as written.
  package var meaning: String

  package var hash: MeaningHash { MeaningHash(meaning) }

  /// `Ana on 2026-06-30`
  package var text: String { "\(who) on \(day)" }
}

/// The hash of a meaning with the version of the normal form it was made of (MET-07): `1:3f1c27a09be4d856`. One without
/// a version is of the first form.
package struct MeaningHash: Hashable, Sendable {
  /// Counts up when the normal form changes, so that an approval under another one is not taken for a changed metric.
  package static let currentForm = 1

  package var form: Int
  package var digits: String

  package init(digits: String) { (form, self.digits) = (MeaningHash.currentForm, digits) }

  package init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    let written = parts.count == 2 ? Int(parts[0]) : nil
    (form, digits) = (written ?? 1, written == nil ? text : String(parts[1]))
  }

  /// As an `approved` clause has it.
  package var text: String { "\(form):\(digits)" }
}
