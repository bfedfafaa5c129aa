/*
 * Shared by the parts of the fault layer: which call fails, and how.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_DECIDE_H
#define CLRS_TEST_FAULT_LAYER_DECIDE_H

#include <CL/cl_icd.h>

#include "fault_layer.h"

typedef struct decision {
  bool fails;
  fault_kind kind;
  cl_int code;
} decision;

/* Counts the call, and returns whether the call fails. */
decision decide(const char *call, bool is_command);

/* The table that leads to the hooks, which lead to `driver`. */
void hooks_install(const cl_icd_dispatch *driver, cl_icd_dispatch *hooked);

/* Lets the commands fail that are to fail asynchronously. */
void hooks_settle(void);

#endif
