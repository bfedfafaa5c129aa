/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario_programs.h"

/* A damaged blob is refused before any call to the driver, so no other failure matters. */
static void import_damaged(clrs_context *library, unsigned char *blob, size_t size) {
  blob[size / 2] ^= 1;
  assert_int_equal(clrs_context_import_programs(library, blob, size, &error),
                   CLRS_INVALID_ARGUMENT);
  assert_int_equal(clrs_context_program_count(library), 0);
  blob[size / 2] ^= 1;
}

static clrs_status export_and_import(const scenario *s, attempt *try) {
  static unsigned char blob[1 << 20];
  clrs_context *other = NULL;
  size_t size = 0;
  clrs_status status =
      clrs_context_export_programs(try->library, blob, sizeof blob, &size, &try->error);
  if (status == CLRS_OK)
    status = scenario_library(s, try, &other);
  if (status == CLRS_OK) {
    import_damaged(other, blob, size);
    status = clrs_context_import_programs(other, blob, size, &try->error);
    assert_int_equal(clrs_context_program_count(other), status == CLRS_OK);
  }
  if (status == CLRS_OK) /* gives the driver the imported programs */
    status = clrs_context_warm_up(other, s->warmed, 32, &try->error);
  clrs_context_release(other);
  return status;
}

bool scenario_is_without_tensors(const scenario *s) {
  return s->kind == REQUEST_WARM_UP || s->kind == REQUEST_BLOB;
}

clrs_status scenario_prepare(const scenario *s, attempt *try) {
  clrs_status status = clrs_context_warm_up(try->library, s->warmed, 32, &try->error);
  if (status == CLRS_OK && s->kind == REQUEST_BLOB)
    status = export_and_import(s, try);
  return status;
}
