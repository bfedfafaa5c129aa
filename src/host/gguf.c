/* SPDX-License-Identifier: Apache-2.0 */
#include "gguf.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "checked.h"
#include "descriptor.h"
#include "fail.h"
#include "raw.h"
#include "spool.h"
#include "text.h"
#include "zip_read.h"

/* ---- types ---- */

/* A type of tensors. Quantised types have blocks of BLOCK elements: a scale in f16, then codes. */
enum { BLOCK = 32, SCALE_BYTES = 2, MOST_BLOCK_BYTES = 34 };

typedef struct tensor_type {
  uint32_t number;
  clrs_dtype dtype;     /* of the elements that are read */
  uint32_t block_bytes; /* 0: the file holds the elements themselves */
} tensor_type;

static const tensor_type types[] = {
    {0, CLRS_F32, 0},  {1, CLRS_F16, 0},  {2, CLRS_F32, 18}, {8, CLRS_F32, 34}, {24, CLRS_I8, 0},
    {25, CLRS_I16, 0}, {26, CLRS_I32, 0}, {27, CLRS_I64, 0}, {28, CLRS_F64, 0}, {30, CLRS_BF16, 0},
};

static const tensor_type *find_type(uint64_t number) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (types[i].number == number) {
      return &types[i];
    }
  }
  return NULL;
}

/* ---- the bytes in front of the data ---- */

enum { MOST_NAME = 256 };

/* An open file, read in order through a buffer. A read behind the end sets `is_cut`. */
typedef struct reader {
  int fd;
  const char *name; /* for messages */
  uint64_t at, size;
  bool is_cut;
  int code; /* errno of a failed read, or 0 */
  uint64_t buffer_at;
  size_t buffer_size;
  unsigned char buffer[1 << 12];
} reader;

static bool fill(reader *from) {
  const ssize_t got = cli_read_some(from->fd, &from->at, from->buffer, sizeof from->buffer);
  from->code = got < 0 ? errno : 0;
  from->buffer_at = from->at;
  from->buffer_size = got > 0 ? (size_t)got : 0;
  return got > 0;
}

static bool skip(reader *from, uint64_t size) {
  from->is_cut = from->is_cut || size > from->size - from->at;
  from->at += from->is_cut ? 0 : size;
  return !from->is_cut;
}

static void read_bytes(reader *from, void *bytes, size_t size) {
  for (size_t done = 0; done < size && !from->is_cut; done++) {
    const bool is_there =
        from->at >= from->buffer_at && from->at - from->buffer_at < from->buffer_size;
    from->is_cut = from->at >= from->size || (!is_there && !fill(from));
    ((unsigned char *)bytes)[done] = from->is_cut ? 0 : from->buffer[from->at++ - from->buffer_at];
  }
}

static uint64_t read_number(reader *from, size_t size) {
  unsigned char bytes[8] = {0};
  read_bytes(from, bytes, size);
  return from->is_cut ? 0 : cli_zip_number(bytes, size);
}

/* Reads a string, and cuts a long string. Returns the length in the file. */
static uint64_t read_string(reader *from, char text[MOST_NAME]) {
  const uint64_t size = read_number(from, 8);
  const size_t kept = size < MOST_NAME ? (size_t)size : MOST_NAME - 1;
  read_bytes(from, text, kept);
  text[from->is_cut ? 0 : kept] = '\0';
  skip(from, size - kept);
  return size;
}

static clrs_status fail_file(const reader *of, const char *rule, clrs_error *error) {
  return of->code != 0
             ? cli_fail_file(error, of->name, of->code)
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", of->name,
                          of->is_cut ? "truncated: the file ends within its header" : rule);
}

/* ---- metadata ---- */

enum { U32 = 4, TEXT = 8, ARRAY = 9, VALUE_TYPES = 13, ALIGNMENT = 32 };

