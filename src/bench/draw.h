/*
 * Tools for drawing families of random cases: random numbers, and a case that becomes a line of a
 * file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- random numbers ---- */

typedef struct bench_rng {
  uint64_t state;
} bench_rng;

/* A number from low to high, both included. */
int64_t draw_between(bench_rng *rng, int64_t low, int64_t high);
/* A number that is as likely to be in 16 to 31 as in 1024 to 2047. First a power of two is drawn,
 * then the distance to the next power. */
int64_t draw_by_logarithm(bench_rng *rng, int64_t low, int64_t high);
/* Returns true once in `count` times. */
bool draw_one_in(bench_rng *rng, int64_t count);
int64_t draw_one_of(bench_rng *rng, size_t count, const int64_t *values);
void draw_permutation(bench_rng *rng, uint32_t rank, int64_t *perm);
/* Extents whose product is about `count`. All places are equally likely to have the long
 * extents. */
void draw_extents(bench_rng *rng, uint32_t rank, int64_t count, int64_t *dims);

/* A list of numbers as a length and a pointer. */
#define LIST(...)                                                                                  \
  sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]) {                    \
    __VA_ARGS__                                                                                    \
  }

/* ---- cases ---- */

enum { DRAWN_DIMS = 20, DRAWN_CHAIN = 400 };

/* Dims and strides of one side. Without strides the side is dense. */
typedef struct drawn_side {
  uint32_t rank;
  int64_t dims[DRAWN_DIMS], strides[DRAWN_DIMS], offset;
  bool strided, has_offset;
} drawn_side;

typedef struct bench_drawn {
  const char *dtype;
  uint32_t bits;
  drawn_side from, to; /* only the strides of `to` are written */
  char chain[DRAWN_CHAIN];
  bool is_batch; /* the first dim counts moves */
} bench_drawn;

/* Draws a type of 1 to 16 bytes, or a type of 1, 2 or 4 bits. */
void draw_type(bench_rng *rng, bench_drawn *drawn);
void draw_packed_type(bench_rng *rng, bench_drawn *drawn);
/* The number of elements of a tensor of 16 KiB to 256 MiB. */
int64_t draw_count(bench_rng *rng, uint32_t bits);

void drawn_set_dims(drawn_side *side, size_t rank, const int64_t *dims);
/* Sets strides of a tensor that is cut out of a larger tensor. Each step outside dim i skips its
 * dims[i] elements and spare[i] more. NULL gives dense strides. Example: dims 3 and 4 with 2 spare
 * elements behind dim 1 have the strides 6 and 1. */
void drawn_set_pitches(drawn_side *side, const int64_t *spare);
/* Adds some spare elements behind one dim, but not behind the first dim. */
void draw_pitch(bench_rng *rng, drawn_side *side);
/* Sets the dims of the result of one permutation, for a destination with separate strides. */
void drawn_set_result(bench_drawn *drawn, const int64_t *perm);

/* The next steps of the chain. kept: the number of kept elements of each dim, or NULL for all
 * elements. */
void drawn_permute(bench_drawn *drawn, size_t count, const int64_t *perm);
void drawn_reshape(bench_drawn *drawn, size_t count, const int64_t *dims);
void drawn_reshape_and_cut(bench_drawn *drawn, size_t count, const int64_t *dims,
                           const int64_t *kept);

/* Writes a line of a case file, from dtype to dst_strides. */
void drawn_write(FILE *file, const bench_drawn *drawn);
