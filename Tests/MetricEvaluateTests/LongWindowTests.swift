import MetricData
import MetricLanguage
import MetricTestSupport
import Testing

/// Windows, periods and rests far longer than the distance of facts, against the reference evaluator: what is
/// computed in whole stretches gives what windows one by one give.
@Suite struct LongWindowTests {
  static let source = """
    extend Habit { startDay : DayKey?  pause : Int? min 0 }
    fact Pause setting { id : ID  habitId : Habit  dayKey : DayKey  kind : "on" | "off" ? }

    completion daily { for habit every day when count(HabitEntry) >= 1
      rest when weekday(day) in ["saturday", "sunday"] }
    completion ever { for habit every day when count(HabitEntry over all time) >= 3 and weekday(day) != "friday"
      rest when day < habit.startDay }
    completion held { for habit every 2 days when sum(HabitEntry.value over last 90 days) >= 2
      rest when count(Pause over last 40 days) >= 1 }
    completion paused { for habit every 3 days when count(HabitEntry) >= 1
      rest when last(Pause.kind over all time) == "on" or day in [2026-02-01, 2026-05-07] }
    completion long { for habit every 70 days when count(HabitEntry) >= 2
      rest when habit.startDay - day > 3 or count(Pause) >= 2 }
    completion longer { for habit every 80 days when count(HabitEntry) >= 1 and weekday(day) != "monday"
      rest when day - habit.startDay < habit.pause }
    completion longest { for habit every 200 days when count(HabitEntry over last 9 days) >= 1 }
    completion weekly { for habit every calendar week from sunday when count(HabitEntry) >= 1
      rest when day <= 2026-03-01 }
    completion monthly { for habit every calendar month when count(HabitEntry over last 50 days) >= 2
      rest when weekday(day) == "tuesday" }
    completion open { for habit every calendar month when count(HabitEntry) >= 1 and weekday(day) != "sunday"
      rest when count(Pause over calendar week) >= 1 }
    measure amount { for habit value sum(HabitEntry.value) over last 30 days }
    completion read { for habit every 66 days when amount >= 2 rest when amount is none or weekday(day) == "monday" }
    completion unsteady { for habit every 2 days when count(HabitEntry) >= 1
      rest when (day - habit.startDay) / 7 == 3 or amount > 4 }

    """ + readings

  /// Everything that is asked of each of the completions.
  private static var readings: String {
    let weeks = ["weekly", "monthly", "open"]
    let lengths = ["daily": 1, "ever": 1, "held": 2, "paused": 3, "long": 70, "longer": 80, "longest": 200]
    let others = lengths.merging(["read": 66, "unsteady": 2]) { one, _ in one }
    let named = others.sorted { $0.key < $1.key }.map {
      ($0.key, "\($0.value * min(40, 3660 / $0.value)) days")
    }
    return (named + weeks.map { ($0, "40 windows") }).map { name, length in
      """
      streak \(name)_run { of \(name) audience team }
      streak \(name)_best { of \(name) best }
      streak \(name)_grace { of \(name) grace \(length) audience team allow W003 "meant" }
      momentum \(name)_last { of \(name) over last \(length) audience team }
      momentum \(name)_half { of \(name) half life \(length) audience team allow W003 "meant" }
      momentum \(name)_short { of \(name) half life 2 windows audience team allow W003 "meant" }
      measure \(name)_count { for habit value count(\(name)) }
      measure \(name)_some { for habit value count(\(name) over last 170 days) }
      measure \(name)_first { for habit value first(\(name) over last 150 days) }
      measure \(name)_end { for habit value last(\(name) over calendar month) }

      """
    }.joined()
  }

  @Test(arguments: 0..<4)
  func equalToTheReference(shard: Int) {
    for seed in seeds(4, from: UInt64(6_000_000 + shard * 4)) {
      var random = SeededGenerator(seed: seed)
      var options = DatasetOptions()
      options.facts = random.pick([2, 5, 30])
      options.entities = 2...3
      options.days = random.pick([60, 300])
      let first = RandomDataset.firstDay.advanced(by: random.int(-9...300))
      let step = random.pick([1, 1, 2, 30])
      let days = (0..<random.int(1...12)).map { first.advanced(by: $0 * step) }
      let test = DifferentialCase(.all, options, source: Self.source, days: days, threads: 2, using: &random)
      if let difference = test.difference() {
        Issue.record("\(random.replay)\n\(difference)")
        return
      }
    }
  }
}
