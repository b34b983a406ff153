import MetricDiagnostics
import MetricValues

extension Page {
  /// The codes of names and types.
  package static let resolution = read(
    String(decoding: PackageResources.resolve_pages_txt, as: UTF8.self),
    inFull: [
      "T034": {
        "measure m0 { for user  value count(Event) }\n"
          + (1...501).map { "measure m\($0) { for user  value m\($0 - 1) }" }.joined(separator: "\n")
      },
      "T036": {
        "funnel way {\n  for user\n"
          + (1...32).map { "  step s\($0) Event where name == \"\($0)\"\n" }.joined() + "}"
      },
    ])
}
