#!/usr/bin/env bash
# Fits a table on a Flink cluster of this machine, without containers: a JobManager, two TaskManagers, Beam's job server and a
# pool of workers are started, used and stopped. What Java needs comes from Maven once.
#
#   beam/flink.sh fit pca-robust table.npy --memory 256MiB --out model.npz    # as inlier-beam fit
#   KILL_AT=5 beam/flink.sh fit ...        # kills a TaskManager with -9 when so many tasks of the second pass are made
#
# INLIER_BEAM is the program (else it is built), WORK the folder for logs and findings (else a new one, removed at the end),
# JARS where Java's libraries stay, PARALLELISM the slots that are used: with those of one TaskManager a fit survives the other.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# Beam sends every jar of its class path with every job, 12 seconds and more, but none whose path holds gradle/wrapper.
jars=${JARS:-${XDG_CACHE_HOME:-$HOME/.cache}/inlier-beam/flink-1.19}/gradle/wrapper
work=${WORK:-$(mktemp -d)}
rpc=${RPC_PORT:-16123} rest=${REST_PORT:-18081} job=${JOB_PORT:-18099} artifacts=${ARTIFACT_PORT:-18098} pool=${POOL_PORT:-50000}
mkdir -p "$work"/{conf,log,share}

if [ ! -e "$jars/complete" ]; then
  mvn -q -B -f "$here/flink.pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$jars"
  touch "$jars/complete"
fi
program=${INLIER_BEAM:-$work/inlier-beam}
[ -x "$program" ] || (cd "$here" && go build -trimpath -o "$program" ./cmd/inlier-beam)

cat >"$work/conf/flink-conf.yaml" <<CONF
jobmanager.rpc.address: localhost
jobmanager.rpc.port: $rpc
rest.address: localhost
rest.port: $rest
# Jars stand in the class path of every process, and are not sent with each pass.
classloader.resolve-order: parent-first
taskmanager.host: localhost
taskmanager.numberOfTaskSlots: 2
# Started by Java and not by Flink's scripts, a TaskManager must be told each kind of memory.
taskmanager.cpu.cores: 2
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 64m
taskmanager.memory.task.heap.size: 256m
taskmanager.memory.task.off-heap.size: 0m
taskmanager.memory.managed.size: 128m
taskmanager.memory.network.min: 64m
taskmanager.memory.network.max: 64m
taskmanager.memory.jvm-metaspace.size: 192m
taskmanager.memory.jvm-overhead.min: 64m
taskmanager.memory.jvm-overhead.max: 64m
# Without it all tasks may land on one machine.
cluster.evenly-spread-out-slots: true
# Flink restarts nothing by default.
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 20
restart-strategy.fixed-delay.delay: 5 s
heartbeat.interval: 2000
heartbeat.timeout: 20000
heartbeat.rpc-failure-threshold: 1
CONF
export FLINK_CONF_DIR=$work/conf

pids=()
stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap stop EXIT
opens="--add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED"
start() { # name memory class arguments...
  local name=$1 memory=$2
  shift 2
  java -Xmx"$memory" $opens -cp "$jars/*" "$@" >"$work/log/$name.log" 2>&1 &
  pids+=($!)
}
await() { # what it is, command
  for _ in $(seq 600); do
    if "${@:2}" >/dev/null 2>&1; then return; fi
    for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null || break 2; done
    sleep 0.5
  done
  echo "$1 does not answer:" >&2
  grep -h "ERROR\|Caused by" "$work"/log/*.log >&2 || true
  exit 1
}
listening() { (exec 3<>"/dev/tcp/localhost/$1") 2>/dev/null; }
managers() { curl -sf "http://localhost:$rest/overview" | grep -q '"taskmanagers":2'; }

start jobmanager 512m org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$work/conf"
await JobManager listening "$rest"
start taskmanager-1 512m org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$work/conf"
victim=$!
start taskmanager-2 512m org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$work/conf"
start jobserver 512m org.apache.beam.runners.flink.FlinkJobServerDriver --flink-master="localhost:$rest" --flink-conf-dir="$work/conf" \
  --job-host=localhost --job-port="$job" --artifact-port="$artifacts" --expansion-port=-1 --artifacts-dir="$work/artifacts"
"$program" pool --port "$pool" --verbose >"$work/log/pool.log" 2>&1 &
pids+=($!)
await "job server" listening "$job"
await TaskManagers managers

if [ -n "${KILL_AT:-}" ]; then
  made() { find "$work/share" -name 'pass-1-0-*' | wc -l; }
  (
    until [ "$(made)" -ge "$KILL_AT" ]; do sleep 0.05; done
    echo "$(date +%T) kill -9 $victim, a TaskManager, after $(made) tasks of pass 2" >&2
    kill -9 "$victim"
  ) &
  pids+=($!)
fi
command=$1
shift
"$program" "$command" --runner flink --endpoint "localhost:$job" --pool "localhost:$pool" --parallelism "${PARALLELISM:-2}" --folder "$work/share" "$@"
