/*
 * Any bytes as the text of a chain, applied to a shape of the input's own. A parsed chain must
 * print and parse again to the same numbers. An applied chain must give a view, the same at once or
 * in steps, with as many elements if the chain only rearranges. A failure must change nothing. The
 * same holds for mapped elements of any type.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/plan.h>
#include <string.h>

#include "chain/op.h"
#include "fuzz.h"

enum { MOST_TEXT = CLRS_CHAIN_TEXT + 10, POISON = 0x5a };

/* Checks that operations between semicolons have the same values in the same forms. */
static void check_text(const clrs_chain *chain) {
  char text[MOST_TEXT] = "";
  clrs_chain again;
  clrs_error error;
  size_t used = 0;
  for (size_t i = 0; i < chain->op_count; i++) {
    const char *op = clrs_chain_op_text(chain, i);
    const size_t length = strlen(op);
    REQUIRE(used + length + 2 <= sizeof text);
    memcpy(text + used, op, length);
    memcpy(text + used + length, ";", 2);
    used += length + 1;
  }
  const clrs_status status = clrs_chain_parse(text, &again, &error);
  REQUIRE(status == CLRS_OK || (status == CLRS_LIMIT_EXCEEDED && used == CLRS_CHAIN_TEXT));
  if (status != CLRS_OK) {
    return;
  }
  REQUIRE(again.op_count == chain->op_count);
  REQUIRE(memcmp(clrs__chain_data_in(&again)->values, clrs__chain_data_in(chain)->values,
                 sizeof clrs__chain_data_in(chain)->values) == 0);
  for (size_t i = 0; i < chain->op_count; i++) {
    REQUIRE(clrs__chain_data_in(&again)->ops[i].form == clrs__chain_data_in(chain)->ops[i].form);
    REQUIRE(clrs__chain_data_in(&again)->ops[i].first_value ==
            clrs__chain_data_in(chain)->ops[i].first_value);
    REQUIRE(clrs__chain_data_in(&again)->ops[i].value_count ==
            clrs__chain_data_in(chain)->ops[i].value_count);
    REQUIRE(strcmp(clrs_chain_op_text(&again, i), clrs_chain_op_text(chain, i)) == 0);
  }
}

static int64_t count_of(const clrs_view *view) {
  int64_t count = -1;
  REQUIRE(clrs_shape_count(&view->shape, &count, NULL) == CLRS_OK);
  return count;
}

/* Keeps the view after each step, and returns the number of successful steps. */
static size_t apply_steps(const clrs_chain *chain, const clrs_rules *rules, clrs_view *view) {
  size_t done = 0;
  clrs_error error;
  for (; done < chain->op_count; done++) {
    const clrs_view before = *view;
    clrs_chain one;
    REQUIRE(clrs_chain_parse(clrs_chain_op_text(chain, done), &one, &error) == CLRS_OK);
    const clrs_status status = clrs_chain_apply(&one, rules, view, &error);
    if (status != CLRS_OK) {
      REQUIRE(error.status == status && error.message[0] != '\0');
      REQUIRE(memcmp(&before, view, sizeof before) == 0);
      break;
    }
    clrs_layout layout;
    const clrs_status found = clrs_view_layout(view, &layout, &error);
    REQUIRE(found == CLRS_OK || found == CLRS_WOULD_COPY);
    if (strncmp(clrs_chain_op_text(chain, done), "rearrange=", 10) == 0) {
      REQUIRE(count_of(view) == count_of(&before));
    }
  }
  return done;
}

static void check_chain(const clrs_chain *chain, const clrs_rules *rules, const clrs_shape *shape) {
  clrs_view steps, whole;
  clrs_error error;
  memset(&steps, POISON, sizeof steps);
  REQUIRE(clrs_view_dense(CLRS_U16, shape, &steps, &error) == CLRS_OK);
  whole = steps;
  const clrs_view before = steps;
  const size_t done = apply_steps(chain, rules, &steps);
  const clrs_status status = clrs_chain_apply(chain, rules, &whole, &error);
  REQUIRE((status == CLRS_OK) == (done == chain->op_count));
  if (status == CLRS_OK) {
    REQUIRE(clrs_shape_equal(&whole.shape, &steps.shape) && whole.depth == steps.depth);
  } else {
    REQUIRE(memcmp(&before, &whole, sizeof before) == 0);
  }
}

