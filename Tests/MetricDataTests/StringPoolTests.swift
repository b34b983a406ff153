import MetricTestSupport
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
    for seed in seeds(5) {
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

  @Test func textsAreInTheOrderOfTheirBytes() {
    let pool = StringPool()
    let texts = [
      "b", "", "a", "ab", "a\u{0}", "prefix-00", "prefix-0", "prefix-01", "é", "z", "😀", "\u{FFFD}",
      "prefix-\u{0}",
    ]
    for text in texts { _ = pool.intern(text) }
    let order = pool.sorted(Array(0..<Int32(texts.count)))
    let sorted = texts.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    #expect(order.map { pool.string($0) } == sorted)
    for (left, one) in order.enumerated() {
      for (right, other) in order.enumerated() { #expect(pool.isLess(one, other) == (left < right)) }
    }
    #expect(StringPool().sorted([]) == [])
  }

  /// Texts of all lengths that begin alike or not, some of them of more than the sixteen bytes that are compared at
  /// once.
  @Test func manyTextsAreSortedByTheirBytes() {
    let ends: [UInt8] = [0, 1, 48, 49, 97, 127]
    for seed in seeds(20) {
      var random = SeededGenerator(seed: seed)
      let pool = StringPool()
      let beginning = [UInt8](repeating: UInt8(ascii: "x"), count: Int(random.next() % 21))
      var texts: [[UInt8]] = []
      for _ in 0..<random.next() % 600 {
        let end = (0..<random.next() % 12).map { _ in ends[Int(random.next() % 6)] }
        texts.append(Array(beginning.prefix(Int(random.next() % 21))) + end)
      }
      let ids = Array(Set(texts.map { $0.withUnsafeBufferPointer { pool.intern($0) } }))
      let sorted = pool.sorted(ids).map { Array(pool.string($0).utf8) }
      let expected = Array(Set(texts)).sorted { $0.lexicographicallyPrecedes($1) }
      #expect(sorted == expected, "seed \(seed)")
    }
  }

  @Test func aPoolTakesTheTextsOfAnother() {
    for seed in seeds(10) {
      var random = SeededGenerator(seed: seed)
      let (pool, other) = (StringPool(), StringPool())
      for _ in 0..<3000 {
        let text = String(repeating: "t", count: Int(random.next() % 30)) + String(random.next() % 900)
        _ = random.next() % 2 == 0 ? pool.intern(text) : other.intern(text)
      }
      let known = (0..<Int32(pool.count)).map { pool.string($0) }
      let numbers = pool.take(other)
      #expect(numbers.count == other.count, "seed \(seed)")
      for (id, number) in numbers.enumerated() {
        #expect(pool.string(number) == other.string(Int32(id)), "seed \(seed)")
      }
      #expect(known == known.indices.map { pool.string(Int32($0)) }, "seed \(seed)")
      #expect(Set((0..<Int32(pool.count)).map { pool.string($0) }).count == pool.count, "seed \(seed)")
    }
  }
}
