/*
 * Shared by the fuzzing harnesses: a budget of memory, numbers from the input, and files with the
 * input. A harness is a libFuzzer target that ends the process at any fault.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_FUZZ_H
#define CLRS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Every harness defines this function. libFuzzer calls the function. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      (void)fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition);               \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/* From begin to end no more than `size` bytes and 16 MiB may be allocated at a time, and at the end
 * nothing may be left. */
void fuzz_memory_begin(size_t size);
void fuzz_memory_end(void);

/* Bytes of the input in sequence, and 0 at the end. */
typedef struct fuzz_source {
  const uint8_t *bytes;
  size_t left;
} fuzz_source;

uint8_t fuzz_byte(fuzz_source *source);
/* Often a number at which arithmetic turns: around 0, 2^31, 2^32, 2^62, the ends. */
int64_t fuzz_number(fuzz_source *source);

/* Returns the path of a file in memory with these bytes, valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
