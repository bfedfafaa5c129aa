/*
 * The order of tasks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "task_list.h"

/* Sets the stages and sorts by them: a task comes after those in front of it that write what the
 * task reads or writes, or read what it writes. Tasks of one stage keep apart. */
clrs_status clrs__task_list_order(clrs__task_list *list, clrs_error *error);
