/* SPDX-License-Identifier: Apache-2.0 */
#include "runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "descriptor.h"
#include "fail.h"

/* ---- spans of steps ---- */

/* Equal steps in the file, and the length of a step in dense memory. */
typedef struct span {
  int64_t step, count, dense_step;
} span;

/* Axis `at` of a walk, reversed if its stride is negative, so that all strides are >= 0. */
typedef struct turned_axis {
  uint32_t at;
  int64_t extent, stride;
  bool is_reversed;
} turned_axis;

typedef struct span_list {
  uint32_t axis_count, span_count, dense_axis;
  int64_t grain; /* elements of a grain: 1, or 2 of u4. Positions here count grains. */
  turned_axis axes[CLRS_MAX_RANK]; /* sorted by stride, the least first */
  int64_t strides[CLRS_MAX_RANK];  /* in dense memory, of reversed axis `at` */
  span spans[CLRS_MAX_RANK + 1];   /* the first span has steps of 1 */
  int64_t first;                   /* the lowest element */
} span_list;

/* Returns the fewest elements that are whole bytes. Example: 2 elements of 4 bits, 8 of 1 bit. */
static int64_t grain_of(clrs_dtype dtype) {
  int64_t grain = 1;
  while (grain * clrs_dtype_bits(dtype) % 8 != 0) {
    grain *= 2;
  }
  return grain;
}

static int compare_strides(const void *a, const void *b) {
  const turned_axis *first = a, *second = b;
  if (first->stride != second->stride) {
    return first->stride < second->stride ? -1 : 1;
  }
  return first->at < second->at ? -1 : first->at > second->at;
}

/* Reverses axes of negative stride and sorts all axes by stride. All elements lie in a file, so no
 * sum here exceeds 64 bits. */
static void turn_axes(const clrs_view *view, span_list *made) {
  made->axis_count = view->levels[0].axis_count;
  made->first = view->levels[0].offset;
  for (uint32_t i = 0; i < made->axis_count; i++) {
    const clrs_axis axis = view->axes[i];
    const bool is_reversed = axis.stride < 0;
    if (is_reversed) {
      made->first = clrs__exact_multiply_add(made->first, axis.extent - 1, axis.stride);
    }
    made->axes[i] =
        (turned_axis){i, axis.extent, is_reversed ? -axis.stride : axis.stride, is_reversed};
  }
  qsort(made->axes, made->axis_count, sizeof *made->axes, compare_strides);
}

/* Converts extents and strides from elements to grains. Returns false if any grain is not shown as
 * a whole by one axis. Example: an axis of 6 elements of 4 bits, stride 1, becomes 3 grains of
 * stride 1. Another axis of stride 10 then gets stride 5. */
static bool count_grains(span_list *made) {
  const int64_t grain = made->grain;
  bool is_whole = made->first % grain == 0;
  uint32_t dense = 0;
  while (dense < made->axis_count && made->axes[dense].stride != 1) {
    dense++;
  }
  made->dense_axis = dense < made->axis_count ? made->axes[dense].at : dense;
  made->first /= grain;
  for (uint32_t i = 0; i < made->axis_count; i++) {
    int64_t *counted = i == dense ? &made->axes[i].extent : &made->axes[i].stride;
    is_whole = is_whole && *counted % grain == 0;
    *counted /= grain;
  }
  return grain == 1 || (is_whole && dense < made->axis_count);
}

/* Does the axis continue the steps of the span, or fall among the steps? */
static bool joins(const span *last, bool is_first, int64_t stride, int64_t most_gap) {
  if (is_first) {
    return stride - last->count <= most_gap;
  }
  return stride % last->step == 0 && stride / last->step <= last->count;
}

static bool add_axis(span_list *made, const turned_axis *axis, int64_t most_gap) {
  span *last = &made->spans[made->span_count - 1];
  if (axis->stride == 0) {
    made->strides[axis->at] = 0;
    return true;
  }
  if (!joins(last, made->span_count == 1, axis->stride, most_gap)) {
    int64_t dense = 0;
    if (!clrs__multiply(last->dense_step, last->count, &dense)) {
      return false;
    }
    made->spans[made->span_count++] = (span){axis->stride, 1, dense};
    last++;
  }
  const int64_t steps = axis->stride / last->step;
  made->strides[axis->at] = clrs__exact_multiply(steps, last->dense_step);
  last->count = clrs__exact_multiply_add(last->count, axis->extent - 1, steps);
  return true;
}

static bool find_spans(int64_t most_gap, span_list *made) {
  made->span_count = 1;
  made->spans[0] = (span){1, 1, 1};
  for (uint32_t i = 0; i < made->axis_count; i++) {
    if (!add_axis(made, &made->axes[i], most_gap)) {
      return false;
    }
  }
  return true;
}

/* ---- runs ---- */

