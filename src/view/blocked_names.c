/*
 * The names of blocked layouts. oneDNN writes the order of the dims, with capitals for blocked
 * dims, and then the blocks ("nChw16c"). OpenVINO writes the same with underscores, "s" for the
 * slices and "sv16" for the vector of a slice ("b_fs_yx_fsv16").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "clreshape/core.h"
#include "view.h"

/* The parts of a name. Dims are still letters. */
typedef struct parsed_name {
  uint32_t rank;
  char order[CLRS_MAX_RANK];     /* lower case, outermost first */
  bool is_sliced[CLRS_MAX_RANK]; /* a capital, or written with an s: must have a block */
  uint32_t block_count;
  char block_letters[CLRS_MAX_BLOCKS];
  int64_t block_sizes[CLRS_MAX_BLOCKS];
} parsed_name;

static clrs_status fail_name(const char *name, const char *rule, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "\"%.60s\" is not a layout name: %s", name, rule);
}

/* ---- taking apart ---- */

static bool add_dim(parsed_name *parsed, char letter, bool is_sliced) {
  if (parsed->rank == CLRS_MAX_RANK || memchr(parsed->order, letter, parsed->rank) != NULL) {
    return false;
  }
  parsed->is_sliced[parsed->rank] = is_sliced;
  parsed->order[parsed->rank++] = letter;
  return true;
}

/* Reads digits. Returns false if there are no digits, or more digits than any block has. */
static bool read_size(const char **text, int64_t *size) {
  *size = 0;
  const char *start = *text;
  while (isdigit((unsigned char)**text) && *text - start < 6) {
    *size = *size * 10 + (**text - '0');
    (*text)++;
  }
  return *text > start && *size > 0;
}

static bool add_block(parsed_name *parsed, char letter, int64_t size) {
  if (parsed->block_count == CLRS_MAX_BLOCKS ||
      memchr(parsed->order, letter, parsed->rank) == NULL) {
    return false;
  }
  parsed->block_letters[parsed->block_count] = letter;
  parsed->block_sizes[parsed->block_count++] = size;
  return true;
}

/* letters, then any number of (size, letter) */
static bool parse_onednn(const char *text, parsed_name *parsed) {
  for (; isalpha((unsigned char)*text); text++) {
    if (!add_dim(parsed, (char)tolower((unsigned char)*text), isupper((unsigned char)*text) != 0)) {
      return false;
    }
  }
  while (*text != '\0') {
    int64_t size;
    if (!read_size(&text, &size) || !islower((unsigned char)*text) ||
        !add_block(parsed, *text, size)) {
      return false;
    }
    text++;
  }
  return parsed->rank > 0;
}

/* One part between underscores: "yx", "fs", or "fsv16". */
static bool parse_openvino_part(const char *part, size_t length, parsed_name *parsed) {
  if (length >= 2 && part[1] == 's') {
    if (length == 2) {
      return add_dim(parsed, part[0], true);
    }
    const char *digits = part + 3;
    int64_t size;
    return part[2] == 'v' && read_size(&digits, &size) && digits == part + length &&
           add_block(parsed, part[0], size);
  }
  for (size_t i = 0; i < length; i++) {
    if (!islower((unsigned char)part[i]) || !add_dim(parsed, part[i], false)) {
      return false;
    }
  }
  return length > 0;
}

static bool parse_openvino(const char *text, parsed_name *parsed) {
  for (;;) {
    const size_t length = strcspn(text, "_");
    if (!parse_openvino_part(text, length, parsed)) {
      return false;
    }
    if (text[length] == '\0') {
      return true;
    }
    text += length + 1;
  }
}

/* A dim is written as sliced if and only if it has blocks. */
static bool slices_match_blocks(const parsed_name *parsed) {
  for (uint32_t i = 0; i < parsed->rank; i++) {
    const bool has_block =
        memchr(parsed->block_letters, parsed->order[i], parsed->block_count) != NULL;
    if (has_block != parsed->is_sliced[i]) {
      return false;
    }
  }
  return true;
}

/* ---- letters to dims ---- */

/* The numbering of the dims by letters: alphabetic, oneDNN's weights and activations, OpenVINO's. A
 * name belongs to the first family that has all its letters. */
static const char *const families[] = {"abcdefghijkl", "goidhw", "ncdhw", "goizyx", "bfwzyx"};

static bool has_all_letters(const char *family, const parsed_name *parsed) {
  for (uint32_t i = 0; i < parsed->rank; i++) {
    if (strchr(family, parsed->order[i]) == NULL) {
      return false;
    }
  }
  /* Alphabetic letters start at a without gaps. "cd" is therefore not a matrix. Letters of the
   * other families may be left out. */
  return family[0] != 'a' || memchr(parsed->order, 'a' + (int)parsed->rank - 1, parsed->rank);
}

