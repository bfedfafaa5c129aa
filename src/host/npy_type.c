/* SPDX-License-Identifier: Apache-2.0 */
#include "npy_type.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "fail.h"
#include "text.h"

/* ---- type strings ---- */

/* A type of numbers: a letter and a width in bytes, such as f4. */
typedef struct number_type {
  char name[4]; /* without the byte order */
  uint32_t bytes;
  clrs_dtype dtype; /* type of little-endian elements, if the widths are equal */
} number_type;

static const number_type numbers[] = {
    {"b1", 1, CLRS_BOOL},
    {"i1", 1, CLRS_I8},
    {"i2", 2, CLRS_I16},
    {"i4", 4, CLRS_I32},
    {"i8", 8, CLRS_I64},
    {"u1", 1, CLRS_U8},
    {"u2", 2, CLRS_U16},
    {"u4", 4, CLRS_U32},
    {"u8", 8, CLRS_U64},
    {"f2", 2, CLRS_F16},
    {"f4", 4, CLRS_F32},
    {"f8", 8, CLRS_F64},
    {"c8", 8, CLRS_C64},
    {"c16", 16, CLRS_C128},
    /* Long doubles, such as x86's: 10 bytes of value in 12 or 16. */
    {"f12", 12, CLRS_BITS128},
    {"f16", 16, CLRS_BITS128},
    {"c24", 24, CLRS_BITS128},
    {"c32", 32, CLRS_BITS128},
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

/* Other spellings that NumPy reads. A letter may follow a byte order. The widths are the widths of
 * a 64-bit Linux, where C's long has 8 bytes. */
typedef struct spelling {
  const char *text, *name;
} spelling;

static const spelling letters[] = {
    {"?", "b1"},  {"b", "i1"},  {"B", "u1"},  {"h", "i2"}, {"H", "u2"}, {"i", "i4"},
    {"I", "u4"},  {"l", "i8"},  {"L", "u8"},  {"q", "i8"}, {"Q", "u8"}, {"p", "i8"},
    {"P", "u8"},  {"e", "f2"},  {"f", "f4"},  {"d", "f8"}, {"F", "c8"}, {"c", "S1"},
    {"D", "c16"}, {"g", "f16"}, {"G", "c32"}, {"M", "M8"}, {"m", "m8"},
};

static const spelling words[] = {
    {"bool", "b1"},      {"int8", "i1"},      {"int16", "i2"},        {"int32", "i4"},
    {"int64", "i8"},     {"uint8", "u1"},     {"uint16", "u2"},       {"uint32", "u4"},
    {"uint64", "u8"},    {"float16", "f2"},   {"float32", "f4"},      {"float64", "f8"},
    {"float128", "f16"}, {"complex64", "c8"}, {"complex128", "c16"},  {"complex256", "c32"},
    {"int", "i8"},       {"uint", "u8"},      {"float", "f8"},        {"complex", "c16"},
    {"half", "f2"},      {"single", "f4"},    {"double", "f8"},       {"longdouble", "f16"},
    {"csingle", "c8"},   {"cdouble", "c16"},  {"clongdouble", "c32"}, {"byte", "i1"},
    {"ubyte", "u1"},     {"short", "i2"},     {"ushort", "u2"},       {"intc", "i4"},
    {"uintc", "u4"},     {"long", "i8"},      {"ulong", "u8"},        {"longlong", "i8"},
    {"ulonglong", "u8"}, {"intp", "i8"},      {"uintp", "u8"},
};

static const char *find_spelling(const spelling *list, size_t count, const char *text) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(text, list[i].text) == 0) {
      return list[i].name;
    }
  }
  return NULL;
}

/* A type as NumPy writes types. */
typedef struct type_text {
  char order; /* '<' or '>' */
  const char *name;
} type_text;

