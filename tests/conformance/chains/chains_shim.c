/*
 * Loaded in front of the library by tests/conformance/chains, together with the counters of OpenCL
 * calls (support/opencl_counts.h). Also tells the sizes of the structs that the Python side
 * declares.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include <clreshape/clreshape.h>

#include "harness/opencl_counts.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void chains_reset(void);
EXPORT void chains_read(opencl_counts *copy);
EXPORT size_t chains_size_of(const char *type);
EXPORT clrs_status chains_context(cl_context context, cl_device_id device, int32_t variation,
                                  clrs_context **result, clrs_error *error);

void chains_reset(void) {
  opencl_counts_reset();
}

void chains_read(opencl_counts *copy) {
  *copy = opencl_counted();
}

/* 0 if no such type exists. Every redeclared struct has to be compared with the header's struct. */
size_t chains_size_of(const char *type) {
  static const struct {
    const char *type;
    size_t size;
  } rows[] = {{"shape", sizeof(clrs_shape)},
              {"layout", sizeof(clrs_layout)},
              {"view", sizeof(clrs_view)},
              {"pattern", sizeof(clrs_pattern)},
              {"slice", sizeof(clrs_slice)},
              {"plan", sizeof(clrs_plan)},
              {"error", sizeof(clrs_error)},
              {"storage", sizeof(clrs_storage)},
              {"blocked", sizeof(clrs_blocked_layout)},
              {"counts", sizeof(opencl_counts)},
              {"chain", sizeof(clrs_chain)},
              {"stack", sizeof(clrs_stack)},
              {"padding", sizeof(clrs_padding)},
              {"axis", sizeof(clrs_axis)},
              {"level", sizeof(clrs_level)},
              {"block", sizeof(clrs_block)},
              {"on", sizeof(clrs_on)}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].type, type) == 0) {
      return rows[i].size;
    }
  }
  return 0;
}

/* Options have defaults that only the header knows. Variations: 0 as the environment's
 * CLRS_EXECUTION says or else as the context chooses, 1 a core at a time, 2 wide, 3 wide with
 * 64-bit indices and few work-items. */
clrs_status chains_context(cl_context context, cl_device_id device, int32_t variation,
                           clrs_context **result, clrs_error *error) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  /* without a pool: a result in recycled bytes could be right without a move */
  options.pool_bytes = 0;
  options.context = context;
  options.device = device;
  const char *wish = getenv("CLRS_EXECUTION");
  if (variation == 0 && wish != NULL) {
    options.limits.execution = strcmp(wish, "gpu") == 0 ? CLRS_EXECUTION_GPU : CLRS_EXECUTION_CPU;
  }
  if (variation > 0) {
    options.limits.execution = variation == 1 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
  }
  if (variation == 3) {
    options.limits.min_index_bits = 64;
    options.limits.max_work_items = 64;
  }
  return clrs_context_create(&options, result, error);
}