static const uint8_t value_bytes[VALUE_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

static void skip_strings(reader *from, uint64_t count) {
  for (uint64_t i = 0; i < count && !from->is_cut; i++) {
    skip(from, read_number(from, 8));
  }
}

/* Skips `count` values of a type, which is no array. */
static bool skip_values(reader *from, uint64_t type, uint64_t count) {
  if (type == TEXT) {
    skip_strings(from, count);
  } else if (type < VALUE_TYPES && type != ARRAY) {
    const uint64_t bytes = value_bytes[type];
    from->is_cut = from->is_cut || count > from->size / bytes;
    skip(from, from->is_cut ? 0 : count * bytes);
  } else {
    return false;
  }
  return true;
}

static clrs_status read_entry(reader *from, uint64_t *alignment, clrs_error *error) {
  char key[MOST_NAME];
  read_string(from, key);
  uint64_t type = read_number(from, 4), count = 1;
  if (strcmp(key, "general.alignment") == 0) {
    *alignment = type == U32 ? read_number(from, 4) : 0;
    return *alignment > 0
               ? CLRS_OK
               : fail_file(from, "damaged: its alignment is 0, or no number of type u32", error);
  }
  if (type == ARRAY) {
    type = read_number(from, 4);
    count = read_number(from, 8);
  }
  return skip_values(from, type, count) && !from->is_cut
             ? CLRS_OK
             : fail_file(from, "damaged: a value of the metadata has no known type", error);
}

/* ---- tensors ---- */

/* What the file says of a tensor. */
typedef struct tensor {
  char name[MOST_NAME];
  clrs_shape shape;
  uint64_t type, offset;
} tensor;

static clrs_status read_tensor(reader *from, tensor *found, clrs_error *error) {
  int64_t dims[CLRS_MAX_RANK];
  const bool has_name = read_string(from, found->name) == strlen(found->name);
  const uint64_t rank = read_number(from, 4);
  if (rank > CLRS_MAX_RANK) {
    return fail_file(from, "damaged: a tensor has more than 32 dims", error);
  }
  for (uint64_t i = rank; i-- > 0;) {
    dims[i] = (int64_t)read_number(from, 8); /* the innermost dim comes first */
  }
  found->type = read_number(from, 4);
  found->offset = read_number(from, 8);
  if (from->is_cut || !has_name) {
    return fail_file(from, "damaged: the name of a tensor has a byte 0 or over 255 bytes", error);
  }
  return clrs_shape_init((size_t)rank, dims, &found->shape, error) == CLRS_OK
             ? CLRS_OK
             : cli_fail_prefix(error, "%s", from->name);
}

/* The choice among the tensors of a file. */
typedef struct choice {
  const char *wanted; /* or NULL */
  cli_names *names;   /* gets all names, or NULL */
  tensor found;
  bool is_found;
  uint64_t count, data_offset;
  clrs_error listed; /* the names, for a message */
} choice;

static clrs_status read_tensors(reader *from, choice *made, clrs_error *error) {
  tensor next;
  clrs__describe(&made->listed, CLRS_INVALID_ARGUMENT, "it has %" PRIu64 " tensors", made->count);
  for (uint64_t i = 0; i < made->count; i++) {
    CLRS_TRY(read_tensor(from, &next, error));
    const bool is_wanted =
        made->wanted != NULL ? strcmp(next.name, made->wanted) == 0 : made->count == 1;
    if (is_wanted && made->is_found) {
      return fail_file(from, "damaged: two tensors have that name", error);
    }
    made->found = is_wanted ? next : made->found;
    made->is_found = made->is_found || is_wanted;
    if (made->names != NULL) {
      CLRS_TRY(cli_names_add(made->names, from->name, next.name, strlen(next.name), error));
    }
    if (i < 8) {
      clrs__append(&made->listed, "%s%s", i > 0 ? ", " : ": ", clrs__show(next.name).text);
    }
  }
  return CLRS_OK;
}

static clrs_status read_file(reader *from, choice *made, clrs_error *error) {
  uint64_t alignment = ALIGNMENT;
  const uint64_t magic = read_number(from, 4), version = read_number(from, 4);
  made->count = read_number(from, 8);
  const uint64_t entries = read_number(from, 8);
  if (magic != 0x46554747 || version < 2 || version > 3) { /* "GGUF" */
    from->is_cut = false;
    return fail_file(from, "not a GGUF file of version 2 or 3", error);
  }
  for (uint64_t i = 0; i < entries; i++) {
    CLRS_TRY(read_entry(from, &alignment, error));
  }
  CLRS_TRY(read_tensors(from, made, error));
  const uint64_t rest = alignment > 0 ? from->at % alignment : 0;
  skip(from, made->count > 0 && rest > 0 ? alignment - rest : 0);
  made->data_offset = from->at;
  return from->is_cut ? fail_file(from, "", error) : CLRS_OK;
}

/* Finds type, place and size. *bytes is the number of bytes in the file. */
static clrs_status find_data(const reader *from, const choice *made, cli_npy_header *header,
                             uint64_t *bytes, clrs_error *error) {
  const tensor *found = &made->found;
  const tensor_type *type = find_type(found->type);
  const uint32_t rank = found->shape.rank;
  int64_t count = 0, stored = 0, read = 0;
  if (type == NULL) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "%s: a tensor of GGUF's type %" PRIu64
                      "; F32, F16, BF16, F64, integers, Q4_0 and Q8_0 are read",
                      from->name, found->type);
  }
  const bool has_blocks = type->block_bytes > 0;
  CLRS_TRY(cli_raw_type(type->dtype, &header->type, error));
  CLRS_TRY(clrs_shape_count(&found->shape, &count, error));
  if (has_blocks && (rank == 0 || found->shape.dims[rank - 1] % BLOCK != 0)) {
    return fail_file(from, "damaged: a row is no multiple of 32 elements, a block", error);
  }
  if (!clrs__multiply(has_blocks ? count / BLOCK : count,
                      has_blocks ? type->block_bytes : header->type.element_bytes, &stored) ||
      !clrs__multiply(count, header->type.element_bytes, &read) ||
      found->offset > from->size - made->data_offset ||
      (uint64_t)stored > from->size - made->data_offset - found->offset) {
    return fail_file(from, "truncated: the data of the tensor lies outside of the file", error);
  }
  header->shape = found->shape;
  header->data_offset = made->data_offset + found->offset;
  header->data_bytes = (uint64_t)read;
  *bytes = (uint64_t)stored;
  return CLRS_OK;
}

