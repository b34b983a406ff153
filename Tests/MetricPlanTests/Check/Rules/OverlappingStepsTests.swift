import MetricTestSupport
import Testing

/// W011: two steps that one fact may serve.
@Suite struct OverlappingStepsTests {
  private static let base = """
    fact Visit { dayKey : DayKey  userId : User  isFirst : Bool?  size : Int?  place : "a" | "b" ? }
    completion visited { for user  every day  when count(Visit) >= 1 }

    """

  @Test(arguments: [
    (#"Event where name == "a""#, #"Event where name == "b""#),
    (#"Event where name == "a" and value > 1"#, #"Event where value > 2 and name == "b""#),
    (#"Event where name in ["a", "b"]"#, #"Event where name in ["c"]"#),
    (#"Event where name in ["a", "b"] and name == "a""#, #"Event where name == "b""#),
    ("Visit where isFirst", "Visit where not isFirst"),
    ("Visit where isFirst == true", "Visit where not isFirst"),
    ("Visit where size == 1", "Visit where 2 == size"),
    ("Event where value < 10", "Event where value >= 10"),
    ("Event where value < 10", "Event where not (value < 10)"),
    ("Visit where size <= 2", "Visit where 2.5 < size"),
    ("Visit where size == 2", "Visit where size > 2.0"),
    ("Visit where dayKey < 2026-01-05", "Visit where dayKey >= 2026-01-05"),
    ("Visit where size is none", "Visit where size is not none"),
    ("Visit where size is none", "Visit where size != 3"),
    (#"Event where name != "a""#, #"Event where name == "a""#),
    (#"Event where name not in ["a", "b"]"#, #"Event where name in ["a", "b"]"#),
    (#"Event where name == "a" or name == "c""#, #"Event where name == "b""#),
    (#"Event where not (name == "a" or name == "b")"#, #"Event where name == "b""#),
    ("Visit where isFirst", "Visit where isFirst != true"),
    ("Visit", "Event"),
    ("visited", "Visit"),
    (#"Visit where place == "a""#, #"Visit where place == "b""#),
  ])
  func disjoint(_ one: String, _ other: String) {
    checks(Self.base + "funnel x { for user\n step one \(one)\n step two \(other)\n }")
  }

  @Test(arguments: [
    ("Event", #"Event where name == "b""#),
    (#"Event where name == "a""#, #"Event where value == 1"#),
    (#"Event where name == "a" or value == 2"#, #"Event where name == "b""#),
    (#"Event where name in ["a", "b"]"#, #"Event where name in ["b", "c"]"#),
    (#"Event where name != "a""#, #"Event where name == "b""#),
    ("Visit where isFirst", "Visit where size == 1"),
    ("Event where value < 10", "Event where value > 9"),
    ("Event where value <= 10", "Event where value >= 10"),
    ("Visit where size is none", "Visit where not isFirst"),
    ("Visit where size == 1 or size is none", "Visit where size is none"),
    (#"Event where not (name == "a" and value > 2)"#, #"Event where name == "a""#),
    (#"Event where name not in ["a", "b"]"#, #"Event where name in ["b", "c"]"#),
  ])
  func overlapping(_ one: String, _ other: String) {
    checks(Self.base + "funnel x { for user  // warning: W011\n step one \(one)\n step two \(other)\n }")
  }
}
