/* SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "integers.h"
#include "text.h"

enum { NEEDED_COLUMNS = 7, COLUMNS = 9, MOST_MOVES = 65536 };

static const char *const column_names[COLUMNS] = {
    "id", "suite", "dtype", "shape", "src_strides", "perm", "dst_strides", "MiB", "note"};

/* ---- values ---- */

/* Parses "8", or "8:3" if `kept` may be less than the dim. */
static clrs_status parse_dim(const char *text, size_t length, int64_t *dim, int64_t *kept,
                             clrs_error *error) {
  const char *colon = kept != NULL ? memchr(text, ':', length) : NULL;
  const size_t first = colon != NULL ? (size_t)(colon - text) : length;
  CLRS_TRY(clrs__integer_parse(text, first, dim, error));
  int64_t count = *dim;
  if (colon != NULL) {
    CLRS_TRY(clrs__integer_parse(colon + 1, length - first - 1, &count, error));
  }
  if (count < 1 || count > *dim) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      colon == NULL ? "it is less than 1" : "1 to all of its elements can be kept");
  }
  if (kept != NULL) {
    *kept = count;
  }
  return CLRS_OK;
}

/* Parses "8x3": at least one dim, each at least 1. With `kept` also "8x4:3". */
static clrs_status parse_dims(const char *text, uint32_t *rank, int64_t *dims, int64_t *kept,
                              clrs_error *error) {
  uint32_t found = 0;
  for (const char *next = text;; next++) {
    const size_t length = strcspn(next, "x");
    if (found == CLRS_MAX_RANK) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "'%s' has more than %d dims",
                        clrs__show(text).text, CLRS_MAX_RANK);
    }
    if (parse_dim(next, length, &dims[found], kept != NULL ? &kept[found] : NULL, error) !=
        CLRS_OK) {
      return cli_fail_prefix(error, "dim %u of '%s'", found, clrs__show(text).text);
    }
    found++;
    next += length;
    if (*next == '\0') {
      break;
    }
  }
  *rank = found;
  return CLRS_OK;
}

/* Parses "1000*8x3" as "1000x8x3", and marks a batch. */
static clrs_status parse_shape(char *text, bench_case *result, clrs_error *error) {
  char *first_end = text + strcspn(text, "x*");
  result->is_batch = *first_end == '*';
  if (result->is_batch) {
    *first_end = 'x';
  }
  CLRS_TRY(parse_dims(text, &result->source.rank, result->source.dims, NULL, error));
  return result->is_batch && result->source.dims[0] > MOST_MOVES
             ? clrs__fail(error, CLRS_LIMIT_EXCEEDED, "a batch of more than %d moves", MOST_MOVES)
             : CLRS_OK;
}

static clrs_status check_word(const char *text, clrs_error *error) {
  for (const char *next = text; *next != '\0'; next++) {
    if (*next <= ' ' || *next > '~') {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "only printable ASCII without blanks is allowed");
    }
  }
  return text[0] != '\0' ? CLRS_OK : clrs__fail(error, CLRS_INVALID_ARGUMENT, "it is empty");
}

static clrs_status parse_dtype(const char *text, clrs_dtype *dtype, clrs_error *error) {
  CLRS_TRY(check_word(text, error));
  CLRS_TRY(clrs_dtype_from_name(text, CLRS_TYPES_CLRESHAPE, dtype, error));
  const uint32_t bits = clrs_dtype_bits(*dtype);
  if ((bits & (bits - 1)) != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "%s elements straddle bytes; only widths that are powers of two are moved",
                      text);
  }
  return CLRS_OK;
}

static clrs_status parse_perm(const char *text, bench_stage *stage, clrs_error *error) {
  bool seen[CLRS_MAX_RANK] = {false};
  size_t count = 0;
  CLRS_TRY(clrs__integers_parse(text, strlen(text), &count, stage->perm, error));
  if (count != stage->rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' has %zu axes; there are %u dims",
                      clrs__show(text).text, count, stage->rank);
  }
  for (size_t i = 0; i < count; i++) {
    const int64_t axis = stage->perm[i];
    if (axis < 0 || axis >= stage->rank || seen[axis]) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "'%s' is not a permutation of the axes 0 to %u", clrs__show(text).text,
                        stage->rank - 1);
    }
    seen[axis] = true;
  }
  return CLRS_OK;
}

