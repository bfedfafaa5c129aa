/*
 * Reading the cases of a benchmark.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench_case.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "integers.h"
#include "text.h"

enum {
  NEEDED_COLUMNS = 7,
  COLUMNS = 9,
  FIRST_BYTES = 64 << 10,
  MOST_BYTES = 16 << 20,
  MOST_CASES = 2000
};

static const char *const column_names[COLUMNS] = {
    "id", "suite", "dtype", "shape", "src_strides", "perm", "dst_strides", "MiB", "note"};

/* ---- values ---- */

/* "8x3": at least one dim, each at least 1. Ends at the end of `text`. */
static clrs_status parse_dims(const char *text, uint32_t *rank, int64_t *dims, clrs_error *error) {
  uint32_t found = 0;
  for (const char *next = text;; next++) {
    const size_t length = strcspn(next, "x");
    if (found == CLRS_MAX_RANK) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "'%s' has more than %d dims",
                        clrs__show(text).text, CLRS_MAX_RANK);
    }
    CLRS_TRY(cli_integer_parse(next, length, &dims[found], error));
    if (dims[found++] < 1) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "dim %u of '%s' is less than 1", found - 1,
                        clrs__show(text).text);
    }
    next += length;
    if (*next == '\0') {
      break;
    }
  }
  *rank = found;
  return CLRS_OK;
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

static clrs_status parse_perm(const char *text, cli_bench_stage *stage, clrs_error *error) {
  bool seen[CLRS_MAX_RANK] = {false};
  size_t count = 0;
  CLRS_TRY(cli_integers_parse(text, &count, stage->perm, error));
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

/* perm or perm/dims/perm/... Cuts the text at its slashes. */
static clrs_status parse_chain(char *text, cli_bench_case *result, clrs_error *error) {
  result->stages[0].rank = result->source.rank;
  memcpy(result->stages[0].dims, result->source.dims, sizeof result->source.dims);
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
    if (stage + 1 == CLI_BENCH_STAGES) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "more than %d reshapes", CLI_BENCH_STAGES - 1);
    }
    text = strchr(dims, '/');
    if (text == NULL) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "after '/%s' a permutation is missing",
                        clrs__show(dims).text);
    }
    *text++ = '\0';
    CLRS_TRY(
        parse_dims(dims, &result->stages[stage + 1].rank, result->stages[stage + 1].dims, error));
  }
}

/* "C", "4,1" or "4,1@2". The layout's dims are set; cuts the text at its @. */
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
    CLRS_TRY(cli_integer_parse(at, strlen(at), &offset, error));
  }
  CLRS_TRY(cli_integers_parse(text, &count, strides, error));
  if (count != shape.rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' has %zu strides; there are %u dims",
                      clrs__show(text).text, count, shape.rank);
  }
  CLRS_TRY(clrs_layout_init(dtype, &shape, strides, offset, layout, error));
  CLRS_TRY(clrs_layout_bounds(layout, &bounds, error));
  if (at == NULL) {
    return clrs_layout_init(dtype, &shape, strides, -bounds.lowest, layout, error);
  }
  if (bounds.lowest < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "with the offset %s the lowest element lies before the buffer", at);
  }
  return CLRS_OK;
}

static clrs_status parse_destination(char *text, cli_bench_case *result, clrs_error *error) {
  const cli_bench_stage *last = &result->stages[result->stage_count - 1];
  result->destination.dtype = result->dtype;
  result->destination.rank = last->rank;
  for (uint32_t i = 0; i < last->rank; i++) {
    result->destination.dims[i] = last->dims[last->perm[i]];
  }
  result->destination_given = strcmp(text, "C") != 0;
  return parse_strides(text, &result->destination, error);
}

static clrs_status check_number(const char *text, clrs_error *error) {
  char *end = NULL;
  errno = 0;
  (void)strtod(text, &end);
  if (text[0] != '\0' && (*end != '\0' || end == text)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is not a number", clrs__show(text).text);
  }
  return CLRS_OK;
}

/* A reshape must keep the elements; each count must fit in 64 bits. */
static clrs_status check_counts(const cli_bench_case *given, clrs_error *error) {
  int64_t first = 0;
  for (uint32_t i = 0; i < given->stage_count; i++) {
    clrs_shape shape;
    int64_t count = 0;
    CLRS_TRY(clrs_shape_init(given->stages[i].rank, given->stages[i].dims, &shape, error));
    CLRS_TRY(clrs_shape_count(&shape, &count, error));
    first = i == 0 ? count : first;
    if (count != first) {
      return clrs__fail(error, CLRS_COUNT_MISMATCH, "a reshape from %lld elements to %lld",
                        (long long)first, (long long)count);
    }
  }
  return CLRS_OK;
}

