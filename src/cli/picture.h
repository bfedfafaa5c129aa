/*
 * The picture of which a box has resized elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "runs.h"

/* Finds one run of the file, the whole picture. `part` counts elements of the result, and becomes
 * the view of *source. */
clrs_status cli_find_picture(const clrs_view *part, cli_runs *read, clrs_mapped *source,
                             clrs_error *error);