static const char *find_family(const parsed_name *parsed) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (has_all_letters(families[i], parsed)) {
      return families[i];
    }
  }
  return NULL;
}

/* The dim of a letter: the number of the name's letters before it in the family. Example: h is dim
 * 2 of "nchw", and dim 1 of "nhw". */
static uint32_t dim_of(const char *family, const parsed_name *parsed, char letter) {
  uint32_t dim = 0;
  for (const char *other = family; *other != letter; other++) {
    dim += memchr(parsed->order, *other, parsed->rank) != NULL;
  }
  return dim;
}

/* ---- the dense layout ---- */

static clrs_status pad_dims(clrs_blocked_layout *blocked, clrs_error *error) {
  int64_t multiples[CLRS_MAX_RANK];
  for (uint32_t dim = 0; dim < blocked->shape.rank; dim++) {
    multiples[dim] = 1;
  }
  for (uint32_t i = 0; i < blocked->block_count; i++) {
    int64_t *multiple = &multiples[blocked->blocks[i].dim];
    if (!clrs__multiply(*multiple, blocked->blocks[i].size, multiple)) {
      return clrs__fail(error, CLRS_OVERFLOW, "the blocks multiply to more than 64 bits");
    }
  }
  for (uint32_t dim = 0; dim < blocked->shape.rank; dim++) {
    const int64_t extent = blocked->shape.dims[dim];
    const int64_t outer = clrs__divide_up(extent, multiples[dim]);
    if (!clrs__multiply(outer, multiples[dim], &blocked->padded_dims[dim])) {
      return clrs__fail(error, CLRS_OVERFLOW, "dimension %u of extent %" PRId64 " cannot be padded",
                        dim, extent);
    }
    blocked->outer_strides[dim] = outer; /* an extent until set_strides */
  }
  return CLRS_OK;
}

/* Sets dense strides in the order of the name, outside of all blocks. */
static clrs_status set_strides(const char *family, const parsed_name *parsed,
                               clrs_blocked_layout *blocked, clrs_error *error) {
  int64_t stride = 1;
  for (uint32_t i = 0; i < blocked->block_count; i++) {
    if (!clrs__multiply(stride, blocked->blocks[i].size, &stride)) {
      return clrs__fail(error, CLRS_OVERFLOW, "the blocks multiply to more than 64 bits");
    }
  }
  for (uint32_t i = parsed->rank; i > 0;) {
    i--;
    const uint32_t dim = dim_of(family, parsed, parsed->order[i]);
    const int64_t extent = blocked->outer_strides[dim];
    blocked->outer_strides[dim] = stride;
    if (!clrs__multiply(stride, extent > 0 ? extent : 1, &stride)) {
      return clrs__fail(error, CLRS_OVERFLOW, "the strides do not fit in 64 bits");
    }
  }
  return CLRS_OK;
}

clrs_status clrs_blocked_from_name(const char *name, clrs_dtype dtype, const clrs_shape *shape,
                                   clrs_blocked_layout *blocked, clrs_error *error) {
  CLRS_TRY(clrs__require(name, "name", error));
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__require(blocked, "blocked", error));
  CLRS_TRY(clrs__shape_check(shape, error));
  parsed_name parsed = {.rank = 0};
  const bool openvino = strchr(name, '_') != NULL;
  if (!(openvino ? parse_openvino(name, &parsed) : parse_onednn(name, &parsed))) {
    return fail_name(name, "it must be each dim once, then blocks of those dims", error);
  }
  if (!slices_match_blocks(&parsed)) {
    return fail_name(name, "exactly the dims that have blocks are capitals, or marked s", error);
  }
  const char *family = find_family(&parsed);
  if (family == NULL) {
    return fail_name(name, "its letters are of no family of dims", error);
  }
  if (parsed.rank != shape->rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "\"%.60s\" names %u dims; the shape has %u",
                      name, parsed.rank, shape->rank);
  }
  clrs_blocked_layout result = {.dtype = dtype, .shape = *shape};
  result.block_count = parsed.block_count;
  for (uint32_t i = 0; i < parsed.block_count; i++) {
    result.blocks[i].dim = dim_of(family, &parsed, parsed.block_letters[i]);
    result.blocks[i].size = parsed.block_sizes[i];
  }
  CLRS_TRY(pad_dims(&result, error));
  CLRS_TRY(set_strides(family, &parsed, &result, error));
  clrs_view view;
  CLRS_TRY(clrs_blocked_view(&result, &view, error));
  *blocked = result;
  return CLRS_OK;
}
