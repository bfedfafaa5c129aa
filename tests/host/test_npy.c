/*
 * .npy files: layouts, and opening.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <fcntl.h>
#include <sys/stat.h>

#include "npy_image.h"

TEST(orders_become_strides) {
  cli_npy_header header = {.type = {"<f4", false, CLRS_F32, 1, 4}};
  const int64_t row_major[] = {12, 4, 1}, column_major[] = {1, 2, 6};
  clrs_layout layout;
  header.shape = (clrs_shape){3, {2, 3, 4}};
  CHECK_OK(cli_npy_layout(&header, &layout, &error), error);
  assert_memory_equal(layout.strides, row_major, sizeof row_major);
  header.fortran_order = true;
  CHECK_OK(cli_npy_layout(&header, &layout, &error), error);
  assert_memory_equal(layout.strides, column_major, sizeof column_major);
  assert_int_equal(layout.rank, 3);
  assert_int_equal(layout.offset, 0);
  assert_int_equal(layout.dtype, CLRS_F32);
}

TEST(opening_places_the_file_at_its_data) {
  static image file;
  char path[] = "test_npy_XXXXXX";
  cli_npy_file opened;
  char byte = 0;
  build(&file, 1, HEAD("|u1", "False", "(3,)"), 3);
  file.bytes[file.size - 3] = 77;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, file.bytes, file.size), file.size);
  assert_int_equal(close(fd), 0);
  CHECK_OK(cli_npy_open(path, &opened, &error), error);
  assert_int_equal(read(opened.fd, &byte, 1), 1);
  assert_int_equal(byte, 77);
  cli_npy_close(&opened);
  assert_int_equal(opened.fd, -1);
  assert_int_equal(unlink(path), 0);
  CHECK_FAILS(cli_npy_open(path, &opened, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, path);
}

TEST(folders_and_pipes_are_not_opened) {
  const char *pipe_path = "test_npy_pipe";
  cli_npy_file opened;
  CHECK_FAILS(cli_npy_open(".", &opened, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "not a regular file");
  unlink(pipe_path);
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  CHECK_FAILS(cli_npy_open(pipe_path, &opened, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "not a regular file");
  assert_int_equal(unlink(pipe_path), 0);
}

TESTS(map_guarded, NULL)
