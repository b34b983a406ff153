import Foundation

/// A file that appears whole or not at all: it is written beside its place and moved there at the end.
///
/// A link keeps pointing where it points, and a file keeps its permissions. Where the path is a
/// device, a pipe or what the run has open already (`/dev/null`, `/dev/stdout`), the bytes go straight there. A file
/// that the run reads is not written over.
final class AtomicFile {
  let stream: BufferedOutput
  private let path: String
  private let descriptor: Int32
  /// Where the bytes are until the end; nil for a device or a pipe.
  private var temporary: String?
  /// By what an interruption finds it.
  private var slot: Int?
  /// Where they go: the path that links lead to.
  private let target: String

  /// - Parameter replacesInput: whether the file may be one that the run has read.
  init(path: String, replacesInput: Bool = false) throws(CommandFailure) {
    self.path = path
    let status = FileStatus(path: path)
    let opened = AtomicFile.openDescriptor(path)
    switch (opened, status?.kind) {
    case (let opened?, _):
      target = path
      // It may be a log that others append to.
      descriptor = fcntl(opened, F_DUPFD_CLOEXEC, 0)
    case (nil, .directory): throw .unreadable(SystemError.cannotWrite(path, EISDIR))
    case (nil, .other):
      target = path
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    case (nil, .file), (nil, nil):
      if !replacesInput, let input = status.flatMap({ RunInputs.path(of: $0.identity) }) {
        throw .usage(
          "\(path.quoted) would be overwritten, and this run reads it as \(input.quoted); name another file"
        )
      }
      let target = AtomicFile.resolved(path)
      self.target = target
      // `.rows.csv.4711.tmp` in the same folder, so that moving is one step.
      let name = target.split(separator: "/").last.map(String.init) ?? "output"
      let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
      let temporary = "\(folder).\(name).\(getpid()).tmp"
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
    stream = BufferedOutput(descriptor: descriptor, name: path.quoted)
  }

  static func write(
    _ bytes: some Sequence<UInt8>, to path: String, replacesInput: Bool = false
  ) throws(CommandFailure) {
    let file = try AtomicFile(path: path, replacesInput: replacesInput)
    file.stream.write(bytes)
    try file.commit()
  }

  /// Whether nothing appears before `commit`.
  var isAtomic: Bool { temporary != nil }

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

  /// The path that links lead to; the path itself if nothing is there yet.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The open file that a path such as `/dev/stdout` or `/dev/fd/3` stands for, however many links lead there.
  private static func openDescriptor(_ path: String) -> Int32? {
    var path = path
    for _ in 0..<32 {
      if let standard = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].firstIndex(of: path) {
        return Int32(standard)
      }
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.count))
      }
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return nil }
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      path = next.hasPrefix("/") ? next : folder + next
    }
    return nil
  }
}
