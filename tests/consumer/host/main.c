/*
 * A program that uses the host's own library and clreshape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/clreshape.h>

int host_answer(void);

int main(void) {
  const int64_t dims[] = {6, 7};
  clrs_error error;
  clrs_shape shape;
  int64_t count = 0;
  const bool ok = clrs_shape_init(2, dims, &shape, &error) == CLRS_OK &&
                  clrs_shape_count(&shape, &count, &error) == CLRS_OK;
  return ok && count == host_answer() ? 0 : 1;
}
