/*
 * Blobs of programs byte by byte, without a device: what was written is read, and whatever lies
 * under a right checksum is refused. Every blob lies in memory that ends with it, so that a
 * sanitizer sees who reads past the end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "opencl/program/blob.h"

#include <stdlib.h>
#include <string.h>

#include "harness/check.h"

enum {
  ROOM = 4096,
  HEAD = 24,
  WORD = 8,
  PLAIN = 13 * WORD, /* of a variant; behind them are its map's bytes, and those of its indices */
  INDEX = PLAIN + (sizeof(clrs__map_key) + WORD - 1) / WORD * WORD,
  VARIANT = INDEX + (sizeof(clrs__index_key) + WORD - 1) / WORD * WORD
};

static const clrs__blob_text identity = {(const unsigned char *)"made for a test", 15};

typedef struct sealed {
  unsigned char bytes[ROOM];
  size_t size;
  size_t count_at, title_at, binary_at; /* the number of programs; lengths in the first of them */
} sealed;

static clrs__blob_program program_of(clrs_class kernel_class, const char *binary) {
  return (clrs__blob_program){
      .variant = {.kernel_class = kernel_class, .unit_bits = 32, .index_bits = 64, .nest_axes = 16},
      .binary = {(const unsigned char *)binary, strlen(binary)}};
}

/* Its size and checksum become right again. */
static void seal(sealed *blob) {
  clrs__blob_writer writer = {blob->bytes, ROOM, blob->size};
  clrs__blob_end(&writer);
}

static void make(sealed *blob) {
  const clrs__blob_program first = program_of(CLRS_CLASS_GPU_ANY, "the first binary");
  const clrs__blob_program second = program_of(CLRS_CLASS_FILL, "another");
  clrs__blob_writer writer = {blob->bytes, ROOM, 0};
  clrs__blob_begin(&writer, identity, 2);
  blob->count_at = writer.size - WORD;
  blob->title_at = writer.size + VARIANT;
  clrs__blob_put(&writer, &first);
  blob->binary_at = writer.size - first.binary.length - WORD;
  clrs__blob_put(&writer, &second);
  clrs__blob_end(&writer);
  assert_true(writer.size < ROOM);
  blob->size = writer.size;
}

/* Checked and opened, from a copy that ends where the blob ends; what follows is not read. */
static clrs_status take(const sealed *blob, clrs__blob_text wanted, clrs_error *error) {
  unsigned char *exact = malloc(blob->size);
  assert_non_null(exact);
  memcpy(exact, blob->bytes, blob->size);
  const clrs__blob_text text = {exact, blob->size};
  clrs__blob_reader reader;
  clrs_status status = clrs__blob_check(text, error);
  if (status == CLRS_OK)
    status = clrs__blob_open(text, wanted, &reader, error);
  free(exact);
  return status;
}

static void refuse(sealed *blob, const char *how) {
  clrs_error error;
  seal(blob);
  CHECK_FAILS(take(blob, identity, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, how);
}

static void put_word(sealed *blob, size_t at, uint64_t word) {
  for (size_t i = 0; i < WORD; i++)
    blob->bytes[at + i] = (unsigned char)(word >> 8 * i);
}

/* ---- the tests ---- */

static void what_was_written_is_read(void **state) {
  sealed blob;
  clrs__blob_reader reader;
  clrs__blob_program program;
  clrs_error error;
  (void)state;
  make(&blob);
  const clrs__blob_text text = {blob.bytes, blob.size};
  CHECK_OK(clrs__blob_check(text, &error), error);
  CHECK_OK(clrs__blob_open(text, identity, &reader, &error), error);
  assert_true(clrs__blob_next(&reader, &program));
  assert_true(clrs__variant_equal(program.variant, program_of(CLRS_CLASS_GPU_ANY, "").variant));
  assert_int_equal(program.binary.length, 16);
  assert_memory_equal(program.binary.bytes, "the first binary", 16);
  assert_true(clrs__blob_next(&reader, &program));
  assert_true(clrs__variant_equal(program.variant, program_of(CLRS_CLASS_FILL, "").variant));
  assert_memory_equal(program.binary.bytes, "another", 7);
  assert_false(clrs__blob_next(&reader, &program));
}

static void without_room_it_is_only_counted(void **state) {
  unsigned char bytes[ROOM + 1];
  sealed blob;
  (void)state;
  make(&blob);
  for (size_t room = 0; room < blob.size; room++) {
    const clrs__blob_program first = program_of(CLRS_CLASS_GPU_ANY, "the first binary");
    const clrs__blob_program second = program_of(CLRS_CLASS_FILL, "another");
    clrs__blob_writer writer = {room % 2 ? bytes : NULL, room, 0};
    memset(bytes, 0xA5, sizeof bytes);
    clrs__blob_begin(&writer, identity, 2);
    clrs__blob_put(&writer, &first);
    clrs__blob_put(&writer, &second);
    clrs__blob_end(&writer);
    assert_int_equal(writer.size, blob.size);
    for (size_t i = room; i < sizeof bytes; i++)
      assert_int_equal(bytes[i], 0xA5);
  }
}

static void every_cut_is_refused_though_its_checksum_is_right(void **state) {
  sealed blob;
  clrs_error error;
  (void)state;
  make(&blob);
  while (blob.size-- > HEAD)
    refuse(&blob, blob.size < blob.count_at + WORD ? "ends too early" : "is not whole");
  for (blob.size = HEAD - 1; blob.size > 0; blob.size--)
    CHECK_FAILS(take(&blob, identity, &error), CLRS_INVALID_ARGUMENT, error);
  make(&blob);
  blob.bytes[blob.size++] = 0;
  refuse(&blob, "something behind");
}

static void lengths_that_lie_are_refused(void **state) {
  sealed blob;
  (void)state;
  make(&blob);
  const size_t places[] = {HEAD, blob.count_at, blob.title_at, blob.binary_at};
  const uint64_t lies[] = {blob.size, blob.size + 1, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
      make(&blob);
      put_word(&blob, places[i], lies[k]);
      refuse(&blob, i == 0 ? "ends too early" : "is not whole");
    }
  make(&blob);
  put_word(&blob, blob.count_at, 1);
  refuse(&blob, "something behind");
}

static void variants_that_nobody_wrote_are_refused(void **state) {
  static const uint64_t lies[] = {0, 2, CLRS_CLASS_COUNT, UINT64_C(1) << 32, UINT64_MAX};
  sealed blob;
  (void)state;
  for (size_t word = 0; word < PLAIN / WORD; word++)
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
      make(&blob);
      const size_t at = blob.count_at + WORD + word * WORD;
      unsigned char was[WORD];
      memcpy(was, blob.bytes + at, WORD);
      put_word(&blob, at, lies[k]);
      if (memcmp(was, blob.bytes + at, WORD) != 0)
        refuse(&blob, "is not whole");
    }
}

