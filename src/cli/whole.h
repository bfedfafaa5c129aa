/*
 * A pad whose operations behind need several elements of the padded whole, such as windows. The
 * elements of the source are moved in one call of the library, and not in parts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "job.h"

/* Reads all elements of the source, moves the elements, and writes the result. Returns
 * CLRS_LIMIT_EXCEEDED if both together exceed --memory. */
clrs_status cli_job_move_whole(cli_job *run, clrs_error *error);
