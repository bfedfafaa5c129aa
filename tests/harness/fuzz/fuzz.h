/*
 * What the fuzzing harnesses share: a budget of memory, numbers out of the input, and files that
 * hold it. A harness is a libFuzzer target; it ends the process over anything that is wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_FUZZ_H
#define CLRS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Every harness defines it; libFuzzer calls it. */
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

/* Bytes of the input, one after the other; 0 when there are no more. */
typedef struct fuzz_source {
  const uint8_t *bytes;
  size_t left;
} fuzz_source;

uint8_t fuzz_byte(fuzz_source *source);
/* Often a number at which arithmetic turns: around 0, 2^31, 2^32, 2^62, the ends. */
int64_t fuzz_number(fuzz_source *source);

/* The path of a file in memory with these bytes; it lives until the next one. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