static bool count_runs(const span_list *made, cli_runs *runs) {
  runs->first = made->first;
  runs->length = made->spans[0].count;
  runs->count = 1;
  runs->axis_count = made->span_count - 1;
  for (uint32_t i = 0; i < runs->axis_count; i++) {
    runs->axes[i] = (cli_run_axis){made->spans[i + 1].count, made->spans[i + 1].step};
    if (!clrs__multiply(runs->count, runs->axes[i].count, &runs->count)) {
      return false;
    }
  }
  int64_t elements = 0, bytes = 0;
  return clrs__multiply(runs->count, runs->length, &elements) &&
         clrs__multiply(elements, runs->element_bytes, &bytes);
}

/* Builds the view of dense memory: a layout with the walk's axes, reshaped to the view's shape. */
static clrs_status view_dense(const clrs_view *view, const span_list *made, clrs_view *dense,
                              clrs_error *error) {
  clrs_layout layout = {.dtype = view->dtype, .rank = made->axis_count};
  for (uint32_t i = 0; i < made->axis_count; i++) {
    const turned_axis *axis = &made->axes[i];
    const int64_t extent = view->axes[axis->at].extent;
    const int64_t stride = axis->at == made->dense_axis
                               ? 1
                               : clrs__exact_multiply(made->strides[axis->at], made->grain);
    layout.dims[axis->at] = extent;
    layout.strides[axis->at] = axis->is_reversed ? -stride : stride;
    layout.offset =
        clrs__exact_multiply_add(layout.offset, axis->is_reversed ? extent - 1 : 0, stride);
  }
  CLRS_TRY(clrs_view_from_layout(&layout, dense, error));
  return clrs_view_reshape(dense, &view->shape, error);
}

/* Takes a single run, from the lowest element to the highest. */
static clrs_status take_all(const clrs_view *view, const clrs_bounds *bounds, int64_t grain,
                            cli_runs *runs, clrs_view *dense) {
  runs->first = bounds->lowest / grain;
  runs->length = bounds->highest / grain - runs->first + 1;
  runs->count = 1;
  *dense = *view;
  dense->levels[0].offset -= runs->first * grain;
  return CLRS_OK;
}

clrs_status cli_runs_of(const clrs_view *view, int64_t most_gap, cli_runs *runs, clrs_view *dense,
                        clrs_error *error) {
  clrs_bounds bounds;
  span_list made = {.grain = grain_of(view->dtype)};
  CLRS_TRY(clrs_view_bounds(view, &bounds, error));
  *runs = (cli_runs){.element_bytes = (uint32_t)(made.grain * clrs_dtype_bits(view->dtype) / 8)};
  if (bounds.empty) {
    *dense = *view;
    return CLRS_OK;
  }
  if (view->depth > 1 || view->levels[0].axis_count > CLRS_MAX_RANK) {
    return take_all(view, &bounds, made.grain, runs, dense);
  }
  turn_axes(view, &made);
  if (!count_grains(&made)) {
    return take_all(view, &bounds, made.grain, runs, dense);
  }
  if (!find_spans(most_gap / made.grain, &made) || !count_runs(&made, runs)) {
    return clrs__fail(error, CLRS_OVERFLOW, "the elements take more bytes than 64 bits count");
  }
  return view_dense(view, &made, dense, error);
}

uint64_t cli_runs_bytes(const cli_runs *runs) {
  return (uint64_t)clrs__exact_multiply(clrs__exact_multiply(runs->count, runs->length),
                                        runs->element_bytes);
}

/* The steps of the axes grow from axis to axis. Runs ascend if each step is at least the reach of
 * all axes before. Example: runs of 3 elements, 2 runs at a step of 10, reach 3 + 10 = 13 elements,
 * so the next axis needs a step of at least 13. */
bool cli_runs_ascend(const cli_runs *runs, int64_t *end) {
  int64_t reach = runs->length;
  bool ascends = true;
  for (uint32_t i = 0; i < runs->axis_count; i++) {
    const cli_run_axis *axis = &runs->axes[i];
    ascends = ascends && axis->step >= reach;
    reach = clrs__exact_multiply_add(reach, axis->count - 1, axis->step);
  }
  *end = runs->first + reach;
  return ascends;
}

/* ---- the file ---- */

/* Returns NULL for a stream, whose next bytes are read or written, or else `at`. */
static const uint64_t *place_of(const cli_run_file *file, const uint64_t *at) {
  return file->position != NULL ? NULL : at;
}

static void advance_to(const cli_run_file *file, uint64_t at) {
  if (file->position != NULL) {
    *file->position = at;
  }
}

