/*
 * A lock between threads. The library uses the operating system's lock and so needs no further
 * library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>

#ifdef _WIN32
typedef struct clrs__lock {
  void *word; /* an SRWLOCK. Only lock.c includes windows.h, which defines many short words */
} clrs__lock;
#else
#include <pthread.h>
typedef pthread_mutex_t clrs__lock;
#endif

/* Returns false if the system has no memory for the lock. */
bool clrs__lock_start(clrs__lock *lock);
void clrs__lock_end(clrs__lock *lock);

void clrs__lock_take(clrs__lock *lock);
void clrs__lock_leave(clrs__lock *lock);
