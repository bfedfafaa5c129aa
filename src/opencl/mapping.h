/*
 * Mappings: what mapped tensors are made of.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "key.h"

/* The map, and the views of what it reads. A mapped tensor's own view is one of elements that are
 * nowhere: of their numbers in the shape of mapped.views.source, row-major. */
typedef struct clrs__mapping {
  clrs_mapped mapped;
  clrs_tensor *source;                     /* retained */
  clrs_tensor *tensors[CLRS_MAPPED_STEPS]; /* retained; NULL where none is */
} clrs__mapping;

void clrs__mapping_release(clrs__mapping *mapping); /* NULL is allowed */

/* The view, which was checked, is one of the mapped elements. */
clrs_status clrs__mapping_check_view(const clrs__mapping *mapping, const clrs_view *view,
                                     clrs_error *error);
