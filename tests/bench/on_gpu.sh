#!/bin/sh
# The first ten minutes on a machine with a GPU:
#
#   sh tests/bench/on_gpu.sh FOLDER [CASES.tsv [PREDICTIONS.json]]
#
# Runs, in order of importance: a description of the machine, the device tests, the driver's
# compiler on the kernels, random cases by family, the published cases of CASES.tsv, host times, and
# PyTorch and cuTENSOR on the same cases if installed. FOLDER gets a file of each step, `steps.txt`,
# and `summary.md`, which is printed too: measured fractions beside predicted fractions. The
# predictions come from CASES.tsv, made before on any machine (tests/gates/gpu/published.py). Fails
# if a step is wrong or too slow to end in time. Slow results are for the reader.
#
# The build is in CLRS_BUILD_DIR (default: build), and need not have been made here. OCL_ICD_VENDORS
# names the only driver that the loader is to find. CLRS_ON_GPU_QUICK=1 does a little of each step,
# to check the steps.
#
# SPDX-License-Identifier: Apache-2.0
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
if [ $# -lt 1 ] || [ $# -gt 3 ]; then
  echo "usage: sh tests/bench/on_gpu.sh FOLDER [CASES.tsv [PREDICTIONS.json]]" >&2
  exit 2
fi
folder=$1 cases=${2:-} predictions=${3:-}
build=${CLRS_BUILD_DIR:-$root/build}
clreshape=$build/clreshape
mkdir -p "$folder" || exit 1
export CLRS_REQUIRE_DEVICE=1 PYTHONDONTWRITEBYTECODE=1

tests='test_classes test_composed test_move_random test_chain_random test_work_moves test_assemble
  test_indexed test_mapped_tensor test_api_events test_threads'
families='transposes attention images small-axes patches windows blocked broadcast slices parts
  matrices batches packed composed'
random=12 programs=1000 repetitions=
if [ "${CLRS_ON_GPU_QUICK:-}" = 1 ]; then
  tests=test_api_events families='slices packed' random=4 programs=4 repetitions='--repetitions 1'
fi

# step NAME SECONDS COMMAND...: writes the output to NAME, the messages to NAME.err, and the end to
# steps.txt.
failed=0
step() {
  name=$1 seconds=$2 begun=$(date +%s)
  shift 2
  timeout "$seconds" "$@" >"$folder/$name" 2>"$folder/$name.err"
  code=$?
  case $code in
  0) said='done' ;;
  77) said='not there' ;;
  124) said="stopped after $seconds s" failed=1 ;;
  *) said="failed ($code)" failed=1 ;;
  esac
  [ -s "$folder/$name.err" ] || rm -f "$folder/$name.err"
  echo "$name: $said, $(($(date +%s) - begun)) s" | tee -a "$folder/steps.txt"
}

of_machine() {
  date -u
  "$clreshape" --version && "$clreshape" devices || return 1
  for tool in nvidia-smi rocm-smi xpu-smi; do
    if command -v $tool >/dev/null; then $tool; fi
  done
  grep -m 1 'model name' /proc/cpuinfo
}

# The driver's compiler on GPU programs: programs of short indices and without batches, some 270.
of_compiler() {
  PYTHONPATH=$root/tests/gates/gpu python3 -c '
import sys, variants
found = [variant.base.rpartition("/")[2] for variant in variants.list_variants(*sys.argv[1:3])
         if variant.index == 32 and not variant.is_batched]
print(*found[:int(sys.argv[3])], sep="\n")' \
    "$build/tests/gates/spirv/list_variants" "$folder/programs" "$1" >"$folder/programs.txt" &&
    "$build/tests/gates/gpu/driver_programs" "$folder/programs" <"$folder/programs.txt"
}

# As separate commands, which `timeout` can end.
case ${CLRS_ON_GPU_PART:-} in
machine) of_machine && exit 0 || exit 1 ;;
compiler) of_compiler "$programs" && exit 0 || exit 1 ;;
esac

: >"$folder/steps.txt"
step machine.txt 30 env CLRS_ON_GPU_PART=machine sh "$here/on_gpu.sh" "$folder"
for test in $tests; do
  step "$test.txt" 40 "$build/tests/opencl/$test"
done
step compiler.tsv 120 env CLRS_ON_GPU_PART=compiler sh "$here/on_gpu.sh" "$folder"
for family in $families; do
  # shellcheck disable=SC2086  # no or two words
  step "random_$family.json" 25 "$clreshape" bench --random $random --seed 1 --family "$family" \
    --json $repetitions
done
if [ -n "$cases" ]; then
  # shellcheck disable=SC2086
  step cases.json 150 "$clreshape" bench "$cases" --json $repetitions
fi
step host_costs.tsv 60 "$build/tests/bench/host_costs"
for peer in torch cutensor; do
  step $peer.tsv 60 python3 "$here/on_gpu.py" $peer "$folder"
done
step summary.md 30 python3 "$here/on_gpu.py" summary "$folder" ${predictions:+"$predictions"}
cat "$folder/summary.md"
exit $failed
