import MetricLanguageServer
import Testing

@Suite struct NavigationTests {
  @Test func definitionsOfEachKindOfName() {
    let text = """
      entity Book { id : ID  level : "a" | "b" }
      fact Read { id : ID  bookId : Book  userId : User  dayKey : DayKey }
      completion reading { for user  every day  when count(Read where book.level == "a") >= 1 }
      streak run { of reading }
      funnel way { for user  step one Read  step two Event }
      measure m { for app  value way.two + count(user where run > 2) }
      """
    func definition(at piece: String, plus: Int) -> [String] {
      let analysis = analysis(text)
      guard let range = text.range(of: piece) else { return ["not found"] }
      let offset = text.utf8.distance(from: text.startIndex, to: range.lowerBound) + plus
      return analysis.definitions(in: 0, at: offset).map { span in
        let line = analysis.trees[0].source.position(of: span.start).line
        return "\(line):\(analysis.texts([span])[0])"
      }
    }
    #expect(definition(at: "of reading", plus: 3) == ["3:reading"])
    #expect(definition(at: "count(Read", plus: 6) == ["2:Read"])
    #expect(definition(at: "book.level", plus: 0) == ["2:bookId"])
    #expect(definition(at: "book.level", plus: 6) == ["1:level"])
    #expect(definition(at: "bookId : Book", plus: 9) == ["1:Book"])
    #expect(definition(at: "way.two", plus: 4) == ["5:two"])
    #expect(definition(at: "run >", plus: 3) == ["4:run"])
    #expect(definition(at: "step two Event", plus: 9) == [])
  }

  @Test func referencesAcrossFiles() {
    let analysis = analysis(
      habits, "/// x\nmomentum m { of done  over last 7 days }\nextend Habit { since : DayKey? }\n")
    let offset =
      habits.utf8.count - habits.range(of: "done {").map {
        habits.utf8.distance(from: $0.lowerBound, to: habits.endIndex)
      }!
    let spans = analysis.references(in: 0, at: offset, withDeclaration: true)
    #expect(analysis.texts(spans) == ["done", "done", "done", "done"])
    #expect(spans.map(\.file) == [0, 0, 0, 1])
    #expect(analysis.references(in: 0, at: offset, withDeclaration: false).count == 3)
  }

  /// A name is found even where its declaration has an error.
  @Test func namesInBrokenDeclarations() {
    let (analysis, offset) = marked("streak s { of 1️⃣done  grace }\ncompletion done { for habit }")
    #expect(analysis.texts(analysis.definitions(in: 0, at: offset)) == ["done"])
  }
}
