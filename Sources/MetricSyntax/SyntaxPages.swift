import MetricDiagnostics

extension Page {
  /// The codes of the lexer and the parser.
  package static let syntax = read(
    String(decoding: PackageResources.pages_txt, as: UTF8.self),
    inFull: [
      "S019": {
        let nested = String(repeating: "(", count: 120) + "1" + String(repeating: ")", count: 120)
        return "measure points { for user  value \(nested) }"
      },
      "S038": { "measure visits { for user  value count(Event) + 1\(String(repeating: "0", count: 70)) }" },
    ])
}
