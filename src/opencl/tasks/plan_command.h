/*
 * Turns any plan, whatever the outcome, into launches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"
#include "encode.h"

/* Adds the launches of the plan to the commands. A fill reads no source and writes the value of the
 * commands. */
clrs_status clrs__commands_add(clrs__commands *commands, const clrs_plan *plan,
                               const clrs_plan_buffers *buffers, clrs_error *error);

/* The commands of one plan, made and enqueued. */
clrs_status clrs__enqueue_planned(clrs_context *context, const clrs_plan *plan,
                                  const clrs_plan_buffers *buffers, const clrs__tail *tail,
                                  clrs_error *error);
