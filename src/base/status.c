/* SPDX-License-Identifier: Apache-2.0 */
#include "status.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

const char *clrs_status_name(clrs_status status) {
  switch (status) {
  case CLRS_OK:
    return "CLRS_OK";
  case CLRS_INVALID_ARGUMENT:
    return "CLRS_INVALID_ARGUMENT";
  case CLRS_INVALID_PATTERN:
    return "CLRS_INVALID_PATTERN";
  case CLRS_COUNT_MISMATCH:
    return "CLRS_COUNT_MISMATCH";
  case CLRS_OVERFLOW:
    return "CLRS_OVERFLOW";
  case CLRS_LIMIT_EXCEEDED:
    return "CLRS_LIMIT_EXCEEDED";
  case CLRS_OUT_OF_BOUNDS:
    return "CLRS_OUT_OF_BOUNDS";
  case CLRS_OVERLAP:
    return "CLRS_OVERLAP";
  case CLRS_WOULD_COPY:
    return "CLRS_WOULD_COPY";
  case CLRS_UNSUPPORTED:
    return "CLRS_UNSUPPORTED";
  case CLRS_OUT_OF_MEMORY:
    return "CLRS_OUT_OF_MEMORY";
  case CLRS_OPENCL_ERROR:
    return "CLRS_OPENCL_ERROR";
  case CLRS_BUILD_FAILURE:
    return "CLRS_BUILD_FAILURE";
  }
  return "unknown status";
}

/* Writes the rest of a message from `used` on; what has no room is cut between two characters. */
static void put(clrs_error *error, size_t used, const char *format, va_list arguments) {
  const size_t room = sizeof error->message - used;
  if ((size_t)vsnprintf(error->message + used, room, format, arguments) >= room) {
    clrs__drop_cut_character(error->message);
  }
}

void clrs__describe_list(clrs_error *error, clrs_status status, const char *format,
                         va_list arguments) {
  if (error != NULL) {
    error->status = status;
    error->opencl_code = 0;
    put(error, 0, format, arguments);
  }
}

void clrs__describe(clrs_error *error, clrs_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  clrs__describe_list(error, status, format, arguments);
  va_end(arguments);
}

clrs_status clrs__fail_opencl(clrs_error *error, int32_t code, const char *call) {
  clrs__describe(error, CLRS_OPENCL_ERROR, "%s failed with OpenCL error %d", call, (int)code);
  if (error != NULL) {
    error->opencl_code = code;
  }
  return CLRS_OPENCL_ERROR;
}

void clrs__append(clrs_error *error, const char *format, ...) {
  if (error == NULL) {
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  put(error, strlen(error->message), format, arguments);
  va_end(arguments);
}
