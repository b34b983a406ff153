import MetricTestSupport
import Testing

/// C410: what a reading may be, and who may read it.
@Suite struct ReadingShapeTests {
  @Test("RDG-01 RDG-02: readings") func readings() {
    checks(
      """
      fact Weighing { id : ID  userId : User  dayKey : DayKey  kg : Decimal min 0  steps : Int?  calm : Bool? }
      measure a { for user  value last(Weighing.kg)  reading "the last weight" }
      measure b { for user  value average(Weighing.kg over last 7 days)  reading "a week's mean" }
      measure steps { for user  value average(Weighing.steps)  reading "the mean of whole numbers" }
      measure c { for user  value count(Weighing where calm) / count(Weighing)  reading "the calm share" }
      measure d { for user  value last(Weighing.kg) - 70  reading "why" }  // error: C410
      measure e { for user  value count(Weighing)  reading "why" }  // error: C410
      measure f { for user  value a * 2 }  // error: C410
      level g { of a  at 60 }  // error: C410
      measure h { for app  value average(user.a) }
      measure i { for app  value average(Weighing.kg)  reading "why" }  // error: C410
      measure j { for user  value last(Weighing.kg)  reading " " }  // error: T030
      completion k { for user  every day  when count(Weighing) >= 1 and a > 70 }  // error: C410
      streak l { of k  reading "why" }  // error: T008
      completion m { for user  every day  when count(Weighing) >= 1 }
      streak n { of m  previous }
      measure o { for user  value n }  // error: C410
      level p { of n  at 7 }  // error: C410
      streak q { of m  previous  audience team }
      level r { of q  at 7  audience team }  // error: C406
      measure s { for app  value average(user.n) }
      """)
  }

  @Test("RDG-01: the difference of two observed values") func differences() {
    checks(
      """
      fact Weighing { id : ID  userId : User  dayKey : DayKey  kg : Decimal min 0 }
      fact Booking { id : ID  userId : User  dayKey : DayKey  cents : Int min 0  kind : "income" | "expense" }
      measure change { for user  value last(Weighing.kg) - first(Weighing.kg)  reading "kilograms since the start" }
      measure spread { for user  value max(Weighing.kg) - min(Weighing.kg)  reading "heaviest less lightest" }
      measure balance {
        for user
        value sum(Booking.cents where kind == "income") - sum(Booking.cents where kind == "expense")
        reading "what is left in the purse"
      }
      measure odd { for user  value last(Weighing.kg) - sum(Booking.cents)  reading "why" }  // error: C410
      measure verdict { for user  value count(Weighing) - count(Booking)  reading "why" }  // error: C410
      measure long { for user  value last(Weighing.kg) - first(Weighing.kg) - 2  reading "why" }  // error: C410
      """)
  }
}
