/*
 * Blobs of programs byte by byte, without a device: a written blob is read, and any falsehood under
 * a right checksum is refused. Every blob lies in memory that ends with the blob, so that a
 * sanitizer sees a read past the end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "opencl/program/blob.h"

#include "harness/check.h"

enum { ROOM = 4096, HEAD = 24, WORD = 8 };

static const clrs__bytes identity = {(const unsigned char *)"made for a test", 15};
static const clrs__bytes pieces[] = {{(const unsigned char *)"fill -DA", 8},
                                     {(const unsigned char *)"the first binary", 16},
                                     {(const unsigned char *)"fill -DB", 8},
                                     {(const unsigned char *)"another", 7}};

typedef struct sealed {
  unsigned char bytes[ROOM];
  size_t size;
  size_t piece_at[5]; /* the identity's length, and that of each piece of two programs */
} sealed;

/* Corrects size and checksum. */
static void seal(sealed *blob) {
  clrs__blob_writer writer = {blob->bytes, ROOM, blob->size};
  clrs__blob_end(&writer);
}

static void make(sealed *blob) {
  clrs__blob_writer writer = {blob->bytes, ROOM, 0};
  blob->piece_at[0] = HEAD;
  clrs__blob_begin(&writer, identity);
  for (size_t i = 0; i < 4; i++) {
    blob->piece_at[i + 1] = writer.size;
    const unsigned char *put = clrs__blob_put(&writer, pieces[i]);
    assert_ptr_equal(put, blob->bytes + blob->piece_at[i + 1] + WORD);
  }
  clrs__blob_end(&writer);
  assert_true(writer.size < ROOM);
  blob->size = writer.size;
}

/* Checks and opens a copy that ends where the blob ends. The following bytes are not read. */
static clrs_status take(const sealed *blob, clrs__bytes wanted, clrs_error *error) {
  unsigned char *exact = malloc(blob->size);
  assert_non_null(exact);
  memcpy(exact, blob->bytes, blob->size);
  const clrs__bytes text = {exact, blob->size};
  clrs__blob_reader reader;
  clrs_status status = clrs__blob_check(text, error);
  if (status == CLRS_OK)
    status = clrs__blob_open(text, wanted, &reader, error);
  free(exact);
  return status;
}

static void refuse(sealed *blob, const char *how) {
  seal(blob);
  CHECK_FAILS(take(blob, identity, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, how);
}

static void put_word(sealed *blob, size_t at, uint64_t word) {
  for (size_t i = 0; i < WORD; i++)
    blob->bytes[at + i] = (unsigned char)(word >> 8 * i);
}

/* ---- the tests ---- */

TEST(what_was_written_is_read) {
  sealed blob;
  clrs__blob_reader reader;
  clrs__blob_program program;
  make(&blob);
  const clrs__bytes text = {blob.bytes, blob.size};
  CHECK_OK(clrs__blob_check(text, &error), error);
  CHECK_OK(clrs__blob_open(text, identity, &reader, &error), error);
  for (size_t i = 0; i < 4; i += 2) {
    assert_true(clrs__blob_next(&reader, &program));
    assert_true(clrs__bytes_equal(program.title, pieces[i]));
    assert_true(clrs__bytes_equal(program.binary, pieces[i + 1]));
  }
  assert_false(clrs__blob_next(&reader, &program));
}

TEST(without_room_it_is_only_counted) {
  unsigned char bytes[ROOM + 1];
  sealed blob;
  make(&blob);
  for (size_t room = 0; room < blob.size; room++) {
    clrs__blob_writer writer = {room % 2 ? bytes : NULL, room, 0};
    memset(bytes, 0xA5, sizeof bytes);
    clrs__blob_begin(&writer, identity);
    for (size_t i = 0; i < 4; i++) {
      const bool fits = room % 2 && writer.size + WORD + pieces[i].length <= room;
      const bool is_put = clrs__blob_put(&writer, pieces[i]) != NULL;
      assert_int_equal(is_put, fits);
    }
    clrs__blob_end(&writer);
    assert_int_equal(writer.size, blob.size);
    for (size_t i = room; i < sizeof bytes; i++)
      assert_int_equal(bytes[i], 0xA5);
  }
}

/* The blob may end at the end of a program. The caller also has the size of the blob. */
TEST(every_cut_is_refused_though_its_checksum_is_right) {
  sealed blob;
  make(&blob);
  while (blob.size-- > HEAD)
    if (blob.size != blob.piece_at[1] && blob.size != blob.piece_at[3])
      refuse(&blob, blob.size < blob.piece_at[1] ? "ends too early" : "is not whole");
  for (blob.size = HEAD - 1; blob.size > 0; blob.size--)
    CHECK_FAILS(take(&blob, identity, &error), CLRS_INVALID_ARGUMENT, error);
  for (size_t more = 1; more < WORD; more++) {
    make(&blob);
    blob.size += more;
    refuse(&blob, "is not whole");
  }
}

TEST(lengths_that_lie_are_refused) {
  sealed blob;
  make(&blob);
  const uint64_t lies[] = {blob.size, blob.size + 1, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63};
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
      make(&blob);
      put_word(&blob, blob.piece_at[i], lies[k]);
      refuse(&blob, i == 0 ? "ends too early" : "is not whole");
    }
}

TEST(a_binary_of_nothing_is_refused) {
  sealed blob;
  make(&blob);
  blob.size = blob.piece_at[4] + WORD;
  put_word(&blob, blob.piece_at[4], 0);
  refuse(&blob, "is not whole");
}

TEST(another_identity_is_refused_by_both_names) {
  char text[500];
  sealed blob;
  make(&blob);
  memset(text, 'x', sizeof text);
  const clrs__bytes longer = {(const unsigned char *)text, sizeof text};
  const clrs__bytes alike = {(const unsigned char *)"made for a tesT", 15};
  CHECK_FAILS(take(&blob, alike, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "made for a test");
  CHECK_SAYS(error, "made for a tesT");
  CHECK_FAILS(take(&blob, longer, &error), CLRS_UNSUPPORTED, error);
  clrs__blob_writer writer = {blob.bytes, ROOM, 0};
  clrs__blob_begin(&writer, longer);
  clrs__blob_end(&writer);
  blob.size = writer.size;
  CHECK_FAILS(take(&blob, identity, &error), CLRS_UNSUPPORTED, error);
  CHECK_OK(take(&blob, longer, &error), error);
}

TESTS(NULL, NULL)
