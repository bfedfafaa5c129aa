/* SPDX-License-Identifier: Apache-2.0 */
#include "count_parts.h"

#include <stdlib.h>

#include "fail.h"
#include "npy.h"

static clrs_status add_bytes(uint64_t launches, uint64_t read, uint64_t written, cli_total *total,
                             clrs_error *error) {
  total->count++;
  total->launches += launches;
  return __builtin_add_overflow(total->bytes_read, read, &total->bytes_read) ||
                 __builtin_add_overflow(total->bytes_written, written, &total->bytes_written)
             ? clrs__fail(error, CLRS_OVERFLOW, "the bytes of all parts do not fit in 64 bits")
             : CLRS_OK;
}

static clrs_status add_part(const cli_request *request, cli_work *work, cli_total *total,
                            clrs_error *error) {
  const clrs_plan *plan = &work->plan;
  CLRS_TRY(cli_work_plan(request, &work->part.place, work, error));
  return add_bytes(plan->launch_count, plan->bytes_read, plan->bytes_written, total, error);
}

static clrs_status add_file(const cli_request *request, const char *path, cli_work *work,
                            cli_total *total, clrs_error *error) {
  cli_request plain = *request;
  cli_npy_file *file = malloc(sizeof *file);
  if (file == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  clrs_status status = cli_npy_open_as(path, request->raw, file, error);
  if (status == CLRS_OK) {
    status = cli_work_take_file(&plain, path, &file->header, work, error);
    cli_npy_close(file);
  }
  free(file);
  return status == CLRS_OK ? add_part(&plain, work, total, error) : status;
}

static clrs_status add_slab(const cli_request *request, uint32_t slab, cli_work *work,
                            cli_total *total, clrs_error *error) {
  int64_t units = 0;
  CLRS_TRY(cli_work_take_slab(request, slab, work, error));
  CLRS_TRY(clrs_shape_count(&work->part.place.shape, &units, error));
  if (units == 0) {
    return CLRS_OK;
  }
  return cli_parts_border_moves(&work->made)
             ? add_part(request, work, total, error)
             : add_bytes(0, 0, (uint64_t)units * (clrs_dtype_bits(work->part.place.dtype) / 8),
                         total, error);
}

static clrs_status add_others(const cli_request *request, cli_work *work, cli_total *total,
                              clrs_error *error) {
  const cli_assembly *assembly = &request->assembly;
  for (size_t box = 1; box < work->made.pad.box_count; box++) {
    CLRS_TRY(cli_work_take_box(request, box, work, error));
    CLRS_TRY(add_part(request, work, total, error));
  }
  for (size_t i = 0; i < assembly->file_count; i++) {
    CLRS_TRY(add_file(request, assembly->files[i], work, total, error));
  }
  const uint32_t slabs = cli_assembly_has_border(assembly) ? 2 * work->made.shape.rank : 0;
  for (uint32_t slab = 0; slab < slabs; slab++) {
    CLRS_TRY(add_slab(request, slab, work, total, error));
  }
  return CLRS_OK;
}

clrs_status cli_work_count(const cli_request *request, cli_work *work, clrs_error *error) {
  work->parts = (cli_total){0};
  if (work->made.is_whole) {
    return CLRS_OK;
  }
  CLRS_TRY(add_part(request, work, &work->parts, error));
  cli_work *others = malloc(sizeof *others);
  if (others == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  *others = *work;
  const clrs_status status = add_others(request, others, &work->parts, error);
  free(others);
  return status;
}
