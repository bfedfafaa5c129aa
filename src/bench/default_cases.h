/*
 * The cases of `clreshape bench` without a file: one for each class of moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_BENCH_DEFAULT_CASES_H
#define CLRESHAPE_BENCH_DEFAULT_CASES_H

extern const char bench_default_cases[];

#endif /* CLRESHAPE_BENCH_DEFAULT_CASES_H */
