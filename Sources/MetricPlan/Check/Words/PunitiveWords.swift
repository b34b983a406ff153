/// Words that judge a person, in what is shown of a metric. Those of `ForbiddenWord` are found in every name.
enum PunitiveWords {
  static func contains(_ word: String) -> Bool {
    words.contains(word) || stems.contains(where: word.hasPrefix)
  }

  /// The beginnings of words: `disappoint` finds `disappointment`.
  private static let stems = [
    "asham", "blam", "disappoint", "disgrac", "embarrass", "fail", "guilt", "humiliat", "loser", "neglect",
    "pathetic", "penal", "punish", "relaps", "shame", "skipp", "slack", "sloppi", "unworth",
  ]
  /// Words whose beginning has other meanings: `lost`, but not `mission`.
  private static let words: Set<String> = [
    "bad", "badly", "behind", "broke", "broken", "debt", "debts", "forgets", "forgot", "forgotten",
    "inferior", "indebted", "lapse", "lapsed", "lapses", "laziness", "lazy", "lose", "loses", "losing",
    "loss", "lost", "missed", "misses", "mistake", "mistakes", "overdue", "quitter", "quitters", "skip",
    "skips", "slip", "slips", "sloppy", "wasted", "worse", "worst", "worthless",
  ]
}
