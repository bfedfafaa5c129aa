#!/bin/sh
# Proves that layers.sh sees violations: layers_test.sh ROOT. Plants one violation at a time in a
# copy of the sources. layers.sh must fail and must name the violation.
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
  printf '%s\n' "$2" >>"$copy/$1"
  if said=$(sh "$here/layers.sh" "$copy"); then
    echo "not detected: $2 in $1"
    failed=1
  elif ! printf '%s\n' "$said" | grep -qF "$1:" || ! printf '%s\n' "$said" | grep -qF "$3"; then
    echo "detected, but not named: $2 in $1; it said: $said"
    failed=1
  fi
  if [ -e "$root/$1" ]; then cp "$root/$1" "$copy/$1"; else rm "$copy/$1"; fi
}

cp -R "$root/src" "$root/include" "$copy"
sh "$here/layers.sh" "$copy"

plant src/view/shape.c '#include "view.h"' 'view shape must not know view'
plant src/view/walk.h '#include "view.h"' 'view walk must not know view'
plant src/view/walk.h '#include "plan.h"' 'view must not include plan.h of plan'
plant src/base/status.c '#  include	"dtype.h"' 'base status must not know dtype'
plant src/class/rows.c '#include "plan.h"' 'class must not include plan.h of plan'
plant src/view/shape.c '#include "shared.h"' 'there is no header shared.h in src'
plant src/plan/plan.c '#include <CL/cl.h>' 'plan must not include CL/cl.h'
plant src/plan/plan.c '#include "clreshape/clreshape.h"' 'plan must not include clreshape/clreshape.h'
plant src/plan/plan.c '#include "clreshape/device.h"' 'plan must not include clreshape/device.h'
plant src/plan/plan.c '#include <pthread.h>' 'plan must not include pthread.h'
plant src/plan/plan.c '#include "../opencl/device/device.h"' 'plan must not include ../opencl/device/device.h'
plant src/plan/plan.c '#include HEADER' 'not spelled out'
plant src/plan/plan.c '#include "missing.h"' 'there is no header missing.h'
plant src/plan/novelty.c 'int clrs__novelty;' 'layers.txt does not name it'
plant src/view/device.h 'int clrs__novelty;' 'has a header of that name too'
plant src/view/strings.h 'int clrs__novelty;' 'the system has a header of that name'
plant src/opencl/device/novelty.h '#include "device.h"' 'layers.txt does not name it'
plant src/opencl/device/device.c '#include "quirks.h"' 'opencl/device device must not know quirks'
plant src/opencl/device/device.c '#include "context.h"' 'opencl/device must not include context.h of opencl/program'
plant src/opencl/program/context.c '#include "tensor.h"' 'opencl/program must not include tensor.h of opencl/tensor'
plant src/opencl/program/context.c '#include "npy.h"' 'opencl/program must not include npy.h of host'
plant src/opencl/program/context.c '#include <unistd.h>' 'opencl/program must not include unistd.h'
plant src/host/npy.c '#include "host.h"' 'host npy must not know host'
plant src/onnx/model.c '#include "graph.h"' 'onnx model must not know graph'
plant src/onnx/model.c '#include "plan.h"' 'onnx must not include plan.h of plan'
plant src/host/npy.c '#include "model.h"' 'host must not include model.h of onnx'
plant src/onnx/model.c '#include "host.h"' 'onnx must not include host.h of host'
plant src/bench/case.c '#include "model.h"' 'bench must not include model.h of onnx'
plant src/cli/run.c '#include "../plan/plan.h"' 'must not include ../plan/plan.h'
plant src/cli/run.c '#include "plan/plan.h"' 'must not include plan/plan.h'
plant src/cli/run.c '#include "context.h"' 'cli must not include context.h of opencl/program'
plant include/clreshape/core.h '#include "map.h"' 'public core must not know map'
plant include/clreshape/plan.h '#include <CL/cl.h>' 'public header must not include CL/cl.h'
plant include/clreshape/novelty.h 'int clrs_novelty;' 'layers.txt does not name it'
plant src/novelty.c 'int clrs__novelty;' 'is in no folder'
plant src/opencl/novelty.c 'int clrs__novelty;' 'is in no folder'

exit $failed
