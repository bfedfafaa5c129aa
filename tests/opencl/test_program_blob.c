/*
 * Built programs as a blob: a context that imports another context's export builds nothing. A blob
 * with any changed byte, cut off anywhere, or with another identity, is refused before the driver
 * sees the blob.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

#include "harness/fault_layer.h"
#include "harness/opencl_counts.h"

typedef struct blob {
  unsigned char *bytes;
  size_t size;
} blob;

static void transpose(api *a, clrs_context *library, clrs_dtype dtype) {
  const clrs_layout from = api_layout(dtype, 2, LIST(6, 4), LIST(1, 6));
  const clrs_layout to = api_layout(dtype, 2, LIST(6, 4), NULL);
  clrs_tensor *source = api_wrap(library, a->source, 0, &from);
  clrs_tensor *target = api_wrap(library, a->destination, 0, &to);
  CHECK_OK(clrs_enqueue_move(source, target, ON(a->device.queue), NULL, &error), error);
  CL_OK(clFinish(a->device.queue));
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

/* Exported from a library that has moved two widths, so that there are two programs. */
static blob exported(api *a, clrs_context *library) {
  blob made = {NULL, 0};
  size_t size = 0;
  transpose(a, library, CLRS_U8);
  transpose(a, library, CLRS_F32);
  assert_int_equal(clrs_context_program_count(library), 2);
  CHECK_OK(clrs_context_export_programs(library, NULL, 0, &made.size, &error), error);
  made.bytes = malloc(made.size);
  assert_non_null(made.bytes);
  CHECK_OK(clrs_context_export_programs(library, made.bytes, made.size, &size, &error), error);
  assert_int_equal(size, made.size);
  return made;
}

API_TEST(an_imported_program_is_not_built_again) {
  blob made = exported(a, a->library);
  clrs_context *fresh = device_library(&a->device, NULL);
  const opencl_counts before = opencl_counted();
  assert_true(before.from_source > 0); /* the counter counts */
  CHECK_OK(clrs_context_import_programs(fresh, made.bytes, made.size, &error), error);
  free(made.bytes);
  assert_int_equal(clrs_context_program_count(fresh), 2);
  assert_int_equal(opencl_counted().from_binary, before.from_binary); /* no program is needed yet */
  api_poison(a);
  transpose(a, fresh, CLRS_U8);
  assert_int_equal(opencl_counted().from_binary, before.from_binary + 1);
  assert_int_equal(clrs_context_program_count(fresh), 2);
  api_poison(a);
  transpose(a, fresh, CLRS_F32);
  api_expect_transposed(a);
  transpose(a, fresh, CLRS_F32);
  assert_int_equal(opencl_counted().from_binary, before.from_binary + 2);
  assert_int_equal(opencl_counted().from_source, before.from_source);
  transpose(a, fresh, CLRS_F64); /* a program that the blob did not have */
  assert_int_equal(opencl_counted().from_source, before.from_source + 1);
  clrs_context_release(fresh);
}

API_TEST(what_is_there_is_not_taken_twice) {
  blob made = exported(a, a->library), again = {NULL, 0};
  const opencl_counts before = opencl_counted();
  CHECK_OK(clrs_context_import_programs(a->library, made.bytes, made.size, &error), error);
  assert_int_equal(clrs_context_program_count(a->library), 2);
  assert_int_equal(opencl_counted().from_binary, before.from_binary);
  /* An imported program can be exported. */
  clrs_context *fresh = device_library(&a->device, NULL);
  CHECK_OK(clrs_context_import_programs(fresh, made.bytes, made.size, &error), error);
  again = exported(a, fresh);
  clrs_context *third = device_library(&a->device, NULL);
  CHECK_OK(clrs_context_import_programs(third, again.bytes, again.size, &error), error);
  api_poison(a);
  transpose(a, third, CLRS_F32);
  api_expect_transposed(a);
  clrs_context_release(third);
  clrs_context_release(fresh);
  free(made.bytes);
  free(again.bytes);
}

/* Imports one of two programs, because the other is present. */
API_TEST(what_is_new_of_a_blob_is_taken) {
  blob made = exported(a, a->library);
  clrs_context *half = device_library(&a->device, NULL);
  transpose(a, half, CLRS_F32);
  const opencl_counts before = opencl_counted();
  CHECK_OK(clrs_context_import_programs(half, made.bytes, made.size, &error), error);
  assert_int_equal(clrs_context_program_count(half), 2);
  transpose(a, half, CLRS_U8);
  api_poison(a);
  transpose(a, half, CLRS_F32);
  api_expect_transposed(a);
  assert_int_equal(opencl_counted().from_binary, before.from_binary + 1);
  assert_int_equal(opencl_counted().from_source, before.from_source);
  assert_int_equal(clrs_context_program_count(half), 2);
  clrs_context_release(half);
  free(made.bytes);
}

