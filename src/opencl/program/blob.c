/* SPDX-License-Identifier: Apache-2.0 */
#include "blob.h"

#include <string.h>

#include "checksum.h"

static const unsigned char magic[8] = {'C', 'L', 'R', 'S', 'P', 'R', 'G', 3};

enum { WORD = 8, SIZE_AT = 8, CHECKSUM_AT = 16, HEAD = 24 };

static uint64_t checksum(const unsigned char *blob, size_t size) {
  const uint64_t sum = clrs__checksum_add(CLRS__CHECKSUM_START, blob, CHECKSUM_AT);
  return clrs__checksum_add(sum, blob + HEAD, size - HEAD);
}

clrs__bytes clrs__bytes_of_text(const char *text) {
  return (clrs__bytes){(const unsigned char *)text, strlen(text)};
}

bool clrs__bytes_equal(clrs__bytes a, clrs__bytes b) {
  return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* ---- writing ---- */

static unsigned char *skip(clrs__blob_writer *writer, size_t length) {
  const size_t at = writer->size;
  writer->size += length;
  return writer->bytes != NULL && writer->size <= writer->capacity ? writer->bytes + at : NULL;
}

static void store_word(unsigned char *at, uint64_t word) {
  for (size_t i = 0; i < WORD; i++) {
    at[i] = (unsigned char)(word >> 8 * i);
  }
}

unsigned char *clrs__blob_put(clrs__blob_writer *writer, clrs__bytes piece) {
  unsigned char *at = skip(writer, WORD + piece.length);
  if (at == NULL) {
    return NULL;
  }
  store_word(at, piece.length);
  if (piece.bytes != NULL) {
    memcpy(at + WORD, piece.bytes, piece.length);
  }
  return at + WORD;
}

void clrs__blob_begin(clrs__blob_writer *writer, clrs__bytes identity) {
  unsigned char *head = skip(writer, HEAD);
  if (head != NULL) {
    memcpy(head, magic, sizeof magic);
  }
  (void)clrs__blob_put(writer, identity);
}

void clrs__blob_end(clrs__blob_writer *writer) {
  if (writer->bytes != NULL && writer->size <= writer->capacity) {
    store_word(writer->bytes + SIZE_AT, writer->size);
    store_word(writer->bytes + CHECKSUM_AT, checksum(writer->bytes, writer->size));
  }
}

/* ---- reading: never past the end, whatever the bytes say ---- */

static bool take(clrs__blob_reader *reader, clrs__bytes *piece) {
  if (reader->length < WORD) {
    return false;
  }
  const uint64_t length = clrs__checksum_word(reader->bytes);
  if (length > reader->length - WORD) {
    return false;
  }
  *piece = (clrs__bytes){reader->bytes + WORD, (size_t)length};
  reader->bytes = piece->bytes + piece->length;
  reader->length -= WORD + piece->length;
  return true;
}

bool clrs__blob_next(clrs__blob_reader *reader, clrs__blob_program *program) {
  return take(reader, &program->title) && take(reader, &program->binary) &&
         program->binary.length > 0;
}

static clrs_status fail_damaged(clrs_error *error, const char *how) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "the blob is no blob of programs, or damaged: %s; nothing was taken from it",
                    how);
}

clrs_status clrs__blob_check(clrs__bytes blob, clrs_error *error) {
  if (blob.length < HEAD || memcmp(blob.bytes, magic, sizeof magic) != 0) {
    return fail_damaged(error, "it does not begin as one");
  }
  if (clrs__checksum_word(blob.bytes + SIZE_AT) != blob.length) {
    return fail_damaged(error, "it is not as long as it says");
  }
  if (clrs__checksum_word(blob.bytes + CHECKSUM_AT) != checksum(blob.bytes, blob.length)) {
    return fail_damaged(error, "its checksum is another");
  }
  return CLRS_OK;
}

static clrs_status check_identity(clrs__bytes found, clrs__bytes wanted, clrs_error *error) {
  const int most = 300; /* most characters of each identity in the message */
  if (clrs__bytes_equal(found, wanted)) {
    return CLRS_OK;
  }
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "the programs of the blob are for \"%.*s\"; this context needs them for "
      "\"%.*s\"; nothing was taken from it",
      found.length < (size_t)most ? (int)found.length : most, (const char *)found.bytes,
      wanted.length < (size_t)most ? (int)wanted.length : most, (const char *)wanted.bytes);
}

clrs_status clrs__blob_open(clrs__bytes blob, clrs__bytes identity, clrs__blob_reader *reader,
                            clrs_error *error) {
  clrs__bytes found;
  clrs__blob_program program;
  *reader = (clrs__bytes){blob.bytes + HEAD, blob.length - HEAD};
  if (!take(reader, &found)) {
    return fail_damaged(error, "it ends too early");
  }
  CLRS_TRY(check_identity(found, identity, error));
  clrs__blob_reader rest = *reader;
  while (rest.length > 0) {
    if (!clrs__blob_next(&rest, &program)) {
      return fail_damaged(error, "one of its programs is not whole");
    }
  }
  return CLRS_OK;
}