/* '=', '|' and a missing order mean the order of the machine, which is little-endian. */
static type_text read_order(const char *descr) {
  const bool ordered = descr[0] != '\0' && strchr("<>=|", descr[0]) != NULL;
  const char *rest = descr + ordered;
  const char *letter = find_spelling(letters, sizeof letters / sizeof letters[0], rest);
  const char *word = ordered ? NULL : find_spelling(words, sizeof words / sizeof words[0], rest);
  return (type_text){descr[0] == '>' ? '>' : '<', letter != NULL ? letter
                                                  : word != NULL ? word
                                                                 : rest};
}

/* Returns the number type of that name, or NULL. */
static const number_type *find_number(const char *name) {
  for (size_t i = 0; i < NUMBERS; i++) {
    if (strcmp(name, numbers[i].name) == 0) {
      return &numbers[i];
    }
  }
  return NULL;
}

/* Reads up to nine digits and moves *next behind the digits. */
static int64_t read_count(const char **next) {
  int64_t count = 0;
  for (int i = 0; i < 9 && **next >= '0' && **next <= '9'; i++) {
    count = clrs__exact_multiply_add(**next - '0', count, 10);
    (*next)++;
  }
  return count;
}

/* Finds the width of S (bytes), U (characters of 4 bytes each) and V (raw bytes). */
static bool find_string(const char *name, int64_t *bytes) {
  const char *next = name + 1;
  const bool is_text = name[0] == 'U', is_bytes = name[0] == 'S' || name[0] == 'V';
  if (!(is_text || is_bytes) || *next < '0' || *next > '9') {
    return false;
  }
  *bytes = clrs__exact_multiply(read_count(&next), is_text ? 4 : 1);
  return *next == '\0';
}

/* Is the type M8 or m8, with or without a unit such as [25s]? */
static bool is_date(const char *name) {
  if ((name[0] != 'M' && name[0] != 'm') || name[1] != '8') {
    return false;
  }
  const char *unit = name + 2;
  if (*unit == '\0') {
    return true;
  }
  const size_t length =
      strspn(unit + 1, "0123456789/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return *unit == '[' && length > 0 && strcmp(unit + 1 + length, "]") == 0;
}

static clrs_status find_bytes(const char *descr, int64_t *bytes, clrs_error *error) {
  const char *name = read_order(descr).name;
  const number_type *number = find_number(name);
  if (number != NULL || is_date(name)) {
    *bytes = number != NULL ? number->bytes : 8;
    return CLRS_OK;
  }
  return find_string(name, bytes)
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "type '%s' is not read; known are those of a fixed width: b1, i1 to i8, "
                          "u1 to u8, f2 to f16, c8 to c32, M8, m8, and S, U and V with a width",
                          clrs__show(descr).text);
}

/* ---- structures ---- */

enum { MOST_NESTED = 16 };

/* An open list of fields. */
typedef struct level {
  int64_t bytes; /* sum of the fields so far */
  bool comma;    /* may a field follow? */
} level;

typedef struct nesting {
  uint32_t depth;
  level levels[MOST_NESTED];
} nesting;

static clrs_status open_list(nesting *lists, clrs_error *error) {
  if (lists->depth == MOST_NESTED) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "structures are nested more than %d deep",
                      MOST_NESTED);
  }
  lists->levels[lists->depth++] = (level){0, true};
  return CLRS_OK;
}

/* Skips a name, or a tuple of a title and a name. */
static clrs_status skip_name(cli_npy_text *text, clrs_error *error) {
  if (!cli_npy_take(text, "(")) {
    return cli_npy_skip_string(text, error);
  }
  CLRS_TRY(cli_npy_skip_string(text, error));
  if (!cli_npy_take(text, ",")) {
    return cli_npy_malformed(error, "a title lacks its name");
  }
  CLRS_TRY(cli_npy_skip_string(text, error));
  return cli_npy_take(text, ")") ? CLRS_OK : cli_npy_malformed(error, "a name does not end");
}