/* ---- blocks ---- */

/* Exact: f32 holds every f16. */
static float float_of_half(const unsigned char *bytes) {
  const uint32_t bits = (uint32_t)cli_zip_number(bytes, SCALE_BYTES);
  const int exponent = (int)(bits >> 10 & 31), mantissa = (int)(bits & 1023);
  const float size = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
                     : exponent == 0 ? ldexpf((float)mantissa, -24)
                                     : ldexpf((float)(mantissa + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

/* Byte i of Q4_0 has element i in the low half and element i + 16 in the high half. */
static int code_at(const unsigned char *codes, uint32_t block_bytes, int index) {
  return block_bytes == MOST_BLOCK_BYTES ? (int8_t)codes[index]
                                         : (codes[index % 16] >> (index / 16 * 4) & 15) - 8;
}

static clrs_status read_blocks(const reader *from, uint64_t at, unsigned char *bytes, size_t size,
                               clrs_error *error) {
  for (size_t done = 0; done < size;) {
    const uint64_t next = at + done;
    const ssize_t got = cli_read_some(from->fd, &next, bytes + done, size - done);
    if (got <= 0) {
      return got < 0 ? cli_fail_file(error, from->name, errno)
                     : fail_file(from, "became shorter while it was read", error);
    }
    done += (size_t)got;
  }
  return CLRS_OK;
}

/* Writes all blocks as numbers. `at` is the first block's place in the file. */
static clrs_status convert(const reader *from, uint64_t at, uint64_t bytes, uint32_t block_bytes,
                           int to, clrs_error *error) {
  enum { BLOCKS = 64 };
  unsigned char blocks[BLOCKS * MOST_BLOCK_BYTES];
  float numbers[BLOCKS * BLOCK];
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t most = (uint64_t)BLOCKS * block_bytes, left = bytes - done;
    const size_t size = (size_t)(left < most ? left : most), count = size / block_bytes * BLOCK;
    CLRS_TRY(read_blocks(from, at + done, blocks, size, error));
    for (size_t i = 0; i < count; i++) {
      const unsigned char *block = blocks + i / BLOCK * block_bytes;
      const int code = code_at(block + SCALE_BYTES, block_bytes, (int)(i % BLOCK));
      numbers[i] = float_of_half(block) * (float)code;
    }
    CLRS_TRY(cli_write_all(to, "a temporary file", numbers, count * sizeof(float), error));
    done += size;
  }
  return CLRS_OK;
}

/* ---- opening ---- */

static clrs_status fail_choice(const reader *from, const choice *made, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s; %s%s", clrs__show(from->name).text,
                    made->wanted != NULL ? "there is no tensor of that name"
                                         : "name one tensor, as in A.gguf:name",
                    made->listed.message, made->count > 8 ? ", ..." : "");
}

/* Finds the tensor. *spool becomes a file of the numbers, if the tensor has blocks. */
static clrs_status find_tensor(reader *from, choice *made, cli_npy_header *header, int *spool,
                               clrs_error *error) {
  uint64_t bytes = 0;
  CLRS_TRY(read_file(from, made, error));
  if (!made->is_found) {
    return fail_choice(from, made, error);
  }
  CLRS_TRY(find_data(from, made, header, &bytes, error));
  const uint32_t block_bytes = find_type(made->found.type)->block_bytes;
  if (block_bytes == 0) {
    return CLRS_OK;
  }
  const uint64_t at = header->data_offset;
  header->data_offset = 0;
  CLRS_TRY(cli_spool_open(NULL, spool, error));
  return convert(from, at, bytes, block_bytes, *spool, error);
}

static void close_file(int fd) {
  if (fd >= 0) {
    close(fd);
  }
}

static clrs_status open_file(reader *from, clrs_error *error) {
  cli_file_info info;
  if (from->fd < 0) {
    return cli_fail_file(error, from->name, errno);
  }
  if (cli_file_look_opened(from->fd, &info) != 0 || !info.is_regular) {
    return fail_file(from, "not a regular file", error);
  }
  from->size = info.size;
  return CLRS_OK;
}

clrs_status cli_gguf_open(const char *name, const cli_archive_name *of, int *fd,
                          cli_npy_header *header, clrs_error *error) {
  int spool = -1;
  choice made = {.wanted = of->member};
  reader from = {.fd = cli_file_open(of->path, true), .name = name};
  memset(header, 0, sizeof *header);
  clrs_status status = open_file(&from, error);
  if (status == CLRS_OK) {
    status = find_tensor(&from, &made, header, &spool, error);
  }
  if (status == CLRS_OK) {
    *fd = spool >= 0 ? spool : from.fd;
  }
  close_file(status == CLRS_OK && spool < 0 ? -1 : from.fd);
  close_file(status == CLRS_OK ? -1 : spool);
  return status;
}

clrs_status cli_gguf_list(const char *path, cli_names *names, clrs_error *error) {
  choice made = {.names = names};
  reader from = {.fd = cli_file_open(path, true), .name = path};
  clrs_status status = open_file(&from, error);
  if (status == CLRS_OK) {
    status = read_file(&from, &made, error);
  }
  close_file(from.fd);
  return status;
}
