import MetricDiagnostics
import Testing

@Suite struct NearestNameTests {
  private let words = ["completion", "streak", "every", "for", "of", "when", "Habit", "habitEntry"]

  @Test(arguments: [
    ("strek", "streak"), ("evry", "every"), ("evrey", "every"), ("wehn", "when"), ("fro", "for"),
    ("completoin", "completion"), ("STREAK", "streak"), ("habit", "Habit"), ("HabitEntry", "habitEntry"),
  ])
  func near(word: String, name: String) {
    #expect(nearestName(to: word, in: words) == name)
  }

  @Test(arguments: ["", "x", "zebra", "streak", "completely_else", "wxyz"])
  func notNear(word: String) {
    #expect(nearestName(to: word, in: words) == nil)
  }

  @Test func ofEquallyNearOnesTheFirstInOrderIsTaken() {
    #expect(nearestName(to: "cat", in: ["hat", "bat", "rat"]) == "bat")
    #expect(nearestName(to: "cat", in: []) == nil)
  }

  @Test func longWordsCostNothing() {
    let long = String(repeating: "a", count: 100_000)
    #expect(nearestName(to: long, in: [long + "b"]) == nil)
  }
}
