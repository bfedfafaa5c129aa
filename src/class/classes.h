/*
 * The only list of the classes. The file of a geometry defines the classes of that geometry. To add
 * a class, add a name to clrs__class_number, a line to this file, a host file to this folder, and a
 * kernel to kernels/.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_CLASSES_H
#define CLRS_CLASS_CLASSES_H

#include "class.h"

/* clang-format off */
#define CLRS__EACH_CLASS(CLASS)                           \
  CLASS(CPU_ROWS, cpu_rows)   CLASS(GPU_ROWS, gpu_rows)   \
  CLASS(CPU_TILE, cpu_tile)   CLASS(GPU_TILE, gpu_tile)   \
  CLASS(CPU_SHORT, cpu_short) CLASS(GPU_SHORT, gpu_short) \
  CLASS(CPU_ANY, cpu_any)     CLASS(GPU_ANY, gpu_any)     \
  CLASS(COMPOSED, composed)   CLASS(FILL, fill)           \
  CLASS(SUBBYTE, subbyte)     CLASS(CPU_SUBBYTE, cpu_subbyte)
/* clang-format on */

#define CLRS__DECLARE_CLASS(number, name) extern const clrs__class clrs__##name;
CLRS__EACH_CLASS(CLRS__DECLARE_CLASS)

#endif
