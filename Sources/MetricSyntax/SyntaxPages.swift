import MetricDiagnostics

extension Page {
  /// The codes of the lexer and the parser.
  package static let syntax = read(String(decoding: PackageResources.pages_txt, as: UTF8.self))
}
