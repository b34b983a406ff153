import MetricTestSupport
import Testing

/// C203: nothing rests on a level.
@Suite struct ReadsLevelTests {
  @Test func levels() {
    checks(
      """
      measure visits { for user  value count(Event) }
      level rank { of visits  at 5, 10 }
      measure a { for user  value rank * 100 }  // error: C203
      level b { of rank  at 1 }  // error: C203
      measure c { for app  value count(user where rank >= 1) }  // error: C203
      progress d { for user  value visits  target rank }  // error: C203
      measure e { for user  value visits * 100 }
      """)
  }
}
