/// Sums of a row of weights over all stretches of a row of ones and zeros, in about n·log m steps.
///
/// It is a number-theoretic transform modulo p = 2⁶⁴ − 2³² + 1, which has roots of unity of all orders up to 2³²
/// (7 generates its units), so that everything is exact as long as a sum is below p. The row is gone through in
/// blocks that overlap by the weights ("overlap-save").
struct Convolution {
  private static let prime: UInt64 = 0xFFFF_FFFF_0000_0001
  private let weightCount: Int
  /// A power of two.
  private let size: Int
  /// The powers of a root of unity of order `size`; the first half of them.
  private let roots: [UInt64]
  /// The weights, transformed.
  private let kernel: [UInt64]

  /// - Parameter length: of the rows that are asked about.
  init(kernel weights: [UInt64], length: Int) {
    weightCount = weights.count
    var size = 2
    while size < min(4 * weights.count, length + weights.count) { size *= 2 }
    self.size = size
    roots = Convolution.roots(size)
    var kernel = weights + [UInt64](repeating: 0, count: size - weights.count)
    Convolution.transform(&kernel, roots)
    // What the inverse has to be divided by is put in here.
    let scale = Convolution.power(UInt64(size), Convolution.prime - 2)
    for index in kernel.indices { kernel[index] = Convolution.product(kernel[index], scale) }
    self.kernel = kernel
  }

  /// By number n, the sum over k of weight k where the element n − k is one.
  func sums(of row: [UInt8]) -> [Int32] {
    guard weightCount > 0 else { return [Int32](repeating: 0, count: row.count) }
    var sums: [Int32] = []
    sums.reserveCapacity(row.count)
    let overlap = weightCount - 1
    while sums.count < row.count {
      let first = sums.count - overlap
      var block = (0..<size).map { index in
        row.indices.contains(first + index) ? UInt64(row[first + index]) : 0
      }
      Convolution.transform(&block, roots)
      for index in 0..<size { block[index] = Convolution.product(block[index], kernel[index]) }
      Convolution.invert(&block, roots)
      for index in overlap..<min(size, row.count - first) {
        sums.append(Int32(truncatingIfNeeded: block[index]))
      }
    }
    return sums
  }

  // MARK: Transforms

  private static func roots(_ size: Int) -> [UInt64] {
    let root = power(7, (prime - 1) / UInt64(size))
    var roots: [UInt64] = [1]
    while roots.count < size / 2 { roots.append(product(roots[roots.count - 1], root)) }
    return roots
  }

  /// Leaves the values in the order of their numbers read backwards, in bits, which `invert` takes.
  private static func transform(_ values: inout [UInt64], _ roots: [UInt64]) {
    let size = values.count
    values.withUnsafeMutableBufferPointer { values in
      roots.withUnsafeBufferPointer { roots in
        var half = size / 2
        while half > 0 {
          let step = size / (2 * half)
          for start in stride(from: 0, to: size, by: 2 * half) {
            for index in 0..<half {
              let (one, other) = (values[start + index], values[start + index + half])
              values[start + index] = sum(one, other)
              values[start + index + half] = product(difference(one, other), roots[index * step])
            }
          }
          half /= 2
        }
      }
    }
  }

  /// The inverse, but for a factor of the size.
  private static func invert(_ values: inout [UInt64], _ roots: [UInt64]) {
    let size = values.count
    values.withUnsafeMutableBufferPointer { values in
      roots.withUnsafeBufferPointer { roots in
        var half = 1
        while half < size {
          let step = size / (2 * half)
          for start in stride(from: 0, to: size, by: 2 * half) {
            for index in 0..<half {
              // The inverse of a root is the negative of the one that lies opposite.
              let inverse = index == 0 ? 1 : prime - roots[size / 2 - index * step]
              let (one, other) = (values[start + index], product(values[start + index + half], inverse))
              values[start + index] = sum(one, other)
              values[start + index + half] = difference(one, other)
            }
          }
          half *= 2
        }
      }
    }
  }

  // MARK: Arithmetic modulo p

  @inline(__always)
  private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow || sum >= prime ? sum &- prime : sum
  }

  @inline(__always)
  private static func difference(_ one: UInt64, _ other: UInt64) -> UInt64 {
    one >= other ? one - other : one &- other &+ prime
  }

  /// With 2⁶⁴ ≡ 2³² − 1 and 2⁹⁶ ≡ −1.
  @inline(__always)
  private static func product(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (high, low) = one.multipliedFullWidth(by: other)
    let top = high >> 32
    let reduced = difference(low >= prime ? low - prime : low, top)
    return sum(reduced, (high & 0xFFFF_FFFF) * 0xFFFF_FFFF)
  }

  private static func power(_ base: UInt64, _ exponent: UInt64) -> UInt64 {
    var (result, square, left) = (UInt64(1), base, exponent)
    while left > 0 {
      if left & 1 == 1 { result = product(result, square) }
      square = product(square, square)
      left >>= 1
    }
    return result
  }
}
