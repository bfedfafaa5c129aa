/*
 * Parts that need not be put together, because they are one already: the same layout at evenly
 * spaced places of one buffer, as exporters write windows, patches and repetition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_ONNX_STACK_H
#define CLRESHAPE_ONNX_STACK_H

#include "onnx_assemble.h"

/* Is there a view of the first part's bytes that is the whole? */
bool onnx_stack(onnx_arena *arena, const onnx_parts *parts, clrs_view *view);

#endif /* CLRESHAPE_ONNX_STACK_H */
