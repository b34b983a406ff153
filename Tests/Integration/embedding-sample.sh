#!/usr/bin/env bash
# Makes a package outside the repository of the code in Documentation/Embedding.md, builds it against the
# library and runs it. SCRATCH names a folder for what is built, so that the next run is short.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/App"

fail() {
  echo "embedding-sample: $1" >&2
  exit 1
}

awk '/^```swift$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/Documentation/Embedding.md" \
  >"$folder/Sources/App/main.swift"
grep -q 'MetricSession(' "$folder/Sources/App/main.swift" || fail "there is no code in Documentation/Embedding.md"

cat >"$folder/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  dependencies: [.package(name: "metricc", path: "$root")],
  targets: [
    .executableTarget(name: "App", dependencies: [.product(name: "MetricLanguage", package: "metricc")])
  ],
  swiftLanguageModes: [.v6]
)
SWIFT

swift run --package-path "$folder" --scratch-path "${SCRATCH:-$folder/.build}" App >"$folder/out" 2>"$folder/log" ||
  fail "the package does not build or run: $(tail -40 "$folder/log")"
diff - "$folder/out" <<'OUT' || fail "the program says something else"
completion done true
streak daily_streak true
progress last_week true
daily_streak read 2026-01-03 int(0)
daily_streak swim 2026-01-03 int(0)
done read 2026-01-03 bool(false)
done swim 2026-01-03 bool(false)
last_week read 2026-01-03 decimal(35.5)
last_week swim 2026-01-03 decimal(1)
streak: int(3)
refused: expected `dayKey` to be a value, found nothing
streak daily_streak: [MetricEvaluate.Value.int(2)], from 2 records
OUT
echo "the app was built outside the repository and ran"
