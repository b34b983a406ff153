import MetricTestSupport
import Testing

/// C408: a text that gets worse.
@Suite struct TextVerdictTests {
  @Test func verdictsAsTexts() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      measure a { for habit  value if count(HabitEntry) >= 3 then "F" else "A" }  // error: C408
      measure b { for habit  value if done then habit.name else habit.unit }  // error: C408
      measure c { for habit  value if count(HabitEntry) < 3 then habit.name else habit.unit }  // error: C408
      measure d { for habit  value if done then 2026-01-01 else 2026-01-02 }  // error: C408
      measure e { for habit  value if habit.kind == "binary" then habit.name else none }
      measure f { for app  value "on" }
      """)
  }

  @Test("CHK-04: through computed fields and declared texts") func verdictsElsewhere() {
    checks(
      """
      fact Log {
        id : ID  userId : User  bookId : Book?  dayKey : DayKey  n : Int min 0  kind : Text?
        label = if n >= 10 then "strong" else "weak"
      }
      entity Book { id : ID  pages : Int? min 0  size = if pages > 100 then "long" else "short" }
      extend User { praise : Text?  blame : Text?  plan : Text? }
      completion done { for user  every day  when count(Log) >= 1 }
      measure a { for user  value last(Log.label) }  // error: C408
      measure b { for user  value count(Log) by label }  // error: C408
      measure c { for user  value if done then user.praise else user.blame }  // error: C408
      measure d { for user  value if count(Log) >= 3 then user.praise else user.blame }  // error: C408
      measure e { for user  value if count(Log) >= 3 then user.praise else none }
      measure f { for user  value last(Log.kind) }
      measure g { for user  value count(Log) by kind }
      measure h { for user  value count(Log) by bookId.size }
      measure i { for user  value count(Log) by label  audience team }
      measure j { for user  value if user.plan == "pro" then user.praise else user.blame }
      """)
  }
}
