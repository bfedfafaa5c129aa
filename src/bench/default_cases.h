/*
 * The cases of `clreshape bench` without a file: one for each class of moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

extern const char bench_default_cases[];