static bool equal_parameters(const clrs_parameter *a, const clrs_parameter *b) {
  return a->count == b->count && a->first == b->first && a->spread.kind == b->spread.kind &&
         a->spread.axis == b->spread.axis && a->spread.block == b->spread.block;
}

/* Compares field by field, because padding between fields is undefined. */
static bool equal_maps(const clrs_map *a, const clrs_map *b) {
  bool equal = a->from == b->from && a->to == b->to && a->reinterprets == b->reinterprets &&
               a->step_count == b->step_count && a->number_count == b->number_count;
  for (uint32_t i = 0; equal && i < a->step_count; i++) {
    equal = a->steps[i].kind == b->steps[i].kind && a->steps[i].dtype == b->steps[i].dtype &&
            a->steps[i].rounding == b->steps[i].rounding &&
            a->steps[i].overflow == b->steps[i].overflow &&
            equal_parameters(&a->steps[i].parameter, &b->steps[i].parameter);
  }
  return equal && memcmp(a->numbers, b->numbers, a->number_count * sizeof *a->numbers) == 0;
}

/* Elements of any type, mapped at once and in steps: the same map, and views of one shape. */
static void check_mapped(const clrs_chain *chain, const clrs_rules *rules, const clrs_shape *shape,
                         clrs_dtype dtype) {
  clrs_view view;
  clrs_mapped steps;
  clrs_error error;
  size_t done = 0;
  memset(&view, POISON, sizeof view);
  REQUIRE(clrs_view_dense(dtype, shape, &view, &error) == CLRS_OK);
  REQUIRE(clrs_mapped_init(&view, &steps, &error) == CLRS_OK);
  clrs_mapped whole = steps;
  while (done < chain->op_count &&
         clrs_chain_map_one(chain, done, rules, &steps, &error) == CLRS_OK) {
    REQUIRE(clrs_mapped_check(&steps, &error) == CLRS_OK);
    done++;
  }
  const clrs_status status = clrs_chain_map(chain, rules, &whole, &error);
  REQUIRE((status == CLRS_OK) == (done == chain->op_count));
  if (status != CLRS_OK) {
    REQUIRE(error.status == status && error.message[0] != '\0');
    return;
  }
  char words[64];
  REQUIRE(equal_maps(&whole.map, &steps.map) && whole.dtype == steps.dtype);
  REQUIRE(clrs_shape_equal(&whole.views.source.shape, &steps.views.source.shape));
  REQUIRE(clrs_map_explain(&whole.map, words, sizeof words) >= strlen(words));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_source source = {data, size};
  const uint8_t mode = fuzz_byte(&source);
  const clrs_rules rules = {(clrs_dialect)(mode % 4), (clrs_zero_mode)(mode / 4 % 2)};
  clrs_shape shape = {.rank = fuzz_byte(&source) % 7};
  char text[MOST_TEXT] = "";
  clrs_chain chain, before;
  clrs_error error;
  fuzz_memory_begin(size);
  for (uint32_t i = 0; i < shape.rank; i++) {
    shape.dims[i] = fuzz_byte(&source);
  }
  const size_t length = source.left < sizeof text - 1 ? source.left : sizeof text - 1;
  if (length > 0) {
    memcpy(text, source.bytes, length);
  }
  memset(&chain, POISON, sizeof chain);
  before = chain;
  const clrs_status status = clrs_chain_parse(text, &chain, &error);
  if (status == CLRS_OK) {
    check_text(&chain);
    check_chain(&chain, &rules, &shape);
    check_mapped(&chain, &rules, &shape, (clrs_dtype)(mode / 8 % CLRS_DTYPE_COUNT));
  } else {
    REQUIRE(error.status == status && error.message[0] != '\0');
    REQUIRE(memcmp(&before, &chain, sizeof chain) == 0);
  }
  fuzz_memory_end();
  return 0;
}
