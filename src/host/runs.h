/*
 * The part of a file that a view shows, as runs of neighbouring elements that are read, or written,
 * one after the other into dense memory, and the view of that memory.
 *
 * Axes of a walk that reach over each other are one span: steps of one size, and how many of them.
 * Of a file of [100,1000] the view [0:2,0:3] has the spans of 3 steps of 1 and 2 steps of 1000:
 * two runs of 3 elements, which lie in 6 elements of dense memory as [2,3]. Its transpose has the
 * same runs, and is a view of [3,2] with strides 1 and 3 over them. Elements below a byte are read
 * as grains, the fewest that are whole bytes, such as 2 of u4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

typedef struct cli_run_axis {
  int64_t count, step; /* elements */
} cli_run_axis;

typedef struct cli_runs {
  uint32_t element_bytes; /* or those of a grain, in whose place all here stand */
  int64_t first;          /* element of the file where the first run begins */
  int64_t length;         /* elements of a run */
  int64_t count;          /* runs */
  uint32_t axis_count;    /* that number the runs, the fastest first */
  cli_run_axis axes[CLRS_MAX_RANK];
} cli_runs;

/* *dense is the view of the memory. Up to `most_gap` elements between two runs are read with them;
 * what is written takes 0. Of a view that is no single walk, or that cuts grains, it is all from
 * the lowest element to the highest that its lowest walk reaches. No elements: no runs.
 * CLRS_OVERFLOW if the memory's size does not fit in 64 bits. */
clrs_status cli_runs_of(const clrs_view *view, int64_t most_gap, cli_runs *runs, clrs_view *dense,
                        clrs_error *error);

/* Bytes of the memory. */
uint64_t cli_runs_bytes(const cli_runs *runs);

/* Does each run begin behind the one before it? *end is the element behind the last. Both hold for
 * runs of elements, of which there must be some. */
bool cli_runs_ascend(const cli_runs *runs, int64_t *end);

/* From or to the file, whose elements begin at byte `start`. `path` is for messages. A stream, such
 * as a pipe, has a position: the bytes that were read or written, which only grow. Runs of a stream
 * ascend, from the position on. What lies between those that are read is skipped; there must be
 * nothing between those that are written. */
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

/* Writes that element to all of them. */
clrs_status cli_runs_fill(const cli_runs *runs, const cli_run_file *file, const void *element,
                          clrs_error *error);

/* Reads a stream on to byte `at`, which is not before its position. */
clrs_status cli_run_file_skip(const cli_run_file *file, uint64_t at, clrs_error *error);
