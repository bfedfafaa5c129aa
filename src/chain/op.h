/*
 * Operations as data: the notation of each operation's values, and its effect on a view or on
 * elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "spelling.h"

/* One operation: the beginnings of the values and of the text in the chain. */
typedef struct clrs__chain_op {
  uint16_t form, first_value, value_count, first_byte, column;
} clrs__chain_op;

/* The library's data in a chain. */
typedef struct clrs__chain_data {
  clrs__chain_op ops[CLRS_MAX_OPS];
  int64_t values[CLRS__CHAIN_VALUES];
  char text[CLRS_CHAIN_TEXT];
} clrs__chain_data;
_Static_assert(sizeof(clrs__chain_data) <= CLRS_CHAIN_PRIVATE_BYTES, "a chain has room for it");

static inline clrs__chain_data *clrs__chain_data_of(clrs_chain *chain) {
  return (clrs__chain_data *)(void *)chain->private_.bytes;
}

static inline const clrs__chain_data *clrs__chain_data_in(const clrs_chain *chain) {
  return (const clrs__chain_data *)(const void *)chain->private_.bytes;
}

/* An operation as a chain holds it. */
typedef struct clrs__op {
  const int64_t *values;
  uint32_t count;
  clrs_rules rules;        /* used by reshape; casts use the dialect */
  const clrs_shape *shape; /* known when maps are made; NULL while the text is parsed */
} clrs__op;

/* One notation of an operation. A name may have two notations. */
typedef struct clrs__op_form {
  const char *name;
  bool has_pattern;      /* its values are a pattern with "->", and lengths */
  bool is_bare;          /* may stand without '=' */
  uint32_t fewest, most; /* values, or slices */
  const char *example;
  clrs_status (*parse)(clrs__span text, clrs__numbers *numbers, clrs_error *error);
  /* An operation moves a view by `apply`, or is the map that `make` makes for elements of type
   * `from`. A bitcast has both functions, and moves if the width changes. */
  clrs_status (*apply)(const clrs__op *op, clrs_view *view, clrs_error *error);
  clrs_status (*make)(const clrs__op *op, clrs_dtype from, clrs_map *map, clrs_error *error);
  /* Or the operation computes an element from several elements, and changes shape and map. */
  clrs_status (*mix)(const clrs__op *op, clrs_mapped *mapped, clrs_error *error);
} clrs__op_form;

/* Returns true if the chain has a map. */
bool clrs__chain_has_maps(const clrs_chain *chain);

/* The form of that number, counted from 0. */
const clrs__op_form *clrs__op_form_at(uint32_t form);

/* Returns true if `name` is the name of an operation. The second function also requires that the
 * operation may take a pattern. */
bool clrs__op_is_named(clrs__span name);
bool clrs__op_may_have_pattern(clrs__span name);

/* Finds the form of an operation's text, `name` or `name=values`, and appends its values. */
clrs_status clrs__op_parse(clrs__span text, uint32_t *form, clrs__numbers *numbers,
                           clrs_error *error);
