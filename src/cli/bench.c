/*
 * clreshape bench: measures cases against a copy of the same size in the same run.
 *
 * A case that cannot run, or gives a wrong result, does not stop the other cases, but the command
 * then fails.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L /* isatty, fileno, gmtime_r */

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "case_list.h"
#include "commands.h"
#include "fail.h"
#include "integers.h"
#include "output.h"
#include "report.h"
#include "text.h"

static const char help[] =
    "usage: clreshape bench [CASES.tsv] [--filter TEXT] [--json|--tsv] [--report FILE]\n"
    "                       [--device P:D] [--repetitions N] [--class C]\n"
    "       clreshape bench --random N [--seed S] [--family F] [...]\n"
    "\n"
    "Moves each case on an OpenCL device, compares every element of the result, and tells\n"
    "how fast that was against the faster of clEnqueueCopyBuffer and the library's own copy\n"
    "of as many bytes, run in turn with it. Without a file: one case for each class.\n"
    "  --filter TEXT    only cases with TEXT in their id, suite or class\n"
    "  --tsv, --json    for programs; --json has all that was measured\n"
    "  --report FILE    also writes FILE with the device, its limits and all that was measured,\n"
    "                   to send; - is as --json\n"
    "  --repetitions N  runs of each case; without it at least 7, more for small cases\n"
    "  --class C        move with this kernel class (cpu_rows, gpu_any, ...) or fail\n"
    "  --random N       instead of a file: N cases of random shapes, in turn from each family\n"
    "                   of moves (transposes, images, attention, ...)\n"
    "  --seed S         which ones; 1 without it\n"
    "  --family F       of this family only\n"
    "\n"
    "CASES.tsv has tab-separated columns: id suite dtype shape src_strides perm dst_strides\n"
    "[MiB [note]], such as\n"
    "  tr  mine  f32  4096x4096  C  1,0  C\n"
    "Strides are C (dense) or elements, 0 and negative ones included: 8192,1 or 8192,1@5 from\n"
    "element 5. A perm may be a chain of permutations and reshapes: 1,0/8192x1536/1,0, of\n"
    "which 8192x1536:1500 keeps the first 1500. The last lines of the table are the worst\n"
    "case of each suite, as lines of such a file. 1000*64x64 are 1000 moves of 64x64, handed\n"
    "over as one batch; strides and perm are of 1000x64x64, of which the first dim stays.\n"
    "GB/s count bytes read plus written, by the median time from the enqueue to the end; on\n"
    "a GPU by the device's own time, of the copy too.\n";

enum { MOST_REPETITIONS = 100000, MOST_RANDOM = 2000 };

typedef struct arguments {
  const char *cases, *filter, *device, *report;
  enum bench_format format;
  const char *family;
  int64_t repetitions, random, seed; /* 0: not given */
  const char *required_class;
  bool help;
} arguments;

static const struct option options[] = {
    {"filter", required_argument, NULL, 'f'}, {"json", no_argument, NULL, 'j'},
    {"tsv", no_argument, NULL, 't'},          {"report", required_argument, NULL, 'o'},
    {"device", required_argument, NULL, 'd'}, {"repetitions", required_argument, NULL, 'r'},
    {"class", required_argument, NULL, 'c'},  {"random", required_argument, NULL, 'n'},
    {"seed", required_argument, NULL, 's'},   {"family", required_argument, NULL, 'a'},
    {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};

/* ---- the command line ---- */

static clrs_status take_number(const char *option, int64_t most, int64_t *value,
                               clrs_error *error) {
  if (clrs__integer_parse(optarg, strlen(optarg), value, error) != CLRS_OK) {
    return cli_fail_prefix(error, "%s", option);
  }
  return *value >= 1 && *value <= most
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "%s is %" PRId64 "; 1 to %" PRId64 " are allowed", option, *value, most);
}

