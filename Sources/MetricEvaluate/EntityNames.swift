import MetricData

/// The ids of an entity in the order of their numbers, one behind the other, for writing them out again and again.
final class EntityNames: Sendable {
  private let bytes: [UInt8]
  /// Where each id starts, and behind the last one where it ends.
  private let starts: [Int]
  /// Whether an id stands in CSV and in JSON as it is.
  private let arePlain: [Bool]

  init(_ space: EntitySpace, _ pool: StringPool) {
    var bytes: [UInt8] = []
    var starts = [0]
    var arePlain: [Bool] = []
    for id in space.ids {
      pool.withBytes(of: id) { text in
        bytes.append(contentsOf: text)
        arePlain.append(text.allSatisfy(EntityNames.isPlain))
      }
      starts.append(bytes.count)
    }
    self.bytes = bytes
    self.starts = starts
    self.arePlain = arePlain
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && byte != UInt8(ascii: ",")
  }

  /// Calls `body` with an id, and whether it stands as it is in each format.
  func withName<Result>(
    _ number: Int, _ body: (_ text: UnsafeBufferPointer<UInt8>, _ isPlain: Bool) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { all in
      body(UnsafeBufferPointer(rebasing: all[starts[number]..<starts[number + 1]]), arePlain[number])
    }
  }
}
