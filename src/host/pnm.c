/* SPDX-License-Identifier: Apache-2.0 */
#include "pnm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"

/* ---- the text of a header ---- */

enum { MOST_DIGITS = 9, NUMBERS = 3 }; /* width * height * 6 bytes then fits in 64 bits */

typedef enum outcome { WHOLE, CUT, MALFORMED } outcome;

typedef struct scanner {
  const unsigned char *bytes;
  size_t size, at;
  int64_t numbers[NUMBERS]; /* width, height, largest value */
  int found;                /* numbers that were read */
} scanner;

static bool is_space(unsigned char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_digit(unsigned char byte) {
  return byte >= '0' && byte <= '9';
}

/* Skips space and comments, at least one byte. A comment ends with its line. */
static outcome skip_space(scanner *text) {
  const size_t begin = text->at;
  bool is_comment = false;
  for (; text->at < text->size; text->at++) {
    const unsigned char byte = text->bytes[text->at];
    if (!is_comment && !is_space(byte) && byte != '#') {
      return text->at > begin ? WHOLE : MALFORMED;
    }
    is_comment = byte == '#' || (is_comment && byte != '\n' && byte != '\r');
  }
  return CUT;
}

static outcome read_number(scanner *text, int64_t *value) {
  const size_t begin = text->at;
  *value = 0;
  while (text->at < text->size && is_digit(text->bytes[text->at]) &&
         text->at - begin <= MOST_DIGITS) {
    *value = *value * 10 + (text->bytes[text->at++] - '0');
  }
  const size_t digits = text->at - begin;
  return digits > MOST_DIGITS     ? MALFORMED
         : text->at == text->size ? CUT
         : digits == 0            ? MALFORMED
                                  : WHOLE;
}

/* Reads the numbers, and the single space in front of the elements. */
static outcome scan(const void *bytes, size_t size, scanner *text) {
  *text = (scanner){.bytes = bytes, .size = size, .at = 2};
  for (; text->found < NUMBERS; text->found++) {
    outcome read = skip_space(text);
    read = read == WHOLE ? read_number(text, &text->numbers[text->found]) : read;
    if (read != WHOLE) {
      return read;
    }
  }
  return is_space(text->bytes[text->at++]) ? WHOLE : MALFORMED;
}

bool cli_pnm_begins(const void *bytes, size_t size) {
  const unsigned char *first = bytes;
  return size >= 2 && first[0] == 'P' && first[1] >= '1' && first[1] <= '7';
}

static bool is_read(const void *bytes) {
  const unsigned char *first = bytes;
  return first[1] == '5' || first[1] == '6';
}

size_t cli_pnm_prefix(const void *bytes, size_t size) {
  scanner text;
  return is_read(bytes) && size < CLI_NPY_MAX_PREFIX && scan(bytes, size, &text) == CUT ? size + 1
                                                                                        : size;
}

/* ---- reading ---- */

static const char *const names[] = {"width", "height", "largest value"};

static clrs_status fail_scan(const scanner *text, outcome read, clrs_error *error) {
  if (read == CUT) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      text->size < CLI_NPY_MAX_PREFIX
                          ? "truncated: the file ends within the image's header"
                          : "the image's header has more than 10,000 bytes");
  }
  return text->found < NUMBERS
             ? clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "malformed image header: its %s is no number of 1 to %d digits",
                          names[text->found], MOST_DIGITS)
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "malformed image header: no space follows its largest value");
}

static clrs_status check_numbers(const int64_t numbers[NUMBERS], clrs_error *error) {
  for (int i = 0; i < NUMBERS; i++) {
    if (numbers[i] < 1 || (i == 2 && numbers[i] > UINT16_MAX)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "malformed image header: its %s is %" PRId64 "; %s", names[i], numbers[i],
                        i == 2 ? "1 to 65535 are known" : "an image has pixels");
    }
  }
  return CLRS_OK;
}

static clrs_status take_size(uint64_t file_size, cli_npy_header *header, clrs_error *error) {
  const uint64_t rest = file_size - header->data_offset;
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(&header->shape, &count, error));
  header->data_bytes = (uint64_t)count * header->type.element_bytes;
  if (header->data_bytes > rest) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "truncated: the image needs %" PRIu64 " bytes, the file holds %" PRIu64
                      " bytes of data",
                      header->data_bytes, rest);
  }
  header->rest_bytes = file_size != CLI_NPY_ANY_SIZE ? rest - header->data_bytes : 0;
  return CLRS_OK;
}

clrs_status cli_pnm_parse(const void *bytes, size_t size, uint64_t file_size,
                          cli_npy_header *header, clrs_error *error) {
  scanner text;
  memset(header, 0, sizeof *header);
  if (!is_read(bytes)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "an image of kind P%c; P5 (PGM) and P6 (PPM), both binary, are read",
                      ((const char *)bytes)[1]);
  }
  const outcome read = scan(bytes, size, &text);
  if (read != WHOLE) {
    return fail_scan(&text, read, error);
  }
  CLRS_TRY(check_numbers(text.numbers, error));
  const bool is_wide = text.numbers[2] > UINT8_MAX;
  const bool is_color = ((const char *)bytes)[1] == '6';
  CLRS_TRY(cli_npy_type_of(is_wide ? CLRS_U16 : CLRS_U8, &header->type, error));
  header->shape = (clrs_shape){is_color ? 3 : 2, {text.numbers[1], text.numbers[0], 3}};
  header->largest =
      text.numbers[2] == (is_wide ? UINT16_MAX : UINT8_MAX) ? 0 : (uint32_t)text.numbers[2];
  header->has_high_first = is_wide;
  header->data_offset = text.at;
  return take_size(file_size, header, error);
}

/* ---- writing ---- */

static clrs_status check(const cli_npy_type *type, const clrs_shape *shape, const char *wanted,
                         bool has_shape, clrs_error *error) {
  const bool has_type = type->units == 1 && (type->dtype == CLRS_U8 || type->dtype == CLRS_U16);
  if (!has_type || !has_shape) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the result is %s of %u dims; %s of u8 or u16, such as by cast=u8",
                      clrs_dtype_name(type->dtype, CLRS_TYPES_CLRESHAPE), shape->rank, wanted);
  }
  return shape->dims[0] > 0 && shape->dims[1] > 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the result has no elements, and an image has pixels");
}

clrs_status cli_pgm_check(const cli_npy_type *type, const clrs_shape *shape, clrs_error *error) {
  return check(type, shape, "a .pgm file holds [H,W] or [H,W,1]",
               shape->rank == 2 || (shape->rank == 3 && shape->dims[2] == 1), error);
}

clrs_status cli_ppm_check(const cli_npy_type *type, const clrs_shape *shape, clrs_error *error) {
  return check(type, shape, "a .ppm file holds [H,W,3]", shape->rank == 3 && shape->dims[2] == 3,
               error);
}

size_t cli_pnm_format(const cli_npy_type *type, const clrs_shape *shape,
                      char text[CLI_NPY_WRITTEN]) {
  const bool is_color = shape->rank == 3 && shape->dims[2] == 3;
  return (size_t)snprintf(text, CLI_NPY_WRITTEN, "P%c\n%" PRId64 " %" PRId64 "\n%d\n",
                          is_color ? '6' : '5', shape->dims[1], shape->dims[0],
                          type->dtype == CLRS_U16 ? UINT16_MAX : UINT8_MAX);
}
