/*
 * Padding between two shapes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/plan.h"
#include "status.h"

/* Calls clrs_pad_init for a shape `inner` that begins at `begins` inside of `outer`, a shape of the
 * same rank. */
clrs_status clrs__pad_between(clrs_pad_mode mode, const clrs_shape *inner, const clrs_shape *outer,
                              const int64_t *begins, clrs_pad *pad, clrs_error *error);

clrs_status clrs__pad_mode_check(clrs_pad_mode mode, clrs_error *error);
