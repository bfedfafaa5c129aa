/*
 * Chains of operations: finds the beginning and the end of each operation in a text, and applies
 * the operations in turn. op.c knows the operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/plan.h"

#include <string.h>

#include "dtype.h"
#include "op.h"
#include "view.h"

#define BLANKS " \t\r\n"
#define SEPARATORS BLANKS ";"

static const char *skip_blanks(const char *text) {
  return text + strspn(text, BLANKS);
}

/* ---- where an operation ends ---- */

/* Returns true if the word at `text` begins an operation, as in "permute=1,0". */
static bool begins_op(const char *text) {
  const size_t length = strcspn(text, "=" SEPARATORS);
  return text[length] == '=' && clrs__op_is_named((clrs__span){text, length});
}

/* Returns the end of a pattern and its lengths. A word that begins an operation ends the pattern.
 * Behind a comma, the word is the length of an axis with the name of an operation. */
static const char *pattern_end(const char *text) {
  const char *end = text;
  for (const char *next = text; *next != '\0' && *next != ';';) {
    if (next > text && end[-1] != ',' && begins_op(next)) {
      break;
    }
    end = next + strcspn(next, SEPARATORS);
    next = skip_blanks(end);
  }
  return end;
}

static const char *op_end(const char *text) {
  const size_t name = strcspn(text, "=" SEPARATORS);
  if (text[name] == '=' && clrs__op_may_have_pattern((clrs__span){text, name})) {
    const char *end = pattern_end(text + name + 1);
    const char *arrow = strstr(text, "->");
    if (arrow != NULL && arrow < end) {
      return end;
    }
  }
  return text + strcspn(text, SEPARATORS);
}

/* ---- parsing ---- */

/* Puts the number, the column and the text of the operation in front of the message. */
static clrs_status fail_op(size_t index, uint32_t column, clrs__span text, const clrs_error *inner,
                           clrs_error *error) {
  return clrs__fail(error, inner->status, "operation %zu (%s) at column %u: %s", index + 1,
                    clrs__span_show(text).text, column, inner->message);
}

/* `column` counts from 0. */
static clrs_status add_op(clrs_chain *chain, clrs__numbers *numbers, clrs__span text, size_t column,
                          clrs_error *error) {
  const uint32_t index = chain->op_count, first = numbers->count;
  clrs__chain_data *data = clrs__chain_data_of(chain);
  size_t used = 0;
  uint32_t form;
  clrs_error inner;
  if (index == CLRS_MAX_OPS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "the chain has more than %d operations",
                      CLRS_MAX_OPS);
  }
  if (clrs__op_parse(text, &form, numbers, &inner) != CLRS_OK) {
    return fail_op(index, (uint32_t)column + 1, text, &inner, error);
  }
  if (index > 0) {
    used = data->ops[index - 1].first_byte + strlen(clrs_chain_op_text(chain, index - 1)) + 1;
  }
  data->ops[index] =
      (clrs__chain_op){(uint16_t)form, (uint16_t)first, (uint16_t)(numbers->count - first),
                       (uint16_t)used, (uint16_t)(column + 1)};
  /* There is room for a NUL behind each text, because a separator or the end follows each operation
   * in the input. */
  memcpy(data->text + used, text.text, text.length);
  chain->op_count++;
  return CLRS_OK;
}

static clrs_status parse(const char *text, clrs_chain *chain, clrs_error *error) {
  clrs__numbers numbers = {clrs__chain_data_of(chain)->values, 0, CLRS__CHAIN_VALUES};
  for (const char *next = skip_blanks(text); *next != '\0';) {
    const char *end = op_end(next);
    const clrs__span op = {next, (size_t)(end - next)};
    CLRS_TRY(add_op(chain, &numbers, op, (size_t)(next - text), error));
    next = skip_blanks(end);
    next = *next == ';' ? skip_blanks(next + 1) : next;
  }
  return CLRS_OK;
}

