/* SPDX-License-Identifier: Apache-2.0 */
#include "execution.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

clrs_status cli_execution_from_environment(clrs_execution *execution, clrs_error *error) {
  const char *wish = getenv("CLRS_EXECUTION");
  if (wish == NULL) {
    *execution = CLRS_EXECUTION_AUTO;
  } else if (strcmp(wish, "core") == 0) {
    *execution = CLRS_EXECUTION_CORE;
  } else if (strcmp(wish, "wide") == 0) {
    *execution = CLRS_EXECUTION_WIDE;
  } else {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the environment's CLRS_EXECUTION is \"%.40s\"; it must be core or wide",
                      wish);
  }
  return CLRS_OK;
}
