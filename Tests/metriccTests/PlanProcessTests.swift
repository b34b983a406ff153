import Foundation
import MetricTestSupport
import Testing

/// `metricc plan` as a process.
@Suite struct PlanProcessTests {
  private let source = """
    completion met {
      for habit where cadence == "weekly"
      every week
      when count(HabitEntry where value > 0) >= habit.weeklyTarget
    }
    momentum strength { of met  over last 28 days  unit weeks  title "Last four weeks" }
    measure mean { for app  value average(HabitEntry.value)  over last 7 days }

    """

  @Test func asText() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", source)
    let run = try runMetricc(["plan", "a.metric"], in: folder.path)
    #expect(run.exit == 0)
    #expect(
      run.out == """
        met: completion for habit where cadence == "weekly", audience user
          every     7 days, rolling
          when      count(HabitEntry where value > 0) >= habit.weeklyTarget
          value is  Bool, measured, rising, false on no data
          answers   recomputable: yes, derived: yes, time-zone safe: yes, non-punitive: yes
          rests on  Habit: cadence, weeklyTarget; HabitEntry: habitId, dayKey, value, deletedAt
          declared  Habit.cadence, Habit.weeklyTarget
          read by   strength

        strength: momentum for habit where cadence == "weekly", audience user, unit weeks
          title     Last four weeks
          of        met
          over      last 4 windows
          value is  Int, measured, rising, 0 to 4, 0 on no data
          answers   recomputable: yes, derived: yes, time-zone safe: yes, non-punitive: yes
          rests on  Habit: cadence, weeklyTarget; HabitEntry: habitId, dayKey, value, deletedAt
          declared  Habit.cadence, Habit.weeklyTarget
          reads     met

        mean: measure for app, audience team
          value     average(HabitEntry.value)
          over      last 7 days
          value is  Decimal, measured, unknown, 0 or more, none on no data
          answers   recomputable: yes, derived: yes, time-zone safe: yes, non-punitive: not asked of the team
          rests on  HabitEntry: dayKey, value, deletedAt

        """)
  }

  @Test func asJSON() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", source)
    let run = try runMetricc(
      ["plan", "a.metric", "--format", "json", "--metric", "strength"], in: folder.path)
    let report = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: [[String: Any]]]
    let metric = try #require(report?["metrics"]?.first)
    #expect(metric["reads"] as? [String] == ["met"])
    #expect((metric["parts"] as? [[String: Any]])?.first?["range"] as? [Int] == [0, 4])
    let certificate = metric["certificate"] as? [String: Any]
    #expect(certificate?["onNoData"] as? Int == 0)
    #expect(certificate?["nonPunitive"] as? Bool == true)
  }

  @Test func rejectedDefinitions() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", "measure mean { for habit  value average(HabitEntry.value) }\n")
    let run = try runMetricc(["plan", "a.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.out.hasPrefix("mean: measure for habit, audience user, rejected\n"))
    #expect(run.out.contains("non-punitive: no"))
    #expect(run.err.contains("[C401 falls-when-logged]"))
    #expect(try runMetricc(["plan", "a.metric", "--metric", "maen"], in: folder.path).exit == 64)
  }

  @Test func asMermaidAndDot() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", source)
    let mermaid = try runMetricc(["plan", "a.metric", "--format", "mermaid"], in: folder.path)
    #expect(mermaid.exit == 0)
    #expect(
      mermaid.out.hasPrefix(
        """
        flowchart LR
          r_Habit[("Habit<br/><small>entity: cadence, weeklyTarget</small>")]:::record
          r_HabitEntry[("HabitEntry<br/><small>fact: habitId, dayKey, value, deletedAt</small>")]:::record
          m_mean["mean<br/><small>measure, team</small>"]:::team
          m_met("met<br/><small>completion, user</small>"):::user
          m_strength{{"strength<br/><small>momentum, user</small>"}}:::user
          r_HabitEntry --> m_mean

        """))
    #expect(mermaid.out.contains("\n  m_met --> m_strength\n"))
    let dot = try runMetricc(
      ["plan", "a.metric", "--format", "dot", "--metric", "met"], in: folder.path)
    #expect(dot.out.hasPrefix("digraph lineage {\n"))
    #expect(dot.out.contains("\n  r_HabitEntry -> m_met\n}\n"))
    #expect(!dot.out.contains("strength"))
  }

  @Test(.enabled(if: Tool.path("dot") != nil, "there is no Graphviz on the path"))
  func graphvizDrawsIt() throws {
    let definitions = Repository.path("Definitions")
    let dot = try runMetricc(["plan", definitions, "--format", "dot"])
    let drawing = try Tool.run("dot", ["-Tsvg"], stdin: dot.out)
    #expect(drawing.exit == 0)
    #expect(drawing.err == "")
    #expect(drawing.out.contains("goal_progress"))
  }
}
