/// The shape is described in `Documentation/Reports.md`.
extension Ahead: JSONWritable {
  package var json: JSONText {
    let step = step.map { step in
      let additions = step.additions.map { addition in
        let fields = addition.fields.map { ($0.name, $0.value.json) }
        return JSONText.object([
          "record": addition.record, "count": addition.count, "fields": JSONText.object(fields),
        ])
      }
      return JSONText.object(["goal": step.goal.rawValue, "value": step.value, "additions": additions])
    }
    return .object([
      "metric": metric, "kind": kind, "subject": subject, "at": at, "unit": unit, "value": value,
      "kept": kept, "next": next.map { JSONText(verbatim: $0.description) }, "measured": measured,
      "needed": !isKept, "by": by, "left": left, "step": step, "sentences": sentences,
    ])
  }

  func text(_ layout: Layout) -> String {
    let head = metric + (subject.isEmpty ? "" : " for \(subject.quoted)") + " at \(at)"
    let lines = sentences.flatMap { Grid.wrapped($0, to: max(20, layout.width)) }
    return ([layout.bold(head)] + lines).joined(separator: "\n") + "\n"
  }
}
