/*
 * A work, for the calls that add parts of a task.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "task_list.h"

/* Returns the task list of a work that still takes tasks. */
clrs_status clrs__work_begin(clrs_work *work, clrs__task_list **list, clrs_error *error);
/* The work must not be NULL. */
clrs_context *clrs__work_context(const clrs_work *work);
