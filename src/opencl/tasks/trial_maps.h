/*
 * Small calls for the self-test of a map's kernel (trial_cases.h). The key of the kernel has the
 * steps, and the numbers of the map are made up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "trial_cases.h"

/* Makes the trial of a mapped variant. Fails with CLRS_UNSUPPORTED if no small call has a launch of
 * the variant. Maps of gathers and scatters, and resized pictures, are not tried. */
clrs_status clrs__trial_make_map(const clrs_context *context, const clrs__variant *variant,
                                 clrs__trial *trial, clrs_error *error);
