/*
 * The cases of `clreshape bench --preprocess`: which map, of which elements, and where they lie.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "preprocess_report.h"

size_t preprocess_case_count(void);
const preprocess_case *preprocess_case_at(size_t at);

enum { PREPROCESS_Q4_0_BYTES = 18 }; /* a scale and 32 elements */

/* Where the case's elements lie, and the scales that are no part of its chain. */
clrs_status preprocess_source_layout(const preprocess_case *given, clrs_layout *layout,
                                     clrs_error *error);
clrs_layout preprocess_scale_layout(const preprocess_case *given);
/* Where a result of this shape lies. */
clrs_layout preprocess_result_layout(const preprocess_case *given, clrs_dtype dtype,
                                     const clrs_shape *shape);

/* The case's map, bound to the views of its source and its scales. */
clrs_status preprocess_bind(const preprocess_case *given, clrs_mapped *mapped, clrs_error *error);
