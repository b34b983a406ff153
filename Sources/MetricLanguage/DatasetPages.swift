import MetricDiagnostics

extension Page {
  /// What only `check --data` looks for.
  static let dataset = read(String(decoding: PackageResources.pages_txt, as: UTF8.self))
}
