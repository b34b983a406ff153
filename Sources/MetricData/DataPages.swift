extension Page {
  /// The codes of the readers and of evaluation.
  package static let data = read(String(decoding: PackageResources.pages_txt, as: UTF8.self))
}
