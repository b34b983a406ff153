import MetricData
import MetricPlan

/// What users agreed to, over time (PRIV-01, PRIV-02).
struct Consents {
  /// The lowest level of a user on a day, by user and day.
  private struct Choice {
    var user: Int
    var day: Cell
    var level: ConsentLevel
    var purpose: Int32?
  }

  private var choices: [Choice] = []
  private let userCount: Int
  private let pool: StringPool

  init(dataset: Dataset, user: RecordID) {
    let library = dataset.library
    userCount = dataset.space(user).count
    pool = dataset.pool
    guard let record = library.record(named: "Consent"), let day = library.records[record].dayKeyField,
      let level = library.records[record].field(named: "level"),
      let purpose = library.records[record].field(named: "purpose"),
      let reference = library.references(from: record, to: user).first
    else { return }
    let table = dataset.table(record)
    for row in 0..<table.rowCount where table.isLive(row) {
      guard let id = table.cell(reference, row), let number = dataset.space(user).number(ofPool: id),
        let given = table.cell(day, row), let text = table.cell(level, row),
        let stated = ConsentLevel(rawValue: pool.string(Int32(text)))
      else { continue }
      let about = library.hasPurposes ? table.cell(purpose, row).map { Int32($0) } : nil
      choices.append(
        Choice(
          user: number, day: given, level: stated,
          purpose: about.flatMap { pool.string($0).isEmpty ? nil : $0 }))
    }
    choices.sort { ($0.user, $0.day, $0.level) < ($1.user, $1.day, $1.level) }
  }

  /// The day of users without consent: none.
  static let never = Int32.max

  /// By number of the user: the day since which the level has held without interruption, or `never`.
  func since(_ asked: AskedConsent) -> [Int32] {
    var since = [Int32](
      repeating: asked.standing >= asked.level ? .min : Consents.never, count: userCount)
    let purpose = asked.purpose.isEmpty ? nil : pool.lookup(asked.purpose)
    // A purpose that no record names has the defaults alone.
    guard asked.purpose.isEmpty || purpose != nil else { return since }
    var last: (user: Int, day: Cell) = (-1, 0)
    for choice in choices where choice.purpose == purpose && last != (choice.user, choice.day) {
      last = (choice.user, choice.day)
      since[choice.user] =
        choice.level < asked.level ? Consents.never : min(since[choice.user], Int32(choice.day))
    }
    return since
  }
}
