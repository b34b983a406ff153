import Foundation
import Synchronization

/// What is done where a signal ends the process: files that are being written go away, and a file that was
/// cut short under a mapping is an error of the input like any other.
///
/// A signal handler may neither allocate nor take a lock; it looks at memory that is made beforehand.
enum Interruption {
  /// How many files at once can be remembered; more would only stay behind.
  private static let slotCount = 256
  private nonisolated(unsafe) static let paths = {
    let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: slotCount)
    paths.initialize(repeating: nil, count: slotCount)
    return paths
  }()
  private static let lock = Mutex<Void>(())
  /// Whether the end has to wait, and whether one has been requested meanwhile.
  private nonisolated(unsafe) static var isHeld = false
  private nonisolated(unsafe) static var pending: Int32 = 0

  private static let shrunk = Array("metricc: error: a file became shorter while it was read\n".utf8)

  /// Installs the handlers. A signal that the parent wants ignored (`nohup`) stays ignored.
  static func prepare() {
    _ = (paths, shrunk.count)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let old = unsafeBitCast(signal(number) { Interruption.end($0) }, to: Int.self)
      if old == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
      unblock(number)
    }
    // A file that grows beyond what is allowed (`ulimit -f`) is an error of `write`, like a full disk; and so is a
    // closed pipe, which is not to kill the run halfway through a file.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGBUS) { _ in
      Interruption.removeFiles()
      _ = Interruption.shrunk.withUnsafeBytes { Foundation.write(2, $0.baseAddress, $0.count) }
      _exit(ExitStatus.unreadable.rawValue)
    }
  }

  /// Remembers a file that is to go away; nil if there are too many.
  static func remember(_ path: String) -> Int? {
    lock.withLock { _ in
      for slot in 0..<slotCount where paths[slot] == nil {
        paths[slot] = strdup(path)
        return slot
      }
      return nil
    }
  }

  /// The file stays from now on, or is gone already.
  static func forget(_ slot: Int) {
    lock.withLock { _ in
      let path = paths[slot]
      paths[slot] = nil
      free(path)
    }
  }

  /// Runs `body` to its end before a signal ends the process: several files change together.
  static func deferring<Result>(_ body: () throws(CommandFailure) -> Result) throws(CommandFailure) -> Result
  {
    isHeld = true
    defer {
      isHeld = false
      if pending != 0 { end(pending) }
    }
    return try body()
  }

  /// Ends the process from any thread, once no files change together; files that are being written go away.
  static func endAtOnce(_ status: ExitStatus) -> Never {
    while isHeld { usleep(1000) }
    removeFiles()
    _exit(status.rawValue)
  }

  private static func end(_ number: Int32) {
    guard !isHeld else {
      pending = number
      return
    }
    removeFiles()
    // The shell is to see that the signal ended it.
    signal(number, SIG_DFL)
    unblock(number)
    raise(number)
  }

  /// A signal may come blocked from a parent with many threads.
  static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func removeFiles() {
    var slot = 0
    while slot < slotCount {
      if let path = paths[slot] { unlink(path) }
      slot += 1
    }
  }
}
