/*
 * The part of a file that a view shows, as runs. A run is a sequence of neighbouring elements. The
 * runs are read into dense memory, or written from dense memory, one after the other. A second view
 * describes the dense memory.
 *
 * Axes of a walk whose reaches overlap form one span: a step size and a number of steps. Example:
 * the view [0:2,0:3] of a file of [100,1000] has a span of 3 steps of 1 and a span of 2 steps of
 * 1000. The view has two runs of 3 elements, which lie in 6 elements of dense memory as [2,3]. The
 * transpose has the same runs, and the dense view is [3,2] with strides 1 and 3. Elements below a
 * byte are read as grains. A grain is the fewest elements that are whole bytes, such as 2 of u4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

typedef struct cli_run_axis {
  int64_t count, step; /* elements */
} cli_run_axis;

typedef struct cli_runs {
  uint32_t element_bytes; /* bytes of an element, or of a grain if elements are below a byte */
  int64_t first;          /* first element of the first run, in the file */
  int64_t length;         /* elements per run */
  int64_t count;          /* runs */
  uint32_t axis_count;    /* axes that number the runs, the fastest first */
  cli_run_axis axes[CLRS_MAX_RANK];
} cli_runs;

/* Finds the runs of `view`, and *dense, the view of the dense memory. Up to `most_gap` elements
 * between two runs are read with the runs. Writers pass 0. If the view is no single walk, or cuts
 * grains, there is one run, from the lowest element to the highest that the lowest walk reaches. A
 * view without elements has no runs. Returns CLRS_OVERFLOW if the memory's size does not fit in 64
 * bits. */
clrs_status cli_runs_of(const clrs_view *view, int64_t most_gap, cli_runs *runs, clrs_view *dense,
                        clrs_error *error);

/* Returns the size of the dense memory in bytes. */
uint64_t cli_runs_bytes(const cli_runs *runs);

/* Does each run begin behind the run before? *end is the element behind the last run. There must be
 * at least one run with elements. */
bool cli_runs_ascend(const cli_runs *runs, int64_t *end);

/* Reads or writes the runs of a file whose elements begin at byte `start`. `path` is for messages.
 * A stream, such as a pipe, has a position: the number of bytes read or written so far. Runs of a
 * stream must ascend and begin at or behind the position. Bytes between two runs are skipped when
 * reading. When writing, there must be no bytes between two runs. */
typedef struct cli_run_file {
  int fd;
  const char *path;
  uint64_t start;
  uint64_t *position; /* NULL for a file */
} cli_run_file;
clrs_status cli_runs_read(const cli_runs *runs, const cli_run_file *file, void *memory,
                          clrs_error *error);
clrs_status cli_runs_write(const cli_runs *runs, const cli_run_file *file, const void *memory,
                           clrs_error *error);

/* Writes `element` to every element of the runs. */
clrs_status cli_runs_fill(const cli_runs *runs, const cli_run_file *file, const void *element,
                          clrs_error *error);

/* Skips the bytes of a stream up to byte `at`. `at` must not be before the position. */
clrs_status cli_run_file_skip(const cli_run_file *file, uint64_t at, clrs_error *error);
