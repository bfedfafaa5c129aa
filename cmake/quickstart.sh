#!/bin/sh
# Sets up a fresh Debian 12 machine, builds clreshape, and runs clreshape on real input: ONNX's own
# Reshape tests on an OpenCL device, then the head split of an attention tensor.
#
# CLRS_BUILD_DIR    where to build (default: build)
# CLRS_SKIP_PACKAGES=1    install no packages, use the installed packages
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh

build=${CLRS_BUILD_DIR:-build}
# shellcheck disable=SC2086  # lists of packages
install_packages $packages_to_build $packages_of_data

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCLRS_BUILD_TESTS=OFF
cmake --build "$build" --parallel "$(compiler_count)"

build=$(cd "$build" && pwd)
use_pocl_cache "$build/pocl-cache"
program=$build/clreshape
data=${CLRS_ONNX_TESTDATA:-/usr/share/libonnx-testdata/data}/node
output=$(mktemp -d "$build/quickstart.XXXXXX")
trap 'rm -rf "$output"' EXIT

say() { printf '\n%s\n' "$*"; }

# Cuts a line of --explain down to the result and the cause of the result.
in_words() {
  sed -e '/^launches: /d' -e 's/^output 0 "[^"]*": //' -e 's/: clreshape,v1,alias/: a view/' \
    -e 's/: clreshape,v1,empty/: no elements/' -e 's/: clreshape,v1,affine/: one pass/'
}

# run_case FOLDER: runs a test case of ONNX. The output must equal the expected file in every byte.
run_case() {
  rm -f "$output/output_0.pb"
  "$program" onnx "$1/model.onnx" "$1"/test_data_set_0/input_*.pb -o "$output" --explain \
    2>"$output/said" || { cat "$output/said" >&2 && return 1; }
  cmp "$output/output_0.pb" "$1/test_data_set_0/output_0.pb" >&2 || return 1
  printf '  %-38s %s\n' "$(basename "$1")" "$(in_words <"$output/said")"
}

run_cases() {
  count=0
  for case in "$data"/test_reshape_*/; do
    run_case "${case%/}" || { echo "FAILED: $case" >&2 && exit 1; }
    count=$((count + 1))
  done
  [ "$count" -ge 10 ] || { echo "only $count cases in $data; ONNX has 10" >&2 && exit 1; }
  echo "  $count of $count: every output is ONNX's own, byte for byte"
}

# write_npy FILE TYPE DIMS: a version 1.0 .npy file, C order, with the bytes of standard input.
write_npy() {
  {
    printf '\223NUMPY\001\000\166\000'
    printf '%-117s\n' "{'descr': '$2', 'fortran_order': False, 'shape': ($3), }"
    cat
  } >"$1"
}

# Splits the heads, joins the heads again, and compares the bytes with the original bytes.
move_attention() {
  bytes=$((8 * 1024 * 12 * 64 * 2))
  head -c $bytes /dev/urandom | write_npy "$output/tokens.npy" '<f2' '8, 1024, 12, 64'
  "$program" run "$output/tokens.npy" "$output/heads.npy" --explain \
    permute=0,2,1,3 reshape=96,1024,64 2>"$output/said" || { cat "$output/said" >&2 && exit 1; }
  sed 's/^/  /' "$output/said"
  "$program" run "$output/heads.npy" "$output/joined.npy" reshape=8,12,1024,64 permute=0,2,1,3
  tail -c $bytes "$output/tokens.npy" >"$output/before"
  tail -c $bytes "$output/joined.npy" >"$output/after"
  if cmp -s "$output/before" "$output/after" && ! cmp -s "$output/tokens.npy" "$output/heads.npy"; then
    echo '  split and joined again: every byte is back'
  else
    echo 'FAILED: the heads do not join again' >&2 && exit 1
  fi
}

# A disc before two ramps. No byte is 0, because some versions of awk cannot write 0.
paint_frame() {
  LC_ALL=C awk 'BEGIN {
    for (y = 0; y < 180; y++)
      for (x = 0; x < 320; x++)
        printf "%c%c%c", 1 + x * 254 / 320, 1 + y * 254 / 180,
          (x - 160) ^ 2 + (y - 90) ^ 2 < 3600 ? 240 : 40
  }'
}

# Makes planes from a frame, makes the frame from the planes again, and draws both.
normalize_frame() {
  bytes=$((180 * 320 * 3))
  paint_frame >"$output/before"
  write_npy "$output/frame.npy" '|u1' '180, 320, 3' <"$output/before"
  "$program" run "$output/frame.npy" "$output/planes.npy" --explain \
    cast=f32 mean=123.7,116.3,103.5 std=58.4,57.1,57.4 permute=2,0,1 2>"$output/said" ||
    { cat "$output/said" >&2 && exit 1; }
  sed 's/^/  /' "$output/said"
  "$program" run "$output/planes.npy" "$output/again.npy" \
    permute=1,2,0 scale=58.4,57.1,57.4 bias=123.7,116.3,103.5 cast=u8,even,saturate
  tail -c $bytes "$output/again.npy" | cmp - "$output/before" >&2 ||
    { echo 'FAILED: the planes are not the frame' >&2 && exit 1; }
  "$program" run "$output/planes.npy" "$output/grey.npy" \
    scale=50 bias=128 cast=u8,even,saturate reshape=540,320
  { printf 'P6 320 180 255\n' && cat "$output/before"; } >"$build/frame.ppm"
  { printf 'P5 320 540 255\n' && tail -c $bytes "$output/grey.npy"; } >"$build/planes.pgm"
  echo '  and back: every byte is the same'
  echo "  before: $build/frame.ppm, after: $build/planes.pgm"
}

# A small program that uses the library, because the command line has no such command.
compare_speed() {
  gcc -std=c11 -O2 -I include tests/consumer/attention_speed.c -o "$build/attention_speed" \
    -L "$build" -Wl,-rpath,"$build" -lclreshape -lOpenCL
  "$build/attention_speed"
}

say 'OpenCL devices'
"$program" devices
say "ONNX's own Reshape tests, on the device"
run_cases
say 'An attention tensor, f16 [8,1024,12,64]: the heads before the tokens'
move_attention
say "A camera's frame, u8 [180,320,3]: normalised planes of f32"
normalize_frame
say 'How fast, against a plain copy'
compare_speed
