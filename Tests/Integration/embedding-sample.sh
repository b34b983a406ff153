#!/usr/bin/env bash
# Makes a package outside the repository of the code in Documentation/Embedding.md, of the file that `metricc swift`
# writes, and of a target with the plugin GenerateMetrics; builds it with warnings as errors and runs it. SCRATCH names a folder for what is built, so that the next run
# is short; METRICC_BIN the command; CONFIGURATION=release builds that.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/App" "$folder/Sources/Generated" "$folder/Sources/Plugged"
export METRICC_PLUGINS=1 METRICC_BIN="${METRICC_BIN:-$root/.build/debug/metricc}"
. "$root/Tests/Integration/plugin-tool.sh"

fail() {
  echo "embedding-sample: $1" >&2
  exit 1
}

# The last blocks are from the generated file.
awk '/^## The file for/ { exit } /^```swift$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
  "$root/Documentation/Embedding.md" >"$folder/Sources/App/main.swift"
grep -q 'MetricSession(' "$folder/Sources/App/main.swift" || fail "there is no code in Documentation/Embedding.md"
generated="$folder/Sources/Generated/Metrics.swift"
"$METRICC_BIN" swift --public --embed "$root/Definitions/Habits" --output "$generated"
swift format lint --strict --configuration '{"version": 1}' "$generated" || fail "the generated file is not formatted"

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
      name: "App", dependencies: ["Generated", "Plugged", .product(name: "MetricFoundation", package: "metricc")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
SWIFT

swift run --configuration "${CONFIGURATION:-debug}" --package-path "$folder" \
  --scratch-path "${SCRATCH:-$folder/.build}" App >"$folder/out" 2>"$folder/log" ||
  fail "the package does not build or run: $(tail -40 "$folder/log")"
diff - "$folder/out" <<'OUT' || fail "the program says something else"
refused: HabitEntry.dayKye: there is no such field; did you mean `dayKey`?
streak: 2
week: [20.0, 35.5, 35.5]
daily_streak 0
done false
last_week 1
streak daily_streak: from 2 records
affected: ["daily_streak", "done", "last_week"] false
generated: 1
day: 2026-01-03 2026-01-02
main actor: 3650
actor: 3651
plugin: 7
OUT
echo "the app was built outside the repository and ran"
