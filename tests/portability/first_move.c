/*
 * The cost of the first move: first_move FILE [SECONDS [CLASS]], or first_move --classes, which
 * prints the classes' names. Every class (or the given class), width of units and execution runs in
 * a separate process with empty driver caches, at most SECONDS (60) long. The first row, class
 * `empty`, is the driver's time for a kernel without this library. Writes tab-separated values to
 * FILE and a table to the standard output. Fails if a move is wrong, fails, crashes or takes too
 * long. A first move of more than 2 s is marked, not failed, because a busy machine is slow too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* nftw, mkdtemp */
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "first_row.h"

enum { MOST_SECONDS = 60, TEXT = 800 };
static const double limit = 2.0;

static const uint32_t widths[] = {1, 2, 4, 8, 16, 32, 64, 128};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

typedef struct outcome {
  first_times times;
  char verdict[TEXT]; /* "ok", or the error */
} outcome;

/* ---- in the row's own process ---- */

static int measure_row(char **argument) {
  first_times t = {0};
  const first_row row = {(clrs__class_number)strtol(argument[0], NULL, 10),
                         (clrs_execution)strtol(argument[1], NULL, 10),
                         (uint32_t)strtol(argument[2], NULL, 10)};
  (void)alarm((unsigned)strtoul(argument[3], NULL, 10));
  char verdict[TEXT];
  const char *failure = first_row_measure(&row, &t);
  (void)snprintf(verdict, sizeof verdict, "%s", failure ? failure : "ok");
  for (char *at = verdict; *at != '\0'; at++)
    *at = *at == '\n' || *at == '\t' ? ' ' : *at; /* a compiler's log has lines */
  printf("\nROW %.6f %.6f %.6f %.6f %.6f %s\n", t.context, t.build, t.run, t.cpu, t.second,
         verdict);
  (void)fflush(stdout);
  _exit(0); /* drivers may take seconds to go, or crash */
}

/* ---- the table ---- */

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *at) {
  (void)what;
  (void)kind;
  (void)at;
  return remove(path);
}

static void empty_caches(const char *folder) {
  static const char *const names[] = {"POCL_CACHE_DIR", "XDG_CACHE_HOME", "MESA_SHADER_CACHE_DIR",
                                      "HOME"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    (void)setenv(names[i], folder, 1);
}

/* Finds the row's line among other output, because drivers print, too. */
static bool read_outcome(FILE *from, outcome *o) {
  char line[TEXT];
  bool found = false;
  while (fgets(line, sizeof line, from)) {
    char *at = line + 4;
    if (strncmp(line, "ROW ", 4) != 0)
      continue;
    double *const fields[] = {&o->times.context, &o->times.build, &o->times.run, &o->times.cpu,
                              &o->times.second};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
      *fields[i] = strtod(at, &at);
    at[strcspn(at, "\n")] = '\0';
    (void)snprintf(o->verdict, sizeof o->verdict, "%s", at + 1);
    found = true;
  }
  return found;
}

static void describe_end(int status, outcome *o) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    (void)snprintf(o->verdict, sizeof o->verdict, "timed out");
  else if (WIFSIGNALED(status))
    (void)snprintf(o->verdict, sizeof o->verdict, "crashed: signal %d, %s", WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
  else
    (void)snprintf(o->verdict, sizeof o->verdict, "crashed: exit code %d", WEXITSTATUS(status));
}

/* Runs this program again, so that the driver is loaded anew. */
static void start_row(const first_row *row, const char *seconds, const char *folder, int to) {
  char numbers[3][16];
  (void)snprintf(numbers[0], sizeof numbers[0], "%d", (int)row->kernel_class);
  (void)snprintf(numbers[1], sizeof numbers[1], "%d", (int)row->execution);
  (void)snprintf(numbers[2], sizeof numbers[2], "%u", row->unit_bits);
  empty_caches(folder);
  if (dup2(to, STDOUT_FILENO) < 0)
    _exit(126);
  (void)execl("/proc/self/exe", "first_move", "--row", numbers[0], numbers[1], numbers[2], seconds,
              (char *)NULL);
  _exit(127);
}

static bool run_row(const first_row *row, const char *seconds, outcome *o) {
  char folder[] = "/tmp/first_move.XXXXXX";
  int ends[2], status = 0;
  memset(o, 0, sizeof *o);
  if (!mkdtemp(folder) || pipe(ends) != 0)
    return false;
  (void)fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    (void)close(ends[0]);
    start_row(row, seconds, folder, ends[1]);
  }
  (void)close(ends[1]);
  FILE *from = fdopen(ends[0], "r");
  const bool found = from && read_outcome(from, o);
  const bool done = child > 0 && from && waitpid(child, &status, 0) == child;
  if (!found)
    describe_end(status, o);
  if (from)
    (void)fclose(from);
  (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  return done;
}

static void print_row(const first_row *row, const outcome *o, FILE *file) {
  const double first = o->times.build + o->times.run;
  const bool is_empty = row->kernel_class == CLRS__CLASS_ANY, over = !is_empty && first > limit;
  const char *name = is_empty ? "empty" : clrs_class_name(row->kernel_class);
  const char *way = row->execution == CLRS_EXECUTION_CPU ? "cpu" : "gpu";
  (void)fprintf(file, "%s\t%s\t%u\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%s\t%s\n", name, way,
                row->unit_bits, o->times.context, o->times.build, o->times.run, first, o->times.cpu,
                o->times.second,
                is_empty ? "floor"
                : over   ? "over"
                         : "",
                o->verdict);
  (void)fflush(file);
  printf("%-12s %s %4u %8.2f %8.2f %8.2f%s %6.2f %10.0f  %s\n", name, way, row->unit_bits,
         o->times.build, o->times.run, first, over ? "!" : " ", o->times.cpu, o->times.second * 1e6,
         o->verdict);
  (void)fflush(stdout);
}

/* The list of moves is made for a device with groups as large as any class wants. */
static clrs_device_limits most_limits(void) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.max_group_items = 256;
  limits.local_bytes = 32768;
  return limits;
}

