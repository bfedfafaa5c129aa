/* SPDX-License-Identifier: Apache-2.0 */
#include "sets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "image.h"
#include "transfer.h"

enum { GUARD_BYTES = 64, WRONG_BYTES = 160, POISON = 0xa5 };

/* Buffers in rotation reach twice the last cache, within these bounds. */
#define LEAST_ROTATION ((uint64_t)256 << 20)
#define MOST_ROTATION ((uint64_t)1 << 30)

/* ---- single buffers ---- */

static clrs_status create(const bench_setup *setup, uint64_t bytes, cl_mem *buffer,
                          clrs_error *error) {
  const uint64_t most = setup->host.report.max_buffer_bytes;
  if (bytes > most || bytes > SIZE_MAX) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "needs a buffer of %" PRIu64 " bytes; this device allows %" PRIu64, bytes,
                      most);
  }
  return cli_host_buffer(&setup->host, bytes, buffer, error);
}

static clrs_status map(const bench_setup *setup, cl_mem buffer, cl_map_flags flags, uint64_t bytes,
                       void **mapped, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  *mapped = clEnqueueMapBuffer(setup->queue, buffer, CL_TRUE, flags, 0, (size_t)bytes, 0, NULL,
                               NULL, &code);
  return code == CL_SUCCESS ? CLRS_OK : clrs__fail_opencl(error, code, "clEnqueueMapBuffer");
}

static clrs_status unmap(const bench_setup *setup, cl_mem buffer, void *mapped, clrs_error *error) {
  cl_int code = clEnqueueUnmapMemObject(setup->queue, buffer, mapped, 0, NULL, NULL);
  code = code == CL_SUCCESS ? clFinish(setup->queue) : code;
  return code == CL_SUCCESS ? CLRS_OK : clrs__fail_opencl(error, code, "clEnqueueUnmapMemObject");
}

static clrs_status fill_elements(const bench_sets *sets, cl_mem buffer, clrs_dtype dtype,
                                 uint64_t bytes, clrs_error *error) {
  void *mapped = NULL;
  CLRS_TRY(map(sets->setup, buffer, CL_MAP_WRITE, bytes, &mapped, error));
  bench_fill_source(dtype, mapped, bytes);
  return unmap(sets->setup, buffer, mapped, error);
}

static clrs_status duplicate(const bench_setup *setup, cl_mem from, cl_mem to, uint64_t bytes,
                             clrs_error *error) {
  const cl_int code =
      clEnqueueCopyBuffer(setup->queue, from, to, 0, 0, (size_t)bytes, 0, NULL, NULL);
  return code == CL_SUCCESS ? CLRS_OK : clrs__fail_opencl(error, code, "clEnqueueCopyBuffer");
}

/* Fills a buffer with a value that is not taken for a result, without waiting. */
static clrs_status fill_poison(const bench_setup *setup, cl_mem buffer, uint64_t bytes,
                               clrs_error *error) {
  const unsigned char poison = POISON;
  CLRS_TRY_OPENCL("clEnqueueFillBuffer",
                  clEnqueueFillBuffer(setup->queue, buffer, &poison, sizeof poison, 0,
                                      (size_t)bytes, 0, NULL, NULL),
                  error);
  return CLRS_OK;
}

static void release(cl_mem buffer) {
  if (buffer != NULL) {
    clReleaseMemObject(buffer);
  }
}

static clrs_status finish(const bench_setup *setup, clrs_error *error) {
  const cl_int code = clFinish(setup->queue);
  return code == CL_SUCCESS ? CLRS_OK : clrs__fail_opencl(error, code, "clFinish");
}

/* ---- sets ---- */

clrs_status bench_sets_open(const bench_setup *setup, const bench_case *given, bench_sets *sets,
                            clrs_error *error) {
  memset(sets, 0, sizeof *sets);
  sets->setup = setup;
  sets->given = given;
  CLRS_TRY(bench_storage_bytes(&given->source, &sets->source_bytes, error));
  CLRS_TRY(bench_storage_bytes(&given->destination, &sets->destination_bytes, error));
  sets->destination_bytes += GUARD_BYTES;
  sets->count = 1;
  CLRS_TRY(create(setup, sets->source_bytes, &sets->sets[0].source, error));
  return create(setup, sets->destination_bytes, &sets->sets[0].destination, error);
}

static clrs_status wrap(const bench_sets *sets, cl_mem buffer, const clrs_layout *layout,
                        clrs_tensor **tensor, clrs_error *error) {
  const clrs_storage storage = {buffer, 0};
  return clrs_tensor_wrap(sets->setup->host.clreshape, &storage, layout, tensor, error);
}

clrs_status bench_sets_wrap(const bench_sets *sets, size_t index, clrs_tensor **source,
                            clrs_tensor **destination, clrs_error *error) {
  const bench_set *set = &sets->sets[index];
  clrs_tensor *whole = NULL;
  clrs_view view;
  *source = *destination = NULL;
  CLRS_TRY(bench_case_view(sets->given, &view, error));
  CLRS_TRY(wrap(sets, set->destination, &sets->given->destination, destination, error));
  CLRS_TRY(wrap(sets, set->source, &sets->given->source, &whole, error));
  const clrs_status status = clrs_tensor_with_view(whole, &view, source, error);
  clrs_tensor_release(whole);
  return status;
}

