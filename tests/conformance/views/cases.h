/*
 * Reads the cases that generate.py wrote: whitespace-separated words, one case per line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_VIEW_CASES_H
#define CLRS_TEST_VIEW_CASES_H

#include "harness/check.h"

#include <inttypes.h>

typedef struct case_reader {
  FILE *file;
  int64_t line;
} case_reader;

static inline int64_t read_number(case_reader *reader) {
  int64_t value;
  if (fscanf(reader->file, "%" SCNd64, &value) != 1)
    fail_msg("line %lld: a number is missing", (long long)reader->line);
  return value;
}

static inline void read_word(case_reader *reader, char *word) {
  if (fscanf(reader->file, "%31s", word) != 1)
    fail_msg("line %lld: a word is missing", (long long)reader->line);
}

static inline void read_numbers(case_reader *reader, size_t count, int64_t *values) {
  for (size_t i = 0; i < count; i++)
    values[i] = read_number(reader);
}

/* Reads a length and that many numbers. */
static inline size_t read_list(case_reader *reader, int64_t *values) {
  const int64_t count = read_number(reader);
  assert_in_range(count, 0, CLRS_MAX_RANK);
  read_numbers(reader, (size_t)count, values);
  return (size_t)count;
}

static inline clrs_shape read_shape(case_reader *reader) {
  clrs_shape shape = {.rank = 0};
  shape.rank = (uint32_t)read_list(reader, shape.dims);
  return shape;
}

static inline clrs_layout read_layout(case_reader *reader) {
  clrs_layout layout = {.dtype = CLRS_I64};
  layout.offset = read_number(reader);
  layout.rank = (uint32_t)read_list(reader, layout.dims);
  read_numbers(reader, layout.rank, layout.strides);
  return layout;
}

/* False at the end of the file. */
static inline bool read_next(case_reader *reader) {
  int next = fgetc(reader->file);
  while (next == '\n')
    next = fgetc(reader->file);
  if (next != EOF)
    (void)ungetc(next, reader->file);
  reader->line += next != EOF;
  return next != EOF;
}

#endif
