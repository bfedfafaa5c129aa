/*
 * Lets each call that the library tries fail. A build with -DCLRS_TRY_FAULTS=ON includes this file
 * in front of every file of the library and the program. Each CLRS_TRY then asks a hook before the
 * call is made. If the hook says so, the call is left out, and its failure is the hook's. Every
 * file holds the hook, and the linker keeps one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_TRY_FAULTS_H
#define CLRS_TEST_TRY_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* A CLRS_TRY, with the text of the call. */
typedef struct try_place {
  const char *file, *call;
  int line;
} try_place;

/* Returns true, and fills the clrs_error if there is one, if the call must fail. */
__attribute__((weak)) bool (*clrs_try_hook)(const try_place *place, void *error);

#ifndef CLRS_TRIED
#define CLRS_TRIED(expression)                                                                     \
  (clrs_try_hook != NULL && clrs_try_hook(&(try_place){__FILE__, #expression, __LINE__}, error)    \
       ? CLRS_OUT_OF_MEMORY                                                                        \
       : (expression))
#endif

#endif
