/*
 * Failure reports of every module: clrs__fail writes the error and returns the status, CLRS_TRY
 * passes a failure on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdarg.h>

#include "clreshape/plan.h"

/* A test puts another macro in place, and lets a call fail: tests/harness/try_faults.h. */
#ifndef CLRS_TRIED
#define CLRS_TRIED(expression) (expression)
#endif

#define CLRS_TRY(expression)                                                                       \
  do {                                                                                             \
    clrs_status clrs_try_status = CLRS_TRIED(expression);                                          \
    if (clrs_try_status != CLRS_OK) {                                                              \
      return clrs_try_status;                                                                      \
    }                                                                                              \
  } while (0)

#if defined(__MINGW32__) && !defined(__clang__) /* MinGW's own printf in C11 */
#define CLRS_PRINTF_LIKE(format_index, first_argument)                                             \
  __attribute__((format(gnu_printf, format_index, first_argument)))
#elif defined(__GNUC__)
#define CLRS_PRINTF_LIKE(format_index, first_argument)                                             \
  __attribute__((format(printf, format_index, first_argument)))
#else
#define CLRS_PRINTF_LIKE(format_index, first_argument)
#endif

/* Fills *error, if there is one, and evaluates to `status`. The macro lets compilers and analysers
 * see that a failure is never CLRS_OK. */
#define clrs__fail(error, status, ...)                                                             \
  (clrs__describe((error), (status), __VA_ARGS__), (clrs_status)(status))

void clrs__describe(clrs_error *error, clrs_status status, const char *format, ...)
    CLRS_PRINTF_LIKE(3, 4);
void clrs__describe_list(clrs_error *error, clrs_status status, const char *format,
                         va_list arguments) CLRS_PRINTF_LIKE(3, 0);

/* Returns CLRS_OPENCL_ERROR, with the code and the call in the message. An OpenCL code is a cl_int,
 * which is an int32_t, because base includes no OpenCL header. */
clrs_status clrs__fail_opencl(clrs_error *error, int32_t code, const char *call);

/* Returns if an OpenCL call that gives its code fails. Success is 0. */
#define CLRS_TRY_OPENCL(call_name, code_expression, error)                                         \
  do {                                                                                             \
    const int32_t clrs_try_code = (code_expression);                                               \
    if (clrs_try_code != 0) {                                                                      \
      return clrs__fail_opencl(error, clrs_try_code, call_name);                                   \
    }                                                                                              \
  } while (0)

/* Returns CLRS_OUT_OF_MEMORY, with the sentence of the further arguments, if the pointer is
 * NULL. */
#define CLRS_TRY_MEMORY(pointer, error, ...)                                                       \
  do {                                                                                             \
    if ((pointer) == NULL) {                                                                       \
      return clrs__fail((error), CLRS_OUT_OF_MEMORY, __VA_ARGS__);                                 \
    }                                                                                              \
  } while (0)

/* Returns CLRS_LIMIT_EXCEEDED, with a sentence that drivers do not give, if a buffer is too large.
 */
clrs_status clrs__check_buffer_size(uint64_t size, uint64_t most, clrs_error *error);

/* Appends a caller's knowledge to a message. */
void clrs__append(clrs_error *error, const char *format, ...) CLRS_PRINTF_LIKE(2, 3);

/* Returns CLRS_INVALID_ARGUMENT, naming the parameter, if `pointer` is NULL. */
static inline clrs_status clrs__require(const void *pointer, const char *parameter,
                                        clrs_error *error) {
  return pointer != NULL ? CLRS_OK
                         : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                      "%s is NULL; it must point to a value", parameter);
}
