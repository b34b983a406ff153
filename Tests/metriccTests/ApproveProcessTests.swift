import Foundation
import Testing

/// `metricc approve`, and what `check` and `diff` say of approvals, as processes.
@Suite struct ApproveProcessTests {
  private let definitions = """
    /// Entries of a week.
    measure entries {
      for habit
      owner "growth team"
      value count(HabitEntry)
      over last 7 days
    }

    test "entries" {
      given HabitEntry { id: "1", habitId: "read", dayKey: 2026-01-01 }
      expect entries for "read" at 2026-01-01 = 1
    }

    """

  @Test func anApprovalHoldsThroughARewordingAndNoChange() throws {
    let folder = try TemporaryFolder()
    try folder.write("defs/a.metric", definitions)
    let script = """
      export GIT_CEILING_DIRECTORIES=/tmp
      git init -q . && git config user.name "Ana Reyes" && git config user.email a@example.org
      $metricc approve entries defs --on 2026-06-30
      $metricc check --strict defs && $metricc fmt --check defs && echo HOLDS
      git add . && git commit -q -m approved
      sed -i.bak 's/last 7 days/last 1 week/' defs/a.metric && $metricc check --strict defs && echo REWORDED
      $metricc diff git:HEAD defs --format github
      sed -i.bak 's/last 1 week/last 8 days/' defs/a.metric && $metricc check defs; echo "EXIT $?"
      $metricc check --strict defs >/dev/null; echo "EXIT $?"
      $metricc diff git:HEAD defs --format github --allow meaning
      $metricc approve entries defs --by Ben --on 2026-07-01 >/dev/null && $metricc check --strict defs && echo AGAIN
      """
    let run = try runShell(script, in: folder)
    for expected in [
      "defs/a.metric:2: entries approved \"Ana Reyes\" on 2026-06-30 meaning \"", "HOLDS", "REWORDED",
      "AGAIN",
      "✅ words | `entries`", "owner growth team; approved by Ana Reyes on 2026-06-30",
      "`entries` means something else than `Ana Reyes` approved on 2026-06-30 [W026 voided-approval]",
      "the approved definition is in git:",
      "with HabitEntry { habitId: \"read\", dayKey: 2026-01-01 }: 0 as it was approved, 1 now",
      "approved by Ana Reyes on 2026-06-30, void: it means something else now",
    ] { #expect(run.out.contains(expected), "\(expected): \(run.out) \(run.err)") }
    #expect(run.out.contains("EXIT 0\nEXIT 1\n"), "\(run.out) \(run.err)")
  }

  @Test func aDryRunShowsTheEditAndWritesNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", definitions)
    let arguments = ["approve", "entries", "a.metric", "--by", "Ana", "--on", "2026-06-30"]
    let dry = try runMetricc(arguments + ["--dry-run"], in: folder.path)
    #expect(dry.exit == 0 && dry.err.isEmpty, "\(dry.err)")
    #expect(dry.out.hasPrefix("--- a.metric\n+++ a.metric\n@@ -4,6 +4,7 @@\n"), "\(dry.out)")
    #expect(dry.out.contains("\n+  approved \"Ana\" on 2026-06-30 meaning \"1:"), "\(dry.out)")
    #expect(try folder.read("a.metric") == definitions)
    #expect(try runMetricc(arguments, in: folder.path).exit == 0)
    let again = try runMetricc(arguments + ["--dry-run"], in: folder.path)
    #expect(again.exit == 0 && again.out.isEmpty, "\(again.out)")
  }

  @Test func wrongUseIsSaid() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", definitions)
    let unknown = try runMetricc(["approve", "entrys", "a.metric", "--by", "Ana"], in: folder.path)
    #expect(unknown.exit == 64 && unknown.err.contains("entries"), "\(unknown.err)")
    let day = try runMetricc(
      ["approve", "entries", "a.metric", "--by", "Ana", "--on", "30.06.2026"], in: folder.path)
    #expect(day.exit == 64 && day.err.contains("expected a day like `2026-06-30`"), "\(day.err)")
    try folder.write("b.metric", "streak run { of gone }\n")
    let rejected = try runMetricc(["approve", "entries", "--by", "Ana"], in: folder.path)
    #expect(rejected.exit == 1 && rejected.err.contains("nothing was approved"), "\(rejected.err)")
    #expect(try folder.read("a.metric") == definitions)
  }

  @Test func theClauseIsInPlansAndCatalogues() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", definitions.replacing("  value", with: "  tags [\"weekly\"]\n  value"))
    let script = """
      $metricc approve entries a.metric --by Ana --on 2026-06-30 >/dev/null
      $metricc plan a.metric && $metricc plan a.metric --format json
      $metricc doc a.metric --output pages >/dev/null 2>&1 && cat pages/metrics/entries.html
      """
    let run = try runShell(script, in: folder)
    for expected in [
      "owner     growth team", "tags      weekly", "approved  Ana on 2026-06-30\n",
      "\"owner\":\"growth team\",\"tags\":[\"weekly\"],\"approval\":{\"who\":\"Ana\",\"day\":\"2026-06-30\"",
      "\"holds\":true", "<dt>Owner</dt><dd>growth team</dd>", "<dt>Approved</dt><dd>Ana on 2026-06-30</dd>",
      "<li>weekly</li>",
    ] { #expect(run.out.contains(expected), "\(expected): \(run.out.prefix(3000)) \(run.err)") }
  }
}
