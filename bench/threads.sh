#!/usr/bin/env bash
# Seconds of fits that take a second and more also with all cores, for 1, 4 and 16 threads: threads.sh INLIER [DIVISOR]
# Tables are made here, kept in memory by the fit, and read from the page cache; a time is fit_seconds of the output, best of two.
set -euo pipefail
inlier=$1 by=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
made() { # file, generator, settings...
  local file=$1 generator=$2 flags=()
  shift 2
  for s in "$@"; do flags+=(--set "$s"); done
  "$inlier" data generate "$generator" "${flags[@]}" --out "$file" --quiet >made 2>&1 || cat made
}
timed() { # name, then the arguments of fit
  local name=$1 line best one
  shift
  line="| $name |"
  for threads in 1 4 16; do
    best=
    for _ in 1 2; do
      one=$("$inlier" fit "$@" --threads "$threads" --json --quiet --force --out model.npz 2>problem | sed -n 's|.*"fit_seconds": *\([^,]*\).*|\1|p') || cat problem
      best=$(printf '%s\n%s\n' "$best" "$one" | grep . | sort -g | head -n 1)
    done
    line+=" $best |"
    [ "$threads" = 1 ] && first=$best
  done
  echo "$line $(echo "$first $best" | awk '{printf "%.2f", $1 / 16 / $2}') |"
}
echo "| fit | 1 | 4 | 16 | efficiency |"
echo "|---|---:|---:|---:|---:|"
if [ "${PART:-1}" = 1 ]; then
made rows.npy low-rank n=$((400000 / by)) d=784 m=20 sds=10,3 outliers=clustered fraction=0.2
timed "pca, $((400000 / by)) x 784, 20 components" pca rows.npy --set components=20
timed "pca-robust, the same" pca-robust rows.npy --set components=20
rm rows.npy
made lines.npz plane n=$((8000000 / by)) d=20 test=0
timed "linear-robust, $((8000000 / by)) x 20" linear-robust lines.npz --target y
rm lines.npz
made images.npy low-rank-tensor n=$((150000 / by)) shape=28x28 rank=10x10
timed "corr-2dsvd, $((150000 / by)) images of 28 x 28" corr-2dsvd images.npy --set rank=10x10 --set shape=28x28
rm images.npy
fi
if [ "${PART:-2}" = 2 ]; then
made machines.npz plane n=$((200000 / by)) d=20 test=0 outliers=vertical fraction=0.1 shift=50 noise=1
timed "elm-kmpe, $((200000 / by)) x 20, 300 nodes" elm-kmpe machines.npz --target y --set hidden=300
made blobs.npz blobs n=$((250000 / by)) d=50 classes=3 label-noise=0.1 test=0
timed "regmaxcem, $((250000 / by)) x 50" regmaxcem blobs.npz --target class
timed "logistic, the same" logistic blobs.npz --target class
made kernel.npz blobs n=$((8000 / by)) d=50 classes=3 label-noise=0.1 test=0
timed "regmaxcem, RBF, $((8000 / by)) x 50" regmaxcem kernel.npz --target class --set kernel=rbf
made cells.npy low-rank n=$((100000 / by)) d=50 m=5 sds=10,3
timed "pca-cell, $((100000 / by)) x 50" pca-cell cells.npy --set components=5
made groups.npz mixture n=$((500000 / by)) d=20 components=8 separation=3 fraction=0.1
timed "kmeans-robust, $((500000 / by)) x 20, 8 clusters" kmeans-robust groups.npz --set clusters=8
fi
"$inlier" version
