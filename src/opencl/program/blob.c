/* SPDX-License-Identifier: Apache-2.0 */
#include "blob.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "checksum.h"

static const unsigned char magic[8] = {'C', 'L', 'R', 'S', 'P', 'R', 'G', 2};

enum { WORD = 8, SIZE_AT = 8, CHECKSUM_AT = 16, HEAD = 24, PLAIN_WORDS = 13 };

/* And the bytes of a map, and of what is indexed. */
enum {
  MAP_WORDS = (sizeof(clrs__map_key) + WORD - 1) / WORD,
  INDEX_WORDS = (sizeof(clrs__index_key) + WORD - 1) / WORD,
  VARIANT_WORDS = PLAIN_WORDS + MAP_WORDS + INDEX_WORDS
};

enum { TITLE_BYTES = CLRS__OPTIONS_BYTES + 32 };

static uint64_t checksum(const unsigned char *blob, size_t size) {
  const uint64_t sum = clrs__checksum_add_words(CLRS__CHECKSUM_START, blob, CHECKSUM_AT);
  return clrs__checksum_add_words(sum, blob + HEAD, size - HEAD);
}

/* ---- writing ---- */

static void store_word(unsigned char *at, uint64_t word) {
  for (size_t i = 0; i < WORD; i++) {
    at[i] = (unsigned char)(word >> 8 * i);
  }
}

unsigned char *clrs__blob_skip(clrs__blob_writer *writer, size_t length) {
  const size_t at = writer->size;
  writer->size += length;
  return writer->bytes != NULL && writer->size <= writer->capacity ? writer->bytes + at : NULL;
}

static void put_word(clrs__blob_writer *writer, uint64_t word) {
  unsigned char *at = clrs__blob_skip(writer, WORD);
  if (at != NULL) {
    store_word(at, word);
  }
}

static void put_text(clrs__blob_writer *writer, clrs__blob_text text) {
  put_word(writer, text.length);
  unsigned char *at = clrs__blob_skip(writer, text.length);
  if (at != NULL && text.bytes != NULL) {
    memcpy(at, text.bytes, text.length);
  }
}

void clrs__blob_begin(clrs__blob_writer *writer, clrs__blob_text identity, size_t program_count) {
  unsigned char *head = clrs__blob_skip(writer, HEAD);
  if (head != NULL) {
    memset(head, 0, HEAD);
    memcpy(head, magic, sizeof magic);
  }
  put_text(writer, identity);
  put_word(writer, program_count);
}

static void words_of_bytes(const void *bytes, size_t size, uint64_t *words) {
  memset(words, 0, (size + WORD - 1) / WORD * sizeof *words);
  for (size_t i = 0; i < size; i++) {
    words[i / WORD] |= (uint64_t)((const unsigned char *)bytes)[i] << (i % WORD) * CHAR_BIT;
  }
}

static void variant_words(const clrs__variant *variant, uint64_t *words) {
  const uint64_t all[PLAIN_WORDS] = {(uint64_t)variant->kernel_class,
                                     variant->unit_bits,
                                     variant->index_bits,
                                     variant->nest_axes,
                                     variant->level_axes,
                                     variant->msb_first,
                                     variant->interleaves,
                                     variant->fills,
                                     variant->is_chunked,
                                     variant->is_batched,
                                     variant->wide_source,
                                     variant->wide_destination,
                                     variant->loops};
  memcpy(words, all, sizeof all);
  words_of_bytes(&variant->map, sizeof variant->map, words + PLAIN_WORDS);
  words_of_bytes(&variant->index, sizeof variant->index, words + PLAIN_WORDS + MAP_WORDS);
}

static void bytes_of_words(const uint64_t *words, void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    ((unsigned char *)bytes)[i] = (unsigned char)(words[i / WORD] >> (i % WORD) * CHAR_BIT);
  }
}

/* A class's, or one of a map, or of indices, that the options can be made of: the title then tells
 * the rest. */
static bool is_known(uint64_t kernel_class, const clrs__map_key *map,
                     const clrs__index_key *index) {
  if (map->geometry == CLRS__NOT_MAPPED) {
    return (kernel_class > CLRS_CLASS_ANY || index->is_indexed) && kernel_class < CLRS_CLASS_COUNT;
  }
  return kernel_class == CLRS_CLASS_ANY && !index->is_indexed && clrs__map_key_is_known(map);
}

/* So that a binary cannot be taken for that of another variant. */
static clrs__blob_text title_of(clrs__variant variant, char *text, size_t size) {
  char options[CLRS__OPTIONS_BYTES];
  clrs__variant_options(variant, options, sizeof options);
  const int length = snprintf(text, size, "%s %s", clrs__variant_name(&variant), options);
  return (clrs__blob_text){(const unsigned char *)text, (size_t)length};
}

void clrs__blob_put(clrs__blob_writer *writer, const clrs__blob_program *program) {
  uint64_t words[VARIANT_WORDS];
  char title[TITLE_BYTES];
  variant_words(&program->variant, words);
  for (size_t i = 0; i < VARIANT_WORDS; i++) {
    put_word(writer, words[i]);
  }
  put_text(writer, title_of(program->variant, title, sizeof title));
  put_text(writer, program->binary);
}

