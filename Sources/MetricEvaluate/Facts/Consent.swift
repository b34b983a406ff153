import MetricData
import MetricPlan

/// What users agreed to (PRIV-01, PRIV-02): the latest `Consent` in the whole dataset
/// decides, of several on one day the lowest level; no record is `none`.
struct Consents {
  /// By number of the user.
  private var levels: [ConsentLevel]

  init(dataset: Dataset, user: RecordID) {
    let library = dataset.library
    levels = Array(repeating: .none, count: dataset.space(user).count)
    guard let record = library.record(named: "Consent"), let day = library.records[record].dayKeyField,
      let level = library.records[record].field(named: "level"),
      let reference = library.references(from: record, to: user).first
    else { return }
    let table = dataset.table(record)
    var latest = [Cell](repeating: .min, count: levels.count)
    for row in 0..<table.rowCount where table.isLive(row) {
      guard let id = table.cell(reference, row), let number = dataset.space(user).number(ofPool: id),
        let given = table.cell(day, row), let text = table.cell(level, row),
        let stated = ConsentLevel(rawValue: dataset.pool.string(Int32(text)))
      else { continue }
      if given > latest[number] || (given == latest[number] && stated < levels[number]) {
        latest[number] = given
        levels[number] = stated
      }
    }
  }

  func allows(_ user: Int32, _ level: ConsentLevel) -> Bool {
    user >= 0 ? levels[Int(user)] >= level : level == .none
  }
}
