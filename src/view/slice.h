/*
 * One part of several.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* Part number `which` of `parts`: ONNX Split-18 with num_outputs, the last part may be smaller. */
clrs_status clrs__view_split(clrs_view *view, int64_t axis, int64_t parts, int64_t which,
                             clrs_error *error);
