import Foundation
import Synchronization

/// What a path leads to; symbolic links are followed.
struct FileStatus {
  enum Kind: Hashable {
    case directory, file
    /// A pipe, a terminal, a device.
    case other
  }

  /// Tells two paths of one file apart from two files.
  struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  var kind: Kind
  var identity: Identity
  var size: Int
  var permissions: mode_t
  /// When the contents changed last, in nanoseconds: to notice that they did, and for nothing else.
  var modified: Int64

  /// Nil if nothing is there or it may not be examined; `errno` says why.
  init?(path: String) { self.init { stat(path, $0) } }

  init?(descriptor: Int32) { self.init { fstat(descriptor, $0) } }

  private init?(_ read: (UnsafeMutablePointer<stat>) -> Int32) {
    var status = stat()
    guard read(&status) == 0 else { return nil }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: .directory
      case S_IFREG: .file
      default: .other
      }
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int(status.st_size)
    permissions = status.st_mode & 0o777
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

enum Folder {
  /// All names but hidden ones, in the order of their bytes.
  static func names(in path: String) throws(CommandFailure) -> [String] {
    guard let stream = opendir(path) else { throw .unreadable(SystemError.cannotRead(path)) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted(by: bytesPrecede)
  }

  /// Makes a folder, and those that it is in.
  static func make(_ path: String, named name: String? = nil) throws(CommandFailure) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .unreadable(SystemError.cannotWrite(name ?? path))
    }
  }

  /// The order of UTF-8 bytes, whatever the language of the machine.
  static func bytesPrecede(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// The path of a name in a folder; the folder `.` is left out.
  static func join(_ folder: String, _ name: String) -> String {
    if folder == "." || folder == "./" { return name }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// What follows the last dot of a path's last part; nil without one.
  static func fileExtension(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return String(name[name.index(after: dot)...])
  }
}

/// The files that this run reads, none of which it may write over.
///
/// They are kept as paths and examined when something is written: a file that is gone is no longer an input.
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

/// Errors of system calls as people read them.
enum SystemError {
  /// `No such file or directory`.
  static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// `cannot read `x`: No such file or directory`, with the error of the last call.
  static func cannotRead(_ path: String, _ number: Int32 = errno) -> String {
    "cannot read \(path.quoted): \(text(number))"
  }

  static func cannotWrite(_ path: String, _ number: Int32 = errno) -> String {
    "cannot write \(path.quoted): \(text(number))"
  }
}
