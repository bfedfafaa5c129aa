/*
 * Kernels become shared libraries of this machine. clang compiles the kernels under sanitizers. A
 * folder keeps each library under the hash of all inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* dladdr */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "objects.h"

enum { PATH_ROOM = 600, MOST_WORDS = 512 };

static const char *setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value != NULL && *value != '\0' ? value : otherwise;
}

static const char *default_flags = "-O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all";

/* ---- planted bugs ---- */

static void tell_planted(void) {
  const char *path = getenv("CLRS_MICROSCOPE_PLANTED");
  const int file = path != NULL ? open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
  if (file >= 0) {
    (void)close(file);
  }
}

/* Returns the source with the planted bug, or NULL if the source has no place for the bug. */
static char *plant(const char *source, char **log) {
  const char *from = getenv("CLRS_MICROSCOPE_FROM"), *to = getenv("CLRS_MICROSCOPE_TO");
  const char *at = from != NULL && to != NULL ? strstr(source, from) : NULL;
  if (at == NULL) {
    return NULL;
  }
  if (strstr(at + 1, from) != NULL) {
    *log = strdup("a bug cannot be planted: its place is there twice");
    return NULL;
  }
  const size_t before = (size_t)(at - source), room = strlen(source) + strlen(to) + 1;
  char *planted = malloc(room);
  if (planted != NULL) {
    (void)snprintf(planted, room, "%.*s%s%s", (int)before, source, to, at + strlen(from));
    tell_planted();
  }
  return planted;
}

/* ---- the compiler ---- */

/* Splits at blanks. The words stay in `text`. */
static size_t split(char *text, char **words, size_t count) {
  char *rest = NULL;
  for (char *word = strtok_r(text, " ", &rest); word != NULL && count + 1 < MOST_WORDS;
       word = strtok_r(NULL, " ", &rest)) {
    words[count++] = word;
  }
  return count;
}

/* Copies this environment, except variables for the program under test. */
static void compiler_environment(char **to, size_t room) {
  extern char **environ;
  size_t count = 0;
  for (char **entry = environ; *entry != NULL && count + 1 < room; entry++) {
    if (strncmp(*entry, "LD_PRELOAD=", 11) != 0) {
      to[count++] = *entry;
    }
  }
  to[count] = NULL;
}

/* Returns the output of the compiler, or NULL if there is no output. */
static char *read_log(const char *path) {
  char *text = calloc(1, 4001);
  FILE *file = fopen(path, "rb");
  if (text != NULL && file != NULL && fread(text, 1, 4000, file) == 0) {
    free(text);
    text = NULL;
  }
  if (file != NULL) {
    (void)fclose(file);
  }
  return text;
}

