import Foundation
import Synchronization

/// Ends a run that is about to take more memory than there is, and says what helps.
///
/// Linux gives memory away that it does not have, and kills the process that fills it: nobody learns why, and files that were
/// being written stay. So a thread compares what the process holds with the limit, a hundred times a second; it takes a
/// thousandth of a processor. Systems that swap instead have no guard.
enum MemoryGuard {
  private static let isRunning = Mutex(false)

  /// Where this share of the limit is used, a run ends; a second of reading fills as much as the rest on a small machine.
  private static let share = (15, of: 16)

  private static let interval: UInt32 = 10_000

  /// Watches from now on.
  static func start() {
    guard let limit = limit(),
      isRunning.withLock({ isRunning in
        defer { isRunning = true }
        return !isRunning
      })
    else { return }
    let most = limit / share.of * share.0
    Thread.detachNewThread {
      while true {
        if let used = used(), used > most { end(used: used, of: limit) }
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

  /// The bytes that the process may take: `METRICC_MEMORY` (`2G`, `512M`), or what the machine and its container have; nil
  /// where that cannot be told.
  private static func limit() -> Int? {
    if let most = ProcessInfo.processInfo.environment["METRICC_MEMORY"].flatMap(bytes) { return most }
    let ofContainer = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
      .compactMap { contents($0).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }
    return (ofContainer + [Int(ProcessInfo.processInfo.physicalMemory)]).min()
  }

  private static func bytes(_ text: String) -> Int? {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    guard let shift = text.last.flatMap({ units[Character($0.uppercased())] }) else { return Int(text) }
    return Int(text.dropLast()).map { $0 << shift }
  }

  /// The bytes of memory that belong to the process alone; pages of files that are mapped can go at any time.
  private static func used() -> Int? {
    guard let pages = contents("/proc/self/statm")?.split(separator: " ").prefix(3).compactMap({ Int($0) }),
      pages.count == 3
    else { return nil }
    return (pages[1] - pages[2]) * Int(getpagesize())
  }

  private static func contents(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }
}
