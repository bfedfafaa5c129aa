/*
 * Random cases from families: what people move, with extents, pitches and offsets that nobody chose
 * and no kernel was tuned on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include <clreshape/plan.h>

typedef struct bench_draw {
  uint64_t seed;
  size_t count;
  const char *family; /* NULL: each in turn */
} bench_draw;

/* CLRS_INVALID_ARGUMENT with the names of all families, if there is none of that name. */
clrs_status bench_family_check(const char *name, clrs_error *error);

/* Writes `count` cases as lines of a case file: the family is the suite, and the id is the family
 * and the number of the case. A case depends on the seed, its family and its number only. */
void bench_families_write(FILE *file, const bench_draw *draw);
