/*
 * The handler that removes temporary files when a signal ends the program.
 *
 * The handler may run in any thread (drivers have threads) and at any moment. One atomic word,
 * `owner`, decides who may touch the list of files. A thread that changes the list holds the word.
 * A signal during that time is noted, and raised again at the release. The handler takes the word
 * forever, because the process ends afterwards.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* sigaction */

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#include <unistd.h>

#include "system.h"

enum { FREE, HELD, ENDING };
static atomic_int owner = FREE;
static atomic_int noted; /* a signal that came while the list was held, or 0 */
static void (*remove_files)(void);
static pid_t process; /* a child before exec has a copy of the list, and keeps the files */

bool cli_system_begin(int *argc, char ***argv) {
  (void)argc, (void)argv;
#ifdef __linux__
  return getauxval(AT_SECURE) == 0;
#else
  return issetugid() == 0;
#endif
}

/* ---- signals ---- */

/* Async-signal-safe, like all functions called here. */
static void end_by(int number) {
  const struct sigaction by_default = {.sa_handler = SIG_DFL};
  if (getpid() == process) {
    remove_files();
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
void cli_signals_guard(void (*before_end)(void)) {
  static const int others[] = {
      SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH,
#ifdef __APPLE__
      SIGIO,   SIGINFO,
#endif
  };
  process = getpid();
  remove_files = before_end;
  for (int number = 1; number < NSIG; number++) {
    if (!is_among(others, sizeof others / sizeof others[0], number)) {
      guard(number);
    }
  }
}

void cli_signals_hold(void) {
  for (int expected = FREE; !atomic_compare_exchange_strong(&owner, &expected, HELD);
       expected = FREE) {
    (void)sched_yield();
  }
}

void cli_signals_release(void) {
  const int saved = errno;
  atomic_store(&owner, FREE);
  const int number = atomic_load(&noted);
  if (number != 0) {
    (void)raise(number);
  }
  errno = saved;
}