/* Reads the rest of a field behind the type: the shape, if the field has a shape, and the end. */
static clrs_status read_count_of(cli_npy_text *text, int64_t *count, clrs_error *error) {
  clrs_shape shape;
  *count = 1;
  if (cli_npy_take(text, ")")) {
    return CLRS_OK;
  }
  if (!cli_npy_take(text, ",")) {
    return cli_npy_malformed(error, "a field does not end");
  }
  if (cli_npy_take(text, ")")) {
    return CLRS_OK;
  }
  CLRS_TRY(cli_npy_read_dims(text, "the shape of a field", &shape, error));
  CLRS_TRY(clrs_shape_count(&shape, count, error));
  return cli_npy_take(text, ")") ? CLRS_OK : cli_npy_malformed(error, "a field does not end");
}

static clrs_status end_field(cli_npy_text *text, nesting *lists, int64_t bytes, clrs_error *error) {
  level *list = &lists->levels[lists->depth - 1];
  int64_t count = 1;
  CLRS_TRY(read_count_of(text, &count, error));
  list->comma = cli_npy_take(text, ",");
  return clrs__multiply_add(list->bytes, bytes, count, &list->bytes)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OVERFLOW, "a structure's bytes do not fit in 64 bits");
}

static clrs_status read_field(cli_npy_text *text, nesting *lists, clrs_error *error) {
  char descr[64];
  int64_t bytes = 0;
  if (!lists->levels[lists->depth - 1].comma) {
    return cli_npy_malformed(error, "a comma or ']' is missing");
  }
  if (!cli_npy_take(text, "(")) {
    return cli_npy_malformed(error, "a field of a structure is not a tuple");
  }
  CLRS_TRY(skip_name(text, error));
  if (!cli_npy_take(text, ",")) {
    return cli_npy_malformed(error, "a field lacks its type");
  }
  if (cli_npy_take(text, "[")) {
    return open_list(lists, error);
  }
  CLRS_TRY(cli_npy_read_string(text, descr, sizeof descr, error));
  CLRS_TRY(find_bytes(descr, &bytes, error));
  return end_field(text, lists, bytes, error);
}

/* Reads a list of fields whose '[' is read already. */
static clrs_status read_list(cli_npy_text *text, int64_t *bytes, clrs_error *error) {
  nesting lists = {.depth = 0};
  CLRS_TRY(open_list(&lists, error));
  while (lists.depth > 0) {
    if (!cli_npy_take(text, "]")) {
      CLRS_TRY(read_field(text, &lists, error));
      continue;
    }
    *bytes = lists.levels[--lists.depth].bytes;
    if (lists.depth > 0) {
      CLRS_TRY(end_field(text, &lists, *bytes, error));
    }
  }
  return CLRS_OK;
}

/* ---- types ---- */

static clrs_status keep_descr(const char *first, size_t length, cli_npy_type *type,
                              clrs_error *error) {
  if (length > CLI_NPY_MOST_DESCR) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "a type of %zu bytes; at most %d are read",
                      length, CLI_NPY_MOST_DESCR);
  }
  memcpy(type->descr, first, length);
  type->descr[length] = '\0';
  return CLRS_OK;
}

/* Chooses the widest unit of 1 to 16 bytes that divides the element's bytes. Example: elements of
 * 12 bytes are 3 units of 4 bytes. */
static clrs_status find_units(int64_t bytes, cli_npy_type *type, clrs_error *error) {
  static const clrs_dtype units[] = {CLRS_BITS8, CLRS_BITS16, CLRS_BITS32, CLRS_BITS64,
                                     CLRS_BITS128};
  uint32_t shift = 0;
  if (bytes < 1 || bytes > INT32_MAX) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "elements of %" PRId64 " bytes; 1 to %d are moved",
                      bytes, INT32_MAX);
  }
  while (shift < 4 && (bytes >> shift) % 2 == 0) {
    shift++;
  }
  type->dtype = units[shift];
  type->units = (uint32_t)(bytes >> shift);
  type->element_bytes = (uint32_t)bytes;
  return CLRS_OK;
}

