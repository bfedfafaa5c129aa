/*
 * Requests without tensors: programs that are built beforehand, exported and imported.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SCENARIO_PROGRAMS_H
#define CLRS_TEST_SCENARIO_PROGRAMS_H

#include "scenario.h"

bool scenario_is_without_tensors(const scenario *s);
clrs_status scenario_prepare(const scenario *s, attempt *try);

#endif
