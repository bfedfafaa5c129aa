/*
 * What is asked of the views of a gather or a scatter, whose indices nobody has seen.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/indexed.h"
#include "indexed_pass.h"

/* A gather's source, or a scatter's destination, is the named side. */
typedef struct clrs__index_request {
  const clrs_indices *indices; /* but its tensors, which are the operands */
  bool scatters;
  clrs_operand source, destination, index, flag; /* no view of a flag: there is none */
  const clrs_device_limits *limits;
} clrs__index_request;

/* Checks the views, each of which is one, together, and says what is moved. */
clrs_status clrs__index_request_check(const clrs__index_request *of, clrs__indexed_move *move,
                                      clrs_error *error);
