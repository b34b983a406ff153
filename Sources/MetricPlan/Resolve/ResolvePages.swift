import MetricDiagnostics

extension Page {
  /// The codes of names and types.
  package static let resolution = read(String(decoding: PackageResources.resolve_pages_txt, as: UTF8.self))
}
