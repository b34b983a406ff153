import Foundation

/// One line of the table.
struct Measurement {
  var name: String
  /// What one call worked on, such as `1.2 MB` or `36,500 facts`.
  var size: String
  /// Seconds of each call.
  var seconds: [Double]
  /// How many units one call went through, and what they are.
  var units: (count: Double, name: String)

  var median: Double { seconds.sorted()[seconds.count / 2] }
}

/// Calls `body` until half a second is over, at least five times, and once before without counting.
func measure(
  _ name: String, _ size: String, units: (Double, String), _ body: () throws -> Void
) rethrows -> Measurement {
  try body()
  var seconds: [Double] = []
  let clock = ContinuousClock()
  let start = clock.now
  while seconds.count < 5 || (clock.now - start < .milliseconds(500) && seconds.count < 100_000) {
    let before = clock.now
    try body()
    seconds.append((clock.now - before) / .seconds(1))
  }
  return Measurement(name: name, size: size, seconds: seconds, units: units)
}

/// A result that is looked at, so that nothing is left out by the compiler.
nonisolated(unsafe) var sink = 0

func printTable(_ measurements: [Measurement]) {
  print("| | size | median | fastest | |")
  print("|---|---:|---:|---:|---:|")
  for measurement in measurements {
    let fastest = measurement.seconds.min() ?? 0
    print(
      "| \(measurement.name) | \(measurement.size) | \(time(measurement.median)) | \(time(fastest)) "
        + "| \(rate(measurement)) |")
  }
}

private func time(_ seconds: Double) -> String {
  switch seconds {
  case ..<1e-6: String(format: "%.0f ns", seconds * 1e9)
  case ..<1e-3: String(format: "%.1f µs", seconds * 1e6)
  case ..<1: String(format: "%.2f ms", seconds * 1e3)
  default: String(format: "%.2f s", seconds)
  }
}

private func rate(_ measurement: Measurement) -> String {
  let (count, name) = measurement.units
  if name == "MB" { return String(format: "%.1f MB/s", count / measurement.median) }
  return time(measurement.median / count) + " a \(name)"
}
