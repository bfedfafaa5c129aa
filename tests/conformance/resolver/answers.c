/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4096, LOWEST_VALUE = -2, VALUE_COUNT = 7, DIM_COUNT = 4, MAX_LENGTH = 4 };

/* `.` or `=` or up to one character per dim; empty until it is read. */
typedef char answer[MAX_LENGTH + 1];

struct answer_table {
  answer answers[ANSWER_SYSTEMS][2][ANSWER_PATTERNS][ANSWER_INPUTS];
};

static const char *const system_names[] = {"onnx", "onnxruntime", "openvino", "onednn", "numpy"};
static const char value_letters[] = "mn01234";

/* ---- numbering: all lists of a length before the longer ones, the last value counting fastest */

static uint32_t list_from_index(uint32_t index, uint32_t base, int64_t lowest, int64_t *values) {
  uint32_t length = 0, lists = 1;
  while (index >= lists) {
    index -= lists;
    lists *= base;
    length++;
  }
  for (uint32_t i = length; i > 0; i--) {
    values[i - 1] = lowest + (int64_t)(index % base);
    index /= base;
  }
  return length;
}

clrs_shape answers_input(uint32_t index) {
  clrs_shape input = {0};
  input.rank = list_from_index(index, DIM_COUNT, 0, input.dims);
  return input;
}

uint32_t answers_pattern(uint32_t index, int64_t values[4]) {
  return list_from_index(index, VALUE_COUNT, LOWEST_VALUE, values);
}

/* ANSWER_PATTERNS if the spelling is not that of a pattern. */
static uint32_t pattern_index(const char *spelling) {
  const size_t length = strcmp(spelling, "()") == 0 ? 0 : strlen(spelling);
  uint32_t shorter = 0, lists = 1, index = 0;
  if (length > MAX_LENGTH) {
    return ANSWER_PATTERNS;
  }
  for (size_t i = 0; i < length; i++) {
    const char *letter = strchr(value_letters, spelling[i]);
    if (letter == NULL) {
      return ANSWER_PATTERNS;
    }
    index = index * VALUE_COUNT + (uint32_t)(letter - value_letters);
    shorter += lists;
    lists *= VALUE_COUNT;
  }
  return shorter + index;
}

/* ---- reading */

typedef struct reader {
  answer_table *table;
  answer (*block)[ANSWER_INPUTS]; /* of the current system and mode; NULL before the first */
  answer column[ANSWER_INPUTS];
  uint32_t filled;
} reader;

static bool read_system(reader *r) {
  const char *name = strtok(NULL, " ");
  const char *mode = strtok(NULL, " ");
  if (name == NULL || mode == NULL) {
    return false;
  }
  const bool literal = strcmp(mode, "literal") == 0;
  if (!literal && strcmp(mode, "copy") != 0) {
    return false;
  }
  for (uint32_t i = 0; i < ANSWER_SYSTEMS; i++) {
    if (strcmp(name, system_names[i]) == 0) {
      r->block = r->table->answers[i][literal];
      return true;
    }
  }
  return false;
}

static bool read_column(reader *r) {
  r->filled = 0;
  for (char *run = strtok(NULL, " "); run != NULL; run = strtok(NULL, " ")) {
    char *star = strchr(run, '*');
    const unsigned long count = star == NULL ? 1 : strtoul(star + 1, NULL, 10);
    if (star != NULL) {
      *star = '\0';
    }
    const size_t length = strlen(run);
    if (length == 0 || length > MAX_LENGTH || count == 0 || count > ANSWER_INPUTS - r->filled) {
      return false;
    }
    for (unsigned long i = 0; i < count; i++) {
      memcpy(r->column[r->filled++], run, length + 1);
    }
  }
  return r->filled == ANSWER_INPUTS;
}

/* One digit for each value that is not positive. */
static bool column_fits(const reader *r, uint32_t pattern) {
  int64_t values[MAX_LENGTH];
  const uint32_t length = answers_pattern(pattern, values);
  size_t digits = 0;
  for (uint32_t i = 0; i < length; i++) {
    digits += values[i] <= 0;
  }
  for (uint32_t i = 0; i < ANSWER_INPUTS; i++) {
    const char *text = r->column[i];
    const char *allowed = digits == 0 ? "=" : "0123456789abcdefghijklmnopqrstuvwxyz";
    const size_t expected = digits == 0 ? 1 : digits;
    if (strcmp(text, ".") != 0 && (strlen(text) != expected || strspn(text, allowed) != expected)) {
      return false;
    }
  }
  return true;
}

static bool read_patterns(reader *r) {
  if (r->block == NULL || r->filled != ANSWER_INPUTS) {
    return false;
  }
  for (char *word = strtok(NULL, " "); word != NULL; word = strtok(NULL, " ")) {
    const uint32_t pattern = pattern_index(word);
    if (pattern == ANSWER_PATTERNS || r->block[pattern][0][0] != '\0' || !column_fits(r, pattern)) {
      return false;
    }
    memcpy(r->block[pattern], r->column, sizeof r->column);
  }
  return true;
}

static bool read_line(reader *r, char *line) {
  line[strcspn(line, "\n")] = '\0';
  const char *word = strtok(line, " ");
  if (word == NULL || word[0] == '#') {
    return true;
  }
  if (strcmp(word, "system") == 0) {
    return read_system(r);
  }
  if (strcmp(word, "answers") == 0) {
    return read_column(r);
  }
  return strcmp(word, "patterns") == 0 && read_patterns(r);
}

static bool read_lines(answer_table *table, FILE *file) {
  char line[LINE_BYTES];
  reader r = {.table = table};
  unsigned number = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    number++;
    if (strchr(line, '\n') == NULL || !read_line(&r, line)) {
      fprintf(stderr, "line %u of the table does not have the form of generate.py\n", number);
      return false;
    }
  }
  return ferror(file) == 0;
}

static bool is_complete(const answer_table *table) {
  for (uint32_t system = 0; system < ANSWER_SYSTEMS; system++) {
    for (uint32_t i = 0; i < 2 * ANSWER_PATTERNS; i++) {
      if (table->answers[system][i / ANSWER_PATTERNS][i % ANSWER_PATTERNS][0][0] == '\0') {
        fprintf(stderr, "the table lacks a pattern of %s\n", system_names[system]);
        return false;
      }
    }
  }
  return true;
}

answer_table *answers_read(const char *path) {
  answer_table *table = calloc(1, sizeof *table);
  FILE *file = fopen(path, "r");
  bool good = table != NULL && file != NULL;
  if (!good) {
    perror(path);
  }
  good = good && read_lines(table, file) && is_complete(table);
  if (file != NULL) {
    fclose(file);
  }
  if (!good) {
    free(table);
    return NULL;
  }
  return table;
}

void answers_free(answer_table *table) {
  free(table);
}

/* ---- asking */

static int64_t digit_value(char digit) {
  return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

bool answers_find(const answer_table *table, answer_system system, clrs_zero_mode mode,
                  uint32_t pattern, uint32_t input, clrs_shape *shape) {
  const char *digits = table->answers[system][mode][pattern][input];
  if (digits[0] == '.') {
    return false;
  }
  shape->rank = answers_pattern(pattern, shape->dims);
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (shape->dims[i] <= 0) {
      shape->dims[i] = digit_value(*digits++);
    }
  }
  return true;
}
