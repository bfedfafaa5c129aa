#!/bin/sh
# Proves that layers.sh sees violations: layers_test.sh ROOT. Plants one at a time in a copy of
# src/ and wants layers.sh to fail and to name it.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1
here=$(dirname "$0")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0

# plant FILE LINE COMPLAINT: LINE is appended to FILE (made if need be) and must be complained of.
plant() {
  rm -rf "$copy/src"
  cp -R "$root/src" "$copy/src"
  printf '%s\n' "$2" >>"$copy/src/$1"
  if said=$(sh "$here/layers.sh" "$copy"); then
    echo "not detected: $2 in src/$1"
    failed=1
  elif ! printf '%s\n' "$said" | grep -qF "src/$1:" || ! printf '%s\n' "$said" | grep -qF "$3"; then
    echo "detected, but not named: $2 in src/$1; it said: $said"
    failed=1
  fi
}

cp -R "$root/src" "$copy/src"
sh "$here/layers.sh" "$copy"

plant core/shape.c '#include "view.h"' 'shape must not know view'
plant core/walk.h '#include "plan.h"' 'walk must not know plan'
plant core/status.c '#  include	"dtype.h"' 'status must not know dtype'
plant core/plan.c '#include <CL/cl.h>' 'core must not include CL/cl.h'
plant core/plan.c '#include "clreshape/clreshape.h"' 'core must not include clreshape/clreshape.h'
plant core/plan.c '#include <pthread.h>' 'core must not include pthread.h'
plant core/plan.c '#include "../runtime/device.h"' 'core must not include ../runtime/device.h'
plant core/plan.c '#include HEADER' 'not spelled out'
plant core/plan.c '#include "missing.h"' 'layers.txt does not name'
plant core/novelty.c 'int clrs__novelty;' 'layers.txt does not name it'
plant runtime/novelty.h '#include "device.h"' 'layers.txt does not name it'
plant runtime/device.c '#include "context.h"' 'device must not know context'
plant runtime/context.c '#include "tensor.h"' 'context must not know tensor'
plant runtime/context.c '#include "../cli/npy.h"' 'runtime must not include ../cli/npy.h'
plant runtime/context.c '#include <unistd.h>' 'runtime must not include unistd.h'
plant cli/run.c '#include "../core/plan.h"' 'must not include ../core/plan.h'
plant cli/run.c '#include "core/plan.h"' 'must not include core/plan.h'
plant cli/run.c '#include <core/plan.h>' 'must not include core/plan.h'
plant cli/run.c '#include "plan.h"' 'must not include plan.h'
plant cli/run.c '#include "../runtime/context.h"' 'must not include ../runtime/context.h'

exit $failed