void clrs__blob_end(clrs__blob_writer *writer) {
  if (writer->bytes != NULL && writer->size <= writer->capacity) {
    store_word(writer->bytes + SIZE_AT, writer->size);
    store_word(writer->bytes + CHECKSUM_AT, checksum(writer->bytes, writer->size));
  }
}

/* ---- reading: never past the end, whatever the bytes say ---- */

static uint64_t load_word(const unsigned char *at) {
  uint64_t word = 0;
  for (size_t i = WORD; i-- > 0;) {
    word = word << 8 | at[i];
  }
  return word;
}

static bool take_word(clrs__blob_reader *reader, uint64_t *word) {
  if (reader->size - reader->at < WORD) {
    return false;
  }
  *word = load_word(reader->bytes + reader->at);
  reader->at += WORD;
  return true;
}

static bool take_text(clrs__blob_reader *reader, clrs__blob_text *text) {
  uint64_t length;
  if (!take_word(reader, &length) || length > reader->size - reader->at) {
    return false;
  }
  *text = (clrs__blob_text){reader->bytes + reader->at, (size_t)length};
  reader->at += (size_t)length;
  return true;
}

/* Also that the words are what this library writes for a variant. */
static bool take_variant(clrs__blob_reader *reader, clrs__variant *variant) {
  uint64_t words[VARIANT_WORDS] = {0}, again[VARIANT_WORDS];
  for (size_t i = 0; i < VARIANT_WORDS; i++) {
    if (!take_word(reader, &words[i])) {
      return false;
    }
  }
  clrs__map_key map;
  clrs__index_key index;
  bytes_of_words(words + PLAIN_WORDS, &map, sizeof map);
  bytes_of_words(words + PLAIN_WORDS + MAP_WORDS, &index, sizeof index);
  if (!is_known(words[0], &map, &index)) {
    return false;
  }
  *variant = (clrs__variant){.kernel_class = (clrs_class)words[0],
                             .unit_bits = (uint32_t)words[1],
                             .index_bits = (uint32_t)words[2],
                             .nest_axes = (uint32_t)words[3],
                             .level_axes = (uint32_t)words[4],
                             .msb_first = words[5] != 0,
                             .interleaves = words[6] != 0,
                             .fills = words[7] != 0,
                             .is_chunked = words[8] != 0,
                             .is_batched = words[9] != 0,
                             .wide_source = words[10] != 0,
                             .wide_destination = words[11] != 0,
                             .loops = words[12] != 0,
                             .map = map,
                             .index = index};
  variant_words(variant, again);
  return memcmp(words, again, sizeof words) == 0;
}

static bool texts_equal(clrs__blob_text a, clrs__blob_text b) {
  return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

static bool take_program(clrs__blob_reader *reader, clrs__blob_program *program) {
  char title[TITLE_BYTES];
  clrs__blob_text found;
  return take_variant(reader, &program->variant) && take_text(reader, &found) &&
         take_text(reader, &program->binary) && program->binary.length > 0 &&
         texts_equal(found, title_of(program->variant, title, sizeof title));
}

static clrs_status fail_damaged(clrs_error *error, const char *how) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "the blob is no blob of programs, or damaged: %s; nothing was taken from it",
                    how);
}

clrs_status clrs__blob_check(clrs__blob_text blob, clrs_error *error) {
  if (blob.length < HEAD || memcmp(blob.bytes, magic, sizeof magic) != 0) {
    return fail_damaged(error, "it does not begin as one");
  }
  if (load_word(blob.bytes + SIZE_AT) != blob.length) {
    return fail_damaged(error, "it is not as long as it says");
  }
  if (load_word(blob.bytes + CHECKSUM_AT) != checksum(blob.bytes, blob.length)) {
    return fail_damaged(error, "its checksum is another");
  }
  return CLRS_OK;
}

static clrs_status check_identity(clrs__blob_text found, clrs__blob_text wanted,
                                  clrs_error *error) {
  const int most = 300; /* of each in the message */
  if (texts_equal(found, wanted)) {
    return CLRS_OK;
  }
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "the programs of the blob are for \"%.*s\"; this context needs them for "
      "\"%.*s\"; nothing was taken from it",
      found.length < (size_t)most ? (int)found.length : most, (const char *)found.bytes,
      wanted.length < (size_t)most ? (int)wanted.length : most, (const char *)wanted.bytes);
}

static clrs_status check_programs(clrs__blob_reader reader, clrs_error *error) {
  clrs__blob_program program;
  for (; reader.programs_left > 0; reader.programs_left--) {
    if (!take_program(&reader, &program)) {
      return fail_damaged(error, "one of its programs is not whole");
    }
  }
  return reader.at == reader.size ? CLRS_OK
                                  : fail_damaged(error, "there is something behind its programs");
}

clrs_status clrs__blob_open(clrs__blob_text blob, clrs__blob_text identity,
                            clrs__blob_reader *reader, clrs_error *error) {
  clrs__blob_text found;
  *reader = (clrs__blob_reader){blob.bytes, blob.length, HEAD, 0};
  if (!take_text(reader, &found) || !take_word(reader, &reader->programs_left)) {
    return fail_damaged(error, "it ends too early");
  }
  CLRS_TRY(check_identity(found, identity, error));
  return check_programs(*reader, error);
}

bool clrs__blob_next(clrs__blob_reader *reader, clrs__blob_program *program) {
  if (reader->programs_left == 0) {
    return false;
  }
  reader->programs_left--;
  return take_program(reader, program);
}
