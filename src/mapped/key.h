/*
 * The key of a mapped move's program: the build parameters. A key never contains a shape or a
 * number of the map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "mapped.h"
#include "shared.h"
#include "step_kind.h"

/* The kernel of a launch, by the files of kernels/. */
typedef enum clrs__mapped_geometry {
  CLRS__NOT_MAPPED,
  CLRS__MAPPED_ROWS,
  CLRS__MAPPED_ANY,
  CLRS__MAPPED_TILE,
  CLRS__MAPPED_GPU_ROWS, /* the first kernel for work-groups */
  CLRS__MAPPED_GPU_TILE,
  CLRS__MAPPED_GPU_PIXELS,
  CLRS__MAPPED_GPU_COLORS,
  CLRS__MAPPED_GEOMETRIES
} clrs__mapped_geometry;

/* A key has byte fields only, so that two keys are equal if their bytes are equal. All 0 means no
 * map. */
typedef struct clrs__map_key {
  uint8_t geometry;
  uint8_t from, to, step_count;
  uint8_t kinds[CLRS_MAPPED_STEPS];
  uint8_t dtypes[CLRS_MAPPED_STEPS];    /* type of a step's arithmetic or result, at last `to` */
  uint8_t roundings[CLRS_MAPPED_STEPS]; /* of steps that round */
  uint8_t overflows[CLRS_MAPPED_STEPS];
  uint8_t origins[CLRS_MAPPED_STEPS]; /* CLRS_ORIGIN_... */
  uint8_t types[CLRS_MAPPED_STEPS];   /* of tensors */
  uint8_t views[CLRS_MAPPED_STEPS];   /* operands of the positions */
  uint8_t view_count;
  uint8_t way;          /* CLRS_WAY_... */
  uint8_t division;     /* CLRS_DIVIDES_... */
  uint8_t is_unaligned; /* some operand is not aligned */
  uint8_t is_tabled;    /* more axes or numbers than fit into the arguments */
  /* For work-groups (kernels/map_group.cl), else 0. */
  uint8_t column_axes, row_axes, spread, ragged, wide_source, pixels, halvings;
  uint8_t is_indexed; /* a gather or a scatter */
  uint8_t scatters;   /* the indices name places of the destination */
  uint8_t combine;    /* CLRS_COMBINE_... of a resized picture, or 0 */
  uint8_t cast;       /* 1 + the type of picture elements that become `from` first, or 0 */
  uint8_t colors;     /* CLRS_COLORS_... of the picture's frame or of the mixed colours, or 0 */
  uint8_t mixes;      /* if the kernel makes colours (mix.h): mask of operands of colours alone */
  uint8_t first_step; /* the key's first step in the map, behind the steps of colours */
  uint8_t is_tame;    /* as tame.h proves. 0 of a key that is settled */
} clrs__map_key;

/* The abilities of a device's arithmetic. */
typedef struct clrs__arithmetic {
  bool has_doubles;
  bool has_denormals; /* of floats */
  bool divides;       /* floats, rounded correctly */
  bool fuses;         /* fma of floats by an instruction */
  bool keeps_excess;  /* a result keeps more bits than its type has, as in x87 registers */
} clrs__arithmetic;

/* Makes the key of a map: its steps, and the origins of the parameters. The pass chooses geometry,
 * alignment and tables. `views` are bound to the map. Fails with CLRS_UNSUPPORTED if the map is a
 * bitcast, which has no arithmetic. */
clrs_status clrs__map_key_of(const clrs_map *map, const clrs_map_views *views, clrs__map_key *key,
                             clrs_error *error);

/* The type of the source's elements. */
static inline clrs_dtype clrs__map_key_stored(const clrs__map_key *key) {
  return (clrs_dtype)(key->cast != 0 ? key->cast - 1 : key->from);
}

/* Returns true if a work-group moves a chunk. */
static inline bool clrs__map_key_is_grouped(const clrs__map_key *key) {
  return key->geometry >= CLRS__MAPPED_GPU_ROWS;
}

/* Work-items of a group. */
static inline int clrs__map_group(const clrs__map_key *key) {
  return CLRS_GROUP_ITEMS >> key->halvings;
}

/* Elements of one access of a work-group's item. */
static inline uint32_t clrs__map_access(const clrs__map_key *key) {
  const int from = (int)clrs_dtype_bits((clrs_dtype)key->from);
  const int to = (int)clrs_dtype_bits((clrs_dtype)key->to);
  if (key->geometry == CLRS__MAPPED_GPU_COLORS) {
    return (uint32_t)(key->mixes != 0 ? CLRS_MAPPED_COLORED_PIXELS(to)
                      : key->ragged   ? 1
                                      : CLRS_MAPPED_PICTURE_PIXELS(to));
  }
  return (uint32_t)(key->geometry == CLRS__MAPPED_GPU_ROWS ? CLRS_MAPPED_ACCESS(from, to)
                                                           : CLRS_VECTOR_UNITS(to));
}

/* Room for axes and numbers in the words of a launch. */
uint32_t clrs__map_key_axes(const clrs__map_key *key, uint32_t index_bits);
uint32_t clrs__map_key_numbers(const clrs__map_key *key);

enum { CLRS__MAP_OPTIONS_BYTES = 4096 };
void clrs__map_key_options(const clrs__map_key *key, uint32_t index_bits, char *options,
                           size_t size);

/* The name of the kernel and of its file. */
const char *clrs__map_key_name(const clrs__map_key *key);