static clrs_status take_format(enum bench_format format, arguments *given, clrs_error *error) {
  if (given->format != BENCH_TEXT && given->format != format) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "--json and --tsv exclude each other");
  }
  given->format = format;
  return CLRS_OK;
}

/* `text` is the option as written in the command line. */
static clrs_status take_option(int option, const char *text, arguments *given, clrs_error *error) {
  switch (option) {
  case 'f':
    given->filter = optarg;
    return CLRS_OK;
  case 'j':
    return take_format(BENCH_JSON, given, error);
  case 't':
    return take_format(BENCH_TSV, given, error);
  case 'o':
    if (strcmp(optarg, "-") == 0) {
      return take_format(BENCH_JSON, given, error);
    }
    given->report = optarg;
    return CLRS_OK;
  case 'd':
    given->device = optarg;
    return cli_host_check_device_text(optarg, error);
  case 'r':
    return take_number("--repetitions", MOST_REPETITIONS, &given->repetitions, error);
  case 'c':
    return cli_class_parse(optarg, &given->required_class, error);
  case 'n':
    return take_number("--random", MOST_RANDOM, &given->random, error);
  case 's':
    return take_number("--seed", INT64_MAX, &given->seed, error);
  case 'a':
    given->family = optarg;
    return bench_family_check(optarg, error);
  case 'h':
    given->help = true;
    return CLRS_OK;
  default:
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s is not an option of bench or lacks its value", text);
  }
}

static clrs_status check_together(const arguments *given, clrs_error *error) {
  const char *wrong = NULL;
  if (given->random > 0 && given->cases != NULL) {
    wrong = "--random takes no file of cases";
  } else if (given->random == 0 && (given->seed > 0 || given->family != NULL)) {
    wrong = "--seed and --family say what --random draws";
  }
  return wrong == NULL ? CLRS_OK : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s", wrong);
}

static clrs_status read_arguments(int argc, char **argv, arguments *given, clrs_error *error) {
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
    CLRS_TRY(take_option(option, argv[optind - 1], given, error));
  }
  if (optind + 1 < argc) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "one file of cases is read, not also '%s'",
                      argv[optind + 1]);
  }
  given->cases = optind < argc ? argv[optind] : NULL;
  return check_together(given, error);
}

/* ---- progress ---- */

static bool shows_progress(void) {
  return isatty(fileno(stderr));
}

static void show_progress(const bench_list *list, size_t index) {
  if (shows_progress()) {
    fprintf(stderr, "\r\033[K[%zu of %zu] %s", index + 1, list->count, list->cases[index].id);
  }
}

static void clear_progress(void) {
  if (shows_progress()) {
    fputs("\r\033[K", stderr);
  }
}

/* ---- cases ---- */

/* Reports a failed case on standard error, in any output format. Returns whether the case
 * succeeded. */
static bool is_good(const bench_row *row) {
  if (row->failed) {
    cli_complain("%s: %s", row->given->id, row->message);
  } else if (!row->result.verified) {
    cli_complain("%s: the result is wrong: %s", row->given->id, row->result.wrong);
  }
  return !row->failed && row->result.verified;
}

/* Measures a case and appends a row, unless the filter excludes the case. Returns false on
 * failure. */
static bool run_case(bench_setup *setup, const bench_case *given, enum bench_format format,
                     bench_report *report) {
  bench_row *row = &report->rows[report->count];
  clrs_error error;
  memset(row, 0, sizeof *row);
  row->given = given;
  row->failed = bench_measure(setup, given, &row->result, &error) != CLRS_OK;
  clear_progress();
  if (row->result.filtered) {
    return true;
  }
  if (row->failed) {
    memcpy(row->message, error.message, sizeof row->message);
  }
  if (report->count++ == 0) {
    bench_print_begin(report, format);
  }
  const bool good = is_good(row);
  bench_print_row(row, format);
  return good;
}

