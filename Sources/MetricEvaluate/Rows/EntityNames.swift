import MetricData

/// The ids of an entity in the order of their numbers, concatenated for fast output.
///
/// `@unchecked Sendable`: the memory is only read.
final class EntityNames: @unchecked Sendable {
  private let text: ByteBuffer
  /// The start of each id, and the end of the last.
  private let starts: UnsafeMutablePointer<Int>
  /// Whether an id needs no quotes or escapes in CSV and JSON.
  private let arePlain: UnsafeMutablePointer<Bool>

  init(_ space: EntitySpace, _ pool: StringPool) {
    var text = ByteBuffer()
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: space.count + 1)
    let arePlain = UnsafeMutablePointer<Bool>.allocate(capacity: space.count)
    pool.forEach(space.ids) { number, name in
      (starts + number).initialize(to: text.count)
      text.append(name)
      (arePlain + number).initialize(to: name.allSatisfy(EntityNames.isPlain))
    }
    (starts + space.count).initialize(to: text.count)
    self.text = text
    self.starts = starts
    self.arePlain = arePlain
  }

  deinit {
    starts.deallocate()
    arePlain.deallocate()
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && byte != UInt8(ascii: ",")
  }

  /// The ids for use in a loop; valid while the object lives.
  var view: View { View(text: text.bytes, starts: starts, arePlain: arePlain) }

  struct View {
    fileprivate let text: UnsafeBufferPointer<UInt8>
    fileprivate let starts: UnsafePointer<Int>
    fileprivate let arePlain: UnsafePointer<Bool>

    /// The bytes of an id.
    @inline(__always)
    subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: text[starts[number]..<starts[number &+ 1]])
    }

    /// Whether an id needs no quotes or escapes in any format.
    @inline(__always)
    func isPlain(_ number: Int) -> Bool { arePlain[number] }
  }
}
