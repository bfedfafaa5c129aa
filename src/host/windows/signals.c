/*
 * The process: arguments, standard streams, and the events that end the process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define WIN32_LEAN_AND_MEAN
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h> /* behind windows.h */

#include "system.h"

/* The C library's own arguments are not UTF-8, and have wildcards replaced. */
static bool read_arguments(int *argc, char ***argv) {
  wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), argc);
  char **made = wide != NULL ? calloc((size_t)*argc + 1, sizeof *made) : NULL;
  bool is_good = made != NULL;
  for (int i = 0; is_good && i < *argc; i++) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
    made[i] = malloc((size_t)size);
    is_good = made[i] != NULL &&
              WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, made[i], size, NULL, NULL) > 0;
  }
  LocalFree(wide);
  *argv = made; /* until the process ends */
  return is_good;
}

/* Windows starts no program with more rights than the caller has, unless the user agrees. */
bool cli_system_begin(int *argc, char ***argv) {
  for (int fd = 0; fd < 3; fd++) {
    _setmode(fd, _O_BINARY);
  }
  if (!read_arguments(argc, argv)) {
    abort();
  }
  return true;
}

static SRWLOCK lock = SRWLOCK_INIT;
static void (*remove_files)(void);

/* Runs in a separate thread. FALSE lets Windows end the process. The lock stays taken. */
static BOOL WINAPI on_event(DWORD event) {
  (void)event;
  AcquireSRWLockExclusive(&lock);
  remove_files();
  return FALSE;
}

void cli_signals_guard(void (*before_end)(void)) {
  remove_files = before_end;
  (void)SetConsoleCtrlHandler(on_event, TRUE);
}

void cli_signals_hold(void) {
  AcquireSRWLockExclusive(&lock);
}

void cli_signals_release(void) {
  ReleaseSRWLockExclusive(&lock);
}
