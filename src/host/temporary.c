/*
 * The list of temporary files, and the handler that empties it when a signal ends the program.
 *
 * This is the program's one piece of global state: a signal handler is given nothing but a number.
 *
 * The handler may run in any thread (a driver has some) and at any moment, so one word decides who
 * may touch the list. Whoever changes the list holds it; a signal that comes meanwhile is noted and
 * raised again at the release. The handler takes it for good, as nothing comes after it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* mkostemp */

#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char pattern[] = ".clreshape-XXXXXX";

enum { FREE, HELD, ENDING };
static atomic_int owner = FREE;
static atomic_int noted; /* a signal that came while the list was held, or 0 */
static cli_temporary *first;
static pid_t process; /* a child between fork and exec has the list, but not the files */

/* ---- signals ---- */

/* Asynchronous-signal-safe, as is all that it calls. */
static void end_by(int number) {
  const struct sigaction by_default = {.sa_handler = SIG_DFL};
  if (getpid() == process) {
    for (const cli_temporary *at = first; at != NULL; at = at->next) {
      unlink(at->name);
    }
  }
  sigaction(number, &by_default, NULL);
  raise(number);
  _exit(128 + number); /* where the thread has the signal blocked */
}

static bool is_among(const int *numbers, size_t count, int number) {
  size_t i = 0;
  while (i < count && numbers[i] != number) {
    i++;
  }
  return i < count;
}

/* Whoever returns from one of these meets it again at once. */
static bool is_fault(int number) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  return is_among(faults, sizeof faults / sizeof faults[0], number);
}

/* A fault while the list is held ends the program with the list as it is. */
static void on_signal(int number) {
  const int saved = errno;
  int expected = FREE;
  atomic_store(&noted, number); /* before the attempt: a release after it sees the number */
  if (atomic_compare_exchange_strong(&owner, &expected, ENDING)) {
    end_by(number);
  } else if (is_fault(number)) {
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigaction(number, &by_default, NULL);
  }
  errno = saved;
}

static void guard(int number) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL) {
    return;
  }
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART | SA_NODEFER; /* raise in end_by takes effect there */
  (void)sigaction(number, &action, NULL);
}

/* All signals end a program by default but those that stop it, continue it or mean nothing. */
void cli_temporary_guard(void) {
  static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                               SIGCONT, SIGCHLD, SIGURG,  SIGWINCH};
  process = getpid();
  for (int number = 1; number <= SIGRTMAX; number++) {
    if (!is_among(others, sizeof others / sizeof others[0], number)) {
      guard(number);
    }
  }
}

void cli_temporary_hold(void) {
  for (int expected = FREE; !atomic_compare_exchange_strong(&owner, &expected, HELD);
       expected = FREE) {
    (void)sched_yield();
  }
}

void cli_temporary_release(void) {
  const int saved = errno;
  atomic_store(&owner, FREE);
  const int number = atomic_load(&noted);
  if (number != 0) {
    (void)raise(number);
  }
  errno = saved;
}

/* ---- names ---- */

cli_temporary *cli_temporary_name(const char *path) {
  const char *slash = strrchr(path, '/');
  const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
  cli_temporary *made = malloc(offsetof(cli_temporary, name) + folder + sizeof pattern);
  if (made == NULL) {
    return NULL;
  }
  made->next = NULL;
  memcpy(made->name, path, folder);
  memcpy(made->name + folder, pattern, sizeof pattern);
  return made;
}

int cli_temporary_create(cli_temporary *temporary) {
  char *end = temporary->name + strlen(temporary->name);
  memcpy(end - (sizeof pattern - 1), pattern, sizeof pattern); /* also after a failure */
  const int fd = mkostemp(temporary->name, O_CLOEXEC);
  if (fd >= 0) {
    cli_temporary_list(temporary);
  }
  return fd;
}

int cli_temporary_reserve(cli_temporary *temporary) {
  const int fd = cli_temporary_create(temporary);
  if (fd < 0) {
    return -1;
  }
  close(fd);
  unlink(temporary->name);
  cli_temporary_unlist(temporary);
  return 0;
}

/* ---- the list ---- */

static cli_temporary **find(const cli_temporary *temporary) {
  cli_temporary **at = &first;
  while (*at != NULL && *at != temporary) {
    at = &(*at)->next;
  }
  return at;
}

void cli_temporary_list(cli_temporary *temporary) {
  temporary->next = first;
  first = temporary;
}

void cli_temporary_unlist(cli_temporary *temporary) {
  cli_temporary **at = find(temporary);
  if (*at != NULL) {
    *at = temporary->next;
  }
}

void cli_temporary_free(cli_temporary *temporary) {
  if (temporary != NULL && *find(temporary) != NULL) {
    unlink(temporary->name);
    cli_temporary_unlist(temporary);
  }
  free(temporary);
}
