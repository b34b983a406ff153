#!/usr/bin/env bash
# Runs a command beside a private PostgreSQL server. It finds the server by PGHOST, PGUSER and PGDATABASE, as
# psql and `metricc test --engine postgres` do, and by METRICC_POSTGRES:
#
#   Tests/MetricSQLTests/Engines/postgres.sh COMMAND [ARGUMENT ...]
#
# The server listens on a socket in a folder of its own and on no port; both are gone afterwards. As root,
# it runs as the user `postgres`, for PostgreSQL refuses to be root. Texts are
# ordered by the locale in METRICC_POSTGRES_LOCALE; without it by `C.UTF-8`, which is by bytes.
set -euo pipefail

programs="$(command -v pg_ctl >/dev/null && dirname "$(command -v pg_ctl)" || ls -d /usr/lib/postgresql/*/bin | tail -1)"
folder="$(mktemp -d /tmp/metricc-pg-XXXXXX)"
chmod 755 "$folder"
as_owner=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  as_owner=(runuser -u postgres --)
fi

stop() {
  "${as_owner[@]}" "$programs/pg_ctl" --pgdata "$folder/data" --mode fast stop >/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT

cd "$folder"
"${as_owner[@]}" "$programs/initdb" --pgdata "$folder/data" --auth trust --username metricc --encoding UTF8 \
  --locale "${METRICC_POSTGRES_LOCALE:-C.UTF-8}" --no-sync >"$folder/initdb.log"
options="-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off -c timezone=UTC"
"${as_owner[@]}" "$programs/pg_ctl" --pgdata "$folder/data" --log "$folder/log" --wait --options "$options" start \
  >/dev/null
cd "$OLDPWD"
export PGHOST="$folder" PGUSER=metricc PGDATABASE=postgres
export METRICC_POSTGRES="host=$folder user=metricc dbname=postgres"
"$@"