API_TEST(programs_of_a_driver_that_says_nothing_have_no_name) {
  char name[CLRS_PROGRAMS_NAME_BYTES] = "as it was";
  fault f = {1, CL_OUT_OF_HOST_MEMORY, false, FAULT_BEFORE};
  fault_layer layer;
  if (!fault_layer_find(&layer))
    skip();
  layer.arm(&f);
  const clrs_status status = clrs_context_programs_name(a->library, name, &error);
  const char *failed = layer.failed();
  layer.arm(NULL);
  assert_non_null(failed);
  assert_int_equal(status, CLRS_OPENCL_ERROR);
  CHECK_SAYS(error, failed);
  assert_string_equal(name, "as it was");
  CHECK_OK(clrs_context_programs_name(a->library, name, &error), error);
  assert_int_equal(strlen(name), CLRS_PROGRAMS_NAME_BYTES - 1);
}

API_TEST(nothing_is_a_blob_too) {
  unsigned char bytes[2048];
  size_t size = 0;
  CHECK_OK(clrs_context_export_programs(a->library, bytes, sizeof bytes, &size, &error), error);
  assert_true(size > 0 && size <= sizeof bytes);
  CHECK_OK(clrs_context_import_programs(a->library, bytes, size, &error), error);
  assert_int_equal(clrs_context_program_count(a->library), 0);
}

/* Refused, the driver not asked, nothing taken. */
static void expect_refused(const api *a, const unsigned char *bytes, size_t size,
                           clrs_status status, size_t what) {
  const opencl_counts before = opencl_counted();
  clrs_error error = {0};
  const clrs_status got = clrs_context_import_programs(a->foreign_library, bytes, size, &error);
  if (got != status || opencl_counted().from_binary != before.from_binary ||
      clrs_context_program_count(a->foreign_library) != 0)
    fail_msg("change %zu of %zu bytes: %s, %ld programs given to the driver, %zu taken", what, size,
             clrs_status_name(got), opencl_counted().from_binary - before.from_binary,
             clrs_context_program_count(a->foreign_library));
  assert_true(error.message[0] != '\0');
}

/* A separate copy, so that a sanitizer sees reads past the end. */
static blob shortened(const blob *whole, size_t most) {
  blob cut = {malloc(most), most};
  assert_non_null(cut.bytes);
  memcpy(cut.bytes, whole->bytes, most);
  return cut;
}

API_TEST(every_changed_byte_is_refused) {
  blob made = exported(a, a->library);
  size_t tried = 0;
  /* The heads whole, then every so many bytes of the binaries, which are large: each check reads
   * the whole blob. */
  for (size_t at = 0; at < made.size; at += at < 1200 || at + 500 > made.size ? 1 : 401) {
    const unsigned char was = made.bytes[at];
    made.bytes[at] = (unsigned char)(was ^ (1u << at % 8));
    expect_refused(a, made.bytes, made.size, CLRS_INVALID_ARGUMENT, at);
    made.bytes[at] = (unsigned char)~was;
    expect_refused(a, made.bytes, made.size, CLRS_INVALID_ARGUMENT, at);
    made.bytes[at] = was;
    tried++;
  }
  print_message("%zu of %zu bytes changed\n", tried, made.size);
  clrs_context *fresh = device_library(&a->device, NULL); /* and unchanged the blob is good */
  CHECK_OK(clrs_context_import_programs(fresh, made.bytes, made.size, &error), error);
  clrs_context_release(fresh);
  free(made.bytes);
}

API_TEST(every_cut_is_refused) {
  blob made = exported(a, a->library);
  for (size_t size = 0; size < made.size; size++) {
    const bool copied = size < 3000 || size % 997 == 0;
    blob cut = copied ? shortened(&made, size) : made;
    expect_refused(a, cut.bytes, size, CLRS_INVALID_ARGUMENT, size);
    if (copied)
      free(cut.bytes);
  }
  unsigned char *longer = malloc(made.size + 8);
  assert_non_null(longer);
  memcpy(longer, made.bytes, made.size);
  memset(longer + made.size, 0, 8);
  for (size_t more = 1; more <= 8; more++)
    expect_refused(a, longer, made.size + more, CLRS_INVALID_ARGUMENT, made.size + more);
  free(longer);
  free(made.bytes);
}

