import Foundation
import Synchronization

/// Ends a run that is about to take more memory than there is, and says what helps.
///
/// Linux gives memory away that it does not have, and kills the process that fills it: nobody learns why, and files that were
/// being written stay. So a thread compares what the process holds with the limit, a hundred times a second. Systems that
/// swap instead have no guard.
enum MemoryGuard {
  private static let isRunning = Mutex(false)

  /// If this share of the limit is used, a run ends; a hundredth of a second of reading fills less than the rest.
  private static let share = (15, of: 16)

  private static let interval: UInt32 = 10_000

  /// Watches from now on; once, however many datasets a run loads.
  static func start() throws(CommandFailure) {
    let isFirst = isRunning.withLock { isRunning in
      defer { isRunning = true }
      return !isRunning
    }
    guard isFirst, let limit = try limit() else { return }
    // What Linux counts of the process; other systems have no such file.
    let statistics = open("/proc/self/statm", O_RDONLY)
    guard statistics >= 0 else { return }
    let most = limit / share.of * share.0
    Thread.detachNewThread {
      while true {
        if let used = used(statistics), used > most { end(used: used, of: limit) }
        usleep(interval)
      }
    }
  }

  private static func end(used: Int, of limit: Int) {
    Remarks.say(
      """
      error: the data takes more memory than there is: \(used >> 20) of \(limit >> 20) MiB are used; \
      ask for fewer metrics or days at once, or let a database evaluate them: `metricc eval --engine duckdb`
      """)
    Interruption.endAtOnce(.unreadable)
  }

  /// The bytes that the process may take: `METRICC_MEMORY` (`2G`, `512M`), or what the machine and its container have.
  private static func limit() throws(CommandFailure) -> Int? {
    if let text = ProcessInfo.processInfo.environment["METRICC_MEMORY"], !text.isEmpty {
      guard let most = bytes(text) else {
        throw .usage(
          "METRICC_MEMORY is \(text.quoted), expected a number of bytes above 0, such as `2G` or `512M`"
        )
      }
      return most
    }
    let ofContainer = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
      .compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
      .compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    return (ofContainer + [Int(ProcessInfo.processInfo.physicalMemory)]).min()
  }

  private static func bytes(_ text: String) -> Int? {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    guard let count = Int(unit == nil ? text : String(text.dropLast())), count > 0 else { return nil }
    let (product, isTooLarge) = count.multipliedReportingOverflow(by: unit ?? 1)
    return isTooLarge ? .max : product
  }

  /// The bytes of memory that belong to the process alone; pages of files that are mapped can go at any time.
  private static func used(_ file: Int32) -> Int? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return nil }
      let pages = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ").prefix(3)
        .compactMap { Int($0) }
      return pages.count == 3 ? (pages[1] - pages[2]) * Int(getpagesize()) : nil
    }
  }
}
