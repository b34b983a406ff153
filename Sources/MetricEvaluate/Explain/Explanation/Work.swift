/// One metric that is being explained.
struct Work {
  let metric: MetricID
  let plan: Metric
  let subject: String
  let day: DayKey
  var explanation: Explanation
  private var records: Set<RecordReference> = []
  private var moreRecords = 0

  init(metric: MetricID, plan: Metric, subject: String, day: DayKey) {
    self.metric = metric
    self.plan = plan
    self.subject = subject
    self.day = day
    explanation = Explanation(
      metric: plan.name, kind: plan.kind.rawValue, subject: subject, group: "", at: day, parts: [],
      absence: nil)
  }

  /// - Parameter metric: whose, where it is not the own one.
  func scope(over period: Period, of metric: MetricID? = nil) -> Prober.Scope {
    Prober.Scope(metric: metric ?? self.metric, subject: subject, over: period)
  }

  /// Records without what was taken from them: the same one may serve several aggregates.
  mutating func add(_ found: some Sequence<RecordReference>) {
    for record in found {
      var record = record
      record.value = nil
      records.insert(record)
    }
  }

  /// Records that are too many to list.
  mutating func addUnlisted(_ count: Int) { moreRecords += count }

  func finished() -> Explanation {
    var explanation = explanation
    explanation.records = Array(records.sorted { $0.precedes($1) }.prefix(Explainer.mostRecords))
    explanation.recordCount = records.count + moreRecords
    return explanation
  }
}