static clrs_status parse_column(size_t column, char *text, cli_bench_case *result,
                                clrs_error *error) {
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
    return parse_dims(text, &result->source.rank, result->source.dims, error);
  case 4:
    return parse_strides(text, &result->source, error);
  case 5:
    CLRS_TRY(parse_chain(text, result, error));
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

/* ---- lines ---- */

/* Cuts the line at its tabs. */
static clrs_status parse_line(char *line, cli_bench_case *result, clrs_error *error) {
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

static clrs_status check_id(const cli_bench_list *list, const char *id, clrs_error *error) {
  for (size_t i = 0; i < list->count; i++) {
    if (strcmp(list->cases[i].id, id) == 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "column 1 (id): '%s' is there already", id);
    }
  }
  return CLRS_OK;
}

static clrs_status append_line(char *line, cli_bench_list *list, clrs_error *error) {
  if (list->count == MOST_CASES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "more than %d cases in one file", MOST_CASES);
  }
  cli_bench_case *grown = realloc(list->cases, (list->count + 1) * sizeof *grown);
  if (grown == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  list->cases = grown;
  CLRS_TRY(parse_line(line, &grown[list->count], error));
  CLRS_TRY(check_id(list, grown[list->count].id, error));
  list->count++;
  return CLRS_OK;
}

static bool is_skipped(const char *line, size_t number) {
  return line[0] == '\0' || line[0] == '#' || (number == 1 && strncmp(line, "id\t", 3) == 0);
}

static clrs_status parse_text(const char *name, cli_bench_list *list, clrs_error *error) {
  size_t number = 1;
  for (char *next = list->text; next != NULL; number++) {
    char *line = next;
    next = strchr(line, '\n');
    if (next != NULL) {
      *next++ = '\0';
    }
    line[strcspn(line, "\r")] = '\0';
    if (!is_skipped(line, number) && append_line(line, list, error) != CLRS_OK) {
      return cli_fail_prefix(error, "%s: line %zu", name, number);
    }
  }
  return list->count > 0 ? CLRS_OK
                         : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: holds no case", name);
}

/* ---- files ---- */

/* As long as the file goes on, twice the room; one byte more than is allowed tells that it does. */
static clrs_status read_bytes(const char *path, FILE *file, char **text, size_t *used,
                              clrs_error *error) {
  for (size_t room = FIRST_BYTES; *used <= MOST_BYTES && !feof(file); room *= 2) {
    char *grown = realloc(*text, room + 1);
    if (grown == NULL) {
      return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
    }
    *text = grown;
    *used += fread(grown + *used, 1, room - *used, file);
    grown[*used] = '\0';
    if (ferror(file)) {
      return cli_fail_file(error, path, errno);
    }
  }
  return CLRS_OK;
}

static clrs_status read_open_file(const char *path, FILE *file, char **text, clrs_error *error) {
  size_t used = 0;
  CLRS_TRY(read_bytes(path, file, text, &used, error));
  if (used > MOST_BYTES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%s: is larger than %d bytes", path, MOST_BYTES);
  }
  if (strlen(*text) != used) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: holds a zero byte; it is not text", path);
  }
  return CLRS_OK;
}

static clrs_status read_text(const char *path, char **text, clrs_error *error) {
  if (path == NULL) {
    const size_t size = strlen(cli_bench_default_cases) + 1;
    *text = malloc(size);
    if (*text == NULL) {
      return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
    }
    memcpy(*text, cli_bench_default_cases, size);
    return CLRS_OK;
  }
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return cli_fail_file(error, path, errno);
  }
  const clrs_status status = read_open_file(path, file, text, error);
  (void)fclose(file);
  return status;
}

clrs_status cli_bench_list_read(const char *path, cli_bench_list *list, clrs_error *error) {
  memset(list, 0, sizeof *list);
  clrs_status status = read_text(path, &list->text, error);
  if (status == CLRS_OK) {
    status = parse_text(path != NULL ? path : "built-in cases", list, error);
  }
  if (status != CLRS_OK) {
    cli_bench_list_free(list);
  }
  return status;
}

void cli_bench_list_free(cli_bench_list *list) {
  free(list->cases);
  free(list->text);
  memset(list, 0, sizeof *list);
}
