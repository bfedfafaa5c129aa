/*
 * clreshape/core.h - the pure half of clreshape: values and functions that need no device.
 *
 * Everything here is a plain value. It holds no pointer, owns nothing, may be copied with `=`,
 * shared between threads while nobody writes it, and dropped without a call. No function here
 * allocates, prints, keeps state or touches OpenCL.
 *
 * Shapes count elements; strides and offsets are in elements too and may be negative or 0. Every
 * function that can fail returns a clrs_status and takes, last, a clrs_error that may be NULL.
 * On failure no output is written and no in-place argument is changed, but where a comment says so.
 *
 * Of wrong arguments: NULL where no comment allows it, an enumerator that no enum has, a value out
 * of its range and a list of more entries than there can be are CLRS_INVALID_ARGUMENT; what is over
 * a limit is CLRS_LIMIT_EXCEEDED. A list is not read before its length was checked. Functions
 * without a status answer as their comments say, whatever they are given. Fields of structs are
 * checked like arguments; only those of a clrs_plan and a clrs_chain are trusted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CORE_H
#define CLRESHAPE_CORE_H

#define CLRS_VERSION_MAJOR 0
#define CLRS_VERSION_MINOR 2
#define CLRS_VERSION_PATCH 0

#include "blocked.h"
#include "chain.h"
#include "map.h"
#include "plan.h"
#include "shape.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, as major * 10000 + minor * 100 + patch. A program that
 * loads the library at run time compares it with the version of the headers that it was built with.
 */
CLRS_API uint32_t clrs_version(void);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_CORE_H */
