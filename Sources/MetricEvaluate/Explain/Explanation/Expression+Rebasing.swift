extension Expression {
  /// Whether it refers to the row or to the subject, and what it says of the subject; nil for what refers to neither.
  private var rooted: (root: PathRoot, ofSubject: Expression)? {
    switch self {
    case .field(var path):
      let root = path.root
      path.root = .subject
      return (root, .field(path))
    case .metric(var reference):
      let root = reference.root
      reference.root = .subject
      return (root, .metric(reference))
    case .completions(var aggregate):
      let root = aggregate.root
      aggregate.root = .subject
      return (root, .completions(aggregate))
    case .literal, .day, .aggregate, .subjects, .arithmetic, .negated, .comparison, .membership, .isNone,
      .and, .or, .not, .conditional, .function, .widened:
      return nil
    }
  }

  /// What holds for a row, asked about the subject that the row is: `cadence` becomes `habit.cadence`.
  /// What refers to the outer subject becomes its value there.
  func onSubject(outside: (Expression) -> Literal) -> Expression {
    guard let (root, ofSubject) = rooted else { return mapOperands { $0.onSubject(outside: outside) } }
    return root == .row ? ofSubject : .literal(outside(self))
  }

  /// A condition of `for … where`, which refers to nothing outside.
  var onSubject: Expression { onSubject { .none($0.type) } }

  /// Those parts of the expression that refer to the outer subject.
  var outsideOperands: [Expression] { parts.filter { $0.rooted?.root == .subject } }
}
