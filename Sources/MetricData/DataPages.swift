import MetricDiagnostics
import MetricValues

extension Page {
  /// The codes of the readers and of evaluation.
  package static let data = read(
    String(decoding: PackageResources.pages_txt, as: UTF8.self),
    inFull: [
      "D026": {
        #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "extra": "#
          + String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000) + "}"
      },
      "D027": {
        #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "note": ""#
          + String(repeating: "a", count: 17 << 20) + #""}"#
      },
      "D031": { nestedBundles },
    ])

  /// Nine bundles, each in the next, and a link to the outermost.
  private static let nestedBundles =
    """
    progress total { for goal  value contribution(HabitEntry through GoalLink) }
    test "bundles" {
      given Goal { id: "g" }
      given GoalLink { goalId: "g", bundleId: "b1", contribution: "count" }

    """
    + (1...9).map { number in
      "  given BundleMember { bundleId: \"b\(number)\", childBundleId: \"b\(number + 1)\" }\n"
    }.joined() + "  expect total for \"g\" at 2026-01-01 = 0\n}"
}
