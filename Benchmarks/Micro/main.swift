import Foundation
import MetricLanguage

/// Small parts, each for itself: `swift run -c release --package-path Benchmarks/Micro`.
///
/// An argument takes only the lines whose name holds it. For counts of instructions, which do not depend on
/// what else the machine does: `valgrind --tool=callgrind … metricc-micro NAME`.
let filter = CommandLine.arguments.dropFirst().first

var measurements: [Measurement] = []
for group in [definitionBenchmarks, nodeBenchmarks, seriesBenchmarks, sessionBenchmarks] {
  measurements += try group { filter.map($0.contains) ?? true }
}
printTable(measurements)
