import MetricData
import MetricPlan

/// A metric made ready for evaluation.
final class CompiledMetric {
  let plan: Metric
  /// Whether it has one value for the whole dataset and not one for each subject.
  let isWhole: Bool
  /// By subject, whether `for … where` keeps it; nil keeps all.
  private let included: [Bool]?
  private let evaluation: Evaluation

  typealias PartEvaluation = (_ part: Int, _ subject: Int, _ day: Int32, _ worker: Worker) -> Cell

  enum Evaluation {
    /// One value for each part (its index in the plan), each computed by itself.
    case parts(PartEvaluation)
    /// All parts at once, for each group; without groups there is one, the empty one.
    case groups((_ subject: Int, _ day: Int32, _ worker: Worker) -> [GroupValues])
  }

  /// The type of the groups' names.
  let groupType: ValueType
  let isGrouped: Bool

  init(_ compiler: Compiler) throws(EvaluationError) {
    plan = compiler.engine.library.metrics[compiler.metric]
    isWhole = plan.subject.entity == nil || plan.kind == .funnel || plan.kind == .retention
    included = try CompiledMetric.included(plan, compiler)
    evaluation = try CompiledMetric.evaluation(plan, compiler)
    let grouping = compiler.engine.library.grouping(of: plan)
    isGrouped = grouping != nil
    groupType =
      switch grouping {
      case .field(_, let type): type
      case .cohort: .dayKey
      case nil: .text
      }
  }

  /// Whether its parts are computed one by one, so that it has no groups.
  var hasParts: Bool { if case .parts = evaluation { true } else { false } }

  /// How its only part is computed; nil where it has several or groups.
  var onlyPart: PartEvaluation? {
    if case .parts(let evaluate) = evaluation, plan.parts.count == 1 { evaluate } else { nil }
  }

  func includes(_ subject: Int) -> Bool { included?[subject] ?? true }

  /// The cell of one part of a metric without groups.
  func value(part: Int, subject: Int, day: Int32, _ worker: Worker) -> Cell {
    switch evaluation {
    case .parts(let evaluate): evaluate(part, subject, day, worker)
    case .groups(let evaluate): evaluate(subject, day, worker).first?.values[part] ?? noValue
    }
  }

  /// All parts for each group.
  func groups(subject: Int, day: Int32, _ worker: Worker) -> [GroupValues] {
    switch evaluation {
    case .groups(let evaluate):
      return evaluate(subject, day, worker)
    case .parts(let evaluate):
      let values = plan.parts.indices.map { evaluate($0, subject, day, worker) }
      return [GroupValues(group: noValue, values: values)]
    }
  }

  /// By subject, whether `for … where` keeps it.
  static func included(_ plan: Metric, _ base: Compiler) throws(EvaluationError) -> [Bool]? {
    guard let entity = plan.subject.entity, let condition = plan.subject.condition else { return nil }
    let engine = base.engine
    let program = try base.with(row: entity, isFact: false).compile(condition)
    let worker = Worker(engine: engine)
    var included: [Bool] = []
    for (number, row) in engine.dataset.space(entity).rows.enumerated() {
      worker.place.row = Int(row)
      included.append(program(worker) == 1)
      if worker.overflow {
        throw .overflow(metric: plan.name, subject: engine.id(entity, number), day: nil)
      }
    }
    return included
  }
}

extension Library {
  /// The groups of a metric: its own, or for a level those of the metric that it is of.
  func grouping(of metric: Metric) -> Grouping? {
    if case .level(let level) = metric.body { return grouping(of: metrics[level.metric]) }
    return metric.grouping
  }
}