/* Writes the type as NumPy does, so that two spellings of one type become the same text. Types of
 * single bytes have no byte order. */
static clrs_status keep_spelling(const type_text *text, cli_npy_type *type, clrs_error *error) {
  char descr[64];
  const number_type *number = find_number(text->name);
  const bool has_order = number != NULL ? number->bytes > 1 : strchr("SV", text->name[0]) == NULL;
  const int length =
      snprintf(descr, sizeof descr, "%c%s", has_order ? text->order : '|', text->name);
  return keep_descr(descr, (size_t)length, type, error);
}

static clrs_status read_string_type(cli_npy_text *text, cli_npy_type *type, clrs_error *error) {
  char descr[63]; /* one byte is left for an order in front */
  int64_t bytes = 0;
  CLRS_TRY(cli_npy_read_string(text, descr, sizeof descr, error));
  CLRS_TRY(find_bytes(descr, &bytes, error));
  CLRS_TRY(find_units(bytes, type, error));
  const type_text read = read_order(descr);
  const number_type *number = find_number(read.name);
  if (number != NULL && (read.order == '<' || bytes == 1) && type->units == 1) {
    type->dtype = number->dtype;
  }
  return keep_spelling(&read, type, error);
}

clrs_status cli_npy_read_type(cli_npy_text *text, cli_npy_type *type, clrs_error *error) {
  int64_t bytes = 0;
  if (!cli_npy_take(text, "[")) {
    return read_string_type(text, type, error);
  }
  const char *first = text->next - 1;
  CLRS_TRY(read_list(text, &bytes, error));
  CLRS_TRY(find_units(bytes, type, error));
  return keep_descr(first, (size_t)(text->next - first), type, error);
}

clrs_status cli_npy_type_of(clrs_dtype dtype, cli_npy_type *type, clrs_error *error) {
  for (size_t i = 0; i < NUMBERS; i++) {
    if (numbers[i].dtype == dtype && numbers[i].bytes * 8 == clrs_dtype_bits(dtype)) {
      memset(type, 0, sizeof *type);
      snprintf(type->descr, sizeof type->descr, "%c%s", numbers[i].bytes == 1 ? '|' : '<',
               numbers[i].name);
      CLRS_TRY(find_units(numbers[i].bytes, type, error));
      type->dtype = dtype;
      return CLRS_OK;
    }
  }
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "a .npy file has no type for %s; of whole bytes, bitcast=u8 or bitcast=u16 at the "
      "end keeps the bits",
      clrs_dtype_name(dtype, CLRS_TYPES_CLRESHAPE));
}

/* ---- messages ---- */

static const char *why_it_is_moved(const cli_npy_type *type) {
  const number_type *number = find_number(type->descr + 1);
  return number != NULL && type->descr[0] == '>' ? "big-endian numbers"
         : type->descr[0] == '|' && type->descr[1] == 'V'
             ? "raw bytes, which a bitcast to a type of their width makes numbers"
             : "no numbers of the library";
}

/* The text in front of the first ": " quotes the request. */
clrs_status cli_npy_name_type(const cli_npy_type *type, clrs_error *error) {
  const clrs_error old = *error;
  const char *unit = clrs_dtype_name(type->dtype, CLRS_TYPES_CLRESHAPE);
  const char *said = strstr(old.message, ": ");
  const char *next = said != NULL ? said : old.message;
  const char *found = strstr(next, unit);
  if (strncmp(unit, "bits", 4) != 0 || found == NULL) {
    return old.status;
  }
  clrs__describe(error, old.status, "%.*s", (int)(found - old.message), old.message);
  while (found != NULL) {
    const char *rest = found + strlen(unit);
    found = strstr(rest, unit);
    clrs__append(error, "%s%.*s", clrs__show(type->descr).text,
                 (int)(found != NULL ? (size_t)(found - rest) : strlen(rest)), rest);
  }
  clrs__append(error, "; elements of type %s are %s", clrs__show(type->descr).text,
               why_it_is_moved(type));
  return old.status;
}
