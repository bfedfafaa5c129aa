/*
 * One value into every unit of the destination. The class fill, of both executions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "rows.h"
#include "tuning.h"

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  cut->merit = CLRS__CPU_ROWS_MERIT;
  if (clrs__is_for_cpu(job)) {
    clrs__complete_axes(&cut->nest);
    clrs__cut_rows(cut);
    return true;
  }
  cut->kind = CLRS__CUT_UNITS;
  cut->work = clrs__nest_count(&cut->nest);
  return true;
}

const clrs__class clrs__fill = {.name = "fill",
                                .needs = "one value of whole bytes instead of a source",
                                .execution = CLRS_EXECUTION_AUTO,
                                .unit_widths = 8 | 16 | 32 | 64 | 128,
                                .from = CLRS__FROM_VALUE,
                                .best = CLRS__CPU_ROWS_MERIT,
                                .fit = fit,
                                .encode = clrs__encode_pieces};
