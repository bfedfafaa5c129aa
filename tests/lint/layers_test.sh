#!/bin/sh
# Proves that layers.sh sees violations: layers_test.sh ROOT. Plants one at a time in a copy of
# the sources and wants layers.sh to fail and to name it.
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
  rm -rf "$copy/src" "$copy/include"
  cp -R "$root/src" "$root/include" "$copy"
  printf '%s\n' "$2" >>"$copy/$1"
  if said=$(sh "$here/layers.sh" "$copy"); then
    echo "not detected: $2 in $1"
    failed=1
  elif ! printf '%s\n' "$said" | grep -qF "$1:" || ! printf '%s\n' "$said" | grep -qF "$3"; then
    echo "detected, but not named: $2 in $1; it said: $said"
    failed=1
  fi
}

cp -R "$root/src" "$root/include" "$copy"
sh "$here/layers.sh" "$copy"

plant src/core/shape.c '#include "view.h"' 'core shape must not know core view'
plant src/core/walk.h '#include "plan.h"' 'core walk must not know core plan'
plant src/core/status.c '#  include	"dtype.h"' 'core status must not know core dtype'
plant src/core/plan.c '#include <CL/cl.h>' 'core must not include CL/cl.h'
plant src/core/plan.c '#include "clreshape/clreshape.h"' 'core must not include clreshape/clreshape.h'
plant src/core/plan.c '#include <pthread.h>' 'core must not include pthread.h'
plant src/core/plan.c '#include "../runtime/device.h"' 'core must not include ../runtime/device.h'
plant src/core/plan.c '#include HEADER' 'not spelled out'
plant src/core/plan.c '#include "missing.h"' 'layers.txt does not name'
plant src/core/novelty.c 'int clrs__novelty;' 'layers.txt does not name it'
plant src/runtime/novelty.h '#include "device.h"' 'layers.txt does not name it'
plant src/runtime/device.c '#include "context.h"' 'runtime device must not know runtime context'
plant src/runtime/context.c '#include "tensor.h"' 'runtime context must not know runtime tensor'
plant src/runtime/context.c '#include "../cli/npy.h"' 'runtime must not include ../cli/npy.h'
plant src/runtime/context.c '#include <unistd.h>' 'runtime must not include unistd.h'
plant src/cli/run.c '#include "../core/plan.h"' 'must not include ../core/plan.h'
plant src/cli/run.c '#include "core/plan.h"' 'must not include core/plan.h'
plant src/cli/run.c '#include <core/plan.h>' 'must not include core/plan.h'
plant src/cli/run.c '#include "plan.h"' 'must not include plan.h'
plant src/cli/run.c '#include "../runtime/context.h"' 'must not include ../runtime/context.h'
plant include/clreshape/shape.h '#include "view.h"' 'public shape must not know public view'
plant include/clreshape/plan.h '#include <CL/cl.h>' 'public header must not include CL/cl.h'
plant include/clreshape/novelty.h 'int clrs_novelty;' 'layers.txt does not name it'
plant src/novelty.c 'int clrs__novelty;' 'is in no layer'

exit $failed
