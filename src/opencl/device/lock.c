/* SPDX-License-Identifier: Apache-2.0 */
#include "lock.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

_Static_assert(sizeof(clrs__lock) == sizeof(SRWLOCK), "lock.h has its size");

bool clrs__lock_start(clrs__lock *lock) {
  InitializeSRWLock((SRWLOCK *)lock);
  return true;
}

void clrs__lock_end(clrs__lock *lock) {
  (void)lock; /* an SRWLOCK holds no resources */
}

void clrs__lock_take(clrs__lock *lock) {
  AcquireSRWLockExclusive((SRWLOCK *)lock);
}

void clrs__lock_leave(clrs__lock *lock) {
  ReleaseSRWLockExclusive((SRWLOCK *)lock);
}
#else
bool clrs__lock_start(clrs__lock *lock) {
  return pthread_mutex_init(lock, NULL) == 0;
}

void clrs__lock_end(clrs__lock *lock) {
  pthread_mutex_destroy(lock);
}

void clrs__lock_take(clrs__lock *lock) {
  pthread_mutex_lock(lock);
}

void clrs__lock_leave(clrs__lock *lock) {
  pthread_mutex_unlock(lock);
}
#endif
