import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricPlan
import Testing

@testable import MetricEvaluate

/// The search that is led to where a fall can be seen.
@Suite struct GuidedSearchTests {
  private static let library = MetricLibrary(sources: [
    SourceFile(
      path: "guided.metric",
      text: """
        fact Run { id : ID  userId : User  dayKey : DayKey  n : Int min 0  at : Instant? }
        fact Walk { id : ID  userId : User  dayKey : DayKey  n : Int min 0 }
        measure odd { for user  audience team  value if count(Run) >= 3 then 1 else 2 }
        completion quiet {
          for user  every day  audience team
          when sum(Run.n over last 7 days) >= 0
          rest when min(Walk.n) == 3
        }
        """)
  ]).plan

  private func search(_ name: String, seed: UInt64) throws -> GuidedSearch {
    let metric = try #require(Self.library.metric(named: name))
    let guide = try #require(Guide(library: Self.library, metric: metric))
    return GuidedSearch(
      guide: guide, world: SmallWorld(library: Self.library, metric: metric), pool: StringPool(),
      random: SplitMix(seed: seed))
  }

  @Test func aGuideLooksAtWhatItsGoalsCompare() throws {
    let metric = try #require(Self.library.metric(named: "odd"))
    let guide = try #require(Guide(library: Self.library, metric: metric))
    #expect(guide.goalCount > 0)
    #expect(!guide.looksBack)
    // The count and the 3.
    #expect(guide.probes(of: Array(0..<guide.goalCount)).count == 2)
    let goals = 0..<guide.goalCount
    func nearest(_ count: Int64) -> Double {
      goals.map { guide.distance(to: $0, now: [.int(count), .int(3)], before: []) }.min() ?? .infinity
    }
    // Below 3 the next fact can turn it, and the more so the nearer it is.
    #expect(nearest(2) <= Guide.reach)
    #expect(nearest(2) < nearest(0))
  }

  @Test func itFindsWhereTheBranchIsLeft() throws {
    var search = try search("odd", seed: 3)
    var fallen = 0
    _ = search.run { trial in
      for (old, new) in zip(trial.before, trial.after) where new.value.isBelow(old.value) { fallen += 1 }
      return nil
    }
    #expect(fallen > 0)
  }

  @Test func theSameSeedGivesTheSameTrials() throws {
    func trials() throws -> [Int] {
      var search = try search("odd", seed: 4)
      var sizes: [Int] = []
      _ = search.run { trial in
        sizes.append(trial.rows.count)
        return sizes.count < 500 ? nil : Self.any
      }
      return sizes
    }
    #expect(try trials() == trials())
  }

  @Test func aWindowIsOpenWhereItHasNoFacts() throws {
    let metric = try #require(Self.library.metric(named: "quiet"))
    let found = try #require(CounterexampleSearch.whenRestEnds(metric, in: Self.library))
    #expect(found.after.isBelow(found.before))
  }

  private static let any = Counterexample(
    rows: [], added: nil, metric: "", subject: "", group: "", part: "", day: .first, nextDay: .first,
    before: .none, after: .none)
}
