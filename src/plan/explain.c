/*
 * Plans as text for people and as JSON for programs. Both functions return the length of the whole
 * text, like snprintf.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "plan.h"
#include "writer.h"

const char *clrs_outcome_name(clrs_outcome outcome) {
  switch (outcome) {
  case CLRS_OUTCOME_EMPTY:
    return "empty";
  case CLRS_OUTCOME_ALIAS:
    return "alias";
  case CLRS_OUTCOME_AFFINE:
    return "affine";
  case CLRS_OUTCOME_COMPOSED:
    return "composed";
  case CLRS_OUTCOME_MAPPED:
    return "mapped";
  case CLRS_OUTCOME_INDEXED:
    return "indexed";
  }
  return "unknown";
}

/* [[extent,source,destination],...] */
static void put_nest(clrs__writer *writer, const clrs__nest *nest) {
  if (nest == NULL) {
    clrs__write(writer, "null");
    return;
  }
  clrs__write(writer, "[");
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    clrs__write(writer, "%s[%" PRId64 ",%" PRId64 ",%" PRId64 "]", i ? "," : "",
                nest->axes[i].extent, nest->axes[i].source_stride,
                nest->axes[i].destination_stride);
  }
  clrs__write(writer, "]");
}

/* The loops of the first launch, or NULL if strides alone do not give the places. */
static const clrs__nest *nest_of(const clrs_plan *plan) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  return plan->outcome == CLRS_OUTCOME_MAPPED  ? &data->mapped.pieces.nests[0]
         : plan->outcome > CLRS_OUTCOME_AFFINE ? NULL
                                               : &data->nest;
}

static void put_reasons(clrs__writer *writer, const clrs_plan *plan, const char *quote,
                        const char *separator) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  for (uint32_t i = 0; i < data->reason_count; i++) {
    clrs__write(writer, "%s%s%s%s", i ? separator : "", quote,
                clrs__reason_sentence(&data->reasons[i]).text, quote);
  }
}

/* The name of the first launch's kernel. */
static const char *kernel_name(const clrs_plan *plan) {
  const uint8_t geometry = clrs__plan_data_in(plan)->geometry;
  const clrs__map_key mapped = {.geometry = geometry};
  return plan->outcome == CLRS_OUTCOME_MAPPED ? clrs__map_key_name(&mapped)
         : clrs__plan_is_any_indexed(plan)    ? "index_any"
                                              : plan->launches[0].kernel_class;
}

/* How often the groups of the first launch are halved. */
static uint32_t halvings_of(const clrs_plan *plan) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  return plan->outcome == CLRS_OUTCOME_MAPPED ? data->halvings
         : clrs__plan_is_any_indexed(plan)    ? 0
                                              : data->cuts[0].halvings;
}

size_t clrs_plan_explain(const clrs_plan *plan, char *text, size_t size) {
  clrs__writer writer = {text, text != NULL ? size : 0, 0};
  if (plan == NULL) {
    clrs__write(&writer, "no plan");
    return writer.length;
  }
  clrs__write(&writer, "clreshape,v1,%s", clrs_outcome_name(plan->outcome));
  if (plan->launch_count > 0) {
    const clrs_launch *launch = &plan->launches[0];
    clrs__write(&writer, ": %u launch%s of %s, %u-bit units, %u-bit index", plan->launch_count,
                plan->launch_count == 1 ? "" : "es", kernel_name(plan), launch->unit_bits,
                launch->index_bits);
    if (halvings_of(plan) > 0) {
      clrs__write(&writer, ", groups of %d", CLRS_GROUP_ITEMS >> halvings_of(plan));
    }
    clrs__write(&writer, ", reads %" PRIu64 " and writes %" PRIu64 " bytes", plan->bytes_read,
                plan->bytes_written);
  }
  if (plan->launch_count > 0 && nest_of(plan) != NULL) {
    clrs__write(&writer, ", nest ");
    put_nest(&writer, nest_of(plan));
  }
  if (clrs__plan_data_in(plan)->reason_count > 0) {
    clrs__write(&writer, "; because ");
    put_reasons(&writer, plan, "", " and ");
  }
  return writer.length;
}

size_t clrs_plan_explain_json(const clrs_plan *plan, char *text, size_t size) {
  clrs__writer writer = {text, text != NULL ? size : 0, 0};
  if (plan == NULL) {
    clrs__write(&writer, "null");
    return writer.length;
  }
  clrs__write(&writer,
              "{\"outcome\":\"%s\",\"launches\":%u,\"class\":", clrs_outcome_name(plan->outcome),
              plan->launch_count);
  if (plan->launch_count > 0) {
    clrs__write(&writer, "\"%s\"", kernel_name(plan));
  } else {
    clrs__write(&writer, "null");
  }
  clrs__write(&writer, ",\"nest\":");
  put_nest(&writer, nest_of(plan));
  clrs__write(&writer, ",\"bytes_read\":%" PRIu64 ",\"bytes_written\":%" PRIu64 ",\"reasons\":[",
              plan->bytes_read, plan->bytes_written);
  put_reasons(&writer, plan, "\"", ",");
  clrs__write(&writer, "]}");
  return writer.length;
}
