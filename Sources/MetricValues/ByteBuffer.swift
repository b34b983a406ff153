/// Bytes that are put together in one place of memory, and again in the same place for the next text. It costs no
/// reference count, which was a tenth of the time of writing results.
@usableFromInline package struct ByteBuffer: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  /// How many bytes were appended since `removeAll`.
  @usableFromInline package var count = 0

  package init() {
    capacity = 256
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  /// What was appended; valid until the next change.
  @inlinable package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: count)
  }

  @inlinable package mutating func removeAll() { count = 0 }

  @inlinable package mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count &+= 1
  }

  @inlinable package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (start + count).initialize(from: source, count: bytes.count)
    count &+= bytes.count
  }

  /// Appends some of the bytes that are there once more.
  @inlinable package mutating func appendCopy(of range: Range<Int>) {
    reserve(range.count)
    (start + count).initialize(from: start + range.lowerBound, count: range.count)
    count &+= range.count
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends as many digits of a number, its last ones.
  mutating func appendDigits(_ value: UInt64, count digits: Int) {
    reserve(digits)
    var rest = value
    var place = count &+ digits
    count = place
    for _ in 0..<digits {
      place &-= 1
      start[place] = Byte.zero &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  package mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
  }

  /// Makes room for more bytes.
  @inlinable package mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  @usableFromInline mutating func grow(_ more: Int) {
    let larger = max(count + more, capacity * 2)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.moveInitialize(from: start, count: count)
    start.deallocate()
    start = moved
    capacity = larger
  }
}
