/*
 * Loaded in front of the library by tests/chains: counts what the library asks of OpenCL, so that
 * "one launch" and "no memory" are facts and not the planner's word. Also tells the sizes of the
 * structs that the Python side declares.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <string.h>

#include <clreshape/clreshape.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct chains_counts {
  int64_t launches, buffers, transfers;
  uint64_t buffer_bytes;
} chains_counts;

static chains_counts counts;

EXPORT void chains_reset(void);
EXPORT void chains_read(chains_counts *copy);
EXPORT size_t chains_size_of(const char *type);
EXPORT clrs_status chains_context(cl_context context, cl_device_id device, int32_t variation,
                                  clrs_context **result, clrs_error *error);

void chains_reset(void) {
  memset(&counts, 0, sizeof counts);
}

void chains_read(chains_counts *copy) {
  *copy = counts;
}

size_t chains_size_of(const char *type) {
  static const struct {
    const char *type;
    size_t size;
  } rows[] = {{"shape", sizeof(clrs_shape)},     {"layout", sizeof(clrs_layout)},
              {"view", sizeof(clrs_view)},       {"pattern", sizeof(clrs_pattern)},
              {"slice", sizeof(clrs_slice)},     {"window", sizeof(clrs_window)},
              {"plan", sizeof(clrs_plan)},       {"error", sizeof(clrs_error)},
              {"storage", sizeof(clrs_storage)}, {"blocked", sizeof(clrs_blocked_layout)}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].type, type) == 0) {
      return rows[i].size;
    }
  }
  return 0;
}

/* Options have defaults that only the header knows. Variations: 0 as the context chooses, 1 a core
 * at a time, 2 wide, 3 wide with 64-bit indices and few work-items. */
clrs_status chains_context(cl_context context, cl_device_id device, int32_t variation,
                           clrs_context **result, clrs_error *error) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.context = context;
  options.device = device;
  if (variation > 0) {
    options.limits.execution = variation == 1 ? CLRS_EXECUTION_CORE : CLRS_EXECUTION_WIDE;
  }
  if (variation == 3) {
    options.limits.min_index_bits = 64;
    options.limits.max_work_items = 64;
  }
  return clrs_context_create(&options, result, error);
}

/* The driver's own function of that name. POSIX defines this conversion; ISO C does not. */
static void find_next(const char *name, void *function) {
  void *symbol = dlsym(RTLD_NEXT, name);
  memcpy(function, &symbol, sizeof symbol);
}

EXPORT cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                 cl_uint work_dim, const size_t *offset,
                                                 const size_t *global, const size_t *local,
                                                 cl_uint count, const cl_event *wait_list,
                                                 cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                 const size_t *, cl_uint, const cl_event *, cl_event *);
  find_next("clEnqueueNDRangeKernel", &next);
  counts.launches++;
  return next(queue, kernel, work_dim, offset, global, local, count, wait_list, event);
}

EXPORT cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                         void *host, cl_int *code) {
  cl_mem (*next)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
  find_next("clCreateBuffer", &next);
  counts.buffers++;
  counts.buffer_bytes += size;
  return next(context, flags, size, host, code);
}

/* What moves bytes without a kernel would be a second pass in disguise. */
EXPORT cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                              size_t from_offset, size_t to_offset, size_t size,
                                              cl_uint count, const cl_event *wait_list,
                                              cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,
                 const cl_event *, cl_event *);
  find_next("clEnqueueCopyBuffer", &next);
  counts.transfers++;
  return next(queue, from, to, from_offset, to_offset, size, count, wait_list, event);
}
