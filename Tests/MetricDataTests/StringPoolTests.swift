import Testing

@testable import MetricData

@Suite struct StringPoolTests {
  @Test func equalTextsGetOneNumber() {
    let pool = StringPool()
    #expect(pool.intern("b") == 0)
    #expect(pool.intern("a") == 1)
    #expect(pool.intern("") == 2)
    #expect(pool.intern("b") == 0)
    #expect(pool.intern("") == 2)
    #expect(pool.intern(UnsafeBufferPointer<UInt8>(start: nil, count: 0)) == 2)
    #expect(pool.count == 3)
    #expect(pool.lookup("a") == 1)
    #expect(pool.lookup("c") == nil)
    #expect(pool.string(2) == "")
    #expect(pool.withBytes(of: 0) { Array($0) } == Array("b".utf8))
  }

  @Test func textsAreNotNormalised() {
    let pool = StringPool()
    #expect(pool.intern("\u{E9}") != pool.intern("e\u{301}"))
  }

  @Test func randomTextsAsInADictionary() {
    for seed in testSeeds(5) {
      var random = SeededGenerator(seed: seed)
      let pool = StringPool()
      var known: [[UInt8]: Int32] = [:]
      for _ in 0..<20_000 {
        let count = Int.random(in: 0...20, using: &random)
        let limit: UInt8 = count < 4 ? 127 : 98
        let bytes = (0..<count).map { _ in UInt8.random(in: 97...limit, using: &random) }
        let id = bytes.withUnsafeBufferPointer { pool.intern($0) }
        #expect(known[bytes] ?? Int32(known.count) == id, "seed \(seed)")
        known[bytes] = id
      }
      #expect(pool.count == known.count, "seed \(seed)")
      for (bytes, id) in known {
        #expect(pool.string(id) == String(decoding: bytes, as: UTF8.self), "seed \(seed)")
      }
    }
  }

  @Test func ranksFollowTheOrderOfBytes() {
    let pool = StringPool()
    let texts = [
      "b", "", "a", "ab", "a\u{0}", "prefix-00", "prefix-0", "prefix-01", "é", "z", "😀", "\u{FFFD}",
      "prefix-\u{0}",
    ]
    for text in texts { _ = pool.intern(text) }
    let ranks = pool.ranks()
    let sorted = texts.indices.sorted {
      Array(texts[$0].utf8).lexicographicallyPrecedes(Array(texts[$1].utf8))
    }
    for (rank, index) in sorted.enumerated() { #expect(ranks[index] == Int32(rank), "\(texts[index])") }
    for left in texts.indices {
      for right in texts.indices {
        #expect(pool.isLess(Int32(left), Int32(right)) == (ranks[left] < ranks[right]))
      }
    }
    #expect(StringPool().ranks() == [])
  }
}
