/*
 * The order of tasks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "task_list.h"

/* Sets the stages and sorts the tasks by stage. A task runs after each earlier task that writes
 * bytes that the task touches, or that reads bytes that the task writes. Tasks of one stage do not
 * overlap. */
clrs_status clrs__task_list_order(clrs__task_list *list, clrs_error *error);
