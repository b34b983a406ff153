/// What the pages do beyond being read: the switch between light and dark, the filter of the index, and the
/// buttons that copy a statement.
/// Without it everything is still there.
enum Script {
  /// The SHA-256 of the text in Base64: the pages' policy runs this script and no other. A test
  /// computes it.
  static let hash = "eLkuVG2uXFs4Xclwo3zZ9aRdtilB/visBuj8rWNAK2k="

  static let text = String(decoding: PackageResources.script_js, as: UTF8.self)
}
