import MetricDiagnostics
import MetricSyntax
import MetricTestSupport
import Testing

/// What the parser says that it looks for where a text ends.
@Suite struct AwaitedTests {
  private func awaited(_ text: String) -> [Awaited.Item] {
    let tree = Parsed(text).tree
    let end = tree.tokens.count - 1
    return tree.awaited(behind: 0..<end, at: tree.tokens[end].span).items.map(\.item)
  }

  @Test func aPlaceSaysWhatFits() {
    #expect(awaited("") == [.declaration])
    #expect(awaited("measure m { for ") == [.subject])
    #expect(awaited("streak s { of done  half ") == [.word(.life)])
    #expect(awaited("momentum m { of done  over last 7 ") == [.word(.days), .word(.weeks), .word(.windows)])
    #expect(awaited("measure m { value 1 + ").last == .operand)
    #expect(awaited("measure m { value sum(Read.") == [.part(of: ["Read"])])
    #expect(!awaited("measure m { value count(Read) ").contains(.operand))
    #expect(awaited("measure m { value count(Read) ").contains(.member))
    #expect(awaited("measure m { title \"t\" junk ") == [])
    #expect(awaited("fact F { x : ") == [.type])
    #expect(awaited("test \"t\" { expect m for \"u\" at ") == [.day])
  }

  /// Cut before any of its words, a definition that is right awaits that word; a third of all are tried.
  @Test func everyWordThatIsWrittenIsLookedFor() throws {
    let paths = ["Definitions", "Tests/Conformance"].flatMap { Repository.files(".metric", under: $0) }
    var (count, missed) = (0, Set<String>())
    for path in paths {
      let tree = Parsed(try Repository.text(path)).tree
      let names = tree.writtenNames
      for declaration in tree.declarations {
        for index in declaration.tokens.dropFirst()
        where tree.tokens[index].kind == .identifier && index % 3 == Int(testSeed % 3) {
          let span = tree.tokens[index].span
          guard names[span.start] == nil, let word = Word(rawValue: tree.source.text(span)) else { continue }
          let place = Span(file: 0, start: span.start, end: span.start)
          let items = tree.awaited(behind: declaration.tokens.lowerBound..<index, at: place).items
          count += 1
          if !items.contains(where: { fits(word, $0.item) }) {
            missed.insert("`\(word.rawValue)` at \(path):\(tree.source.position(of: span.start).line)")
          }
        }
      }
    }
    #expect(count > 3000)
    #expect(missed == [])
  }

  private func fits(_ word: Word, _ item: Awaited.Item) -> Bool {
    switch item {
    case .word(let awaited): awaited == word
    case .member: Word.clauses.contains(word) || [.consent, .given, .log, .expect].contains(word)
    case .operand: [.if, .not, .true, .false, .none, .day].contains(word)
    case .operators: [.and, .or, .in, .not, .is, .offset].contains(word)
    case .literal: [.true, .false, .none].contains(word)
    default: false
    }
  }
}