/* Reads `size` bytes from byte `at`. A stream must stand at `at` already. */
static clrs_status read_here(const cli_run_file *file, uint64_t at, char *to, size_t size,
                             clrs_error *error) {
  while (size > 0) {
    const ssize_t got = cli_read_some(file->fd, place_of(file, &at), to, size);
    if (got < 0) {
      return cli_fail_file(error, file->path, errno);
    }
    if (got == 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        file->position != NULL ? "%s: truncated: it ends before its data does"
                                               : "%s: became shorter while it was read",
                        file->path);
    }
    to += got;
    at += (uint64_t)got;
    size -= (size_t)got;
    advance_to(file, at);
  }
  return CLRS_OK;
}

clrs_status cli_run_file_skip(const cli_run_file *file, uint64_t at, clrs_error *error) {
  char skipped[16384];
  while (*file->position < at) {
    const uint64_t left = at - *file->position;
    const size_t size = left < sizeof skipped ? (size_t)left : sizeof skipped;
    CLRS_TRY(read_here(file, *file->position, skipped, size, error));
  }
  return CLRS_OK;
}

static clrs_status read_fully(const cli_run_file *file, uint64_t at, char *to, size_t size,
                              clrs_error *error) {
  if (file->position != NULL) {
    CLRS_TRY(cli_run_file_skip(file, at, error));
  }
  return read_here(file, at, to, size, error);
}

static clrs_status write_fully(const cli_run_file *file, uint64_t at, char *from, size_t size,
                               clrs_error *error) {
  while (size > 0) {
    const ssize_t written = cli_write_some(file->fd, place_of(file, &at), from, size);
    if (written < 0) {
      return cli_fail_file(error, file->path, errno);
    }
    from += written;
    at += (uint64_t)written;
    size -= (size_t)written;
    advance_to(file, at);
  }
  return CLRS_OK;
}

typedef clrs_status (*transfer_fn)(const cli_run_file *file, uint64_t at, char *memory, size_t size,
                                   clrs_error *error);

/* Returns the first element of the next run: the fastest axis that is not at the end takes a step,
 * and faster axes start again. Example: axes of 2 steps of 1000 and 3 of 5000 give elements 0,
 * 1000, 5000, 6000, 10000, 11000. */
static int64_t advance(const cli_runs *runs, int64_t *counters, int64_t element) {
  for (uint32_t i = 0; i < runs->axis_count; i++) {
    const cli_run_axis *axis = &runs->axes[i];
    if (++counters[i] < axis->count) {
      return element + axis->step;
    }
    counters[i] = 0;
    element -= clrs__exact_multiply(axis->count - 1, axis->step);
  }
  return element;
}

/* Transfers one run after the other. After each run, `memory` advances by `step` times the run's
 * bytes: 1 for dense memory, 0 to use the same bytes for every run. */
static clrs_status each_run(const cli_runs *runs, const cli_run_file *file, char *memory,
                            size_t step, transfer_fn transfer, clrs_error *error) {
  const size_t size = (size_t)clrs__exact_multiply(runs->length, runs->element_bytes);
  int64_t counters[CLRS_MAX_RANK] = {0}, element = runs->first;
  for (int64_t i = 0; i < runs->count; i++) {
    const int64_t byte = clrs__exact_multiply(element, runs->element_bytes);
    CLRS_TRY(transfer(file, file->start + (uint64_t)byte, memory, size, error));
    memory += step * size;
    element = advance(runs, counters, element);
  }
  return CLRS_OK;
}

clrs_status cli_runs_read(const cli_runs *runs, const cli_run_file *file, void *memory,
                          clrs_error *error) {
  return each_run(runs, file, memory, 1, read_fully, error);
}

/* transfer_fn takes a pointer to non-const memory for reads, but write_fully does not write to the
 * memory. */
clrs_status cli_runs_write(const cli_runs *runs, const cli_run_file *file, const void *memory,
                           clrs_error *error) {
  return each_run(runs, file, (char *)(uintptr_t)memory, 1, write_fully, error);
}

/* ---- filling ---- */

enum { FILL_BYTES = 1 << 20 }; /* a multiple of the bytes of any unit */

static clrs_status fill_run(const cli_run_file *file, uint64_t at, char *memory, size_t size,
                            clrs_error *error) {
  while (size > 0) {
    const size_t part = size < FILL_BYTES ? size : FILL_BYTES;
    CLRS_TRY(write_fully(file, at, memory, part, error));
    at += part;
    size -= part;
  }
  return CLRS_OK;
}

clrs_status cli_runs_fill(const cli_runs *runs, const cli_run_file *file, const void *element,
                          clrs_error *error) {
  char *memory = malloc(FILL_BYTES);
  if (memory == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  for (size_t at = 0; at < FILL_BYTES; at += runs->element_bytes) {
    memcpy(memory + at, element, runs->element_bytes);
  }
  const clrs_status status = each_run(runs, file, memory, 0, fill_run, error);
  free(memory);
  return status;
}
