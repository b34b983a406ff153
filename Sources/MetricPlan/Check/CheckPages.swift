import MetricDiagnostics

extension Page {
  private static let checklist = Dictionary(
    uniqueKeysWithValues: read(String(decoding: PackageResources.check_pages_txt, as: UTF8.self)).map {
      ($0.code.id, $0)
    })

  /// The page of a rule of the checklist or of a warning.
  static func checklist(_ id: String) -> Page {
    guard let page = checklist[id] else {
      preconditionFailure("`Resources/check_pages.txt` has no page \(id)")
    }
    return page
  }
}
