import MetricTestSupport
import Testing

@testable import MetricEvaluate

/// The segments of a chain against its windows one by one.
@Suite struct ChainTests {
  /// Windows numbered from `first` on, in stretches that come again and again.
  private struct RandomChain {
    var chain = Chain(.rolling(length: 3, phase: 1))
    var states: [CompiledCompletion.State] = []
    let first: Int

    init(using random: inout SeededGenerator) {
      first = random.int(-20...20)
      let kinds: [CompiledCompletion.State] = [.complete, .complete, .incomplete, .rest]
      for _ in 0..<random.int(1...12) {
        let cycle = (0..<random.int(1...7)).map { _ in random.pick(kinds) }
        let count = random.int(1...(random.chance(30) ? 60 : 8))
        let start = first + states.count
        chain.append(cycle, first: start, last: start + count - 1)
        states += (0..<count).map { cycle[$0 % cycle.count] }
      }
    }

    func run(at number: Int) -> Int {
      var run = 0
      for state in states[..<max(0, number - first + 1)].reversed() {
        if state == .incomplete { break }
        if state == .complete { run += 1 }
      }
      return run
    }

    func existing(through number: Int) -> [CompiledCompletion.State] {
      states[..<max(0, number - first + 1)].filter { $0 != .rest }
    }
  }

  @Test func everyQuestion() {
    for seed in seeds(60, from: 5_000_000) {
      var random = SeededGenerator(seed: seed)
      let made = RandomChain(using: &random)
      let chain = made.chain
      var best = 0
      for number in made.first - 1..<made.first + made.states.count {
        let existing = made.existing(through: number)
        #expect(chain.existing(through: number) == existing.count, "\(random.replay)")
        #expect(chain.completes(through: number) == existing.count { $0 == .complete })
        #expect(chain.run(at: number) == made.run(at: number), "\(random.replay)")
        best = max(best, made.run(at: number))
        #expect(chain.best(through: number) == best, "\(random.replay)")
        let last = random.int(1...20)
        #expect(
          chain.completes(amongLast: last, through: number)
            == existing.suffix(last).count { $0 == .complete }, "\(random.replay)")
        let low = random.int(made.first - 3...number + 1)
        let peak = (low...max(low, number)).map { made.run(at: min($0, number)) }.max() ?? 0
        #expect(chain.peak(from: low, through: number) == (low > number ? 0 : peak), "\(random.replay)")
      }
    }
  }

  @Test func everyEnd() {
    for seed in seeds(60, from: 5_100_000) {
      var random = SeededGenerator(seed: seed)
      let made = RandomChain(using: &random)
      let ends = made.states.indices.filter { made.states[$0] == .complete }.map {
        made.chain.ruler.end(made.first + $0)
      }
      #expect(made.chain.completeEnds == ends, "\(random.replay)")
      for _ in 0..<40 {
        let from = Int32(random.int(-80...500))
        let through = from + Int32(random.int(-1...300))
        let inside = ends.filter { $0 >= from && $0 <= through }
        #expect(made.chain.firstComplete(from: from, through: through) == inside.first, "\(random.replay)")
        #expect(made.chain.lastComplete(from: from, through: through) == inside.last, "\(random.replay)")
        #expect(
          made.chain.firstComplete(from: .min, through: through) == ends.first { $0 <= through },
          "\(random.replay)")
      }
    }
  }

  /// Asked for so often that in the end all are computed together.
  @Test func strengths() {
    for seed in seeds(12, from: 5_200_000) {
      var random = SeededGenerator(seed: seed)
      let made = RandomChain(using: &random)
      let halfLife = random.pick([1, 3, 10, 400])
      let shift = random.int(0...1)
      let weights = Weights(halfLife: halfLife)
      for _ in 0..<30 {
        for number in made.first - 1..<made.first + made.states.count {
          let expected = made.existing(through: number).reversed().enumerated().reduce(Int64(0)) {
            sum, item in
            item.element == .complete ? sum + weights.sum(item.offset + shift..<item.offset + shift + 1) : sum
          }
          #expect(
            made.chain.strength(through: number, weights, shift: shift) == expected, "\(random.replay)")
        }
        // The next rounds find it done.
        let key = StrengthKey(halfLife: halfLife, shift: shift)
        made.chain.strengths[key, default: KnownStrengths()].steps += 1 << 20
      }
      let key = StrengthKey(halfLife: halfLife, shift: shift)
      let isAsked = made.chain.existing(through: .max) > 0
      #expect(made.chain.strengths[key]?.sums.isEmpty == (isAsked ? false : nil) || !isAsked)
    }
  }

  @Test func convolution() {
    for seed in seeds(40, from: 5_300_000) {
      var random = SeededGenerator(seed: seed)
      let kernel = (0..<random.int(0...70)).map { _ in UInt64(random.int(0...1_000_000_000 / 70)) }
      let row = (0..<random.int(1...400)).map { _ in UInt8(random.int(0...1)) }
      let expected = row.indices.map { n in
        kernel.indices.reduce(Int32(0)) { $1 <= n && row[n - $1] == 1 ? $0 + Int32(kernel[$1]) : $0 }
      }
      #expect(Convolution(kernel: kernel, length: row.count).sums(of: row) == expected, "\(random.replay)")
    }
    // The greatest sum of weights that there is.
    let weights = [UInt64](repeating: 700_000_000, count: 3)
    #expect(Convolution(kernel: weights, length: 4).sums(of: [1, 1, 1, 1]).last == 2_100_000_000)
  }
}
