/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void fail(const char *name, const char *why) {
  fprintf(stderr, "%s: %s\n", name, why);
  exit(1);
}

void require(const char *name, clrs_status status, const clrs_error *error) {
  if (status != CLRS_OK) {
    fail(name, error->message);
  }
}

uint32_t read_numbers(const char *text, int64_t *numbers) {
  uint32_t count = 0;
  for (char *end; count < CLRS_MAX_RANK; text = end + 1) {
    numbers[count++] = strtoll(text, &end, 10);
    if (*end != ',') {
      return count;
    }
  }
  return count;
}

void begin_line(const launch_facts *of) {
  char options[CLRS__OPTIONS_BYTES];
  clrs__variant_options(of->variant, options, sizeof options);
  printf("{\"name\": \"%s\", \"suite\": \"%s\", ", of->name, of->suite);
  printf("\"kernel\": \"%s\", \"unit\": %u, \"options\": \"%s\", ",
         clrs__variant_name(&of->variant), of->unit_bits, options);
  printf("\"bits\": %u, \"read\": %" PRIu64 ", \"written\": %" PRIu64 ", ", of->bits, of->read,
         of->written);
  printf("\"extent\": %" PRId64 ", ", of->extent);
  printf("\"items\": [%" PRIu64 ", %" PRIu64 "], \"group\": [%" PRIu64 ", %" PRIu64 "], ",
         of->items[0], of->items[1], of->group[0], of->group[1]);
  printf("\"arguments\": [");
}

void print_bytes(const void *data, size_t count) {
  const unsigned char *bytes = data;
  putchar('"');
  for (size_t i = 0; i < count; i++) {
    printf("%02x", bytes[i]);
  }
  putchar('"');
}

void print_buffer(const char *name, uint64_t start) {
  printf("\"%s\", %" PRIu64 ", ", name, start);
}

clrs_shape listed_shape(const clrs_shape *named, const clrs_shape *indices, uint32_t axis) {
  clrs_shape shape = {.rank = named->rank - 1 + indices->rank};
  for (uint32_t i = 0; i < shape.rank; i++) {
    const bool is_index = i >= axis && i < axis + indices->rank;
    shape.dims[i] = i < axis   ? named->dims[i]
                    : is_index ? indices->dims[i - axis]
                               : named->dims[i + 1 - indices->rank];
  }
  return shape;
}
