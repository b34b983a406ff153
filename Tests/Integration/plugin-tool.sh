# Sourced with `root` set: where METRICC_BIN names the command, the plugins use it instead of building it.
# A bundle that holds nothing but a link to METRICC_BIN. It has to lie in the package of the plugins.
if [ -n "${METRICC_BIN:-}" ]; then
  export METRICC_PLUGIN_TOOL=".build/plugin-tool/metricc.artifactbundle"
  bundle="$root/$METRICC_PLUGIN_TOOL"
  mkdir -p "$bundle"
  ln -sf "$(realpath "$METRICC_BIN")" "$bundle/metricc"
  triple="$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p' | head -n 1)"
  cat >"$bundle/info.json" <<JSON
{"schemaVersion": "1.0", "artifacts": {"metricc": {"type": "executable", "version": "0.1.0",
  "variants": [{"path": "metricc", "supportedTriples": ["$triple"]}]}}}
JSON
fi