clrs_status clrs_chain_parse(const char *text, clrs_chain *chain, clrs_error *error) {
  CLRS_TRY(clrs__require(text, "text", error));
  CLRS_TRY(clrs__require(chain, "chain", error));
  if (memchr(text, '\0', CLRS_CHAIN_TEXT) == NULL) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "the text of the chain has more than %d bytes",
                      CLRS_CHAIN_TEXT - 1);
  }
  clrs_chain parsed = {0};
  CLRS_TRY(parse(text, &parsed, error));
  *chain = parsed;
  return CLRS_OK;
}

const char *clrs_chain_op_text(const clrs_chain *chain, size_t index) {
  if (chain == NULL || index >= chain->op_count) {
    return "";
  }
  const clrs__chain_data *data = clrs__chain_data_in(chain);
  return data->text + data->ops[index].first_byte;
}

/* ---- applying ---- */

/* Applies an operation to a view or a mapped view. On failure the target may be half changed. */
typedef clrs_status apply_op(const clrs__op_form *form, const clrs__op *op, void *target,
                             clrs_error *error);

static clrs_status apply_one(const clrs_chain *chain, size_t index, clrs_rules rules,
                             apply_op *apply, void *target, clrs_error *error) {
  const clrs__chain_data *data = clrs__chain_data_in(chain);
  const clrs__chain_op of = data->ops[index];
  const clrs__op op = {data->values + of.first_value, of.value_count, rules, NULL};
  clrs_error inner;
  if (apply(clrs__op_form_at(of.form), &op, target, &inner) == CLRS_OK) {
    return CLRS_OK;
  }
  const char *text = clrs_chain_op_text(chain, index);
  return fail_op(index, of.column, (clrs__span){text, strlen(text)}, &inner, error);
}

static clrs_status apply_all(const clrs_chain *chain, clrs_rules rules, apply_op *apply,
                             void *target, clrs_error *error) {
  for (size_t i = 0; i < chain->op_count; i++) {
    CLRS_TRY(apply_one(chain, i, rules, apply, target, error));
  }
  return CLRS_OK;
}

static clrs_status check_chain(const clrs_chain *chain, const clrs_rules *rules,
                               clrs_error *error) {
  clrs_pattern pattern;
  CLRS_TRY(clrs__require(chain, "chain", error));
  return rules == NULL
             ? CLRS_OK
             : clrs_pattern_init(rules->dialect, rules->zero_mode, 0, NULL, &pattern, error);
}

static clrs_status check_index(const clrs_chain *chain, size_t index, clrs_error *error) {
  return index < chain->op_count
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "index is %zu; the chain has %u operations",
                          index, chain->op_count);
}

static clrs_rules rules_of(const clrs_rules *rules) {
  return rules != NULL ? *rules : (clrs_rules){CLRS_ONNX, CLRS_ZERO_COPIES};
}

/* Returns true if the operation moves elements of that type. A bitcast to another width moves. All
 * other operations with `make` are maps. */
static bool moves(const clrs__op_form *form, const clrs__op *op, clrs_dtype dtype) {
  return form->make == NULL || (form->apply != NULL && clrs_dtype_bits((clrs_dtype)op->values[0]) !=
                                                           clrs_dtype_bits(dtype));
}

/* ---- to a view ---- */

/* A map that keeps every bit only changes the type of the view. */
static clrs_status apply_to_view(const clrs__op_form *form, const clrs__op *op, void *target,
                                 clrs_error *error) {
  clrs_view *view = target;
  clrs__op met = *op;
  clrs_map map;
  if (form->mix != NULL) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "a view shows elements as they are; clrs_chain_map is for chains that "
                      "compute");
  }
  if (moves(form, op, view->dtype)) {
    return form->apply(op, view, error);
  }
  met.shape = &view->shape;
  CLRS_TRY(form->make(&met, view->dtype, &map, error));
  if (!clrs_map_keeps_bits(&map)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "elements of %s would be computed, to %s, and a view shows them as they are; "
                      "clrs_chain_map is for chains that compute",
                      clrs__dtype_text(map.from), clrs__dtype_text(map.to));
  }
  view->dtype = map.to;
  return CLRS_OK;
}

