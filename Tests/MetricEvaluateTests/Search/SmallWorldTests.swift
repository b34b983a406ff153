import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricPlan
import Testing

@testable import MetricEvaluate

/// What a search builds its datasets from, and what it makes of them.
@Suite struct SmallWorldTests {
  private static let library = MetricLibrary(sources: [
    SourceFile(
      path: "small.metric",
      text: """
        fact Run {
          id : ID  userId : User  dayKey : DayKey  n : Int min 0  x : Decimal?  done : Bool
          mood : "calm" | "tired" ?
        }
        measure m {
          for user  audience team
          value count(Run where x > 2.5 and not done over last 3 days) + sum(Run.n where mood == "calm")
        }
        """)
  ]).plan
  private static let metric = library.metrics.count - 1

  @Test func theVocabularyKnowsLiteralsPeriodsAndAggregates() {
    let vocabulary = Vocabulary(library: Self.library, metric: Self.metric)
    #expect(vocabulary.numbers == [2_500_000])
    #expect(vocabulary.texts == ["calm"])
    #expect(vocabulary.spans == [3])
    #expect(vocabulary.aggregates.map(\.function) == [.count, .sum])
  }

  @Test func aWishFillsWhatAWhereAsksFor() throws {
    let run = try #require(Self.library.record(named: "Run"))
    let aggregates = Vocabulary(library: Self.library, metric: Self.metric).aggregates
    let filter = try #require(aggregates[0].filter)
    let fields = Self.library.records[run].fields
    var random = SplitMix(seed: 1)
    for _ in 0..<20 {
      var values: [Int: Literal] = [:]
      Wish(library: Self.library, record: run).grant(filter, true, to: &values, &random)
      let named = Dictionary(uniqueKeysWithValues: values.map { (fields[$0.key].name, $0.value) })
      #expect(named["done"] == .bool(false))
      guard case .decimal(let x)? = named["x"] else {
        Issue.record("no x")
        return
      }
      #expect(x.millionths > 2_500_000)
    }
  }

  @Test func aBatchKeepsDatasetsApart() throws {
    let world = SmallWorld(library: Self.library, metric: Self.metric)
    var random = SplitMix(seed: 2)
    let day = try #require(DayKey("2026-01-10"))
    let worlds = (0..<20).map { count in
      world.frame(&random) + (0..<count % 5).map { _ in world.fact(before: day, hints: [], &random) }
    }
    var batch = WorldBatch(library: Self.library, pool: StringPool())
    let together = batch.evaluate(worlds[...], [Self.metric], [day])
    for (index, rows) in worlds.enumerated() {
      #expect(batch.evaluate([rows], [Self.metric], [day])[0] == together[index])
    }
    #expect(batch.runs == 21)
  }

  @Test func shrinkingLeavesOutWhatIsNotNeeded() throws {
    let run = try #require(Self.library.record(named: "Run"))
    let number = try #require(Self.library.records[run].field(named: "n"))
    let span = Self.library.records[run].span
    let rows = (0..<50).map { TestRow(record: run, values: [number: .int(Int64(100 + $0))], span: span) }
    let day = DayKey.first
    let found = Counterexample(
      rows: rows, added: nil, metric: "m", subject: "", group: "", part: "", day: day, nextDay: day,
      before: .none, after: .none)
    // Two rows are needed, one of them with a number of at least 3.
    let shrinker = Shrinker(library: Self.library) { found, rows, _ in
      let isEnough = rows.contains { row in
        if case .int(let value)? = row.values[number] { value >= 3 } else { false }
      }
      var smaller = found
      smaller.rows = rows
      return rows.count >= 2 && isEnough ? smaller : nil
    }
    let shrunk = shrinker.shrunk(found)
    #expect(shrunk.rows.count == 2)
    #expect(shrunk.rows.compactMap { $0.values[number] }.contains(.int(3)))
    #expect(shrunk.rows.compactMap { $0.values[number] }.contains(.int(1)))
  }
}
