import MetricTestSupport
import Testing

/// C413: a missed window takes away what belongs to it.
@Suite struct LosesAtOnceTests {
  private static let source = """
    fact Log { id : ID  userId : User  dayKey : DayKey  n : Int min 0 }
    completion done { for user  every day  when count(Log) >= 1 }
    completion read_too { for user  every day  when count(Log where n > 3) >= 1 }
    streak run { of done }
    streak graced { of done  grace 2 windows }
    streak best_run { of done  best }
    momentum week { of done  over last 7 days }
    measure total { for user  value sum(Log.n) }

    """

  @Test(
    "CHK-13: what falls with a streak",
    arguments: [
      "total * run", "least(total, run * 10)", "run >= 30", "floor(run / 7)", "if done then total else 0",
      "if run >= 7 then total else 0", "total * (if done then 1 else 0)",
      "if not done then 0 else sum(Log.n)",
      "run * run", "run + best_run", "graced * 2", "if done then count(done) else 0",
      "greatest(total, 10) * run",
      "if done and read_too then total else 0", "least(run, 30)",
    ])
  func losesAtOnce(_ value: String) {
    checks(Self.source + "measure m { for user  value \(value) }  // error: C413")
  }

  @Test(
    "CHK-13: what stands for itself",
    arguments: [
      "run", "graced", "done", "done and read_too", "best_run >= 30", "floor(best_run / 7)", "week * 10",
      "total + (if done then 5 else 0)", "if done then sum(Log.n over last 1 days) else 0",
      "if done then 1 else 0",
      "total", "count(Log over last 7 days)", "count(done over last 7 days)",
    ])
  func isHonest(_ value: String) {
    checks(Self.source + "measure m { for user  value \(value) }")
  }

  @Test func elsewhere() {
    checks(
      Self.source + """
        progress a { for user  value run  target 30 }
        progress b { for user  value run * 2  target 30 }  // error: C413
        completion c { for user  every day  when count(Log) >= 1 and run >= 3 }  // error: C413
        completion d { for user  every day  when count(Log) >= 1 and read_too }
        measure e { for user  value total * run  audience team }
        measure through { for user  value run }
        measure f { for user  value total * through }  // error: C413
        """)
  }
}
