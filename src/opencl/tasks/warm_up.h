/*
 * Runs commands once on temporary memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"

/* Launches one work-group of each command on temporary memory, and waits. `bytes` is the most bytes
 * that a command touches from the start of a buffer. */
clrs_status clrs__commands_warm_up(const clrs__commands *commands, uint64_t bytes,
                                   clrs_error *error);