/* Parses perm or perm/dims/perm/... and cuts the text at the slashes. */
static clrs_status parse_chain(char *text, bench_case *result, clrs_error *error) {
  result->stages[0].rank = result->source.rank;
  memcpy(result->stages[0].dims, result->source.dims, sizeof result->source.dims);
  memcpy(result->stages[0].kept, result->source.dims, sizeof result->source.dims);
  for (uint32_t stage = 0;; stage++) {
    char *dims = strchr(text, '/');
    if (dims != NULL) {
      *dims++ = '\0';
    }
    CLRS_TRY(parse_perm(text, &result->stages[stage], error));
    result->stage_count = stage + 1;
    if (dims == NULL) {
      return CLRS_OK;
    }
    if (stage + 1 == BENCH_STAGES) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "more than %d reshapes", BENCH_STAGES - 1);
    }
    text = strchr(dims, '/');
    if (text == NULL) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "after '/%s' a permutation is missing",
                        clrs__show(dims).text);
    }
    *text++ = '\0';
    bench_stage *next = &result->stages[stage + 1];
    CLRS_TRY(parse_dims(dims, &next->rank, next->dims, next->kept, error));
  }
}

clrs_status bench_bounds(const clrs_layout *layout, clrs_bounds *bounds, clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs_view_from_layout(layout, &view, error));
  return clrs_view_bounds(&view, bounds, error);
}

/* "C", "4,1" or "4,1@2". The layout's dims are set. Cuts the text at its @. */
static clrs_status parse_strides(char *text, clrs_layout *layout, clrs_error *error) {
  const clrs_dtype dtype = layout->dtype;
  clrs_shape shape = {.rank = layout->rank};
  int64_t strides[CLRS_MAX_RANK], offset = 0;
  size_t count = 0;
  clrs_bounds bounds;
  memcpy(shape.dims, layout->dims, sizeof shape.dims);
  if (strcmp(text, "C") == 0) {
    return clrs_layout_init(dtype, &shape, NULL, 0, layout, error);
  }
  char *at = strchr(text, '@');
  if (at != NULL) {
    *at++ = '\0';
    CLRS_TRY(clrs__integer_parse(at, strlen(at), &offset, error));
  }
  CLRS_TRY(clrs__integers_parse(text, strlen(text), &count, strides, error));
  if (count != shape.rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' has %zu strides; there are %u dims",
                      clrs__show(text).text, count, shape.rank);
  }
  CLRS_TRY(clrs_layout_init(dtype, &shape, strides, offset, layout, error));
  CLRS_TRY(bench_bounds(layout, &bounds, error));
  if (at == NULL) {
    return clrs_layout_init(dtype, &shape, strides, -bounds.lowest, layout, error);
  }
  if (bounds.lowest < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "with the offset %s the lowest element lies before the buffer", at);
  }
  return CLRS_OK;
}

static clrs_status parse_destination(char *text, bench_case *result, clrs_error *error) {
  const bench_stage *last = &result->stages[result->stage_count - 1];
  result->destination.dtype = result->dtype;
  result->destination.rank = last->rank;
  for (uint32_t i = 0; i < last->rank; i++) {
    result->destination.dims[i] = last->kept[last->perm[i]];
  }
  result->destination_given = strcmp(text, "C") != 0;
  return parse_strides(text, &result->destination, error);
}

static clrs_status check_number(const char *text, clrs_error *error) {
  char *end = NULL;
  errno = 0;
  (void)strtod(text, &end);
  if (*end != '\0') { /* an empty column is ignored */
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is not a number", clrs__show(text).text);
  }
  return CLRS_OK;
}