static clrs_status run_cases(bench_setup *setup, const bench_list *list, enum bench_format format,
                             bench_report *report, clrs_error *error) {
  size_t bad = 0;
  for (size_t i = 0; i < list->count; i++) {
    show_progress(list, i);
    bad += run_case(setup, &list->cases[i], format, report) ? 0 : 1;
  }
  if (report->count == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "no case has '%s' in its id, its suite or its class",
                      clrs__show(setup->filter).text);
  }
  bench_print_end(report, format);
  return bad == 0 ? CLRS_OK
                  : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                               "%zu of %zu cases did not run or gave a wrong result", bad,
                               report->count);
}

/* ---- the command ---- */

static void set_date(bench_report *report) {
  const time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc) != NULL) {
    (void)strftime(report->date, sizeof report->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  }
}

static clrs_status write_report(const bench_report *report, cli_output *output, clrs_error *error) {
  const int fd = dup(output->fd);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  if (file == NULL) {
    const int code = errno;
    if (fd >= 0) {
      close(fd);
    }
    return cli_fail_file(error, output->target.path, code);
  }
  bench_print_json(file, report);
  const bool is_whole = ferror(file) == 0;
  return fclose(file) == 0 && is_whole ? cli_output_commit(output, 1, error)
                                       : cli_fail_file(error, output->target.path, errno);
}

/* Also a report of cases that failed is written. */
static clrs_status run_and_write(bench_setup *setup, const arguments *given, const bench_list *list,
                                 bench_report *report, clrs_error *error) {
  cli_inputs inputs = {0};
  cli_output output = CLI_OUTPUT_INIT;
  clrs_error unwritten;
  if (given->report == NULL) {
    return run_cases(setup, list, given->format, report, error);
  }
  clrs_status status =
      given->cases == NULL ? CLRS_OK : cli_inputs_add(&inputs, given->cases, error);
  if (status == CLRS_OK && /* before the work */
      (status = cli_output_open(given->report, &inputs, &output, error)) == CLRS_OK) {
    status = run_cases(setup, list, given->format, report, error);
    if (report->count > 0 && write_report(report, &output, &unwritten) != CLRS_OK) {
      *error = unwritten;
      status = unwritten.status;
    }
  }
  cli_output_close(&output);
  cli_inputs_free(&inputs);
  return status;
}

static clrs_status run_report(bench_setup *setup, const arguments *given, const bench_list *list,
                              clrs_error *error) {
  bench_report report = {.device = setup->device};
  CLRS_TRY(cli_device_features_read(setup->host.device, &report.features, error));
  report.rows = malloc(list->count * sizeof *report.rows);
  if (report.rows == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  set_date(&report);
  const clrs_status status = run_and_write(setup, given, list, &report, error);
  free(report.rows);
  return status;
}

static clrs_status run_bench(const arguments *given, clrs_error *error) {
  bench_list list = {0};
  bench_setup setup;
  const bench_draw draw = {given->seed > 0 ? (uint64_t)given->seed : 1, (size_t)given->random,
                           given->family};
  CLRS_TRY(given->random > 0 ? bench_list_draw(&draw, &list, error)
                             : bench_list_read(given->cases, &list, error));
  clrs_status status = bench_setup_open(given->device, &setup, error);
  if (status == CLRS_OK) {
    setup.repetitions = (size_t)given->repetitions;
    setup.filter = given->filter;
    setup.required_class = given->required_class;
    status = run_report(&setup, given, &list, error);
    bench_setup_close(&setup);
  }
  bench_list_free(&list);
  return status;
}

int cli_bench(int argc, char **argv) {
  arguments given = {.format = BENCH_TEXT};
  clrs_error error;
  if (read_arguments(argc, argv, &given, &error) != CLRS_OK) {
    return cli_usage_error("bench", "%s", error.message);
  }
  if (given.help) {
    return cli_help(help);
  }
  return run_bench(&given, &error) == CLRS_OK ? CLI_EXIT_DONE : cli_report(&error);
}
