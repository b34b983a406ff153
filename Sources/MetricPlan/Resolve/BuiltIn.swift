/// The records that the language brings along, declared in the language itself.
package enum BuiltIn {
  /// The path under which findings show the built-in records.
  package static let path = "<built-in>"

  package static let source = String(decoding: PackageResources.builtin_metric, as: UTF8.self)
}