/* Recomputes the checksum described in src/opencl/program/blob.h. A changed blob is then whole, and
 * only the contents can be wrong. */
static void seal(blob *made) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < made->size; i += i == 8 ? 16 : 8) {
    unsigned char word[8] = {0};
    memcpy(word, made->bytes + i, made->size - i < 8 ? made->size - i : 8);
    for (size_t j = 0; j < 8; j++)
      sum ^= (uint64_t)word[j] << 8 * j;
    sum *= UINT64_C(0x100000001b3);
    sum ^= sum >> 32;
  }
  for (size_t i = 0; i < 8; i++)
    made->bytes[16 + i] = (unsigned char)(sum >> 8 * i);
}

API_TEST(another_identity_is_refused_by_name) {
  blob made = exported(a, a->library);
  clrs_context *fresh = device_library(&a->device, NULL);
  seal(&made); /* the same as before */
  CHECK_OK(clrs_context_import_programs(fresh, made.bytes, made.size, &error), error);
  clrs_context_release(fresh);
  assert_memory_equal(made.bytes + 32, "clreshape ", 10);
  made.bytes[32] = 'C';
  seal(&made);
  expect_refused(a, made.bytes, made.size, CLRS_UNSUPPORTED, 32);
  CHECK_FAILS(clrs_context_import_programs(a->foreign_library, made.bytes, made.size, &error),
              CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "for \"Clreshape");
  CHECK_SAYS(error, "for \"clreshape");
  free(made.bytes);
}

/* Byte offset of the first program's title length, and the length. */
static size_t title_of(const blob *made, size_t *length) {
  const size_t at = 32 + made->bytes[24] + 256u * made->bytes[25];
  *length = made->bytes[at] + 256u * made->bytes[at + 1];
  return at;
}

/* Valid by the checksum, but with any one length changed. */
API_TEST(lengths_that_lie_are_refused) {
  static const unsigned char lies[] = {0, 1, 3, 0x80, 0xff};
  blob made = exported(a, a->library);
  size_t length = 0;
  const size_t title = title_of(&made, &length), starts[] = {title, title + 8 + length};
  for (size_t at = 0; at < 16; at++)
    for (size_t i = 0; i < sizeof lies; i++) {
      unsigned char *byte = &made.bytes[starts[at / 8] + at % 8];
      const unsigned char was = *byte;
      if (was == lies[i])
        continue;
      *byte = lies[i];
      seal(&made);
      expect_refused(a, made.bytes, made.size, CLRS_INVALID_ARGUMENT, at);
      *byte = was;
    }
  free(made.bytes);
}

/* One of two programs has another title. */
API_TEST(a_binary_is_given_to_its_title_alone) {
  blob made = exported(a, a->library);
  size_t length = 0;
  const size_t title = title_of(&made, &length);
  clrs_context *fresh = device_library(&a->device, NULL);
  made.bytes[title + 8 + length - 1] ^= 1; /* an option's number */
  seal(&made);
  CHECK_OK(clrs_context_import_programs(fresh, made.bytes, made.size, &error), error);
  const opencl_counts before = opencl_counted();
  api_poison(a);
  transpose(a, fresh, CLRS_U8);
  transpose(a, fresh, CLRS_F32);
  assert_int_equal(opencl_counted().from_binary, before.from_binary + 1);
  assert_int_equal(opencl_counted().from_source, before.from_source + 1);
  assert_int_equal(clrs_context_program_count(fresh), 3);
  clrs_context_release(fresh);
  free(made.bytes);
}

API_TEST(what_is_missing_is_named) {
  unsigned char byte = 7;
  size_t size = 0;
  CHECK_FAILS(clrs_context_export_programs(NULL, NULL, 0, &size, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_FAILS(clrs_context_export_programs(a->library, NULL, 0, NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(clrs_context_export_programs(a->library, &byte, 1, &size, &error), CLRS_OUT_OF_BOUNDS,
              error);
  assert_true(byte == 7 && size > 1);
  CHECK_FAILS(clrs_context_import_programs(NULL, &byte, 1, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(clrs_context_import_programs(a->library, NULL, 0, &error), CLRS_INVALID_ARGUMENT,
              error);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
