/// How many subjects have which value.
struct Histogram {
  /// Rising, at least one.
  var numbers: [FixedDecimal]
  var form: NumberForm
  /// What is counted: `habits`.
  var subjects: String

  private typealias Bin = (label: String, count: Int)

  /// A bar per number where there are few whole ones, else about ten bars of one width.
  private var bins: [Bin] {
    guard let first = numbers.first, let last = numbers.last else { return [] }
    let isWhole = form != .share && numbers.allSatisfy(\.isWhole)
    let isFew = isWhole && last.approximate - first.approximate <= 16
    let axis = Axis([first.approximate, last.approximate], isWhole ? .whole : form)
    let step = isFew ? 1 : (axis.ticks[1] - axis.ticks[0]) / 2
    let start = (first.approximate / step).rounded(.down) * step
    let count = Int(((last.approximate - start) / step).rounded(.down)) + 1
    var bins = (0..<count).map { (axis.label(start + Double($0) * step), 0) as Bin }
    for number in numbers {
      bins[min(count - 1, max(0, Int((number.approximate - start) / step)))].count += 1
    }
    return bins
  }

  func figure(_ title: String, _ summary: String) -> Figure? {
    let bins = bins
    guard !bins.isEmpty else { return nil }
    let axis = Axis(bins.map { Double($0.count) }, .whole)
    let bottom = Axis.bottom
    let pitch = 1 / Double(bins.count)
    // In the narrowest column.
    let room = pitch * 300
    let every = max(1, Int((Double(bins.map(\.label.count).max() ?? 1) * 8 / room).rounded(.up)))
    let bars = bins.enumerated().map { index, bin -> HTML in
      let x = Double(index) * pitch
      let top = axis.y(Double(bin.count))
      let label: HTML =
        index % every == 0
        ? .text("tick", .across(x + pitch / 2), bottom + 18, bin.label, anchor: "middle") : ""
      return """
        <rect class="bar" x="\(HTML.across(x + pitch * 0.08))" y="\(top)" width="\(HTML.across(pitch * 0.84))" \
        height="\(bottom - top)"><title>\(bin.label): \(bin.count)</title></rect>\(label)

        """
    }
    return Figure(
      title: title, summary: summary, height: Axis.height, margins: .scale,
      drawing: HTML(axis.rows + bars), headings: ["Value from", subjects],
      rows: bins.map { [$0.label, Wording.grouped("\($0.count)")] })
  }
}
