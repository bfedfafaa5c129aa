/*
 * A request of a sequence. The first half of the target becomes the source, perhaps mapped or
 * padded. The second half becomes a copy of the first half.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SCENARIO_SEQUENCE_H
#define CLRS_TEST_SCENARIO_SEQUENCE_H

#include "scenario.h"

clrs_status scenario_sequence(const scenario *s, attempt *try, clrs_tensor *source,
                              clrs_tensor *target);

#endif
