/*
 * Random cases from families of common moves, with extents, pitches and offsets that nobody chose.
 * No kernel was tuned on these cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include <clreshape/plan.h>

typedef struct bench_draw {
  uint64_t seed;
  size_t count;
  const char *family; /* NULL: each family in turn */
} bench_draw;

/* Returns CLRS_INVALID_ARGUMENT, with the names of all families, if no family has that name. */
clrs_status bench_family_check(const char *name, clrs_error *error);

/* Writes `count` cases as lines of a case file. The suite is the family. The id is the family and
 * the number of the case. A case depends only on the seed, its family and its number. */
void bench_families_write(FILE *file, const bench_draw *draw);
