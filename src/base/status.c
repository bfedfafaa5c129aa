/* SPDX-License-Identifier: Apache-2.0 */
#include "status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#define NAME(status) [status] = #status

const char *clrs_status_name(clrs_status status) {
  static const char *const names[] = {NAME(CLRS_OK),
                                      NAME(CLRS_INVALID_ARGUMENT),
                                      NAME(CLRS_INVALID_PATTERN),
                                      NAME(CLRS_COUNT_MISMATCH),
                                      NAME(CLRS_OVERFLOW),
                                      NAME(CLRS_LIMIT_EXCEEDED),
                                      NAME(CLRS_OUT_OF_BOUNDS),
                                      NAME(CLRS_OVERLAP),
                                      NAME(CLRS_WOULD_COPY),
                                      NAME(CLRS_UNSUPPORTED),
                                      NAME(CLRS_OUT_OF_MEMORY),
                                      NAME(CLRS_OPENCL_ERROR),
                                      NAME(CLRS_BUILD_FAILURE)};
  const size_t count = sizeof names / sizeof *names;
  return (size_t)status < count ? names[status] : "unknown status";
}

/* Writes the rest of a message from `used` on. A text without room is cut between two
 * characters. */
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

clrs_status clrs__check_buffer_size(uint64_t size, uint64_t most, clrs_error *error) {
  return size <= most && size <= SIZE_MAX
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "the tensor has %" PRIu64 " bytes; one buffer of this device has at most "
                          "%" PRIu64,
                          size, most);
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
