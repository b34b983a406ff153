internal import MetricIntrinsics

/// Where in a stretch of bytes the separators stand: all of them at once, 64 bytes a step.
///
/// Vector comparisons find the bytes and make a bit of each, so that with the places known a row is read
/// without looking at each of its bytes again. (The eight-byte loop of `ByteScan` costs four times as much for
/// a whole file, the bits put together without the instruction for it half as much again.)
enum StructuralScan {
  /// Writes the offsets of the bytes in `start ..< end` that are one of three, rising, and gives how many
  /// there are. `places` has room for `end - start` offsets and 16 more; 64 bytes behind `end` are readable.
  @inline(__always)
  static func places(
    of bytes: (UInt8, UInt8, UInt8), _ base: UnsafePointer<UInt8>, from start: Int, to end: Int,
    into places: UnsafeMutablePointer<UInt32>
  ) -> Int {
    collect(base, from: start, to: end, into: places) { vector in
      #if arch(x86_64)
        metric_marks(vector, bytes.0, bytes.1, bytes.2)
      #else
        PortableMarks.marks(vector, bytes)
      #endif
    }
  }

  /// The first byte from `start` on that ends a plain stretch of a JSON string: a quote, a backslash or a control
  /// character. The zeros behind a window are such, so that one is found.
  @inline(__always)
  static func stringStop(_ base: UnsafePointer<UInt8>, from start: Int) -> Int {
    #if arch(x86_64)
      var offset = start
      while true {
        // With a bit behind the others, so that there is a lowest one.
        let stop = (metric_string_stops(base + offset) | 0x1_0000).trailingZeroBitCount
        if stop < 16 { return offset &+ stop }
        offset &+= 16
      }
    #else
      return ByteScan.stringStop(base, from: start, to: .max)
    #endif
  }

  /// - Parameter marks: a bit for each of 64 bytes.
  @inline(__always)
  private static func collect(
    _ base: UnsafePointer<UInt8>, from start: Int, to end: Int,
    into places: UnsafeMutablePointer<UInt32>, _ marks: (UnsafePointer<UInt8>) -> UInt64
  ) -> Int {
    var count = 0
    var offset = start
    while offset < end {
      var found = marks(base + offset)
      if end &- offset < 64 { found &= (1 &<< UInt64(end &- offset)) &- 1 }
      write(found, offset, places + count)
      count &+= found.nonzeroBitCount
      offset &+= 64
    }
    return count
  }

  /// Writes eight places at a time whether there are as many or not: a branch for each costs more.
  @inline(__always)
  private static func write(_ bits: UInt64, _ offset: Int, _ places: UnsafeMutablePointer<UInt32>) {
    var rest = bits
    var out = places
    while rest != 0 {
      for index in 0..<8 {
        out[index] = UInt32(truncatingIfNeeded: offset &+ rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
      out += 8
    }
  }
}

/// The marks of 64 bytes in Swift's own vectors, for processors that `MetricIntrinsics` does not know.
enum PortableMarks {
  static func marks(_ base: UnsafePointer<UInt8>, _ bytes: (UInt8, UInt8, UInt8)) -> UInt64 {
    let (first, second, third) = (
      SIMD16<UInt8>(repeating: bytes.0), SIMD16<UInt8>(repeating: bytes.1), SIMD16<UInt8>(repeating: bytes.2)
    )
    return bits(base) { vector in (vector .== first) .| (vector .== second) .| (vector .== third) }
  }

  /// 64 lanes, each with its own bit or none, as a word: three times neighbours are put together.
  @inline(__always)
  private static func bits(
    _ base: UnsafePointer<UInt8>, _ isFound: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>
  ) -> UInt64 {
    @inline(__always) func marks(_ place: Int) -> SIMD16<UInt8> {
      let vector = UnsafeRawPointer(base + place).loadUnaligned(as: SIMD16<UInt8>.self)
      return unsafeBitCast(isFound(vector), to: SIMD16<UInt8>.self) & lanes
    }
    let fours = folded(folded(marks(0), marks(16)), folded(marks(32), marks(48)))
    return unsafeBitCast(folded(fours, fours), to: SIMD2<UInt64>.self)[0]
  }

  /// In each lane the bit that stands for it in its group of eight.
  private static var lanes: SIMD16<UInt8> {
    SIMD16(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128)
  }

  @inline(__always)
  private static func folded(_ low: SIMD16<UInt8>, _ high: SIMD16<UInt8>) -> SIMD16<UInt8> {
    let pairs = SIMD16<UInt16>(
      lowHalf: unsafeBitCast(low, to: SIMD8<UInt16>.self),
      highHalf: unsafeBitCast(high, to: SIMD8<UInt16>.self))
    return SIMD16<UInt8>(truncatingIfNeeded: pairs | (pairs &>> SIMD16<UInt16>(repeating: 8)))
  }
}
