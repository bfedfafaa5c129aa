/*
 * A layer for the OpenCL loader (OPENCL_LAYERS) that makes the n-th of certain calls fail, and
 * counts the objects that are alive. A test finds it in its own process with fault_layer_find.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_H
#define CLRS_TEST_FAULT_LAYER_H

#include <CL/cl.h>
#include <stdbool.h>

typedef struct fault_layer {
  /* From now on the n-th call counted fails with `code`, if n > 0, and every later one too if
   * `sticky`. The count starts again. */
  void (*arm)(int n, cl_int code, bool sticky);
  /* The name of the call that failed, or NULL if none did. */
  const char *(*failed)(void);
  /* References that exist and were made through the loader, to objects of any kind. */
  long (*live)(void);
} fault_layer;

/* False if the layer is not loaded: the loader ignores a bad OPENCL_LAYERS silently. */
bool fault_layer_find(fault_layer *layer);

/* What a failed clBuildProgram has as its log. */
#define FAULT_LAYER_BUILD_LOG "the fault layer let this build fail"

#endif
