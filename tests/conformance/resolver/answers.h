/*
 * The answers of the real packages, read from the table that generate.py wrote and describes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_ANSWERS_H
#define CLRS_TEST_ANSWERS_H

#include "clreshape/plan.h"

enum { ANSWER_INPUTS = 85, ANSWER_PATTERNS = 2801, ANSWER_SYSTEMS = 5 };

typedef enum answer_system {
  ANSWERS_ONNX,        /* the reference implementation in the onnx package */
  ANSWERS_ONNXRUNTIME, /* ONNX Runtime's CPU provider */
  ANSWERS_OPENVINO,
  ANSWERS_ONEDNN, /* the graph API's StaticReshape */
  ANSWERS_NUMPY
} answer_system;

typedef struct answer_table answer_table;

/* Reads the whole table. If the table is wrong, prints the fault and returns NULL: every system
 * must answer every pattern once, for each input. answers_free accepts NULL. */
answer_table *answers_read(const char *path);
void answers_free(answer_table *table);

/* Input and pattern number `index`, in the order of the table. */
clrs_shape answers_input(uint32_t index);
uint32_t answers_pattern(uint32_t index, int64_t values[4]); /* returns the length */

/* The system's answer: false for a refusal. */
bool answers_find(const answer_table *table, answer_system system, clrs_zero_mode mode,
                  uint32_t pattern, uint32_t input, clrs_shape *shape);

#endif
