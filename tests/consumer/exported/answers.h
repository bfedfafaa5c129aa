/*
 * A library of the host, with clreshape's types in the interface.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <clreshape/clreshape.h>

/* The element count of [6,7]. */
clrs_status answers_count(int64_t *count, clrs_error *error);

#endif /* ANSWERS_H */
