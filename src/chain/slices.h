/*
 * slice in Python's notation: start:end:step for some dims, an index for others, and "..." for all
 * dims that are not named. roll is a slice of the view repeated twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

/* Three values for each item. The values of a slice are its start, end and step. A bound that is
 * not written is a number that ONNX clamps to the end of the axis. A written step of 0 has the end
 * INT64_MAX. With step 0 and another end, the item is an index, stored as the start, or an
 * ellipsis. */
enum { CLRS__SLICE_VALUES = 3 };
clrs_status clrs__slices_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error);
clrs_status clrs__slices_apply(const clrs__op *op, clrs_view *view, clrs_error *error);

/* Values: the axis, and the number of elements to roll toward its end. */
clrs_status clrs__roll_apply(const clrs__op *op, clrs_view *view, clrs_error *error);
