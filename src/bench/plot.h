/*
 * What came of a benchmark as a picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>

#include "figures.h"

/* An SVG picture: one bar per case, grouped by class, the copy as a line. */
void bench_plot(FILE *file, const bench_report *report);
