/*
 * A row of first_move's table: a class, an execution and a width of units, the moved tensor, and
 * the times of the first and the second move in this process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FIRST_ROW_H
#define CLRS_TEST_FIRST_ROW_H

#include "harness/bits.h"
#include "harness/classes.h"

typedef struct first_row {
  clrs__class_number kernel_class;
  clrs_execution execution;
  uint32_t unit_bits;
} first_row;

/* The move of a row. A fill has no source. */
typedef struct first_case {
  clrs_layout source, destination;
  clrs_plan plan;
} first_case;

/* Seconds. `build` is the time to enqueue the first move and `run` the rest, so that first = build
 * + run. A driver may compile in either part. `cpu` is the processor time of all threads, which
 * other processes on the machine hardly change. */
typedef struct first_times {
  double context, build, run, cpu, second;
} first_times;

/* Finds layouts that use the row's class with units of the row's width. Returns false if that class
 * has no such kernel. `limits` are a device's limits, or CLRS_DEVICE_LIMITS_INIT. */
bool first_row_case(const first_row *row, const clrs_device_limits *limits, first_case *found);

/* Moves the row's tensor twice on the first device and compares every byte. Returns NULL, or the
 * fault. For the class CLRS__CLASS_ANY a kernel stores one number, without this library. That row
 * shows the driver's cost of any kernel. */
const char *first_row_measure(const first_row *row, first_times *times);

#endif
