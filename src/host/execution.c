/* SPDX-License-Identifier: Apache-2.0 */
#include "execution.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

clrs_status cli_execution_from_environment(clrs_execution *execution, clrs_error *error) {
  const char *wish = getenv("CLRS_EXECUTION");
  if (wish == NULL) {
    *execution = CLRS_EXECUTION_AUTO;
  } else if (strcmp(wish, "cpu") == 0) {
    *execution = CLRS_EXECUTION_CPU;
  } else if (strcmp(wish, "gpu") == 0) {
    *execution = CLRS_EXECUTION_GPU;
  } else {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the environment's CLRS_EXECUTION is \"%.40s\"; it must be cpu or gpu", wish);
  }
  return CLRS_OK;
}