/* One program, of a map or of indices. */
static void make_of(sealed *blob, clrs__variant variant) {
  const clrs__blob_program only = {variant, {(const unsigned char *)"a binary", 8}};
  clrs__blob_writer writer = {blob->bytes, ROOM, 0};
  clrs__blob_begin(&writer, identity, 1);
  blob->count_at = writer.size - WORD;
  clrs__blob_put(&writer, &only);
  clrs__blob_end(&writer);
  assert_true(writer.size < ROOM);
  blob->size = writer.size;
}

static void maps_and_indices_that_nobody_wrote_are_refused(void **state) {
  static const struct lie {
    bool is_indexed;
    size_t at;
    unsigned char byte;
  } lies[] = {{true, 0, CLRS_CLASS_FILL},
              {true, 0, CLRS_CLASS_COUNT},
              {true, PLAIN + offsetof(clrs__map_key, geometry), CLRS__MAPPED_ROWS},
              {true, INDEX + offsetof(clrs__index_key, is_indexed), 0},
              {false, 0, CLRS_CLASS_FILL},
              {false, PLAIN + offsetof(clrs__map_key, geometry), CLRS__MAPPED_GEOMETRIES},
              {false, PLAIN + offsetof(clrs__map_key, from), CLRS_DTYPE_COUNT},
              {false, PLAIN + offsetof(clrs__map_key, is_indexed), 2}};
  const clrs__index_key index = {.is_indexed = true};
  const clrs__map_key map = {.geometry = CLRS__MAPPED_ROWS,
                             .from = CLRS_U8,
                             .to = CLRS_F32,
                             .step_count = 1,
                             .kinds = {CLRS_STEP_ROUND},
                             .dtypes = {CLRS_F32}};
  sealed blob;
  clrs_error error;
  (void)state;
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    make_of(&blob, lies[i].is_indexed ? clrs__any_indexed_variant(&index, 32)
                                      : clrs__mapped_variant(&map, 32));
    CHECK_OK(take(&blob, identity, &error), error);
    blob.bytes[blob.count_at + WORD + lies[i].at] = lies[i].byte;
    refuse(&blob, "is not whole");
  }
}

static void a_binary_of_nothing_and_another_title_are_refused(void **state) {
  sealed blob;
  (void)state;
  make(&blob);
  blob.bytes[blob.title_at + WORD] ^= 1;
  refuse(&blob, "is not whole");
  make(&blob);
  put_word(&blob, blob.count_at, 1);
  put_word(&blob, blob.binary_at, 0);
  blob.size = blob.binary_at + WORD;
  refuse(&blob, "is not whole");
}

static void another_identity_is_refused_by_both_names(void **state) {
  char text[500];
  clrs_error error;
  sealed blob;
  (void)state;
  make(&blob);
  memset(text, 'x', sizeof text);
  const clrs__blob_text longer = {(const unsigned char *)text, sizeof text};
  const clrs__blob_text alike = {(const unsigned char *)"made for a tesT", 15};
  CHECK_FAILS(take(&blob, alike, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "made for a test");
  CHECK_SAYS(error, "made for a tesT");
  CHECK_FAILS(take(&blob, longer, &error), CLRS_UNSUPPORTED, error);
  clrs__blob_writer writer = {blob.bytes, ROOM, 0};
  clrs__blob_begin(&writer, longer, 0);
  clrs__blob_end(&writer);
  blob.size = writer.size;
  CHECK_FAILS(take(&blob, identity, &error), CLRS_UNSUPPORTED, error);
  CHECK_OK(take(&blob, longer, &error), error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_written_is_read),
      cmocka_unit_test(without_room_it_is_only_counted),
      cmocka_unit_test(every_cut_is_refused_though_its_checksum_is_right),
      cmocka_unit_test(lengths_that_lie_are_refused),
      cmocka_unit_test(variants_that_nobody_wrote_are_refused),
      cmocka_unit_test(maps_and_indices_that_nobody_wrote_are_refused),
      cmocka_unit_test(a_binary_of_nothing_and_another_title_are_refused),
      cmocka_unit_test(another_identity_is_refused_by_both_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
