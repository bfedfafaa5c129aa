/*
 * A work, as the calls know it that add parts of a task.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/clreshape.h"
#include "task_list.h"

/* The list of a work that takes tasks. */
clrs_status clrs__work_begin(clrs_work *work, clrs__task_list **list, clrs_error *error);
/* Of a work that is there. */
clrs_context *clrs__work_context(const clrs_work *work);
