/*
 * Any bytes as a blob of programs, in three ways. First the bytes as they are. Then the bytes
 * behind the identity, with a valid size and checksum, because no fuzzer finds a checksum. Then as
 * programs that are written, after which a byte is changed. Nothing may be read outside, an
 * accepted blob is written again the same, and no changed byte is accepted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "fuzz.h"
#include "opencl/program/blob.h"

enum { HEAD = 24, WORD = 8 };

static const char name[] = "clreshape's fuzzer";
static const clrs__bytes own = {(const unsigned char *)name, sizeof name - 1};

static clrs__blob_writer writer_of(size_t capacity) {
  clrs__blob_writer writer = {malloc(capacity), capacity, 0};
  REQUIRE(writer.bytes != NULL);
  return writer;
}

/* Writes the rest of the reader, which reads every byte. */
static void rewrite(clrs__blob_reader reader, clrs__bytes identity, clrs__blob_writer *writer) {
  clrs__blob_program program;
  clrs__blob_begin(writer, identity);
  while (clrs__blob_next(&reader, &program)) {
    (void)clrs__blob_put(writer, program.title);
    (void)clrs__blob_put(writer, program.binary);
  }
  clrs__blob_end(writer);
}

/* Reads the blob like the library. Returns true if the blob is accepted. */
static bool read_blob(clrs__bytes blob, clrs__bytes identity) {
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
static void read_exact(const clrs__blob_writer *writer, clrs__bytes identity) {
  const clrs__blob_writer exact = writer_of(writer->size);
  memcpy(exact.bytes, writer->bytes, writer->size);
  (void)read_blob((clrs__bytes){exact.bytes, writer->size}, identity);
  free(exact.bytes);
}

/* Returns the identity that the blob itself claims, so a real blob is read on any machine. */
static clrs__bytes identity_of(clrs__bytes blob) {
  if (blob.length < HEAD + WORD) {
    return own;
  }
  const size_t length = blob.bytes[HEAD] | (size_t)blob.bytes[HEAD + 1] << 8;
  return length <= blob.length - HEAD - WORD ? (clrs__bytes){blob.bytes + HEAD + WORD, length}
                                             : own;
}

/* The programs. The checks behind the checksum must hold by themselves, also where there is not
 * even a checksum. */
static void read_sealed(const uint8_t *data, size_t size) {
  clrs__blob_writer writer = writer_of(HEAD + WORD + own.length + size);
  clrs__blob_begin(&writer, own);
  memcpy(writer.bytes + writer.size, data, size);
  writer.size += size;
  clrs__blob_end(&writer);
  read_exact(&writer, own);
  free(writer.bytes);
}

/* The changed blob must be refused. With a new size and checksum the blob only must do no harm. */
static void flip_one(fuzz_source *source, clrs__blob_writer *writer) {
  const clrs__bytes blob = {writer->bytes, writer->size};
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
  const size_t title = fuzz_byte(&source);
  clrs__blob_writer writer = writer_of(size + 2048);
  clrs__blob_begin(&writer, own);
  (void)clrs__blob_put(&writer, own);
  (void)clrs__blob_put(&writer, own);
  (void)clrs__blob_put(&writer,
                       (clrs__bytes){source.bytes, title < source.left ? title : source.left});
  (void)clrs__blob_put(&writer,
                       source.left > 3 ? (clrs__bytes){source.bytes, source.left - 3} : own);
  clrs__blob_end(&writer);
  REQUIRE(writer.size <= writer.capacity);
  const clrs__bytes blob = {writer.bytes, writer.size};
  REQUIRE(read_blob(blob, own));
  flip_one(&source, &writer);
  free(writer.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const clrs__bytes blob = {data, size};
  fuzz_memory_begin(3 * size); /* the sealed blob, a copy, and the rewritten blob */
  (void)read_blob(blob, identity_of(blob));
  (void)read_blob(blob, own);
  read_sealed(data, size);
  write_and_damage(data, size);
  fuzz_memory_end();
  return 0;
}
