#!/usr/bin/env bash
# Fits a table on Spark inside Beam's job server on this machine, which is started, used and stopped. What Java needs comes
# from Maven once.
#
#   beam/spark.sh fit pca-robust table.npy --memory 256MiB --out model.npz    # as inlier-beam fit
#
# INLIER_BEAM is the program (else it is built), WORK the folder for logs and findings (else a new one, removed at the end),
# JARS where Java's libraries stay, MASTER the cluster (else local[2]).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
jars=${JARS:-${XDG_CACHE_HOME:-$HOME/.cache}/inlier-beam/spark-3.5}
work=${WORK:-$(mktemp -d)}
job=${JOB_PORT:-18199} artifacts=${ARTIFACT_PORT:-18198}
mkdir -p "$work"/{log,share}

if [ ! -e "$jars/complete" ]; then
  mvn -q -B -f "$here/spark.pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$jars"
  touch "$jars/complete"
fi
program=${INLIER_BEAM:-$work/inlier-beam}
[ -x "$program" ] || (cd "$here" && go build -trimpath -o "$program" ./cmd/inlier-beam)

# Spark looks into Java's own packages, which Java 17 allows where it is told to.
opens=$(for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent \
  java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar; do
  echo "--add-opens=java.base/$package=ALL-UNNAMED"
done)
java -Xmx1g $opens -Dspark.ui.enabled=false -cp "$jars/*" org.apache.beam.runners.spark.SparkJobServerDriver \
  --spark-master-url="${MASTER:-local[2]}" --job-host=localhost --job-port="$job" --artifact-port="$artifacts" --expansion-port=-1 \
  --artifacts-dir="$work/artifacts" >"$work/log/jobserver.log" 2>&1 &
server=$!
stop() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap stop EXIT
until (exec 3<>"/dev/tcp/localhost/$job") 2>/dev/null; do
  kill -0 "$server" || { cat "$work/log/jobserver.log" >&2; exit 1; }
  sleep 0.5
done
command=$1
shift
"$program" "$command" --runner spark --endpoint "localhost:$job" --folder "$work/share" "$@"
