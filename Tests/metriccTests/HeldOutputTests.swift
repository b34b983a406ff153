import Foundation
import Testing

@testable import metricc

/// What is held back until the end comes out as it went in, from memory and from the file behind it.
@Suite struct HeldOutputTests {
  @Test(arguments: [1, 1_000, 1 << 20])
  func nothingIsLost(mostInMemory: Int) throws {
    let held = HeldOutput(mostInMemory: mostInMemory)
    var expected: [UInt8] = []
    for number in 0..<20_000 {
      let line = Array("\(number),\(String(repeating: "x", count: number % 97))\n".utf8)
      held.write(line[...])
      expected += line
    }
    let folder = try TemporaryFolder()
    let file = try AtomicFile(path: folder.path + "/rows.csv")
    try held.copy(to: file.stream)
    try file.commit()
    #expect(try folder.read("rows.csv") == String(decoding: expected, as: UTF8.self))
  }
}
