import Foundation
import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricSQL
import Testing

/// The dbt project: its models name each other, and no text becomes template code.
@Suite struct DbtTests {
  private let source = #"""
    /// Days with {{ braces }} and {% tags %}.
    completion done { for habit  every day  when count(HabitEntry where id != "{{ ref('x') }}{%#") >= 1 }
    /// A run.
    streak run { of done }
    streak longest { of done  best }
    """#

  private func files(
    _ names: DatabaseNames = DatabaseNames(), days: SQLDays? = nil
  ) throws -> [String: String] {
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: source)])
    try #require(library.isAccepted, "\(library.findings)")
    let day = try #require(DayKey("2026-01-02"))
    let files = library.dbtProject(metrics: [], days: days ?? .list([day]), dialect: .duckdb, names: names)
    return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
  }

  @Test func aModelForEachMetric() throws {
    let files = try files()
    for metric in ["done", "run", "longest"] {
      #expect(files["models/\(metric).sql"] != nil)
      #expect(files["models/schema.yml"]?.contains("  - name: \"\(metric)\"\n") == true)
    }
    #expect(files["dbt_project.yml"]?.contains("profile: metrics") == true)
  }

  @Test func stewardsAreMeta() throws {
    let library = MetricLibrary(
      unsearched: """
        measure plain { for habit  value count(HabitEntry) }
        measure owned {
          for habit
          value count(HabitEntry)
          owner "a \\"team\\""
          tags ["daily", "{{ x }}"]
          approved "Ana" on 2026-06-30 meaning "0"
        }
        measure tagged { for habit  value count(HabitEntry)  tags ["daily"] }
        """)
    let day = try #require(DayKey("2026-01-02"))
    let files = library.dbtProject(metrics: [], days: .list([day]), dialect: .duckdb, names: DatabaseNames())
    let schema = try #require(files.first { $0.path == "models/schema.yml" }?.text)
    #expect(
      schema.contains(
        """
            config:
              meta:
                owner: "a \\"team\\""
                tags: ["daily", "{{ '{' }}{ x }}"]
                approval:
                  who: "Ana"
                  day: "2026-06-30"
                  meaning: "0"
            columns:

        """), "\(schema)")
    #expect(schema.contains("      meta:\n        tags: [\"daily\"]\n    columns:"), "\(schema)")
    #expect(schema.components(separatedBy: "config:").count == 3)
  }

  /// A model has a column for each field of its groups.
  @Test func aColumnForEachField() throws {
    let library = MetricLibrary(
      unsearched: """
        extend User { plan : Text? }
        fact Sale { userId : User  dayKey : DayKey  value : Text? }
        measure table { for app  value count(Sale)  by user.plan, value }
        measure list { for app  value count(Sale)  by value }
        """)
    let day = try #require(DayKey("2026-01-02"))
    let files = library.dbtProject(metrics: [], days: .list([day]), dialect: .duckdb, names: DatabaseNames())
    let texts = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
    let schema = try #require(texts["models/schema.yml"]?.components(separatedBy: "\nsources:").first)
    func columns(_ metric: String) -> [Substring] {
      let model = schema.components(separatedBy: "  - name: \"\(metric)\"\n").last ?? ""
      return model.components(separatedBy: "  - name: \"").first?.matches(of: /- name: (\w+)\n/).map(\.1)
        ?? []
    }
    #expect(columns("table") == ["metric", "subject", "user_plan", "value_", "part", "at", "value"])
    #expect(columns("list") == ["metric", "subject", "group", "part", "at", "value"])
    let model = try #require(texts["models/table.sql"])
    #expect(
      model.contains(" AS user_plan,") && model.contains(" AS value_,") && !model.contains("\"group\","))
  }

  /// A template asks its engine for all that it writes itself: of SQLite the ends of identities were an empty model.
  @Test func identitiesHaveEnds() throws {
    let library = MetricLibrary(
      unsearched: """
        link Identity { guestId : User  userId : User }
        fact Visit { userId : User  dayKey : DayKey }
        measure visits { for user  value count(Visit) }
        """)
    let day = try #require(DayKey("2026-01-02"))
    let files = library.dbtProject(metrics: [], days: .list([day]), dialect: .sqlite, names: DatabaseNames())
    let model = try #require(files.first { $0.path == "models/visits.sql" }?.text)
    #expect(model.contains("WITH RECURSIVE walk"), "\(model)")
  }

  /// Every name behind `ref` is a model, and what several models read is one.
  @Test func referencesLeadToModels() throws {
    let files = try files()
    var named: Set<String> = []
    for text in files.filter({ $0.key.hasSuffix(".sql") }).values {
      for part in text.components(separatedBy: "{{ ref('").dropFirst() {
        named.insert(String(part.prefix { $0 != "'" }))
      }
    }
    named.remove("x")
    #expect(!named.isEmpty)
    for name in named { #expect(files["models/relations/\(name).sql"] != nil, "\(name)") }
    let shared = files.keys.filter { $0.hasPrefix("models/relations/") }
    #expect(shared.count == named.count)
  }

  /// `incremental.py` runs such projects day by day.
  @Test func windowsAreAppended() throws {
    let files = try files(days: .parameter)
    let windows = try #require(files["models/relations/int_done_closed_windows.sql"])
    #expect(windows.hasPrefix("{{ config(materialized='incremental', "))
    #expect(windows.contains(#">= CAST(CAST((DATE '1970-01-01' + CAST(((CAST('{{ var("since") }}'"#))
    #expect(!windows.contains("{{ ref('int_"))
    for reader in ["run", "longest"] {
      let text = try #require(files["models/\(reader).sql"])
      #expect(!text.contains("HabitEntry'"), "\(text)")
    }
    #expect(try !self.files().values.contains { $0.contains("is_incremental") })
  }

  @Test(arguments: [nil, SQLDays.parameter]) func textsAreNoTemplates(days: SQLDays?) throws {
    for (path, text) in try files(days: days) where path.hasPrefix("models/") {
      // What is left without the project's own references and its escapes holds no mark of a template.
      let rest = text.replacing(/\{\{ (ref|source)\('[a-zA-Z_0-9]+'(, '[a-zA-Z_0-9]+')?\) \}\} AS/, with: "")
        .replacing(
          /\{\{ (var\("(at|since)"\)|config\([a-z_=', +()]+\)) \}\}|\{% (if is_incremental\(\)|else|endif) %\}/,
          with: ""
        )
        .replacing("{{ '{' }}", with: "").replacing("{{ target.schema }}", with: "")
      #expect(!rest.contains("{{") && !rest.contains("{%") && !rest.contains("{#"), "\(path)\n\(rest)")
    }
  }

  @Test func tablesBelongToTheirSchema() throws {
    let text = try #require(
      try files(DatabaseNames(tables: ["HabitEntry": ["app", "my \"entries\""]]))["models/schema.yml"])
    #expect(text.contains("    schema: \"app\"\n    tables:\n      - name: \"HabitEntry\"\n"))
    #expect(text.contains("identifier: \"my \\\"entries\\\"\""))
  }
}
