/*
 * The list of temporary files, and the handler that removes the files when a signal ends the
 * program.
 *
 * The list is the program's only global state, because a signal handler gets only a signal number.
 *
 * The handler may run in any thread (drivers have threads) and at any moment. One atomic word,
 * `owner`, decides who may touch the list. A thread that changes the list holds the word. A signal
 * during that time is noted, and raised again at the release. The handler takes the word forever,
 * because the process ends afterwards.
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
static pid_t process; /* a child before exec has a copy of the list, and keeps the files */

/* ---- signals ---- */

/* Async-signal-safe, like all functions called here. */
static void end_by(int number) {
  const struct sigaction by_default = {.sa_handler = SIG_DFL};
  if (getpid() == process) {
    for (const cli_temporary *at = first; at != NULL; at = at->next) {
      unlink(at->name);
    }
  }
  sigaction(number, &by_default, NULL);
  raise(number);
  _exit(128 + number); /* reached if the thread blocks the signal */
}

static bool is_among(const int *numbers, size_t count, int number) {
  size_t i = 0;
  while (i < count && numbers[i] != number) {
    i++;
  }
  return i < count;
}

/* Is the signal a fault? Returning from the handler of a fault causes the fault again at once. */
static bool is_fault(int number) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  return is_among(faults, sizeof faults / sizeof faults[0], number);
}

/* If a fault occurs while the list is held, the program ends without removing files. */
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
  action.sa_flags = SA_RESTART | SA_NODEFER; /* so that raise in end_by takes effect at once */
  (void)sigaction(number, &action, NULL);
}

/* By default all signals end a program, except signals that stop, continue or are ignored. */
void cli_temporary_guard(void) {
  static const int others[] = {
      SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH,
#ifdef __APPLE__
      SIGIO,   SIGINFO,
#endif
  };
  process = getpid();
  for (int number = 1; number < NSIG; number++) {
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
  memcpy(end - (sizeof pattern - 1), pattern, sizeof pattern); /* also after a failed call */
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
