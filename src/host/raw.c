/* SPDX-License-Identifier: Apache-2.0 */
#include "raw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "fail.h"
#include "integers.h"
#include "text.h"

/* ---- types ---- */

clrs_status cli_raw_type(clrs_dtype dtype, cli_npy_type *type, clrs_error *error) {
  const uint32_t bits = clrs_dtype_bits(dtype);
  const char *name = clrs_dtype_name(dtype, CLRS_TYPES_CLRESHAPE);
  if (cli_npy_type_of(dtype, type, NULL) == CLRS_OK) {
    return CLRS_OK;
  }
  if (bits % 8 != 0 || dtype == CLRS_STRING) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "elements of %s are not whole bytes of a file; of integers and floats, "
                      "bitcast=u8 at the end keeps the bits",
                      name);
  }
  memset(type, 0, sizeof *type);
  snprintf(type->descr, sizeof type->descr, "%s", name);
  type->dtype = dtype;
  type->units = 1;
  type->element_bytes = bits / 8;
  return CLRS_OK;
}

/* NumPy's types begin with a byte order, or are lists. The library's names begin with a letter. */
clrs_status cli_raw_check_npy(const cli_npy_type *type, clrs_error *error) {
  cli_npy_type ignored;
  return strchr("<>|[", type->descr[0]) != NULL ? CLRS_OK
                                                : cli_npy_type_of(type->dtype, &ignored, error);
}

/* ---- the command line ---- */

static clrs_status parse(const char *text, cli_npy_header *header, clrs_error *error) {
  char name[32];
  int64_t dims[CLRS_MAX_RANK], count = 0, bytes = 0;
  size_t rank = 0;
  clrs_dtype dtype;
  const size_t length = strcspn(text, ",");
  const char *rest = text + length + (text[length] != '\0');
  snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), text);
  CLRS_TRY(clrs_dtype_from_name(name, CLRS_TYPES_CLRESHAPE, &dtype, error));
  CLRS_TRY(clrs__integers_parse(rest, strlen(rest), &rank, dims, error));
  CLRS_TRY(cli_raw_type(dtype, &header->type, error));
  CLRS_TRY(clrs_shape_init(rank, dims, &header->shape, error));
  CLRS_TRY(clrs_shape_count(&header->shape, &count, error));
  if (!clrs__multiply(count, header->type.element_bytes, &bytes)) {
    return clrs__fail(error, CLRS_OVERFLOW, "its bytes do not fit in 64 bits");
  }
  header->data_bytes = (uint64_t)bytes;
  return CLRS_OK;
}

clrs_status cli_raw_parse(const char *text, cli_npy_header *header, clrs_error *error) {
  memset(header, 0, sizeof *header);
  return parse(text, header, error) == CLRS_OK
             ? CLRS_OK
             : cli_fail_prefix(error, "--raw %s", clrs__show(text).text);
}

/* ---- files ---- */

clrs_status cli_raw_check_size(const cli_npy_header *header, uint64_t size, clrs_error *error) {
  return size == header->data_bytes
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "it holds %" PRIu64 " bytes, and the type and shape of --raw need "
                          "%" PRIu64,
                          size, header->data_bytes);
}
