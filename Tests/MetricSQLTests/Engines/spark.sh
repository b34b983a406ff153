#!/usr/bin/env bash
# Runs a command beside a private Spark cluster of one master and two workers, processes of their own on this machine.
# METRICC_SPARK_MASTER names it; METRICC_PYTHON, or `python3`, has the module pyspark:
#
#   Tests/MetricSQLTests/Engines/spark.sh COMMAND [ARGUMENT ...]
#
# Its logs are in a folder that is gone afterwards, unless the command fails.
set -euo pipefail

SPARK_HOME="$("${METRICC_PYTHON:-python3}" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')"
export SPARK_HOME SPARK_LOCAL_IP=127.0.0.1
folder="$(mktemp -d /tmp/metricc-spark-XXXXXX)"
port="${METRICC_SPARK_PORT:-17077}"
processes=()
stop() {
  kill "${processes[@]}" 2>/dev/null || true
}
trap stop EXIT

start() {
  local name="$1"
  shift
  "$SPARK_HOME/bin/spark-class" "org.apache.spark.deploy.$@" >"$folder/$name.log" 2>&1 &
  processes+=($!)
}

# Waits for a line in a log.
await() {
  for _ in $(seq 120); do
    grep -q "$2" "$folder/$1.log" && return
    sleep 0.5
  done
  echo "$1 of the cluster does not start: $folder/$1.log" >&2
  exit 3
}

start master master.Master --host 127.0.0.1 --port "$port" --webui-port 0
await master "I have been elected leader"
for worker in worker1 worker2; do
  start "$worker" worker.Worker --host 127.0.0.1 --webui-port 0 --cores 1 --memory 1g --work-dir "$folder/$worker" \
    "spark://127.0.0.1:$port"
  await "$worker" "Successfully registered with master"
done
export METRICC_SPARK_MASTER="spark://127.0.0.1:$port"
"$@"
rm -rf "$folder"
