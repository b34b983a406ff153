extension Layout {
  /// Lines up the neighbours of a block: the `:` and `=` of fields and the level of consent, the facts of steps, what
  /// follows the names of expectations and logs. A blank line ends a neighbourhood.
  mutating func align(_ block: Block) {
    for run in runs(block) {
      switch run[0].role {
      case .field, .consent: pad(run, before: 1)
      case .step, .log: pad(run, before: 2)
      case .expect(let hasSubject):
        pad(run, before: 2)
        let allHaveSubjects = run.allSatisfy { $0.role == .expect(hasSubject: true) }
        if hasSubject, allHaveSubjects { pad(run, before: 4) }
      case .list, .verbatim, .other: break
      }
    }
  }

  /// The items in runs of one kind.
  private func runs(_ block: Block) -> [[Block.Item]] {
    var runs: [[Block.Item]] = []
    for item in block.items {
      let isNeighbour = runs.last?.last.map { areAlike($0.role, item.role) } ?? false
      if isNeighbour, !gaps[item.tokens.lowerBound].hasBlank {
        runs[runs.count - 1].append(item)
      } else {
        runs.append([item])
      }
    }
    return runs
  }

  private func areAlike(_ left: Block.Role, _ right: Block.Role) -> Bool {
    switch (left, right) {
    case (.expect, .expect), (.field, .consent), (.consent, .field): true
    default: left == right
    }
  }

  /// Moves a token of each item to one column, where none of them has a comment before it.
  private mutating func pad(_ run: [Block.Item], before offset: Int) {
    let mayMove = run.map(\.tokens).allSatisfy { tokens in
      tokens.count > offset && !(1...offset).contains { gaps[tokens.lowerBound + $0].hasComments }
    }
    guard mayMove else { return }
    let widths = run.map { item in
      (item.tokens.lowerBound..<item.tokens.lowerBound + offset).reduce(0) { sum, token in
        sum + texts[token].count + (token == item.tokens.lowerBound ? 0 : spaces[token])
      }
    }
    let widest = widths.max() ?? 0
    for (item, width) in zip(run, widths) { spaces[item.tokens.lowerBound + offset] = 1 + widest - width }
  }
}
