import Foundation
import Testing

@Test func explore() throws {
  let all = try String(contentsOfFile: "/tmp/bad/all.txt", encoding: .utf8)
  for part in all.components(separatedBy: "===\n") {
    print("-----\n" + part + "--\n" + Parsed(part).messages)
  }
}
