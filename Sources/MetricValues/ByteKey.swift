/// A text by its UTF-8 bytes: in the language two texts are equal where their bytes are, and Swift's
/// own strings are equal also where they only look the same.
package struct ByteKey: Hashable, Comparable {
  package let bytes: [UInt8]

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  package static func < (left: ByteKey, right: ByteKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension String {
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
