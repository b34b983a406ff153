import Synchronization

/// The files that this run reads, none of which it may write over.
///
/// They are kept as paths and examined when something is written: a file that is gone is no input any more.
enum RunInputs {
  private static let paths = Mutex<Set<String>>([])

  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// The path under which the file is read; nil where it is not.
  static func path(of file: FileStatus.Identity) -> String? {
    paths.withLock { $0 }.sorted(by: Folder.bytesPrecede).first { path in
      FileStatus(path: path).map { $0.kind == .file && $0.identity == file } ?? false
    }
  }
}
