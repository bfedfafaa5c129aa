/*
 * Cases that come from no file. What `clreshape bench` measures if it gets none: one case or more
 * for each class of move, none over 64 MiB.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "default_cases.h"

#include <string.h>

const char bench_default_cases[] =
    "id\tsuite\tdtype\tshape\tsrc_strides\tperm\tdst_strides\tMiB\tnote\n"
    "alias\tbuiltin\tf16\t64x1x32x128\tC\t0,2,1,3\tC\t0.5\thead split of one token: a view\n"
    "copy\tbuiltin\tf32\t4096x4096\tC\t0,1\t4096,1\t64\tcontiguous\n"
    "rows\tbuiltin\tf32\t4096x4000\t4096,1\t0,1\tC\t62.5\trows cut out of a wider image\n"
    "runs\tbuiltin\tf16\t4x2048x32x128\tC\t0,2,1,3\tC\t64\thead split: 256-byte runs\n"
    "runs_16\tbuiltin\tf32\t2048x2048x4\tC\t1,0,2\tC\t64\truns of 16 bytes, transposed\n"
    "runs_32\tbuiltin\tf32\t2048x1024x8\tC\t1,0,2\tC\t64\truns of 32 bytes, transposed\n"
    "runs_64\tbuiltin\tf32\t1024x1024x16\tC\t1,0,2\tC\t64\truns of 64 bytes, transposed\n"
    "runs_128\tbuiltin\tf32\t1024x512x32\tC\t1,0,2\tC\t64\truns of 128 bytes, transposed\n"
    "runs_512\tbuiltin\tf32\t512x256x128\tC\t1,0,2\tC\t64\truns of 512 bytes, transposed\n"
    "tile\tbuiltin\tf32\t4096x4096\tC\t1,0\tC\t64\ttranspose\n"
    "tile_odd\tbuiltin\tf32\t4095x4097\tC\t1,0\tC\t64\ttranspose of odd extents\n"
    "packed\tbuiltin\tf32\t15x15x15x15x15x15\tC\t5,4,3,2,1,0\tC\t43.5\tall axes small\n"
    "narrow\tbuiltin\tf32\t64x224x224x3\tC\t0,3,1,2\tC\t36.75\tNHWC to NCHW of RGB\n"
    "broadcast\tbuiltin\tf32\t16x256x56x56\t0,1,0,0\t0,1,2,3\tC\t49\tbias over an image\n"
    "reversed\tbuiltin\tf32\t64x3x224x224\t150528,50176,224,-1\t0,1,2,3\tC\t36.75\tmirrored\n"
    "bits\tbuiltin\tu4\t8192x16384\tC\t1,0\tC\t64\ttranspose of packed weights\n"
    "bits_odd\tbuiltin\tu4\t8192x8191\t8192,1@1\t0,1\tC\t32\trows that begin at an odd nibble\n"
    "blocked\tbuiltin\tf32\t64x16x16x28x28\tC\t0,1,3,4,2\tC\t49\tNCHW to nChw16c\n"
    "composed\tbuiltin\tf32\t4096x3072\tC\t1,0/8192x1536/1,0\tC\t48\taxes that do not factor\n"
    "composed_runs\tbuiltin\tf16\t96x80x3072\tC\t1,0,2/120x64x3072/1,0,2\tC\t45\tsuch axes over "
    "tokens\n"
    "composed_odd\tbuiltin\tf32\t4095x3003\tC\t1,0/6435x1911/1,0\tC\t46.9\todd axes that do not "
    "factor\n"
    "composed_u4\tbuiltin\tu4\t8192x12288\tC\t1,0/16384x6144/1,0\tC\t48\tpacked, axes that do not "
    "factor\n";
