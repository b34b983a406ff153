import Foundation

/// A file that appears whole or not at all: it is written beside its place and moved there at the end.
///
///     let file = try AtomicFile(path: "rows.csv")
///     file.stream.write("metric,subject\n")
///     try file.commit()
///
/// A link keeps pointing where it points, and a file keeps its permissions. Where the path is a
/// device or a pipe (`/dev/null`), the bytes go straight there.
final class AtomicFile {
  let stream: BufferedOutput
  private let path: String
  private let descriptor: Int32
  /// Where the bytes stand until the end; nil for a device or a pipe.
  private var temporary: String?
  /// By what an interruption finds it.
  private var slot: Int?
  /// Where they go: the path behind links.
  private let target: String

  init(path: String) throws(CommandFailure) {
    self.path = path
    let status = FileStatus(path: path)
    switch status?.kind {
    case .directory: throw .unreadable(SystemError.cannotWrite(path, EISDIR))
    case .other:
      target = path
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    case .file, nil:
      target = AtomicFile.resolved(path)
      let temporary = AtomicFile.temporaryPath(beside: target)
      slot = Interruption.remember(temporary)
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { self.temporary = temporary }
    }
    guard descriptor >= 0 else {
      let error = errno
      if let slot { Interruption.forget(slot) }
      throw .unreadable(SystemError.cannotWrite(path, error))
    }
    if let status, temporary != nil { fchmod(descriptor, status.permissions) }
    stream = BufferedOutput(descriptor: descriptor, name: Quoting.quoted(path))
  }

  deinit {
    close(descriptor)
    if let temporary { unlink(temporary) }
    if let slot { Interruption.forget(slot) }
  }

  /// Writes what is left and moves the file to its place. Without it the file is removed.
  func commit() throws(CommandFailure) {
    try stream.finish()
    guard let temporary else { return }
    guard fsync(descriptor) == 0, rename(temporary, target) == 0 else {
      throw .unreadable(SystemError.cannotWrite(path))
    }
    self.temporary = nil
  }

  /// The path behind links; the path itself where nothing is there yet.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// `.rows.csv.4711.tmp` in the same folder, so that moving is one step.
  private static func temporaryPath(beside target: String) -> String {
    let name = target.split(separator: "/").last.map(String.init) ?? "output"
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    return "\(folder).\(name).\(getpid()).tmp"
  }
}
