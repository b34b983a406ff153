/// Where in the words of a slot stands what a fold keeps of it: the totals of all bundles, then perhaps their days.
struct FoldLayout {
  /// By bundle: the count, and the sum in two words where there is one.
  private(set) var totals: [Int] = []
  /// The greatest value and the greatest negated one, as `FoldLayout.rank` has them; 0 where there is none.
  private(set) var extremes: [Int] = []
  /// The first chunk and the last entry of a chain.
  private(set) var daily: [Int] = []
  /// By bundle, which of those that keep days it is.
  private(set) var days: [Int?] = []
  /// The first word behind all that.
  private(set) var end: Int

  /// - Parameter start: words in front of all that.
  init(_ spec: FoldSpec, after start: Int) {
    end = start
    var dayBundles = 0
    for bundle in spec.bundles {
      totals.append(end)
      if bundle.keepsTotal { end += bundle.amount == nil ? 1 : 3 }
      extremes.append(end)
      if bundle.keepsExtremes { end += 2 }
      daily.append(end)
      if bundle.keepsDaily { end += 2 }
      days.append(bundle.keepsDays ? dayBundles : nil)
      dayBundles += bundle.keepsDays ? 1 : 0
    }
  }

  /// A value as a word that keeps the order; the smallest integer, which is no value, is 0.
  @inline(__always)
  static func rank(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

  /// The value of a rank other than 0.
  static func value(_ rank: UInt64) -> Int64 { Int64(bitPattern: rank ^ 1 << 63) }

  /// Adds the totals of one slot to those of another, whose layout may start elsewhere.
  func add(
    _ source: UnsafePointer<UInt64>, _ from: FoldLayout, to target: UnsafeMutablePointer<UInt64>,
    _ spec: FoldSpec
  ) {
    for (index, bundle) in spec.bundles.enumerated() {
      if bundle.keepsTotal {
        let (one, other) = (target + totals[index], source + from.totals[index])
        one[0] &+= other[0]
        if bundle.amount != nil {
          let (low, carried) = one[1].addingReportingOverflow(other[1])
          one[1] = low
          one[2] = one[2] &+ other[2] &+ (carried ? 1 : 0)
        }
      }
      if bundle.keepsExtremes {
        let (one, other) = (target + extremes[index], source + from.extremes[index])
        (one[0], one[1]) = (max(one[0], other[0]), max(one[1], other[1]))
      }
      if bundle.keepsDaily {
        DailyChains.join(source + from.daily[index], to: target + daily[index])
      }
    }
  }
}