static clrs_status choose_count(bench_sets *sets, clrs_error *error) {
  const cli_device_facts *device = &sets->setup->device;
  const uint64_t bytes = sets->source_bytes + sets->destination_bytes + 2 * sets->copy_bytes;
  uint64_t wanted = 2 * (uint64_t)device->cache;
  wanted = wanted < LEAST_ROTATION ? LEAST_ROTATION : wanted;
  wanted = wanted > MOST_ROTATION ? MOST_ROTATION : wanted;
  if (bytes > device->memory) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "needs %" PRIu64 " bytes on the device, which has %" PRIu64, bytes,
                      (uint64_t)device->memory);
  }
  if (wanted > device->memory / 2) {
    wanted = device->memory / 2;
  }
  const uint64_t count = (wanted + bytes - 1) / bytes;
  sets->count = count > BENCH_MOST_SETS ? BENCH_MOST_SETS : (size_t)count;
  sets->count = sets->count == 0 ? 1 : sets->count;
  if (sets->setup->repetitions > 0 && sets->count > sets->setup->repetitions) {
    sets->count = sets->setup->repetitions;
  }
  return CLRS_OK;
}

static clrs_status fill_first(bench_sets *sets, clrs_error *error) {
  const bench_set *set = &sets->sets[0];
  const clrs_dtype units = sets->copy_bytes % 8 == 0 ? CLRS_BITS64 : CLRS_BITS8;
  CLRS_TRY(fill_elements(sets, set->source, sets->given->dtype, sets->source_bytes, error));
  return fill_elements(sets, set->copy_source, units, sets->copy_bytes, error);
}

static clrs_status create_set(bench_sets *sets, size_t index, clrs_error *error) {
  const bench_setup *setup = sets->setup;
  const bench_set *first = &sets->sets[0];
  bench_set *set = &sets->sets[index];
  CLRS_TRY(create(setup, sets->copy_bytes, &set->copy_source, error));
  CLRS_TRY(create(setup, sets->copy_bytes, &set->copy_destination, error));
  CLRS_TRY(fill_poison(setup, set->copy_destination, sets->copy_bytes, error));
  if (index == 0) {
    return fill_first(sets, error);
  }
  CLRS_TRY(create(setup, sets->source_bytes, &set->source, error));
  CLRS_TRY(create(setup, sets->destination_bytes, &set->destination, error));
  CLRS_TRY(duplicate(setup, first->source, set->source, sets->source_bytes, error));
  return duplicate(setup, first->copy_source, set->copy_source, sets->copy_bytes, error);
}

clrs_status bench_sets_fill(bench_sets *sets, uint64_t copy_bytes, clrs_error *error) {
  sets->copy_bytes = copy_bytes;
  CLRS_TRY(choose_count(sets, error));
  sets->expected = malloc((size_t)sets->destination_bytes);
  if (sets->expected == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %" PRIu64 " expected bytes",
                      sets->destination_bytes);
  }
  memset(sets->expected, POISON, (size_t)sets->destination_bytes);
  bench_write_expected(sets->given, sets->expected);
  for (size_t i = 0; i < sets->count; i++) {
    CLRS_TRY(create_set(sets, i, error));
  }
  return bench_sets_poison(sets, sets->count, error);
}

void bench_sets_close(bench_sets *sets) {
  for (size_t i = 0; i < sets->count; i++) {
    release(sets->sets[i].source);
    release(sets->sets[i].destination);
    release(sets->sets[i].copy_source);
    release(sets->sets[i].copy_destination);
  }
  free(sets->expected);
}

clrs_status bench_sets_poison(bench_sets *sets, size_t count, clrs_error *error) {
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(fill_poison(sets->setup, sets->sets[i].destination, sets->destination_bytes, error));
  }
  return finish(sets->setup, error);
}

clrs_status bench_sets_copy(const bench_sets *sets, size_t index, cl_command_queue queue,
                            cl_event *event, clrs_error *error) {
  const bench_set *set = &sets->sets[index];
  CLRS_TRY_OPENCL("clEnqueueCopyBuffer",
                  clEnqueueCopyBuffer(queue, set->copy_source, set->copy_destination, 0, 0,
                                      (size_t)sets->copy_bytes, 0, NULL, event),
                  error);
  return CLRS_OK;
}

/* ---- comparing ---- */

static void compare(const unsigned char *found, const unsigned char *expected, uint64_t bytes,
                    char *wrong) {
  uint64_t at = 0;
  if (memcmp(found, expected, (size_t)bytes) == 0) {
    return;
  }
  while (found[at] == expected[at]) {
    at++;
  }
  snprintf(wrong, WRONG_BYTES, "byte %" PRIu64 " is 0x%02x and should be 0x%02x", at, found[at],
           expected[at]);
}

clrs_status bench_sets_check(bench_sets *sets, size_t index, char *wrong, clrs_error *error) {
  cl_mem buffer = sets->sets[index].destination;
  void *found = NULL;
  CLRS_TRY(map(sets->setup, buffer, CL_MAP_READ, sets->destination_bytes, &found, error));
  compare(found, sets->expected, sets->destination_bytes, wrong);
  return unmap(sets->setup, buffer, found, error);
}

clrs_status bench_sets_check_copy(bench_sets *sets, size_t index, char *wrong, clrs_error *error) {
  const bench_set *set = &sets->sets[index];
  void *found = NULL, *expected = NULL;
  CLRS_TRY(map(sets->setup, set->copy_source, CL_MAP_READ, sets->copy_bytes, &expected, error));
  clrs_status status =
      map(sets->setup, set->copy_destination, CL_MAP_READ, sets->copy_bytes, &found, error);
  if (status == CLRS_OK) {
    compare(found, expected, sets->copy_bytes, wrong);
    status = unmap(sets->setup, set->copy_destination, found, error);
  }
  const clrs_status last = unmap(sets->setup, set->copy_source, expected, error);
  return status == CLRS_OK ? last : status;
}
