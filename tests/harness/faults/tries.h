/*
 * The calls of CLRS_TRY in a build with try_faults.h: counted by site, and one of them fails.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_TRIES_H
#define CLRS_TEST_TRIES_H

#include "harness/try_faults.h"

enum { MOST_SITES = 4096 };

/* A CLRS_TRY. */
typedef struct try_site {
  try_place place;
  int calls;    /* since the last tries_arm, without calls that want no error */
  int failures; /* the caller's count */
} try_site;

extern try_site try_sites[MOST_SITES]; /* by the first call */
extern size_t try_site_count;

/* Counts calls of this thread from now on. Call number `nth` of site number `site` fails, counted
 * from 1. With nth 0, none fails. */
void tries_arm(size_t site, int nth);
/* Ends the count. Returns true if a call failed. */
bool tries_disarm(void);

#endif
