/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "npy_header.h"
#include "text.h"

/* What is left of the header's text. */
typedef struct cursor {
  const char *next, *end;
} cursor;

typedef struct npy_type {
  char name[4]; /* without the byte order */
  clrs_dtype dtype;
} npy_type;

static const npy_type types[] = {
    {"b1", CLRS_BOOL},
    {"i1", CLRS_I8},
    {"i2", CLRS_I16},
    {"i4", CLRS_I32},
    {"i8", CLRS_I64},
    {"u1", CLRS_U8},
    {"u2", CLRS_U16},
    {"u4", CLRS_U32},
    {"u8", CLRS_U64},
    {"f2", CLRS_F16},
    {"f4", CLRS_F32},
    {"f8", CLRS_F64},
    {"c8", CLRS_C64},
    {"c16", CLRS_C128},
    /* x86's long double, 10 bytes of value in 16: moved, never looked at. */
    {"f16", CLRS_BITS128},
};

static clrs_status bad(clrs_error *error, const char *rule) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "malformed .npy header: %s", rule);
}

static void skip_space(cursor *text) {
  /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): four characters, no string */
  while (text->next < text->end && memchr(" \t\r\n", *text->next, 4) != NULL) {
    text->next++;
  }
}

/* Skips space, then takes `token` if it is there. */
static bool take(cursor *text, const char *token) {
  size_t length = strlen(token);
  skip_space(text);
  if ((size_t)(text->end - text->next) < length || memcmp(text->next, token, length) != 0) {
    return false;
  }
  text->next += length;
  return true;
}

/* A quoted string without escapes, shorter than `size`. */
static clrs_status read_string(cursor *text, char *string, size_t size, clrs_error *error) {
  skip_space(text);
  char quote = '\0';
  if (text->next < text->end) {
    quote = *text->next;
  }
  if (quote != '\'' && quote != '"') {
    return bad(error, "a string was expected");
  }
  const char *first = text->next + 1;
  const char *last = memchr(first, quote, (size_t)(text->end - first));
  if (last == NULL) {
    return bad(error, "a string does not end");
  }
  size_t length = (size_t)(last - first);
  if (length >= size || memchr(first, '\\', length) || memchr(first, '\0', length)) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "'%s' is not a key or type that this program reads",
                      clrs__show_part(first, length).text);
  }
  memcpy(string, first, length);
  string[length] = '\0';
  text->next = last + 1;
  return CLRS_OK;
}

static clrs_status find_type(const char *descr, cli_npy_header *header, clrs_error *error) {
  if (descr[0] == '>') {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "type '%s' is big-endian; only little-endian files are read",
                      clrs__show(descr).text);
  }
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    uint32_t bytes = clrs_dtype_bits(types[i].dtype) / 8;
    bool order = descr[0] == '<' || (descr[0] == '|' && bytes == 1);
    if (!order || strcmp(descr + 1, types[i].name) != 0) {
      continue;
    }
    header->descr[0] = descr[0];
    memcpy(header->descr + 1, types[i].name, sizeof types[i].name);
    header->dtype = types[i].dtype;
    header->element_bytes = bytes;
    return CLRS_OK;
  }
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "type '%s' is not read; known are b1, i1 to i8, u1 to u8, f2 to f16, c8 and c16, "
      "little-endian",
      clrs__show(descr).text);
}

static clrs_status read_descr(cursor *text, cli_npy_header *header, clrs_error *error) {
  char descr[32] = "";
  if (take(text, "[")) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "structured types are not read");
  }
  CLRS_TRY(read_string(text, descr, sizeof descr, error));
  return find_type(descr, header, error);
}

static clrs_status read_order(cursor *text, cli_npy_header *header, clrs_error *error) {
  if (take(text, "True")) {
    header->fortran_order = true;
  } else if (take(text, "False")) {
    header->fortran_order = false;
  } else {
    return bad(error, "'fortran_order' is neither True nor False");
  }
  return CLRS_OK;
}

