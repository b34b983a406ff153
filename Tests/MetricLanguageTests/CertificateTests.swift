import Foundation
import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricPlan
import Testing

@testable import MetricLanguage

/// What is said of a metric beside its findings: the verdict, the answers, the leaves, the plan's text.
@Suite struct CertificateTests {
  private func library(_ source: String) -> MetricLibrary {
    MetricLibrary(sources: [SourceFile(path: "a.metric", text: source)])
  }

  @Test func whatRestsOnARejectedMetricIsRejected() {
    let metrics = library(
      """
      measure mean { for habit  value average(HabitEntry.value) }
      measure more { for habit  value mean + 1 }
      measure most { for habit  value more + 1 }
      measure for_the_team { for habit  value mean + 1  audience team }
      measure total { for habit  value sum(HabitEntry.value) }
      """
    ).metrics
    #expect(metrics.filter(\.isAccepted).map(\.name) == ["for_the_team", "total"])
    #expect(metrics.map { $0.certificate?.isNonPunitive } == [false, false, false, nil, true])
    #expect(metrics.allSatisfy { $0.certificate?.isRecomputable == true })
  }

  @Test func whatWasObservedIsNamed() {
    let metrics = library(
      """
      extend Habit { isShown : Bool? observed "as the app showed it"  best : Int? min 1 }
      fact Award { id : ID observed "as it was handed out"  userId : User  dayKey : DayKey }
      measure a { for user  value count(Award where habitOf.isShown) }
      extend Award { habitOf : Habit? }
      measure b { for user  value a + count(Event) }
      measure c { for user  value count(Event) }
      """
    ).metrics
    #expect(
      metrics.map { $0.certificate?.observed } == [
        ["Habit.isShown", "Award.id"], ["Habit.isShown", "Award.id"], [],
      ])
  }

  @Test func whatALimitNamesIsNamed() {
    let metrics = library(
      """
      fact Smoke { id : ID  userId : User  dayKey : DayKey }
      completion free { for user  every day  when count(Event) >= 1  limit count(Smoke) == 0 "own choice" }
      streak run { of free }
      measure events { for user  value count(Event) }
      """
    ).metrics
    #expect(
      metrics.map { $0.certificate?.limits } == [
        ["Smoke, in `free`: own choice"], ["Smoke, in `free`: own choice"], [],
      ])
  }

  @Test func whatHasNoPlanHasNoCertificate() {
    let metrics = library("measure a { for habit  value nothing }").metrics
    #expect(metrics.map(\.certificate) == [nil])
    #expect(metrics.map(\.isAccepted) == [false])
  }

  @Test func valuesOnNoData() throws {
    let metrics = library(
      """
      extend Habit { startDay : DayKey? }
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      measure total { for habit  value 100 + sum(HabitEntry.value) }
      measure largest { for habit  value max(HabitEntry.value) }
      measure wanted { for habit  value habit.weeklyTarget }
      measure start { for habit  value habit.startDay }
      measure hidden { for app  value count(Event)  at least 5 users }
      progress share { for habit  value count(HabitEntry)  target 10 }
      """
    ).metrics
    let hundred = try #require(metrics[1].certificate)
    #expect(metrics[0].certificate?.onNoData == .bool(false))
    #expect(
      hundred.onNoData == .number(FixedDecimal(millionths: 100_000_000))
        && hundred.low == FixedDecimal(millionths: 100_000_000))
    #expect(metrics[2].certificate?.onNoData == ValueOnNoData.none)
    #expect(metrics[3].certificate?.onNoData == .between(FixedDecimal(millionths: 0), nil, orNone: true))
    #expect(metrics[4].certificate?.onNoData == .between(nil, nil, orNone: true))
    #expect(metrics[5].certificate?.onNoData == ValueOnNoData.none)
    #expect(metrics[6].certificate?.parts.map(\.name) == ["", "target", "fraction"])
    #expect(metrics[6].certificate?.parts.map(\.direction) == [.rising, .constant, .rising])
    #expect(metrics[6].certificate?.direction == .rising)
  }

  @Test func leavesAreFollowed() {
    let metrics = library(
      """
      entity Book { id : ID  userId : User  level : Text? }
      fact Reading {
        id : ID  bookId : Book  dayKey : DayKey  startPage : Int min 0  endPage : Int min 0
        pages = endPage - startPage
        at : Instant?
      }
      measure pages { for user  value sum(Reading.pages where book.level == "hard")  audience team }
      measure twice { for user  value pages * 2  audience team }
      measure last_pages { for user  value last(Reading.pages)  audience team }
      progress goals { for goal  value contribution(HabitEntry through GoalLink) }
      """
    ).metrics
    let reading = ["Reading.bookId", "Reading.dayKey", "Reading.startPage", "Reading.endPage"]
    #expect(metrics[0].certificate?.leaves == ["Book.userId", "Book.level"] + reading)
    #expect(metrics[1].certificate?.leaves == metrics[0].certificate?.leaves)
    #expect(metrics[2].certificate?.leaves == ["Book.userId"] + reading + ["Reading.at"])
    let links = metrics[3].certificate?.leaves.filter { $0.hasPrefix("GoalLink.") }
    #expect(
      links == ["GoalLink.goalId", "GoalLink.habitId", "GoalLink.bundleId", "GoalLink.contribution"])
  }

  // MARK: The definitions

  private static let definitions: MetricLibrary = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Definitions")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let paths = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "metric" }
    return MetricLibrary(
      sources: paths.sorted { $0.path < $1.path }.map {
        SourceFile(path: $0.path, bytes: (try? Array(Data(contentsOf: $0))) ?? [])
      })
  }()

  /// What a metric rests on is loaded to evaluate it, and none of it is stored or personal text.
  @Test func leavesAreLoaded() {
    let plan = Self.definitions.plan
    let provenance = plan.provenance
    #expect(plan.metrics.count > 100)
    for id in plan.metrics.indices {
      let needs = DataNeeds(library: plan, metrics: [id])
      for leaf in provenance[id].leaves {
        let isLoaded = needs.fields[leaf.record]?.contains(leaf.field) == true
        #expect(isLoaded, "\(plan.metrics[id].name): \(plan[leaf].name)")
        #expect(!plan[leaf].isStored)
      }
    }
  }

  /// The text of a plan is a definition: written into a metric again, it has the same text.
  @Test func textsMeanWhatTheySay() {
    let plan = Self.definitions.plan
    var copies = ""
    for metric in plan.metrics {
      let subject = metric.subject.entity.map { plan.records[$0].subjectName } ?? "app"
      let head = "\(metric.kind.rawValue) \(metric.name)_again { for \(subject) audience \(metric.audience)"
      switch metric.body {
      case .measure(let measure):
        let target = measure.target.map { " target \(plan.text(of: $0))" } ?? ""
        copies += "\(head) value \(plan.text(of: measure.value))\(target) over \(measure.over.asWritten)"
        copies += metric.readingReason == nil ? " }\n" : " reading \"again\" }\n"
      case .completion(let completion):
        let rest = completion.rest.map { " rest when \(plan.text(of: $0))" } ?? ""
        let limit = completion.limit.map { " limit \(plan.text(of: $0.condition)) \"again\"" } ?? ""
        copies += "\(head) every day when \(plan.text(of: completion.when))\(limit)\(rest) }\n"
      case .windows, .level, .funnel, .retention: break
      }
    }
    let sources = Self.definitions.sources.dropLast() + [SourceFile(path: "again.metric", text: copies)]
    let again = MetricLibrary(sources: Array(sources))
    #expect(again.findings.filter { $0.severity == .error }.map(\.message) == [])
    for metric in plan.metrics {
      guard let copy = again.plan.metric(named: "\(metric.name)_again") else { continue }
      #expect(
        again.plan.metrics[copy].body.expressions.map { again.plan.text(of: $0) }
          == metric.body.expressions.map { plan.text(of: $0) })
    }
  }
}
