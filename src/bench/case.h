/*
 * The cases of a benchmark: moves in a tab-separated file, one move on a line.
 *
 * Columns: id suite dtype shape src_strides perm dst_strides [MiB [note]]. A first line that begins
 * with the word id, empty lines, and lines that begin with # are skipped.
 *
 *   shape        AxBxC, row-major. A*BxC are A moves of BxC, enqueued as one batch. The following
 *                columns then describe AxBxC, and perm keeps the first dim in place
 *   src_strides  C for dense, or elements: 4,1. Strides may be 0, negative or overlapping. The
 *                first element lies as far in as negative strides require, or at @OFFSET: 4096,1@1
 *   perm         numpy.transpose, as 1,0. A chain is 1,0/8x3/1,0: permuted, read as 8x3, permuted.
 *                8x4:3 reads as 8x4 and keeps only the first 3 of each 4
 *   dst_strides  C: the result is dense, an alias if the source already is. Otherwise strides of
 *                the permuted dims, in which case a destination is always written
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

enum { BENCH_STAGES = 4 };

/* A shape, how many elements of each dim are kept, and the permutation for the next stage. */
typedef struct bench_stage {
  uint32_t rank;
  int64_t dims[CLRS_MAX_RANK];
  int64_t kept[CLRS_MAX_RANK];
  int64_t perm[CLRS_MAX_RANK];
} bench_stage;

typedef struct bench_case {
  const char *id, *suite, *note; /* id and suite are printable ASCII without blanks */
  const char *line;              /* a line of the file as read, without its end of line */
  clrs_dtype dtype;
  clrs_layout source;
  uint32_t stage_count; /* at least 1. stages[0] has the source's dims */
  bench_stage stages[BENCH_STAGES];
  clrs_layout destination;
  bool destination_given; /* the column is not C */
  bool is_batch;          /* each index of the first dim is a move. Rank is 2 or more */
} bench_case;

/* Parses a line. Cuts the line at the tabs. The strings of *given point into the line. An error
 * names the column. */
clrs_status bench_case_parse(char *line, bench_case *given, clrs_error *error);

/* The source, seen in the order of the destination. */
clrs_status bench_case_view(const bench_case *given, clrs_view *view, clrs_error *error);

/* The lowest and the highest element of a layout. */
clrs_status bench_bounds(const clrs_layout *layout, clrs_bounds *bounds, clrs_error *error);
