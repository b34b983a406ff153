/// What the pages do beyond being read: the switch between light and dark, the filters of the index and of groups,
/// and the buttons that copy a statement.
/// Without it everything is still there.
enum Script {
  /// The SHA-256 of the text in Base64: the pages' policy runs this script and no other. A test
  /// computes it.
  static let hash = "xx8C1B1cIhNgW32dERFPqsdgXZhU0S7+4rx4fbKmmr0="

  static let text = String(decoding: PackageResources.script_js, as: UTF8.self)
}
