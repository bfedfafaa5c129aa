/*
 * What families of random cases are drawn with: numbers, and a case that becomes a line of a file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_BENCH_DRAW_H
#define CLRESHAPE_BENCH_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- random numbers ---- */

typedef struct cli_rng {
  uint64_t state;
} cli_rng;

/* low and high included. */
int64_t cli_draw_between(cli_rng *rng, int64_t low, int64_t high);
/* As likely from 16 to 31 as from 1024 to 2047: first a power of two is drawn, then where between
 * that and the next the number lies. */
int64_t cli_draw_by_logarithm(cli_rng *rng, int64_t low, int64_t high);
/* True once in `count` times. */
bool cli_draw_one_in(cli_rng *rng, int64_t count);
int64_t cli_draw_one_of(cli_rng *rng, size_t count, const int64_t *values);
void cli_draw_permutation(cli_rng *rng, uint32_t rank, int64_t *perm);
/* Extents whose product is about `count`, the first as likely to be long as the last. */
void cli_draw_extents(cli_rng *rng, uint32_t rank, int64_t count, int64_t *dims);

/* A list of numbers as a length and a pointer. */
#define LIST(...)                                                                                  \
  sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]) {                    \
    __VA_ARGS__                                                                                    \
  }

/* ---- cases ---- */

enum { CLI_DRAWN_DIMS = 20, CLI_DRAWN_CHAIN = 400 };

/* Dims and strides of one side; without strides it is dense. */
typedef struct cli_drawn_side {
  uint32_t rank;
  int64_t dims[CLI_DRAWN_DIMS], strides[CLI_DRAWN_DIMS], offset;
  bool strided, has_offset;
} cli_drawn_side;

typedef struct cli_drawn {
  const char *dtype;
  uint32_t bits;
  cli_drawn_side from, to; /* of `to` only the strides are written */
  char chain[CLI_DRAWN_CHAIN];
} cli_drawn;

/* A type of 1 to 16 bytes, or of 1, 2 or 4 bits. */
void cli_draw_type(cli_rng *rng, cli_drawn *drawn);
void cli_draw_packed_type(cli_rng *rng, cli_drawn *drawn);
/* Elements of a tensor of 16 KiB to 256 MiB. */
int64_t cli_draw_count(cli_rng *rng, uint32_t bits);

void cli_drawn_set_dims(cli_drawn_side *side, size_t rank, const int64_t *dims);
/* Strides of a tensor that is cut out of a larger one: dim i begins anew after dims[i] elements of
 * its own and spare[i] others. NULL: dense strides. */
void cli_drawn_set_pitches(cli_drawn_side *side, const int64_t *spare);
/* Some elements to spare behind one dim, but not behind the first. */
void cli_draw_pitch(cli_rng *rng, cli_drawn_side *side);
/* The dims of the result of one permutation, for a destination with strides of its own. */
void cli_drawn_set_result(cli_drawn *drawn, const int64_t *perm);

/* The next steps of the chain. kept: the first so many of each dim, or NULL for all. */
void cli_drawn_permute(cli_drawn *drawn, size_t count, const int64_t *perm);
void cli_drawn_reshape(cli_drawn *drawn, size_t count, const int64_t *dims);
void cli_drawn_reshape_and_cut(cli_drawn *drawn, size_t count, const int64_t *dims,
                               const int64_t *kept);

/* A line of a case file, from dtype to dst_strides. */
void cli_drawn_write(FILE *file, const cli_drawn *drawn);

#endif /* CLRESHAPE_BENCH_DRAW_H */
