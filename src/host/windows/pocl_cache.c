/*
 * PoCL for Windows has other folders and another linker, so that nothing is checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pocl_cache.h"

#include <stdio.h>

bool cli_pocl_is(cl_platform_id platform) {
  return platform == NULL;
}

bool cli_pocl_cache_works(char *sentence, size_t size) {
  return snprintf(sentence, size, "%s", "") == 0;
}

bool cli_pocl_finds_linker(void) {
  return true;
}
