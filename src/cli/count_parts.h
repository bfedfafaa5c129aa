/*
 * Counts the launches and bytes of all parts of an assembly, without a device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "explain_plan.h"

/* Counts all parts of the assembly, and plans the first part, which *work already has. Reads the
 * headers of the files. */
clrs_status cli_work_count(const cli_request *request, cli_work *work, clrs_error *error);
