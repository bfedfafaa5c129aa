/*
 * Any bytes as a blob of programs, in three ways: as they are; as what follows the identity, with
 * the size and checksum that belong to them, since no fuzzer finds a checksum; and as programs that
 * are written, after which one byte is changed. Nothing may be read outside, what is accepted is
 * written again the same, and no changed byte is accepted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "fuzz.h"
#include "opencl/program/blob.h"

enum { HEAD = 24, WORD = 8 };

static const char name[] = "clreshape's fuzzer";
static const clrs__blob_text own = {(const unsigned char *)name, sizeof name - 1};

static clrs__blob_writer writer_of(size_t capacity) {
  clrs__blob_writer writer = {malloc(capacity), capacity, 0};
  REQUIRE(writer.bytes != NULL);
  return writer;
}

/* Every byte that the reader points at. */
static unsigned sum_of(clrs__blob_text text) {
  unsigned sum = 0;
  for (size_t i = 0; i < text.length; i++) {
    sum += text.bytes[i];
  }
  return sum;
}

/* Writes what the reader has left. */
static void rewrite(clrs__blob_reader reader, clrs__blob_text identity, clrs__blob_writer *writer) {
  clrs__blob_program program;
  clrs__blob_begin(writer, identity, (size_t)reader.programs_left);
  while (clrs__blob_next(&reader, &program)) {
    (void)sum_of(program.binary);
    clrs__blob_put(writer, &program);
  }
  clrs__blob_end(writer);
}

/* As the library reads it. True if it is taken. */
static bool read_blob(clrs__blob_text blob, clrs__blob_text identity) {
  clrs__blob_reader reader;
  clrs_error error = {0};
  clrs_status status = clrs__blob_check(blob, &error);
  if (status == CLRS_OK) {
    status = clrs__blob_open(blob, identity, &reader, &error);
  }
  if (status != CLRS_OK) {
    REQUIRE(error.status == status && error.message[0] != '\0');
    return false;
  }
  clrs__blob_writer again = writer_of(blob.length);
  rewrite(reader, identity, &again);
  REQUIRE(again.size == blob.length && memcmp(again.bytes, blob.bytes, blob.length) == 0);
  free(again.bytes);
  return true;
}

/* From memory that ends where the blob ends. */
static void read_exact(const clrs__blob_writer *writer, clrs__blob_text identity) {
  const clrs__blob_writer exact = writer_of(writer->size);
  memcpy(exact.bytes, writer->bytes, writer->size);
  (void)read_blob((clrs__blob_text){exact.bytes, writer->size}, identity);
  free(exact.bytes);
}

/* What the blob itself says that it is for, so that a real one is read on any machine. */
static clrs__blob_text identity_of(clrs__blob_text blob) {
  if (blob.length < HEAD + WORD) {
    return own;
  }
  const size_t length = blob.bytes[HEAD] | (size_t)blob.bytes[HEAD + 1] << 8;
  return length <= blob.length - HEAD - WORD ? (clrs__blob_text){blob.bytes + HEAD + WORD, length}
                                             : own;
}

/* The number of programs and the programs. The checks behind the checksum must hold by themselves,
 * also where there is not even a checksum. */
static void read_sealed(const uint8_t *data, size_t size) {
  clrs__blob_writer writer = writer_of(HEAD + WORD + own.length + size + WORD);
  clrs__blob_begin(&writer, own, 0);
  writer.size -= WORD; /* over the count */
  unsigned char *to = clrs__blob_skip(&writer, size);
  REQUIRE(to != NULL);
  memcpy(to, data, size);
  clrs__blob_end(&writer);
  read_exact(&writer, own);
  free(writer.bytes);
}

static clrs__variant variant_of(fuzz_source *source) {
  return (clrs__variant){.kernel_class =
                             (clrs_class)(1 + fuzz_byte(source) % (CLRS_CLASS_COUNT - 1)),
                         .unit_bits = 1U << fuzz_byte(source) % 8,
                         .index_bits = (uint32_t)fuzz_number(source),
                         .nest_axes = (uint32_t)fuzz_number(source),
                         .level_axes = fuzz_byte(source),
                         .msb_first = fuzz_byte(source) % 2 != 0,
                         .is_batched = fuzz_byte(source) % 2 != 0};
}

/* As it is, it must be refused; with size and checksum made anew it need only do no harm. */
static void flip_one(fuzz_source *source, clrs__blob_writer *writer) {
  const clrs__blob_text blob = {writer->bytes, writer->size};
  clrs_error error;
  const size_t place = fuzz_byte(source) | (size_t)fuzz_byte(source) << 8;
  const unsigned char change = fuzz_byte(source);
  writer->bytes[place % blob.length] ^= change != 0 ? change : 1;
  REQUIRE(clrs__blob_check(blob, &error) == CLRS_INVALID_ARGUMENT);
  clrs__blob_end(writer);
  read_exact(writer, own);
}

/* Two programs, the second with all that is left for a binary. */
static void write_and_damage(const uint8_t *data, size_t size) {
  fuzz_source source = {data, size};
  clrs__blob_program first = {.binary = own}, second = {.binary = own};
  first.variant = variant_of(&source);
  second.variant = variant_of(&source);
  if (source.left > 3) {
    second.binary = (clrs__blob_text){source.bytes, source.left - 3};
  }
  clrs__blob_writer writer = writer_of(size + 2048);
  clrs__blob_begin(&writer, own, 2);
  clrs__blob_put(&writer, &first);
  clrs__blob_put(&writer, &second);
  clrs__blob_end(&writer);
  REQUIRE(writer.size <= writer.capacity);
  const clrs__blob_text blob = {writer.bytes, writer.size};
  REQUIRE(read_blob(blob, own));
  flip_one(&source, &writer);
  free(writer.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const clrs__blob_text blob = {data, size};
  fuzz_memory_begin(3 * size); /* what is sealed, its copy, and what is written again */
  (void)read_blob(blob, identity_of(blob));
  (void)read_blob(blob, own);
  read_sealed(data, size);
  write_and_damage(data, size);
  fuzz_memory_end();
  return 0;
}
