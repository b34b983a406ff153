#!/usr/bin/env bash
# Makes a package outside the repository of the code in Documentation/Embedding.md and in the DocC catalogue, of the
# files that `metricc swift` writes, and of a target with the plugin GenerateMetrics; builds it with warnings as errors
# and runs it. SCRATCH names a folder for what is built, so that the next run is short; METRICC_BIN the command;
# CONFIGURATION=release builds that.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/App" "$folder/Sources/Started" "$folder/Sources/Tutorial" "$folder/Sources/Generated" "$folder/Sources/Plugged"
export METRICC_PLUGINS=1 METRICC_BIN="${METRICC_BIN:-$root/.build/debug/metricc}"
. "$root/Tests/Integration/plugin-tool.sh"

fail() {
  echo "embedding-sample: $1" >&2
  exit 1
}

# blocks END FILE: its code up to a heading.
blocks() {
  awk -v end="^## $1" '$0 ~ end { exit } /^```swift$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$2"
}
blocks "Size and speed" "$root/Documentation/Embedding.md" >"$folder/Sources/App/main.swift"
grep -q 'MetricSession(' "$folder/Sources/App/main.swift" || fail "there is no code in Documentation/Embedding.md"
generated="$folder/Sources/Generated/Metrics.swift"
"$METRICC_BIN" swift --public --embed "$root/Definitions/Habits" --output "$generated"
swift format lint --strict --configuration '{"version": 1}' "$generated" || fail "the generated file is not formatted"

catalogue="$root/Sources/MetricLanguage/MetricLanguage.docc"
cp "$catalogue/Resources/streak-3.swift" "$folder/Sources/Tutorial"
{
  printf 'import MetricLanguage\nlet (first, today) = (DayKey("2026-01-01")!, DayKey("2026-01-03")!)\n'
  blocks "None" "$catalogue/GettingStarted.md"
  echo 'print("started:", streak ?? 0, chart.map { $0.value ?? 0 }, why.recordCount)'
  echo 'func overview(_ definitions: String) throws -> Int? {'
  blocks Topics "$catalogue/MetricLanguage.md"
  printf 'return streak\n}\nprint("overview:", try overview(text(of: library)) ?? 0)\n'
  echo 'func text(of library: MetricLibrary) -> String { String(decoding: library.sources[0].bytes, as: UTF8.self) }'
} >"$folder/Sources/Started/main.swift"

# What is written for all other definitions compiles, too.
others=""
for definitions in "$root"/Definitions/*/; do
  name="$(basename "$definitions")"
  [ "$name" != Habits ] || continue
  mkdir -p "$folder/Sources/$name"
  "$METRICC_BIN" swift --public --embed "$definitions" --output "$folder/Sources/$name/Metrics.swift"
  others="$others \"$name\","
done

cp "$root"/Definitions/Habits/*.metric "$folder/Sources/Plugged"
cat >"$folder/Sources/Plugged/Plugged.swift" <<'SWIFT'
import MetricLanguage

public func bestStreak(after days: Int32) throws(SessionError) -> Int? {
  let session = try MetricSession(library: .embedded, metrics: ["best_daily_streak"])
  try session.insert(Habit(id: "read", cadence: .daily))
  for day in 0..<days {
    try session.insert(HabitEntry(id: "\(day)", habitId: "read", dayKey: DayKey(number: day)))
  }
  return try session.bestDailyStreak(habit: "read", on: DayKey(number: days + 10))
}
SWIFT
cat >>"$folder/Sources/App/main.swift" <<'SWIFT'
import Plugged

print("plugin:", try bestStreak(after: 7) ?? 0)
SWIFT
cat >"$folder/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let others: [String] = ["Tutorial", $others]
let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "metricc", path: "$root")],
  targets: [
    .target(
      name: "Generated", dependencies: [.product(name: "MetricLanguage", package: "metricc")],
      swiftSettings: strict),
    .target(
      name: "Plugged", dependencies: [.product(name: "MetricLanguage", package: "metricc")],
      swiftSettings: strict, plugins: [.plugin(name: "GenerateMetrics", package: "metricc")]),
    .executableTarget(
      name: "App",
      dependencies: others.map { name in .byName(name: name) } + ["Generated", "Plugged", .product(name: "MetricFoundation", package: "metricc")],
      swiftSettings: strict),
    .executableTarget(
      name: "Started", dependencies: [.product(name: "MetricLanguage", package: "metricc")],
      swiftSettings: strict),
  ]
    + others.map { name in
      .target(
        name: name, dependencies: [.product(name: "MetricLanguage", package: "metricc")], swiftSettings: strict)
    },
  swiftLanguageModes: [.v6]
)
SWIFT

for program in App Started; do
  swift run --configuration "${CONFIGURATION:-debug}" --package-path "$folder" \
    --scratch-path "${SCRATCH:-$folder/.build}" "$program" >>"$folder/out" 2>"$folder/log" ||
    fail "the package does not build or run: $(tail -40 "$folder/log")"
done
diff - "$folder/out" <<'OUT' || fail "the program says something else"
refused: HabitEntry.dayKye: there is no such field; did you mean `dayKey`?
streak: 2
week: [20.0, 35.5, 35.5]
daily_streak 0
done false
last_week 1
streak daily_streak: from 2 records
affected: ["daily_streak", "done", "last_week"] false
ahead: one entry today keeps 1 and makes it 2
view: 3
view: 4
timeline: 2026-01-03 4
timeline: 2026-01-04 0
timeline: 2026-01-05 0
generated: 1
day: 2026-01-03 2026-01-02
main actor: 3650
plugin: 7
started: 1 [0, 0, 1] 1
overview: 1
OUT
echo "the app was built outside the repository and ran"
