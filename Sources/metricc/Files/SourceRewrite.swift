import MetricDiagnostics

/// Rewriting definitions in place.
enum SourceRewrite {
  /// Replaces the contents of a file, whole or not at all.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    guard FileStatus(path: path)?.kind == .file else {
      throw .unreadable("cannot write \(Quoting.quoted(path)): it is not a regular file")
    }
    let file = try AtomicFile(path: path, replacesInput: true)
    file.stream.write(bytes)
    try file.commit()
  }
}
