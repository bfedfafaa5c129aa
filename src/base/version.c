/* SPDX-License-Identifier: Apache-2.0 */
#include <clreshape/core.h>

uint32_t clrs_version(void) {
  return CLRS_VERSION_MAJOR * 10000 + CLRS_VERSION_MINOR * 100 + CLRS_VERSION_PATCH;
}
