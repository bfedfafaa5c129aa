/*
 * Mapped tensors on their way: what is asked of the device, and their moves as commands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"
#include "encode.h"
#include "tensor.h"

/* Adds the move of a mapped tensor's elements, of which `seen` is a view, into a part of a
 * destination. They are the context's; the part lies inside the destination. */
clrs_status clrs__commands_add_mapped(clrs__commands *commands, const clrs_tensor *source,
                                      const clrs_view *seen, const clrs_tensor *destination,
                                      const clrs_view *part, clrs_error *error);

/* The same, enqueued on its own. */
clrs_status clrs__enqueue_mapped(clrs_context *context, const clrs_tensor *source,
                                 const clrs_view *seen, const clrs_tensor *destination,
                                 const clrs__tail *tail, clrs_error *error);