/* A class of one execution may be required of the other, but no move takes it there by itself. */
static bool belongs(clrs__class_number kernel_class, clrs_execution execution) {
  const char *other = execution == CLRS_EXECUTION_GPU ? "cpu_" : "gpu_";
  return strncmp(clrs_class_name(kernel_class), other, 4) != 0;
}

typedef struct sums {
  int rows, failed, over;
  double worst;
} sums;

static bool add_row(const first_row *row, const char *seconds, FILE *file, sums *all) {
  outcome o;
  if (!run_row(row, seconds, &o)) {
    perror("first_move");
    return false;
  }
  print_row(row, &o, file);
  all->failed += strcmp(o.verdict, "ok") != 0;
  if (row->kernel_class == CLRS__CLASS_ANY)
    return true;
  const double first = o.times.build + o.times.run;
  all->rows++;
  all->over += first > limit;
  all->worst = first > all->worst ? first : all->worst;
  return true;
}

/* False if the class has no row: a table without it would say nothing of it. */
static bool add_class(clrs__class_number kernel_class, const char *seconds, FILE *file, sums *all) {
  const clrs_device_limits limits = most_limits();
  const int before = all->rows;
  for (int e = CLRS_EXECUTION_CPU; e <= CLRS_EXECUTION_GPU; e++)
    for (int i = 0; i < WIDTHS; i++) {
      const first_row row = {kernel_class, (clrs_execution)e, widths[i]};
      first_case found;
      if (belongs(kernel_class, row.execution) && first_row_case(&row, &limits, &found) &&
          !add_row(&row, seconds, file, all))
        return false;
    }
  if (all->rows == before)
    (void)fprintf(stderr, "class %s has no move in the table\n", clrs_class_name(kernel_class));
  return all->rows > before;
}

static int table(FILE *file, const char *seconds, const char *only) {
  sums all = {.rows = 0};
  const first_row empty = {CLRS__CLASS_ANY, CLRS_EXECUTION_CPU, 32};
  (void)fputs("class\texecution\tunit\tcontext\tbuild\trun\tfirst\tcpu\tsecond\tlimit\tverdict\n",
              file);
  printf("class        exec unit    build      run    first     cpu  second/us\n");
  bool whole = add_row(&empty, seconds, file, &all);
  for (int k = CLRS__CLASS_ANY + 1; k < CLRS__CLASS_COUNT; k++)
    if (!only || strcmp(only, clrs_class_name((size_t)k)) == 0)
      whole = add_class((clrs__class_number)k, seconds, file, &all) && whole;
  printf("%d rows, %d failed; %d first moves over %.0f s, the worst %.2f s\n", all.rows, all.failed,
         all.over, limit, all.worst);
  return !whole || all.rows == 0 || all.failed > 0;
}

static int print_classes(void) {
  for (int k = CLRS__CLASS_ANY + 1; k < CLRS__CLASS_COUNT; k++)
    printf("%s\n", clrs_class_name((size_t)k));
  return 0;
}

int main(int argc, char **argv) {
  char seconds[16];
  if (argc == 6 && strcmp(argv[1], "--row") == 0)
    return measure_row(argv + 2);
  if (argc == 2 && strcmp(argv[1], "--classes") == 0)
    return print_classes();
  const long most = argc > 2 ? strtol(argv[2], NULL, 10) : MOST_SECONDS;
  if (argc < 2 || argc > 4 || most < 1 || most > 36000) {
    (void)fputs("usage: first_move FILE [SECONDS [CLASS]]\n", stderr);
    return 2;
  }
  FILE *file = fopen(argv[1], "w");
  if (!file)
    return perror(argv[1]), 1;
  (void)snprintf(seconds, sizeof seconds, "%ld", most);
  const int result = table(file, seconds, argc > 3 ? argv[3] : NULL);
  return fclose(file) == 0 ? result : 1;
}
