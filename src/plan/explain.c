/*
 * Plans as text for people and as JSON for programs. Both are written through a bounded buffer
 * that counts what did not fit, like snprintf.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "plan.h"

struct writer {
  char *text;
  size_t size, length;
};

static void put(struct writer *writer, const char *format, ...) CLRS_PRINTF_LIKE(2, 3);

static void put(struct writer *writer, const char *format, ...) {
  const bool room = writer->length < writer->size;
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(room ? writer->text + writer->length : NULL,
                               room ? writer->size - writer->length : 0, format, arguments);
  va_end(arguments);
  writer->length += length > 0 ? (size_t)length : 0;
}

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
  }
  return "unknown";
}

/* [[extent,source,destination],...] */
static void put_nest(struct writer *writer, const clrs__nest *nest) {
  put(writer, "[");
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    put(writer, "%s[%" PRId64 ",%" PRId64 ",%" PRId64 "]", i ? "," : "", nest->axes[i].extent,
        nest->axes[i].source_stride, nest->axes[i].destination_stride);
  }
  put(writer, "]");
}

static void put_reasons(struct writer *writer, const clrs_plan *plan, const char *quote,
                        const char *separator) {
  for (uint32_t i = 0; i < plan->reason_count; i++) {
    char sentence[200];
    clrs__reason_sentence(&plan->reasons[i], sentence, sizeof sentence);
    put(writer, "%s%s%s%s", i ? separator : "", quote, sentence, quote);
  }
}

size_t clrs_plan_explain(const clrs_plan *plan, char *text, size_t size) {
  struct writer writer = {text, text != NULL ? size : 0, 0};
  if (plan == NULL) {
    put(&writer, "no plan");
    return writer.length;
  }
  put(&writer, "clreshape,v1,%s", clrs_outcome_name(plan->outcome));
  if (plan->launch_count > 0) {
    const clrs_launch *launch = &plan->launches[0];
    put(&writer, ": %u launch%s of %s, %u-bit units, %u-bit index", plan->launch_count,
        plan->launch_count == 1 ? "" : "es", clrs_class_name(launch->kernel_class),
        launch->unit_bits, launch->index_bits);
    put(&writer, ", reads %" PRIu64 " and writes %" PRIu64 " bytes", plan->bytes_read,
        plan->bytes_written);
  }
  if (plan->outcome == CLRS_OUTCOME_AFFINE) {
    put(&writer, ", nest ");
    put_nest(&writer, &clrs__plan_data_in(plan)->nest);
  }
  if (plan->reason_count > 0) {
    put(&writer, "; because ");
    put_reasons(&writer, plan, "", " and ");
  }
  return writer.length;
}

size_t clrs_plan_explain_json(const clrs_plan *plan, char *text, size_t size) {
  struct writer writer = {text, text != NULL ? size : 0, 0};
  if (plan == NULL) {
    put(&writer, "null");
    return writer.length;
  }
  put(&writer, "{\"outcome\":\"%s\",\"launches\":%u,\"class\":", clrs_outcome_name(plan->outcome),
      plan->launch_count);
  if (plan->launch_count > 0) {
    put(&writer, "\"%s\"", clrs_class_name(plan->launches[0].kernel_class));
  } else {
    put(&writer, "null");
  }
  put(&writer, ",\"nest\":");
  if (plan->outcome == CLRS_OUTCOME_COMPOSED) {
    put(&writer, "null");
  } else {
    put_nest(&writer, &clrs__plan_data_in(plan)->nest);
  }
  put(&writer, ",\"bytes_read\":%" PRIu64 ",\"bytes_written\":%" PRIu64 ",\"reasons\":[",
      plan->bytes_read, plan->bytes_written);
  put_reasons(&writer, plan, "\"", ",");
  put(&writer, "]}");
  return writer.length;
}