clrs_status clrs_chain_apply(const clrs_chain *chain, const clrs_rules *rules, clrs_view *view,
                             clrs_error *error) {
  clrs_view next;
  CLRS_TRY(check_chain(chain, rules, error));
  CLRS_TRY(clrs__view_check(view, error));
  clrs__view_copy(&next, view);
  CLRS_TRY(apply_all(chain, rules_of(rules), apply_to_view, &next, error));
  clrs__view_copy(view, &next);
  return CLRS_OK;
}

clrs_status clrs_view_apply(clrs_view *view, const char *text, clrs_error *error) {
  clrs_chain chain;
  CLRS_TRY(clrs__view_check(view, error));
  CLRS_TRY(clrs_chain_parse(text, &chain, error));
  return clrs_chain_apply(&chain, NULL, view, error);
}

/* ---- to a mapped view ---- */

/* Reads the bytes of the source as elements of another width. */
static clrs_status bitcast_mapped(const clrs__op_form *form, const clrs__op *op,
                                  clrs_mapped *mapped, clrs_error *error) {
  clrs_view view;
  if (!clrs_map_keeps_bits(&mapped->map)) {
    return clrs__fail(error, CLRS_WOULD_COPY,
                      "the elements are computed, to %s, and have no bytes of another width until "
                      "they are moved; copy them first",
                      clrs__dtype_text(mapped->dtype));
  }
  clrs__view_copy(&view, &mapped->views.source);
  view.dtype = mapped->dtype;
  CLRS_TRY(form->apply(op, &view, error));
  return clrs_mapped_init(&view, mapped, error);
}

/* An operation that moves the elements also moves the parameters of the elements. */
static clrs_status apply_to_mapped(const clrs__op_form *form, const clrs__op *op, void *target,
                                   clrs_error *error) {
  clrs_mapped *mapped = target;
  clrs__op met = *op;
  clrs_map map;
  if (form->mix != NULL) {
    return form->mix(op, mapped, error);
  }
  if (!moves(form, op, mapped->dtype)) {
    met.shape = &mapped->views.source.shape;
    CLRS_TRY(form->make(&met, mapped->dtype, &map, error));
    return clrs_mapped_then(mapped, &map, NULL, error);
  }
  if (form->make != NULL) {
    return bitcast_mapped(form, op, mapped, error);
  }
  CLRS_TRY(form->apply(op, &mapped->views.source, error));
  for (uint32_t i = 0; i < mapped->views.count; i++) {
    CLRS_TRY(form->apply(op, &mapped->views.views[i], error));
  }
  return CLRS_OK;
}

clrs_status clrs_chain_map_one(const clrs_chain *chain, size_t index, const clrs_rules *rules,
                               clrs_mapped *mapped, clrs_error *error) {
  CLRS_TRY(check_chain(chain, rules, error));
  CLRS_TRY(clrs_mapped_check(mapped, error));
  CLRS_TRY(check_index(chain, index, error));
  clrs_mapped next = *mapped;
  CLRS_TRY(apply_one(chain, index, rules_of(rules), apply_to_mapped, &next, error));
  *mapped = next;
  return CLRS_OK;
}

clrs_status clrs_chain_map(const clrs_chain *chain, const clrs_rules *rules, clrs_mapped *mapped,
                           clrs_error *error) {
  CLRS_TRY(check_chain(chain, rules, error));
  CLRS_TRY(clrs_mapped_check(mapped, error));
  clrs_mapped next = *mapped;
  CLRS_TRY(apply_all(chain, rules_of(rules), apply_to_mapped, &next, error));
  *mapped = next;
  return CLRS_OK;
}
