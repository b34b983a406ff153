#!/usr/bin/env bash
# Builds a sample package outside the repository that uses both plugins, with definitions that are
# accepted, then rejected. KEEP names a folder to build in and to leave there.
#
# The plugins' tool is built from source, twice (once for each kind of plugin), which takes many minutes;
# with METRICC_BIN, a path, that one is used and the whole takes seconds.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
folder="${KEEP:-$(mktemp -d)}"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/Sample"
export METRICC_PLUGINS=1

. "$root/Tests/Integration/plugin-tool.sh"
cd "$folder"

fail() {
  echo "plugin-sample: $1" >&2
  exit 1
}

cat >Package.swift <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let generates = Context.environment["GENERATES"] != nil
let package = Package(
  name: "Sample",
  dependencies: [.package(name: "metricc", path: "$root")],
  targets: [
    .target(
      name: "Sample", dependencies: generates ? [.product(name: "MetricLanguage", package: "metricc")] : [],
      plugins: [.plugin(name: generates ? "GenerateMetrics" : "CheckMetrics", package: "metricc")])
  ])
SWIFT
echo 'public let sample = 1' >Sources/Sample/Sample.swift

accepted() {
  cat >Sources/Sample/habits.metric <<'METRIC'
/// Was the habit done on this day?
completion done { for habit  every day  when count(HabitEntry) >= 1 }

test "one entry is enough" {
  log "read" from 2026-01-01 "#"
  expect done for "read" at 2026-01-01 = true
}
METRIC
}

accepted
swift build 2>&1 | tee build.log || fail "a target with accepted definitions does not build"
grep -q 'Checking the metrics of Sample' build.log || fail "the build does not check the metrics"
if grep -qE "unhandled|resource_bundle" build.log; then fail "the build complains, or the stamp became a resource"; fi

swift build >again.log 2>&1
if grep -q 'Checking the metrics' again.log; then fail "the metrics are checked although nothing changed"; fi

swift package check-metrics --strict >command.log 2>&1 || fail "the command plugin rejects: $(cat command.log)"
grep -q '1 test: 1 passed' command.log || fail "the command plugin runs no test"

echo 'measure mean { for habit  value average(HabitEntry.value) }' >>Sources/Sample/habits.metric
if swift build >rejected.log 2>&1; then fail "a target with rejected definitions builds"; fi
grep -q 'habits.metric:8:.*error: .*C401' rejected.log || fail "the finding is not shown: $(cat rejected.log)"
if swift package check-metrics >command.log 2>&1; then fail "the command plugin accepts what is rejected"; fi

accepted
swift build >/dev/null 2>&1 || fail "the mended target does not build"
echo "the sample package was built, rejected and mended"
