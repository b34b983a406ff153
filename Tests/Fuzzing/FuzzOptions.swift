import Foundation
import MetricEvaluate

/// A run of mutations that needs no instrumented build: `--runs` inputs made from the given files.
struct FuzzOptions {
  var harness: Harness
  var inputs: [(path: String, bytes: [UInt8])] = []
  var runs = 0
  var seed: UInt64 = 1

  init?(_ arguments: [String]) {
    guard let first = arguments.first, let harness = Harness(rawValue: first) else { return nil }
    self.harness = harness
    var rest = arguments.dropFirst().makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--runs":
        guard let count = rest.next().flatMap(Int.init) else { return nil }
        runs = count
      case "--seed":
        guard let number = rest.next().flatMap(UInt64.init) else { return nil }
        seed = number
      default:
        inputs += Self.files(argument)
      }
    }
    if inputs.isEmpty { return nil }
  }

  /// A file, or all files below a folder, in the order of their paths.
  private static func files(_ path: String) -> [(path: String, bytes: [UInt8])] {
    let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let paths = below.isEmpty ? [path] : below.sorted().map { "\(path)/\($0)" }
    return paths.compactMap { path in
      FileManager.default.contents(atPath: path).map { (path, Array($0)) }
    }
  }

  /// Whether nothing was found.
  func run() -> Bool {
    var isSound = true
    for (path, bytes) in inputs {
      guard let complaint = harness.complaint(bytes) else { continue }
      print("\(path): \(complaint)")
      isSound = false
    }
    var mutator = Mutator(seed: seed, words: inputs.map(\.bytes))
    for number in 0..<runs {
      let input = mutator.next()
      guard let complaint = harness.complaint(input) else { continue }
      let path = "fuzz-\(harness.rawValue)-\(seed)-\(number)"
      let isWritten = FileManager.default.createFile(atPath: path, contents: Data(input))
      print("\(isWritten ? path : "mutation \(number), not written"): \(complaint)")
      isSound = false
    }
    print(
      "\(inputs.count) files and \(runs) mutations of them, seed \(seed): \(isSound ? "sound" : "not sound")")
    return isSound
  }
}

/// Mutates inputs: cuts, repeats, splices and flips; the same seed gives the same inputs.
struct Mutator {
  private var random: SplitMix
  private let words: [[UInt8]]
  /// Bytes that mean something to a lexer or a reader.
  private static let marks = Array("\"\\{}()[],:.-=<>#\n\r\t 0189eE%_/\u{FEFF}é".utf8) + [0, 0xFF, 0xC0]

  init(seed: UInt64, words: [[UInt8]]) {
    random = SplitMix(seed: seed)
    self.words = words
  }

  mutating func next() -> [UInt8] {
    var bytes = words[Int.random(in: words.indices, using: &random)]
    for _ in 0..<Int.random(in: 1...8, using: &random) { mutate(&bytes) }
    return bytes
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let range = piece(of: bytes, upTo: 40)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes.removeSubrange(range)
    case 1: bytes.insert(contentsOf: bytes[range], at: range.upperBound)
    case 2:
      let other = words[Int.random(in: words.indices, using: &random)]
      bytes.replaceSubrange(range, with: other[piece(of: other, upTo: 200)])
    case 3: bytes.removeSubrange(range.lowerBound...)
    case 4: for place in range { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
    default:
      let mark = Self.marks[Int.random(in: Self.marks.indices, using: &random)]
      bytes.insert(mark, at: range.lowerBound)
    }
  }

  private mutating func piece(of bytes: [UInt8], upTo limit: Int) -> Range<Int> {
    let start = Int.random(in: 0...bytes.count, using: &random)
    return start..<min(bytes.count, start + Int.random(in: 0...limit, using: &random))
  }
}
