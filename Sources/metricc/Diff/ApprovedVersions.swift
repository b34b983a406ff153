/// Definitions as they were when metrics were approved, where git has them.
struct ApprovedVersions {
  private let library: MetricLibrary
  private let paths: [String]
  /// By revision; what cannot be read there is empty.
  private var known: [String: MetricLibrary] = [:]
  private var searches = 0

  /// How many commits are searched for one approval.
  private static let mostRevisions = 10
  /// How many voided approvals get a dataset: a change of what many metrics read voids them all.
  private static let mostSearches = 5

  init(_ library: MetricLibrary, at paths: [String]) {
    (self.library, self.paths) = (library, paths)
  }

  /// A finding of a voided approval with the smallest dataset on which the approved and the present definition differ; as
  /// it is where git is not there, or has no version with the approved meaning.
  mutating func explained(_ finding: Diagnostic) -> Diagnostic {
    guard finding.code.id == "W026", searches < ApprovedVersions.mostSearches, let name = finding.metric,
      let approval = library.approval(of: name), approval.hash.form == MeaningHash.currentForm,
      let version = version(of: name, approved: approval)
    else { return finding }
    searches += 1
    var finding = finding
    finding.notes.insert(Note("the approved definition is in git:\(version.revision.prefix(12))"), at: 0)
    guard let witness = library.witness(of: name, from: version.library, named: version.name) else {
      return finding
    }
    let (before, after) = (witness.old.words, witness.new.words)
    // Of another type they may look the same.
    guard before != after else { return finding }
    let records = ApprovedVersions.records(of: witness)
    let summary =
      "with \(records): \(before) as it was approved, \(after) now, \(ApprovedVersions.place(of: witness))"
    finding.notes.insert(Note(summary), at: 0)
    finding.counterexample = Diagnostic.Counterexample(
      summary: summary, test: witness.test, before: before, after: after)
    return finding
  }

  private mutating func version(
    of name: String, approved: Approval
  ) -> (revision: String, library: MetricLibrary, name: String)? {
    let changing = paths.flatMap { path in
      (try? GitSources("HEAD:\(path)", fallback: path).revisions(changing: approved.meaning)) ?? []
    }
    // The clause may be younger than the last commit.
    for revision in changing.prefix(ApprovedVersions.mostRevisions) + ["HEAD"] {
      let old = definitions(at: revision)
      let names = old.names(meaning: approved.hash)
      if let first = names.first { return (revision, old, names.contains(name) ? name : first) }
    }
    return nil
  }

  private mutating func definitions(at revision: String) -> MetricLibrary {
    if let known = known[revision] { return known }
    let sources = paths.flatMap { path in
      (try? GitSources("\(revision):\(path)", fallback: path).sources()) ?? []
    }
    let parsed = sources.enumerated().map { ParsedSource($1, file: $0) }
    let library = MetricLibrary(parsed: parsed, searchesCounterexamples: false)
    known[revision] = library
    return library
  }

  private static let mostListed = 4

  /// `HabitEntry { habitId: "read", dayKey: 2026-01-01 }`
  private static func records(of witness: ChangeWitness) -> String {
    let known = lines(of: witness).filter { $0.hasPrefix("given ") }
    let records = (known + witness.newOnly.map { $0[...] }).map { $0.dropFirst("given ".count) }
    if records.isEmpty { return "no records" }
    return records.count > mostListed
      ? Counting.of(records.count, "record") : records.joined(separator: ", ")
  }

  /// `for "read" at 2026-01-08`
  private static func place(of witness: ChangeWitness) -> String {
    let expectation = lines(of: witness).first { $0.hasPrefix("expect ") } ?? ""
    let words = expectation.split(separator: " ", maxSplits: 2).last ?? ""
    return words.firstRange(of: " = ").map { String(words[..<$0.lowerBound]) } ?? String(words)
  }

  private static func lines(of witness: ChangeWitness) -> [Substring] {
    witness.test.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
  }
}
