/// The switch between light and dark, the filters, and the copy buttons: the pages are complete without them.
enum Script {
  /// The SHA-256 of the text in Base64, which a test computes: the pages' policy runs this script and no other.
  static let hash = "GTj8zp3iuEAWz84e7n8rfaO2wWfx49Ary8TDls2wCms="

  static let text = String(decoding: PackageResources.script_js, as: UTF8.self)
}