/* A dimension: digits only, as Python writes an int. */
static clrs_status read_dim(cursor *text, int64_t *dim, clrs_error *error) {
  skip_space(text);
  const char *first = text->next;
  *dim = 0;
  for (; text->next < text->end && *text->next >= '0' && *text->next <= '9'; text->next++) {
    if (__builtin_mul_overflow(*dim, 10, dim) ||
        __builtin_add_overflow(*dim, *text->next - '0', dim)) {
      return clrs__fail(error, CLRS_OVERFLOW, "a dimension in 'shape' does not fit in 64 bits");
    }
  }
  if (text->next == first) {
    return bad(error, "'shape' holds something other than integers >= 0");
  }
  if (*first == '0' && text->next - first > 1) {
    return bad(error, "a dimension in 'shape' begins with 0");
  }
  return CLRS_OK;
}

static clrs_status read_shape(cursor *text, cli_npy_header *header, clrs_error *error) {
  int64_t dims[CLRS_MAX_RANK];
  size_t rank = 0;
  bool comma = true;
  if (!take(text, "(")) {
    return bad(error, "'shape' is not a tuple");
  }
  while (!take(text, ")")) {
    if (!comma) {
      return bad(error, "a comma is missing in 'shape'");
    }
    if (rank == CLRS_MAX_RANK) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "'shape' has more than %d dimensions",
                        CLRS_MAX_RANK);
    }
    CLRS_TRY(read_dim(text, &dims[rank++], error));
    comma = take(text, ",");
  }
  if (rank == 1 && !comma) {
    return bad(error, "'shape' is a number, not a tuple");
  }
  return clrs_shape_init(rank, dims, &header->shape, error);
}

typedef struct npy_key {
  const char *name;
  clrs_status (*read)(cursor *text, cli_npy_header *header, clrs_error *error);
} npy_key;

enum { KEYS = 3 };

static const npy_key keys[KEYS] = {
    {"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};

static clrs_status read_entry(cursor *text, bool *seen, cli_npy_header *header, clrs_error *error) {
  char name[32];
  size_t key = 0;
  CLRS_TRY(read_string(text, name, sizeof name, error));
  while (key < KEYS && strcmp(name, keys[key].name) != 0) {
    key++;
  }
  if (key == KEYS) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "malformed .npy header: unknown key '%s'",
                      clrs__show(name).text);
  }
  if (seen[key]) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "malformed .npy header: '%s' stands twice",
                      name);
  }
  seen[key] = true;
  if (!take(text, ":")) {
    return bad(error, "a colon is missing");
  }
  return keys[key].read(text, header, error);
}

static clrs_status read_dict(cursor *text, cli_npy_header *header, clrs_error *error) {
  bool seen[KEYS] = {false};
  bool comma = true;
  if (text->next == text->end || text->end[-1] != '\n') {
    return bad(error, "its last byte is not a newline");
  }
  if (!take(text, "{")) {
    return bad(error, "it does not begin with '{'");
  }
  while (!take(text, "}")) {
    if (!comma) {
      return bad(error, "a comma or '}' is missing");
    }
    CLRS_TRY(read_entry(text, seen, header, error));
    comma = take(text, ",");
  }
  skip_space(text);
  if (text->next != text->end) {
    return bad(error, "something follows the '}'");
  }
  if (!seen[0] || !seen[1] || !seen[2]) {
    return bad(error, "'descr', 'fortran_order' and 'shape' must all be there");
  }
  return CLRS_OK;
}

/* Finds the header's text from the magic, the version and the length, all still unsafe. */
static clrs_status find_text(const unsigned char *bytes, size_t size, cursor *text,
                             clrs_error *error) {
  if (size < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "not a .npy file: the magic is missing");
  }
  if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      ".npy version %d.%d; only 1.0, 2.0 and 3.0 are known", bytes[6], bytes[7]);
  }
  size_t begin = bytes[6] == 1 ? 10 : 12;
  uint64_t length = (uint64_t)bytes[8] | (uint64_t)bytes[9] << 8;
  if (begin == 12 && size >= 12) {
    length |= (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24;
  }
  if (length > CLI_NPY_MAX_HEADER) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the .npy header claims %" PRIu64 " bytes; at most %d are read", length,
                      CLI_NPY_MAX_HEADER);
  }
  if (size < begin || length > size - begin) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "truncated: the file ends within its .npy header");
  }
  text->next = (const char *)bytes + begin;
  text->end = text->next + length;
  return CLRS_OK;
}

