/*
 * Many moves as few launches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_BATCH_H
#define CLRS_RUNTIME_BATCH_H

#include "submit.h"

/* Plans all moves, builds what they need, then enqueues them. They must be known to keep apart. */
clrs_status clrs__submit_moves(const clrs__submission *submission, const clrs_moves *moves,
                               clrs_error *error);

#endif