static clrs_status count_of(uint32_t rank, const int64_t *dims, int64_t *count, clrs_error *error) {
  clrs_shape shape;
  CLRS_TRY(clrs_shape_init(rank, dims, &shape, error));
  return clrs_shape_count(&shape, count, error);
}

/* A reshape must keep the number of elements, and each count must fit in 64 bits. */
static clrs_status check_counts(const bench_case *given, clrs_error *error) {
  int64_t left = 0, count = 0;
  for (uint32_t i = 0; i < given->stage_count; i++) {
    const bench_stage *stage = &given->stages[i];
    CLRS_TRY(count_of(stage->rank, stage->dims, &count, error));
    if (i > 0 && count != left) {
      return clrs__fail(error, CLRS_COUNT_MISMATCH, "a reshape from %lld elements to %lld",
                        (long long)left, (long long)count);
    }
    CLRS_TRY(count_of(stage->rank, stage->kept, &left, error));
  }
  return CLRS_OK;
}

static clrs_status check_batch(const bench_case *given, clrs_error *error) {
  if (!given->is_batch || (given->stage_count == 1 && given->stages[0].perm[0] == 0)) {
    return CLRS_OK;
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "the first dim counts the moves of a batch: it stays the first, and no reshape "
                    "follows");
}

static clrs_status parse_column(size_t column, char *text, bench_case *result, clrs_error *error) {
  switch (column) {
  case 0:
    result->id = text;
    return check_word(text, error);
  case 1:
    result->suite = text;
    return check_word(text, error);
  case 2:
    CLRS_TRY(parse_dtype(text, &result->dtype, error));
    result->source.dtype = result->dtype;
    return CLRS_OK;
  case 3:
    return parse_shape(text, result, error);
  case 4:
    return parse_strides(text, &result->source, error);
  case 5:
    CLRS_TRY(parse_chain(text, result, error));
    CLRS_TRY(check_batch(result, error));
    return check_counts(result, error);
  case 6:
    return parse_destination(text, result, error);
  case 7:
    return check_number(text, error);
  default:
    result->note = text;
    return CLRS_OK;
  }
}

/* ---- a line ---- */

clrs_status bench_case_parse(char *line, bench_case *result, clrs_error *error) {
  size_t column = 0;
  memset(result, 0, sizeof *result);
  result->note = "";
  for (char *next = line; next != NULL; column++) {
    char *text = next;
    next = strchr(text, '\t');
    if (next != NULL) {
      *next++ = '\0';
    }
    if (column == COLUMNS) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "more than %d columns", COLUMNS);
    }
    if (parse_column(column, text, result, error) != CLRS_OK) {
      return cli_fail_prefix(error, "column %zu (%s)", column + 1, column_names[column]);
    }
  }
  if (column < NEEDED_COLUMNS) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "column %zu (%s) is missing", column + 1,
                      column_names[column]);
  }
  return CLRS_OK;
}

/* ---- the view of a case ---- */

static clrs_status keep(const bench_stage *stage, clrs_view *view, clrs_error *error) {
  clrs_slice slices[CLRS_MAX_RANK];
  size_t count = 0;
  for (uint32_t i = 0; i < stage->rank; i++) {
    if (stage->kept[i] < stage->dims[i]) {
      slices[count++] = (clrs_slice){i, 0, stage->kept[i], 1};
    }
  }
  return clrs_view_slice(view, count, slices, error);
}

clrs_status bench_case_view(const bench_case *given, clrs_view *view, clrs_error *error) {
  CLRS_TRY(clrs_view_from_layout(&given->source, view, error));
  for (uint32_t i = 0; i < given->stage_count; i++) {
    const bench_stage *stage = &given->stages[i];
    clrs_shape shape;
    CLRS_TRY(clrs_shape_init(stage->rank, stage->dims, &shape, error));
    CLRS_TRY(clrs_view_reshape(view, &shape, error));
    CLRS_TRY(keep(stage, view, error));
    CLRS_TRY(clrs_view_permute(view, stage->rank, stage->perm, error));
  }
  return CLRS_OK;
}
