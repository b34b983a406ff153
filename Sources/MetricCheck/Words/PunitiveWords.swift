/// Words that judge a person, in what is shown of a metric. Those of `ForbiddenWord` are found in every name.
enum PunitiveWords {
  static let all: Set<String> = [
    "fail", "fails", "failed", "failing", "failure", "failures", "shame", "ashamed", "shameful", "punish",
    "punished", "punishes", "punishment", "penalty", "penalties", "penalized", "overdue", "broke", "broken",
    "lost",
    "lose", "loses", "losing", "loser", "losers", "loss", "lapse", "lapsed", "lapses", "behind", "neglect",
    "neglected", "neglects", "bad", "worse", "worst", "guilt", "guilty", "forgot", "forgotten", "forgets",
    "missed",
    "lazy", "laziness", "slacker", "quitter", "disappointing", "disappointed", "pathetic", "unworthy",
    "wasted",
    "sloppy", "inferior",
  ]
}
