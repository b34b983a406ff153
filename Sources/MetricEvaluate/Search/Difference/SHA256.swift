/// SHA-256 (FIPS 180-4), so that a meaning has the same hash on every machine.
enum SHA256 {
  /// The first 16 hexadecimal digits of the hash of a text's UTF-8 bytes.
  static func prefix(of text: String) -> String {
    hash(Array(text.utf8)).prefix(2).map { String($0, radix: 16).leftPadded(to: 8, with: "0") }.joined()
  }

  /// The eight words of the hash.
  static func hash(_ message: [UInt8]) -> [UInt32] {
    var bytes = message + [0x80]
    bytes += Array(repeating: 0, count: (120 - bytes.count % 64) % 64)
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(8 * message.count) >> (56 - 8 * $0)) }
    return stride(from: 0, to: bytes.count, by: 64).reduce(initial) { state, start in
      zip(state, rounds(state, schedule(bytes[start..<start + 64]))).map { $0 &+ $1 }
    }
  }

  private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let small = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let large = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
    }
    return words
  }

  private static func rounds(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var state = state
    for (word, constant) in zip(words, constants) {
      let (a, e) = (state[0], state[4])
      let choice = e & state[5] ^ ~e & state[6]
      let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
      let first =
        state[7] &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constant &+ word
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      state = [first &+ second] + state[0..<3] + [state[3] &+ first] + state[4..<7]
    }
    return state
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of the
  /// first 64.
  private static let initial = primes.prefix(8).map { bits(of: Double($0).squareRoot()) }
  private static let constants = primes.map { bits(of: cubeRoot(Double($0))) }

  private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }

  private static func bits(of root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 0x1p32)
  }

  /// By Newton's method, exact to the last bit but a few of 53; 35 are used.
  private static func cubeRoot(_ number: Double) -> Double {
    (0..<60).reduce(number) { root, _ in root - (root * root * root - number) / (3 * root * root) }
  }
}
