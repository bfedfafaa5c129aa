/*
 * Commands that run once without their buffers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"

/* Launches one work-group of each command, on memory of its own in place of every buffer, and
 * waits. `bytes` are as many as the commands touch from the beginning of any of their buffers. */
clrs_status clrs__commands_warm_up(const clrs__commands *commands, uint64_t bytes,
                                   clrs_error *error);
