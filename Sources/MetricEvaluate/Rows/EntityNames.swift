/// The ids of an entity in the order of their numbers, one after the other: without this copy each row of output looks for
/// its id all over the pool (habits of ten million rows: 1.18 times the processor time).
///
/// `@unchecked Sendable`: the memory is only read.
final class EntityNames: @unchecked Sendable {
  private let text: ByteBuffer
  /// The start of each id, and the end of the last.
  private let starts: UnsafeMutablePointer<Int>

  init(_ space: EntitySpace, _ pool: StringPool) {
    var text = ByteBuffer()
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: space.count + 1)
    pool.forEach(space.ids) { number, name in
      (starts + number).initialize(to: text.count)
      text.append(name)
    }
    (starts + space.count).initialize(to: text.count)
    self.text = text
    self.starts = starts
  }

  deinit { starts.deallocate() }

  /// The ids for use in a loop; valid while the object lives.
  var view: View { View(text: text.bytes, starts: starts) }

  struct View {
    fileprivate let text: UnsafeBufferPointer<UInt8>
    fileprivate let starts: UnsafePointer<Int>

    @inline(__always)
    subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: text[starts[number]..<starts[number &+ 1]])
    }
  }
}
