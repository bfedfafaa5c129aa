/*
 * Any bytes as a .npy file, or as an image or a GGUF file if they begin so. The header and the data
 * of an accepted file lie in the file. The header gives the number of bytes that follow. A written
 * header is read back the same.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "host/gguf.h"
#include "host/npy.h"
#include "host/pnm.h"

static void check_written(const cli_npy_header *header) {
  char text[CLI_NPY_WRITTEN];
  cli_npy_header again;
  clrs_error error;
  const size_t length = cli_npy_format(&header->type, &header->shape, text);
  REQUIRE(length % 64 == 0 && length <= sizeof text);
  REQUIRE(cli_npy_parse(text, length, length + header->data_bytes, &again, &error) == CLRS_OK);
  REQUIRE(again.type.dtype == header->type.dtype && !again.fortran_order);
  REQUIRE(again.type.units == header->type.units);
  REQUIRE(strcmp(again.type.descr, header->type.descr) == 0);
  REQUIRE(clrs_shape_equal(&again.shape, &header->shape));
}

static void check_accepted(const cli_npy_header *header, size_t size) {
  clrs_layout layout;
  clrs_bounds bounds;
  clrs_view view;
  clrs_error error;
  int64_t count = 0;
  REQUIRE(clrs_shape_count(&header->shape, &count, &error) == CLRS_OK);
  REQUIRE(header->data_offset <= size && header->data_bytes <= size - header->data_offset);
  REQUIRE(header->rest_bytes == size - header->data_offset - header->data_bytes);
  REQUIRE(header->data_bytes == (uint64_t)count * header->type.element_bytes);
  REQUIRE(header->type.element_bytes * (uint64_t)8 ==
          clrs_dtype_bits(header->type.dtype) * (uint64_t)header->type.units);
  REQUIRE(cli_npy_layout(header, &layout, &error) == CLRS_OK);
  REQUIRE(clrs_view_from_layout(&layout, &view, &error) == CLRS_OK);
  REQUIRE(clrs_view_bounds(&view, &bounds, &error) == CLRS_OK);
  REQUIRE(bounds.empty == (count == 0) && bounds.lowest >= 0);
  REQUIRE(bounds.empty || bounds.highest == count - 1);
  check_written(header);
}

/* A written image is read back the same. */
static void check_image(const cli_npy_header *header, bool is_image) {
  char text[CLI_NPY_WRITTEN];
  cli_npy_header again;
  clrs_error error;
  if (!is_image) {
    return;
  }
  const bool is_color = header->shape.rank == 3;
  REQUIRE((is_color ? cli_ppm_check : cli_pgm_check)(&header->type, &header->shape, &error) ==
          CLRS_OK);
  const size_t length = cli_pnm_format(&header->type, &header->shape, text);
  REQUIRE(cli_pnm_prefix(text, length) == length);
  REQUIRE(cli_pnm_parse(text, length, length + header->data_bytes, &again, &error) == CLRS_OK);
  REQUIRE(again.type.dtype == header->type.dtype && again.largest == 0);
  REQUIRE(clrs_shape_equal(&again.shape, &header->shape));
}

/* Any bytes as a GGUF file with a single tensor. */
static void check_gguf(const char *path) {
  cli_npy_header header;
  cli_archive_name of = {.kind = CLI_GGUF};
  clrs_error error;
  int fd = -1;
  int64_t count = 0;
  (void)snprintf(of.path, sizeof of.path, "%s", path);
  if (cli_gguf_open(path, &of, &fd, &header, &error) != CLRS_OK) {
    REQUIRE(error.message[0] != '\0');
    return;
  }
  const off_t end = lseek(fd, 0, SEEK_END);
  REQUIRE(end >= 0 && header.data_offset <= (uint64_t)end &&
          header.data_bytes <= (uint64_t)end - header.data_offset);
  REQUIRE(clrs_shape_count(&header.shape, &count, &error) == CLRS_OK);
  REQUIRE(header.data_bytes == (uint64_t)count * header.type.element_bytes);
  (void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cli_npy_header header;
  cli_npy_file file;
  clrs_error error;
  const size_t given = size < CLI_NPY_MAX_PREFIX ? size : CLI_NPY_MAX_PREFIX;
  const char *path = fuzz_file(data, size);
  fuzz_memory_begin(size);
  const bool is_image = cli_pnm_begins(data, given);
  const clrs_status status =
      (is_image ? cli_pnm_parse : cli_npy_parse)(data, given, size, &header, &error);
  if (status == CLRS_OK) {
    check_accepted(&header, size);
    check_image(&header, is_image);
  } else {
    REQUIRE(error.status == status && error.message[0] != '\0');
  }
  const clrs_status opened = cli_npy_open(path, &file, &error);
  REQUIRE(opened == status);
  if (opened == CLRS_OK) {
    cli_npy_close(&file);
  }
  if (size >= 4 && memcmp(data, "GGUF", 4) == 0) {
    check_gguf(path);
  }
  fuzz_memory_end();
  return 0;
}
