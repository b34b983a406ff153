/// One metric that is being explained.
struct Work {
  let metric: MetricID
  let plan: Metric
  let subject: String
  let day: DayKey
  var explanation: Explanation
  var records: Set<RecordReference> = []
  /// How many are too many to list.
  var unlistedCount = 0

  /// - Parameter metric: whose, where it is not the own one.
  func scope(over period: Period, of metric: MetricID? = nil) -> Prober.Scope {
    Prober.Scope(metric: metric ?? self.metric, subject: subject, over: period)
  }

  /// Records without what was taken from them: the same one may serve several aggregates.
  mutating func add(_ found: some Sequence<RecordReference>) {
    for var record in found {
      record.value = nil
      records.insert(record)
    }
  }
}
