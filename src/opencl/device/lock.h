/*
 * A lock between threads: the system's own, so that the library needs no other library for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>

#ifdef _WIN32
typedef struct clrs__lock {
  void *word; /* an SRWLOCK: windows.h defines many short words, and lock.c alone sees it */
} clrs__lock;
#else
#include <pthread.h>
typedef pthread_mutex_t clrs__lock;
#endif

/* False if the system has no memory for it. */
bool clrs__lock_start(clrs__lock *lock);
void clrs__lock_end(clrs__lock *lock);

void clrs__lock_take(clrs__lock *lock);
void clrs__lock_leave(clrs__lock *lock);
