/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "npy_header.h"
#include "text.h"

static clrs_status read_descr(cli_npy_text *text, cli_npy_header *header, clrs_error *error) {
  return cli_npy_read_type(text, &header->type, error);
}

static clrs_status read_order(cli_npy_text *text, cli_npy_header *header, clrs_error *error) {
  if (cli_npy_take(text, "True")) {
    header->fortran_order = true;
  } else if (cli_npy_take(text, "False")) {
    header->fortran_order = false;
  } else {
    return cli_npy_malformed(error, "'fortran_order' is neither True nor False");
  }
  return CLRS_OK;
}

static clrs_status read_shape(cli_npy_text *text, cli_npy_header *header, clrs_error *error) {
  return cli_npy_read_dims(text, "'shape'", &header->shape, error);
}

typedef struct npy_key {
  const char *name;
  clrs_status (*read)(cli_npy_text *text, cli_npy_header *header, clrs_error *error);
} npy_key;

enum { KEYS = 3 };

static const npy_key keys[KEYS] = {
    {"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};

static clrs_status read_entry(cli_npy_text *text, bool *seen, cli_npy_header *header,
                              clrs_error *error) {
  char name[32];
  size_t key = 0;
  CLRS_TRY(cli_npy_read_string(text, name, sizeof name, error));
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
  if (!cli_npy_take(text, ":")) {
    return cli_npy_malformed(error, "a colon is missing");
  }
  return keys[key].read(text, header, error);
}

static clrs_status read_dict(cli_npy_text *text, cli_npy_header *header, clrs_error *error) {
  bool seen[KEYS] = {false};
  bool comma = true;
  if (text->next == text->end || text->end[-1] != '\n') {
    return cli_npy_malformed(error, "its last byte is not a newline");
  }
  if (!cli_npy_take(text, "{")) {
    return cli_npy_malformed(error, "it does not begin with '{'");
  }
  while (!cli_npy_take(text, "}")) {
    if (!comma) {
      return cli_npy_malformed(error, "a comma or '}' is missing");
    }
    CLRS_TRY(read_entry(text, seen, header, error));
    comma = cli_npy_take(text, ",");
  }
  cli_npy_skip_space(text);
  if (text->next != text->end) {
    return cli_npy_malformed(error, "something follows the '}'");
  }
  if (!seen[0] || !seen[1] || !seen[2]) {
    return cli_npy_malformed(error, "'descr', 'fortran_order' and 'shape' must all be there");
  }
  return CLRS_OK;
}

/* Reads where the header's text begins, and *length, the claimed number of bytes, from the first 10
 * bytes (version 1.0) or 12 bytes (later versions). */
static size_t claimed_length(const unsigned char *bytes, size_t size, uint64_t *length) {
  const size_t begin = bytes[6] == 1 ? 10 : 12;
  *length = (uint64_t)bytes[8] | (uint64_t)bytes[9] << 8;
  if (begin == 12 && size >= 12) {
    *length |= (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24;
  }
  return begin;
}

size_t cli_npy_prefix(const void *bytes, size_t size) {
  uint64_t length = 0;
  if (size < 10) {
    return 10;
  }
  const size_t begin = claimed_length(bytes, size, &length);
  return size < begin ? begin : length <= CLI_NPY_MAX_HEADER ? begin + (size_t)length : begin;
}

/* Finds the header's text from the magic, the version and the length. All three are untrusted. */
static clrs_status find_text(const unsigned char *bytes, size_t size, cli_npy_text *text,
                             clrs_error *error) {
  if (size < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "not a .npy file: the magic is missing");
  }
  if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      ".npy version %d.%d; only 1.0, 2.0 and 3.0 are known", bytes[6], bytes[7]);
  }
  uint64_t length = 0;
  const size_t begin = claimed_length(bytes, size, &length);
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
  if (elements > rest / header->type.element_bytes) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "truncated: the shape needs %" PRIu64 " elements of %u bytes, the file holds "
                      "%" PRIu64 " bytes of data",
                      elements, header->type.element_bytes, rest);
  }
  header->data_bytes = elements * header->type.element_bytes;
  header->rest_bytes = file_size != CLI_NPY_ANY_SIZE ? rest - header->data_bytes : 0;
  return CLRS_OK;
}

static bool has_other_than_ascii(const char *text) {
  while (*text != '\0' && (unsigned char)*text < 0x80) {
    text++;
  }
  return *text != '\0';
}

clrs_status cli_npy_parse(const void *bytes, size_t size, uint64_t file_size,
                          cli_npy_header *header, clrs_error *error) {
  cli_npy_text text = {NULL, NULL};
  cli_npy_header parsed;
  memset(&parsed, 0, sizeof parsed);
  CLRS_TRY(find_text(bytes, size, &text, error));
  parsed.data_offset = (uint64_t)(text.end - (const char *)bytes);
  CLRS_TRY(read_dict(&text, &parsed, error));
  parsed.type.is_utf8 = ((const char *)bytes)[6] == 3 && has_other_than_ascii(parsed.type.descr);
  if (file_size < parsed.data_offset) {
    return cli_npy_malformed(error, "the file is shorter than its header");
  }
  CLRS_TRY(check_size(file_size, &parsed, error));
  *header = parsed;
  return CLRS_OK;
}

void cli_npy_note(const char *name, const cli_npy_header *header) {
  if (header->rest_bytes > 0) {
    cli_complain("%s: note: %" PRIu64 " bytes behind the array are not read", name,
                 header->rest_bytes);
  }
  if (header->largest > 0) {
    cli_complain("%s: note: its largest value is %u, and elements are not scaled", name,
                 header->largest);
  }
}

clrs_status cli_npy_layout(const cli_npy_header *header, clrs_layout *layout, clrs_error *error) {
  int64_t strides[CLRS_MAX_RANK];
  int64_t stride = 1;
  if (!header->fortran_order) {
    return clrs_layout_init(header->type.dtype, &header->shape, NULL, 0, layout, error);
  }
  for (uint32_t i = 0; i < header->shape.rank; i++) {
    strides[i] = stride;
    if (header->shape.dims[i] > 0) { /* as clrs_shape_init made sure, this product fits */
      stride *= header->shape.dims[i];
    }
  }
  return clrs_layout_init(header->type.dtype, &header->shape, strides, 0, layout, error);
}

size_t cli_npy_format(const cli_npy_type *type, const clrs_shape *shape,
                      char text[CLI_NPY_WRITTEN]) {
  const char *quote = type->descr[0] == '[' ? "" : "'";
  const size_t begin = type->is_utf8 ? 12 : 10, size = CLI_NPY_WRITTEN;
  size_t used = begin;
  used += (size_t)snprintf(text + used, size - used,
                           "{'descr': %s%s%s, 'fortran_order': False, 'shape': (", quote,
                           type->descr, quote);
  for (uint32_t i = 0; i < shape->rank; i++) {
    used += (size_t)snprintf(text + used, size - used, "%" PRId64 "%s", shape->dims[i],
                             i + 1 < shape->rank || shape->rank == 1 ? ", " : "");
  }
  used += (size_t)snprintf(text + used, size - used, "), }");
  size_t whole = (used + 1 + 63) / 64 * 64;
  memset(text + used, ' ', whole - used - 1);
  text[whole - 1] = '\n';
  /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): a magic number, no string */
  memcpy(text, type->is_utf8 ? "\x93NUMPY\x03\x00" : "\x93NUMPY\x01\x00", 8);
  for (size_t i = 8; i < begin; i++) {
    text[i] = (char)((whole - begin) >> (8 * (i - 8)) & 0xff);
  }
  return whole;
}