static clrs_status check_size(uint64_t file_size, cli_npy_header *header, clrs_error *error) {
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(&header->shape, &count, error));
  uint64_t elements = (uint64_t)count, rest = file_size - header->data_offset;
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): every type of the table has bytes */
  if (elements > rest / header->element_bytes) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "truncated: the shape needs %" PRIu64 " elements of %u bytes, the file holds "
                      "%" PRIu64 " bytes of data",
                      elements, header->element_bytes, rest);
  }
  header->data_bytes = elements * header->element_bytes;
  if (header->data_bytes != rest) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "oversized: the shape needs %" PRIu64 " bytes, the file holds %" PRIu64
                      " bytes of data",
                      header->data_bytes, rest);
  }
  return CLRS_OK;
}

clrs_status cli_npy_parse(const void *bytes, size_t size, uint64_t file_size,
                          cli_npy_header *header, clrs_error *error) {
  cursor text = {NULL, NULL};
  cli_npy_header parsed;
  memset(&parsed, 0, sizeof parsed);
  CLRS_TRY(find_text(bytes, size, &text, error));
  parsed.data_offset = (uint64_t)(text.end - (const char *)bytes);
  CLRS_TRY(read_dict(&text, &parsed, error));
  if (file_size < parsed.data_offset) {
    return bad(error, "the file is shorter than its header");
  }
  CLRS_TRY(check_size(file_size, &parsed, error));
  *header = parsed;
  return CLRS_OK;
}

clrs_status cli_npy_layout(const cli_npy_header *header, clrs_layout *layout, clrs_error *error) {
  int64_t strides[CLRS_MAX_RANK];
  int64_t stride = 1;
  if (!header->fortran_order) {
    return clrs_layout_init(header->dtype, &header->shape, NULL, 0, layout, error);
  }
  for (uint32_t i = 0; i < header->shape.rank; i++) {
    strides[i] = stride;
    if (header->shape.dims[i] > 0) { /* as clrs_shape_init made sure, this product fits */
      stride *= header->shape.dims[i];
    }
  }
  return clrs_layout_init(header->dtype, &header->shape, strides, 0, layout, error);
}

clrs_status cli_npy_descr(clrs_dtype dtype, char descr[8], clrs_error *error) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (types[i].dtype == dtype) {
      snprintf(descr, 8, "%c%s", clrs_dtype_bits(dtype) == 8 ? '|' : '<', types[i].name);
      return CLRS_OK;
    }
  }
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "a .npy file has no type for %s; of whole bytes, bitcast=u8 or bitcast=u16 at the "
      "end keeps the bits",
      clrs_dtype_name(dtype, CLRS_TYPES_CLRESHAPE));
}

size_t cli_npy_format(const char *descr, const clrs_shape *shape, char text[CLI_NPY_WRITTEN]) {
  size_t used = 10, size = CLI_NPY_WRITTEN;
  used += (size_t)snprintf(text + used, size - used,
                           "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (uint32_t i = 0; i < shape->rank; i++) {
    used += (size_t)snprintf(text + used, size - used, "%" PRId64 "%s", shape->dims[i],
                             i + 1 < shape->rank || shape->rank == 1 ? ", " : "");
  }
  used += (size_t)snprintf(text + used, size - used, "), }");
  size_t whole = (used + 1 + 63) / 64 * 64;
  memset(text + used, ' ', whole - used - 1);
  text[whole - 1] = '\n';
  /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): a magic number, no string */
  memcpy(text, "\x93NUMPY\x01\x00", 8);
  text[8] = (char)((whole - 10) & 0xff);
  text[9] = (char)((whole - 10) >> 8);
  return whole;
}
