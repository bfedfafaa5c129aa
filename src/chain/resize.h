/*
 * Resizing as an operation of chains: pictures of another size, by the name of a reference.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

/* rows,columns,reference[,axis=...]. The axis is that of the rows. The columns are behind it. */
clrs_status clrs__resize_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error);

/* The view becomes a view of the resized picture's elements, which the picture in
 * mapped->views.resample gives. CLRS_UNSUPPORTED if the elements are already computed, or if the
 * picture's pixels have more than the strides of two dims before the rows and of one dim behind the
 * columns. */
clrs_status clrs__resize_mix(const clrs__op *op, clrs_mapped *mapped, clrs_error *error);
