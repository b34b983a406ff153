/// The name that was probably meant: the nearest of the candidates by edit distance.
///
///     nearestName(to: "strek", in: ["fact", "streak"])  // "streak"
///
/// Letters left out, added, changed or swapped with their neighbour count one each, capitals count nothing. A name is
/// near when at most a third of its letters differ; of several equally near ones the first in byte order is taken. Nil
/// if none is near, or where the word is itself a candidate.
package func nearestName(to word: String, in candidates: some Sequence<String>) -> String? {
  let wanted = Array(word.lowercased().unicodeScalars)
  guard wanted.count <= longestComparedName else { return nil }
  var best: (distance: Int, name: String)?
  for candidate in candidates {
    if candidate == word { return nil }
    let letters = Array(candidate.lowercased().unicodeScalars)
    let limit = min(max(wanted.count, letters.count) / 3, 3)
    guard abs(wanted.count - letters.count) <= limit, letters.count <= longestComparedName else {
      continue
    }
    let distance = editDistance(wanted, letters)
    guard distance <= limit else { continue }
    if let found = best, (found.distance, found.name) <= (distance, candidate) { continue }
    best = (distance, candidate)
  }
  return best?.name
}

/// Longer words are not compared: nobody meant another name by them.
private let longestComparedName = 100

/// Damerau's distance (optimal string alignment), three rows at a time.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var row = [i + 1]
    for (j, y) in b.enumerated() {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (x == y ? 0 : 1))
      if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
