internal import MetricIntrinsics

/// Where in a stretch of bytes the separators stand: all of them at once, 64 bytes a step.
///
/// Vector comparisons find the bytes and make a bit of each, so that with the places known a row is read
/// without looking at each of its bytes again. (The eight-byte loop of `ByteScan` costs four times as much for
/// a whole file.)
enum StructuralScan {
  #if arch(x86_64)
    /// What the processor can: see `metric_separators`.
    static let vectorLevel = metric_vector_level()
  #endif

  /// Writes the offsets of the bytes in `start ..< end` that are one of three, rising, and these bytes, and gives how
  /// many there are. There is room for `end - start` of them and 64 more; 64 bytes behind `end` are readable.
  static func separators(
    _ wanted: (UInt8, UInt8, UInt8), _ base: UnsafePointer<UInt8>, from start: Int, to end: Int,
    places: UnsafeMutablePointer<UInt32>, kinds: UnsafeMutablePointer<UInt8>
  ) -> Int {
    #if arch(x86_64)
      return withUnsafeBytes(of: wanted) { wanted in
        metric_separators(
          vectorLevel, base, start, end, wanted.bindMemory(to: UInt8.self).baseAddress, places, kinds)
      }
    #else
      return PortableMarks.separators(wanted, base, from: start, to: end, places: places, kinds: kinds)
    #endif
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
}

/// The same in Swift's own vectors, for processors that `MetricIntrinsics` does not know.
enum PortableMarks {
  static func separators(
    _ wanted: (UInt8, UInt8, UInt8), _ base: UnsafePointer<UInt8>, from start: Int, to end: Int,
    places: UnsafeMutablePointer<UInt32>, kinds: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var count = 0
    for offset in stride(from: start, to: end, by: 64) {
      var marks = marks(base + offset, wanted)
      if end &- offset < 64 { marks &= (1 &<< UInt64(end &- offset)) &- 1 }
      while marks != 0 {
        let place = offset &+ marks.trailingZeroBitCount
        places[count] = UInt32(truncatingIfNeeded: place)
        kinds[count] = base[place]
        count &+= 1
        marks &= marks &- 1
      }
    }
    return count
  }

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
