/*
 * Calls the host's library, and clreshape with and without a context.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <answers.h>
#include <stdio.h>

int main(void) {
  clrs_error error = {CLRS_OK, 0, ""};
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *context = NULL;
  int64_t count = 0;
  if (answers_count(&count, &error) != CLRS_OK || count != 42) {
    printf("%lld elements: %s\n", (long long)count, error.message);
    return 1;
  }
  /* Without an OpenCL context clreshape has no context either: the whole library is linked, and
   * OpenCL. */
  return clrs_context_create(&options, &context, &error) == CLRS_INVALID_ARGUMENT ? 0 : 1;
}
