/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE_BYTES = 4096,
  LOWEST_VALUE = -2,
  VALUE_COUNT = 7,
  DIM_COUNT = 4,
  MAX_LENGTH = 4,
  MOST_COLUMNS = 500,
  BLOCKS = 2 * ANSWER_SYSTEMS
};

/* `.` or `=` or up to one character per dim. */
typedef char answer[MAX_LENGTH + 1];

/* Column 0 refuses every input. */
struct answer_table {
  answer columns[MOST_COLUMNS][ANSWER_INPUTS];
  unsigned long count, column_of[ANSWER_PATTERNS][BLOCKS];
  bool is_listed[ANSWER_PATTERNS];
};

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

/* Returns ANSWER_PATTERNS if the text is not a pattern. */
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

static bool read_column(answer_table *table) {
  answer *column = table->columns[table->count];
  uint32_t filled = 0;
  if (table->count++ == MOST_COLUMNS - 1)
    return false;
  for (char *run = strtok(NULL, " "); run != NULL; run = strtok(NULL, " ")) {
    const size_t length = strcspn(run, "*");
    const unsigned long count = run[length] == '\0' ? 1 : strtoul(run + length + 1, NULL, 10);
    run[length] = '\0';
    if (length == 0 || length > MAX_LENGTH || count == 0 || count > ANSWER_INPUTS - filled)
      return false;
    for (unsigned long i = 0; i < count; i++)
      memcpy(column[filled++], run, length + 1);
  }
  return filled == ANSWER_INPUTS;
}

/* One digit for each value that is not positive. */
static bool column_fits(answer *column, uint32_t pattern) {
  int64_t values[MAX_LENGTH];
  const uint32_t length = answers_pattern(pattern, values);
  size_t digits = 0;
  for (uint32_t i = 0; i < length; i++)
    digits += values[i] <= 0;
  const char *allowed = digits == 0 ? "=" : "0123456789abcdefghijklmnopqrstuvwxyz";
  const size_t expected = digits == 0 ? 1 : digits;
  for (uint32_t i = 0; i < ANSWER_INPUTS; i++) {
    const char *text = column[i];
    if (strcmp(text, ".") != 0 && (strlen(text) != expected || strspn(text, allowed) != expected))
      return false;
  }
  return true;
}

/* A number for each block, between commas. */
static bool read_numbers(const answer_table *table, char *text, unsigned long numbers[BLOCKS]) {
  for (uint32_t i = 0; i < BLOCKS; i++) {
    numbers[i] = strtoul(text, &text, 10);
    if (numbers[i] >= table->count || *text++ != (i + 1 < BLOCKS ? ',' : '\0'))
      return false;
  }
  return true;
}

static bool read_patterns(answer_table *table) {
  unsigned long numbers[BLOCKS];
  char *word = strtok(NULL, " ");
  if (word == NULL || !read_numbers(table, word, numbers))
    return false;
  while ((word = strtok(NULL, " ")) != NULL) {
    const uint32_t pattern = pattern_index(word);
    if (pattern == ANSWER_PATTERNS || table->is_listed[pattern])
      return false;
    table->is_listed[pattern] = true;
    memcpy(table->column_of[pattern], numbers, sizeof numbers);
    for (uint32_t i = 0; i < BLOCKS; i++)
      if (!column_fits(table->columns[numbers[i]], pattern))
        return false;
  }
  return true;
}

static bool read_line(answer_table *table, char *line) {
  line[strcspn(line, "\n")] = '\0';
  const char *word = strtok(line, " ");
  if (word == NULL || word[0] == '#')
    return true;
  if (strcmp(word, "answers") == 0)
    return read_column(table);
  return strcmp(word, "patterns") == 0 && read_patterns(table);
}

static bool read_lines(answer_table *table, FILE *file) {
  char line[LINE_BYTES], refusals[] = "answers .*85";
  bool good = read_line(table, refusals);
  for (unsigned number = 1; good && fgets(line, sizeof line, file) != NULL; number++) {
    good = strchr(line, '\n') != NULL && read_line(table, line);
    if (!good)
      fprintf(stderr, "line %u of the table does not have the form of generate.py\n", number);
  }
  return good && ferror(file) == 0;
}

answer_table *answers_read(const char *path) {
  answer_table *table = calloc(1, sizeof *table);
  FILE *file = fopen(path, "r");
  bool good = table != NULL && file != NULL;
  if (!good) {
    perror(path);
  }
  good = good && read_lines(table, file);
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
  const char *digits = table->columns[table->column_of[pattern][2 * system + mode]][input];
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