/* Retries a wait that a signal of the fuzzer's timers interrupted. */
static bool wait_for(pid_t child, int *status) {
  pid_t ended = -1;
  do {
    ended = waitpid(child, status, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == child;
}

static bool run_compiler(char **words, const char *log_path) {
  char *environment[512];
  posix_spawn_file_actions_t actions;
  pid_t child = 0;
  int status = -1;
  compiler_environment(environment, sizeof environment / sizeof *environment);
  if (posix_spawn_file_actions_init(&actions) != 0) {
    return false;
  }
  const bool started = posix_spawn_file_actions_addopen(&actions, 2, log_path,
                                                        O_CREAT | O_WRONLY | O_TRUNC, 0600) == 0 &&
                       posix_spawnp(&child, words[0], &actions, NULL, words, environment) == 0;
  (void)posix_spawn_file_actions_destroy(&actions);
  return started && wait_for(child, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The builtins are this library's own functions. */
static const char *own_path(void) {
  Dl_info info;
  return dladdr(&microscope_dispatch, &info) != 0 ? info.dli_fname : "";
}

typedef struct job {
  char source[PATH_ROOM], log[PATH_ROOM], fresh[PATH_ROOM], result[PATH_ROOM];
} job;

static bool compile(job *paths, const char *options) {
  char *flags = strdup(setting("CLRS_MICROSCOPE_FLAGS", default_flags));
  char *given = strdup(options), *own = strdup(own_path());
  char clang[200];
  /* Shuffles (kernels/shuffles.cl) are compiled only if the machine has the instructions. Without
   * optimization a map's kernel takes ten times as long to compile if each call of a function is
   * inlined, so functions are called here. */
  char fixed[] = "-x cl -target x86_64-pc-linux-gnu -mssse3 -Xclang -fdeclare-opencl-builtins "
                 "-Xclang -finclude-default-header -DINLINED=HELPER -fPIC -shared "
                 "-Wl,-Bsymbolic";
  char *words[MOST_WORDS] = {clang};
  bool good = false;
  if (flags != NULL && given != NULL && own != NULL) {
    (void)snprintf(clang, sizeof clang, "%s", setting("CLRS_MICROSCOPE_CLANG", "clang"));
    size_t count = split(fixed, words, 1);
    count = split(given, words, count);
    count = split(flags, words, count);
    char *tail[] = {"-o", paths->fresh, paths->source, "-x", "none", own, NULL};
    if (count + sizeof tail / sizeof *tail <= MOST_WORDS) {
      memcpy(&words[count], tail, sizeof tail);
      good = run_compiler(words, paths->log) && rename(paths->fresh, paths->result) == 0;
    }
  }
  free(flags);
  free(given);
  free(own);
  return good;
}

/* ---- the cache ---- */

static uint64_t hash(uint64_t seed, const char *text) {
  for (; *text != '\0'; text++) {
    seed = (seed ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  }
  return seed;
}

static bool name_files(job *paths, const char *text, const char *options) {
  const char *folder = setting("CLRS_MICROSCOPE_CACHE", NULL);
  const char *flags = setting("CLRS_MICROSCOPE_FLAGS", default_flags);
  if (folder == NULL || strlen(folder) > PATH_ROOM - 100) {
    return false;
  }
  uint64_t key[2];
  for (int i = 0; i < 2; i++) {
    key[i] = hash(UINT64_C(0xcbf29ce484222325) + (uint64_t)i * 7919, text);
    key[i] = hash(hash(hash(key[i], options), flags), own_path());
  }
  char stem[PATH_ROOM - 60];
  (void)snprintf(stem, sizeof stem, "%s/%016" PRIx64 "%016" PRIx64, folder, key[0], key[1]);
  const long process = (long)getpid();
  (void)snprintf(paths->result, PATH_ROOM, "%s.so", stem);
  (void)snprintf(paths->fresh, PATH_ROOM, "%s.%ld.so", stem, process);
  (void)snprintf(paths->source, PATH_ROOM, "%s.%ld.cl", stem, process);
  (void)snprintf(paths->log, PATH_ROOM, "%s.%ld.log", stem, process);
  return true;
}

static bool write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  bool good = file != NULL && fputs(text, file) >= 0;
  if (file != NULL) {
    good = fclose(file) == 0 && good;
  }
  return good;
}

static void *load(const char *path, char **log) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    *log = strdup(reason != NULL ? reason : "dlopen failed");
  }
  return library;
}

static void *compile_text(const char *key, const char *text, const char *options, char **log) {
  job paths;
  if (!name_files(&paths, key, options)) {
    *log = strdup("CLRS_MICROSCOPE_CACHE names no folder for compiled kernels");
    return NULL;
  }
  if (access(paths.result, R_OK) == 0) {
    return load(paths.result, log);
  }
  const bool good = write_text(paths.source, text) && compile(&paths, options);
  *log = good ? NULL : read_log(paths.log);
  (void)unlink(paths.source);
  (void)unlink(paths.log);
  return good ? load(paths.result, log) : NULL;
}

void *microscope_compile(const struct _cl_program *program, const char *options, char **log) {
  *log = NULL;
  char *planted = plant(program->source, log);
  if (*log != NULL) {
    return NULL;
  }
  const char *key = planted != NULL ? planted : program->source;
  const char *text = planted == NULL && program->includes != NULL ? program->includes : key;
  void *library = compile_text(key, text, options, log);
  free(planted);
  return library;
}
