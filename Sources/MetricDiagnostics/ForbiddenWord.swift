/// The words that people write by habit and that break the checklist (CHK-01), in the order of the
/// language page. The parser reads them where a clause may start, so that they have an answer of their own
/// in place of a syntax error; in a name that resolves they are only warned about.
package enum ForbiddenWord: String, CaseIterable, Sendable {
  case stored, cached, persist, store, cache, save
  case increment, decrement, reset, override, expire, rollover, carry
  case penalty, missed, late, deadline, punish, lose
  case timezone, timestamp
  case now, today
}
