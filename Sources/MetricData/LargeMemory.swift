#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory for tables that are looked into at random places.
///
/// Where the system has large pages it is asked for them: a table of ten megabytes in small pages costs a
/// walk through the page tables at nearly every look, which took half of the time of folding ten million
/// records by a hundred thousand keys.
package enum LargeMemory {
  private static let pageSize = 2 << 20
  /// `MADV_HUGEPAGE`, which Swift does not import.
  private static let adviceForLargePages: Int32 = 14

  /// Memory without values, to be given back with `deallocate()`.
  package static func allocate<Element: BitwiseCopyable>(
    _ type: Element.Type, capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    let size = max(1, capacity) * MemoryLayout<Element>.stride
    // The last half of a table that grows by doubling is worth a large page, too.
    guard size >= pageSize / 2 else { return .allocate(capacity: max(1, capacity)) }
    let whole = (size + pageSize - 1) / pageSize * pageSize
    let raw = UnsafeMutableRawPointer.allocate(byteCount: whole, alignment: pageSize)
    advise(raw, whole)
    return raw.bindMemory(to: type, capacity: capacity)
  }

  /// Says that memory is worth large pages.
  static func advise(_ start: UnsafeMutableRawPointer, _ count: Int) {
    #if os(Linux)
      // Only advice, for whole pages: whether it is taken changes no result.
      let pages = UnsafeMutableRawPointer(start).alignedUp(toMultipleOf: 4096)
      let end = (start + count).alignedDown(toMultipleOf: 4096)
      if pages < end { _ = madvise(pages, end - pages, adviceForLargePages) }
    #endif
  }
}
