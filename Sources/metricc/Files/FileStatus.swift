import Foundation

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

  /// Nil where nothing is there or it may not be examined; `errno` says why.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
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
