/*
 * slice in Python's notation: start:end:step for some dims, an index for others, and "..." for all
 * that are not named; and roll, which is a slice of what is there twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

/* Three values for each item. Of a slice they are its start, end and step, with bounds that ONNX
 * clamps to the ends of the axis where none are written. A step of 0 that is written has the end
 * INT64_MAX; with another end the item is an index, which is the start, or an ellipsis. */
enum { CLRS__SLICE_VALUES = 3 };
clrs_status clrs__slices_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error);
clrs_status clrs__slices_apply(const clrs__op *op, clrs_view *view, clrs_error *error);

/* Values: the axis, and by how many elements towards its end. */
clrs_status clrs__roll_apply(const clrs__op *op, clrs_view *view, clrs_error *error);
