/*
 * The program under failing OpenCL calls, memory and files. Each command runs in this process,
 * again and again, with the next call failing each time. After every failure:
 *
 *  - the command has ended with an error and a sentence on standard error, or succeeded anyway
 *  - after an error the output file is absent or unchanged, and the folder has no new files
 *  - the input files are unchanged
 *  - no OpenCL object, no block of memory and no file descriptor is left
 *  - the same command then succeeds, with the right output
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem */
#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli_commands.h"
#include "commands.h"
#include "fail.h"
#include "harness/device.h"
#include "harness/driver_defects.h"
#include "harness/fault_layer.h"
#include "host_faults.h"
#ifdef CLRS_TRY_FAULTS
#include "tries.h"
#endif

enum { MOST_CALLS = 3000 };

static fault_layer layer;
/* all failures, for minutes false: the failures that find the most in seconds */
static bool is_long;
static bool threads_outlive_queues; /* the driver's (defects/queues_kept.c) */

/* ---- running one ---- */

static const char old_text[] = "what was there before";

static void prepare(const command *c) {
  for (int i = 0; c->outputs[i]; i++) {
    (void)unlink(c->outputs[i]);
    if (c->has_old)
      write_file(c->outputs[i], old_text, sizeof old_text);
  }
}

static int redirect(int fd, const char *path) {
  (void)fflush(fd == STDOUT_FILENO ? stdout : stderr);
  const int kept = dup(fd);
  const int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_true(kept >= 0 && to >= 0 && dup2(to, fd) == fd);
  (void)close(to);
  return kept;
}

/* The file comes through a pipe that can hold the whole file. */
static int feed(const char *path) {
  static contents file;
  int ends[2];
  assert_true(read_file(path, &file) && pipe(ends) == 0);
  assert_int_equal(write(ends[1], file.bytes, file.size), file.size);
  (void)close(ends[1]);
  const int kept = dup(STDIN_FILENO);
  assert_true(kept >= 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
  (void)close(ends[0]);
  return kept;
}

static void restore(int fd, int kept) {
  (void)fflush(fd == STDOUT_FILENO ? stdout : stderr);
  (void)dup2(kept, fd);
  (void)close(kept);
}

/* Runs the command like main. The output goes to the files .out and .err. */
static int run(const command *c, const fault *opencl, const host_fault *host) {
  char *argv[13] = {(char *)(uintptr_t)c->name};
  int argc = 1;
  for (int i = 0; c->arguments[i]; i++)
    argv[argc++] = strdup(c->arguments[i]);
  if (c->run == cli_run || c->run == cli_onnx) /* a cache that fails is no failure */
    argv[argc++] = strdup("--no-cache");
  prepare(c);
  optind = 0; /* getopt starts again */
  const int out = redirect(STDOUT_FILENO, ".out"), err = redirect(STDERR_FILENO, ".err");
  const int in = c->piped != NULL ? feed(c->piped) : -1;
  layer.arm(opencl);
  if (host)
    host_faults_arm(*host);
  const int code = c->run(argc, argv);
  host_faults_arm((host_fault){.kind = HOST_NONE});
  restore(STDOUT_FILENO, out);
  restore(STDERR_FILENO, err);
  if (in >= 0) {
    (void)dup2(in, STDIN_FILENO);
    (void)close(in);
  }
  for (int i = 1; i < argc; i++)
    free(argv[i]);
  return code;
}

/* ---- judging it ---- */

typedef struct surroundings {
  fault_balance balance;
  long blocks;
  int descriptors, files;
} surroundings;

static int count_entries(const char *folder) {
  DIR *open_folder = opendir(folder);
  int count = 0;
  assert_non_null(open_folder);
  while (readdir(open_folder))
    count++;
  (void)closedir(open_folder);
  return count;
}

static surroundings look_around(const command *c) {
  int outputs = 0;
  for (int i = 0; c->outputs[i]; i++)
    outputs += access(c->outputs[i], F_OK) == 0;
  return (surroundings){layer.balance(), host_faults_live(), count_entries("/proc/self/fd"),
                        count_entries(".") + count_entries("results") - outputs};
}

/* Rusticl's threads open files, and continue for a moment after the release of the queue. */
static surroundings look_around_again(const command *c, const surroundings *before) {
  const struct timespec moment = {0, 20000000};
  surroundings now = look_around(c);
  for (int i = 0; i < 100 && now.descriptors > before->descriptors; i++) {
    (void)nanosleep(&moment, NULL);
    now = look_around(c);
  }
  return now;
}

/* The driver's threads may have had files open before, and have closed the files since. */
static bool may_have_fewer(const surroundings *a, const surroundings *b) {
  return threads_outlive_queues && b->descriptors < a->descriptors;
}

static void require_same(const surroundings *a, const surroundings *b, const char *what) {
  if (memcmp(&a->balance, &b->balance, sizeof a->balance) != 0 || a->blocks != b->blocks ||
      (a->descriptors != b->descriptors && !may_have_fewer(a, b)) || a->files != b->files)
    fail_msg("%s: %ld objects, %ld blocks, %d descriptors, %d files more than before", what,
             b->balance.live - a->balance.live, b->blocks - a->blocks,
             b->descriptors - a->descriptors, b->files - a->files);
}

static void require_right(const command *c, int code, const char *what) {
  if (code != CLI_EXIT_DONE || !c->is_right(c->outputs[0] ? c->outputs[0] : ".out"))
    fail_msg("%s: ended with %d, or its output is wrong", what, code);
}

static void require_clean_failure(const command *c, int code, const char *what) {
  static contents said, found;
  assert_true(read_file(".err", &said));
  if (code != CLI_EXIT_FAILED || said.size < 12 || /* and no failure is a missing device */
      !memmem(said.bytes, said.size, "clreshape: ", 11))
    fail_msg("%s: ended with %d and said: %.*s", what, code, (int)said.size, said.bytes);
  for (int i = 0; c->outputs[i]; i++) {
    const bool there = read_file(c->outputs[i], &found);
    if (there != c->has_old || (there && (found.size != sizeof old_text ||
                                          memcmp(found.bytes, old_text, sizeof old_text) != 0)))
      fail_msg("%s: ended with %d, but %s is new or gone", what, code, c->outputs[i]);
  }
}

static void require_end(const command *c, int code, const char *what) {
  if (code == CLI_EXIT_DONE)
    require_right(c, code, what);
  else
    require_clean_failure(c, code, what);
}

static void require_inputs_unchanged(const char *what) {
  static contents now, then;
  char kept[64];
  for (size_t i = 0; cli_inputs[i]; i++) {
    (void)snprintf(kept, sizeof kept, "kept/%s", cli_inputs[i]);
    if (!read_file(cli_inputs[i], &now) || !read_file(kept, &then) || now.size != then.size ||
        memcmp(now.bytes, then.bytes, now.size) != 0)
      fail_msg("%s: %s has changed", what, cli_inputs[i]);
  }
}

typedef struct totals {
  int points, without; /* injected failures, and the failures that did not prevent success */
} totals;

/* False if no call failed: there are fewer. */
static bool point(const command *c, const fault *opencl, const host_fault *host, totals *all) {
  char what[200];
  prepare(c);
  const surroundings before = look_around(c);
  const int code = run(c, opencl, host);
  const char *call = host ? host_faults_failed() : layer.failed();
  (void)snprintf(what, sizeof what, "%s, while %s number %d%s failed (kind %d)", c->name,
                 call ? call : "nothing", host ? host->nth : opencl->nth,
                 (host ? host->sticky : opencl->sticky) ? " and all later ones" : "",
                 host ? (int)host->kind : (int)opencl->kind);
  layer.arm(NULL);
  require_end(c, code, what);
  surroundings after = look_around_again(c, &before);
  /* After a permanent failure a driver cannot tell whether the memory of a transfer is still in
   * use. */
  if (opencl && opencl->sticky && after.blocks == before.blocks + 1)
    after.blocks--;
  require_same(&before, &after, what);
  require_inputs_unchanged(what);
  if (call) {
    all->points++;
    all->without += code == CLI_EXIT_DONE;
    if (opencl || is_long)
      require_right(c, run(c, NULL, NULL), what);
  }
  return call != NULL;
}

/* ---- the loops ---- */

static bool is_left_out(const command *c, bool opencl, bool sticky) {
  /* If every rename fails from a point on, earlier renames cannot be undone. */
  if (sticky && !opencl && c->has_old && c->outputs[1])
    return true;
  return !is_long && (sticky || c->is_slow || (opencl && strcmp(c->name, "run") != 0));
}

/* Returns true if the command must meet at least one failure, because otherwise nothing is proved.
 * Short transfers are excluded: the C library itself goes on after a short read of a list of
 * cases. */
static bool must_have_points(const command *c, bool opencl, const host_fault *host) {
  return opencl ? c->asks_device
                : c->asks_files && (host->kind == HOST_IO_ERROR || host->kind == HOST_NO_SPACE);
}

static void fail_everything(const fault *opencl, const host_fault *host) {
  totals all = {0, 0};
  for (size_t i = 0; i < cli_command_count; i++) {
    const command *c = &cli_commands[i];
    fault layer_fault = opencl ? *opencl : (fault){.nth = 0};
    host_fault host_fault_ = host ? *host : (host_fault){.kind = HOST_NONE};
    int n = 1;
    if (is_left_out(c, opencl != NULL, opencl ? opencl->sticky : host->sticky))
      continue;
    for (bool more = true; more; n++) {
      layer_fault.nth = host_fault_.nth = n;
      more = point(c, opencl ? &layer_fault : NULL, host ? &host_fault_ : NULL, &all);
      if (n == MOST_CALLS)
        fail_msg("%s: %d calls, and more", c->name, n);
    }
    if (n < 3 && must_have_points(c, opencl != NULL, host))
      fail_msg("%s: no call that could fail", c->name);
  }
  assert_true(all.points > 0 || !is_long);
  print_message("%d failures, %d of which made no difference\n", all.points, all.without);
}

TEST(every_opencl_call_fails) {
  for (int sticky = 0; sticky < 2; sticky++)
    fail_everything(&(fault){0, CL_OUT_OF_RESOURCES, sticky, FAULT_BEFORE}, NULL);
}

TEST(every_opencl_call_is_made_and_fails) {
  if (!is_long)
    skip();
  fail_everything(&(fault){0, CL_OUT_OF_HOST_MEMORY, false, FAULT_AFTER}, NULL);
}

TEST(every_allocation_fails) {
  for (int sticky = 0; sticky < 2; sticky++)
    fail_everything(NULL, &(host_fault){HOST_NO_MEMORY, 0, sticky});
}

TEST(every_file_operation_fails) {
  for (int sticky = 0; sticky < 2; sticky++) {
    fail_everything(NULL, &(host_fault){HOST_IO_ERROR, 0, sticky});
    fail_everything(NULL, &(host_fault){HOST_NO_SPACE, 0, sticky});
  }
}

/* Neither is an error: the rest follows with the next call. */
TEST(short_and_interrupted_transfers_go_on) {
  fail_everything(NULL, &(host_fault){HOST_SHORT, 0, false});
  fail_everything(NULL, &(host_fault){HOST_SHORT, 0, true});
  fail_everything(NULL, &(host_fault){HOST_INTERRUPTED, 0, false});
}

#ifdef CLRS_TRY_FAULTS
enum { MOST_FAILURES = 3 }; /* for each site, in all commands */

/* The call is left out, as if the callee had failed without effect. */
static void fail_try(const command *c, size_t at, int nth, totals *all) {
  char what[400];
  const try_site *site = &try_sites[at];
  prepare(c);
  const surroundings before = look_around(c);
  tries_arm(at, nth);
  const int code = run(c, NULL, NULL);
  all->points += tries_disarm();
  (void)snprintf(what, sizeof what, "%s, while call %d of %s, %s:%d, fails", c->name, nth,
                 site->place.call, site->place.file, site->place.line);
  require_end(c, code, what);
  const surroundings after = look_around_again(c, &before);
  require_same(&before, &after, what);
  require_inputs_unchanged(what);
  all->without += code == CLI_EXIT_DONE;
}

/* With --each, an argument that does not parse as an operation is a file, and the files before are
 * moved. */
static bool takes_files(const command *c) {
  return strcmp(c->arguments[0], "--each") == 0;
}

static void fail_tries(const command *c, totals *all) {
  static int calls[MOST_SITES];
  memset(calls, 0, sizeof calls);
  tries_arm(0, 0);
  const int code = run(c, NULL, NULL);
  (void)tries_disarm();
  require_right(c, code, c->name);
  for (size_t i = 0; i < try_site_count; i++)
    calls[i] = try_sites[i].calls;
  for (size_t i = 0; i < try_site_count; i++) {
    if (calls[i] == 0 || try_sites[i].failures++ >= MOST_FAILURES)
      continue;
    fail_try(c, i, 1, all);
    if (calls[i] > 1)
      fail_try(c, i, calls[i], all);
  }
}

TEST(every_tried_call_fails) {
  totals all = {0, 0};
  for (size_t i = 0; i < cli_command_count; i++)
    if ((is_long || !cli_commands[i].is_slow) && !takes_files(&cli_commands[i]))
      fail_tries(&cli_commands[i], &all);
  assert_true(all.points > 500);
  print_message("%d failures, %d of which made no difference\n", all.points, all.without);
}
#endif

/* Empties the folder and makes the folder the current folder. */
static bool enter_scratch(const char *folder) {
  char command_line[600];
  (void)snprintf(command_line, sizeof command_line, "rm -rf '%s' && mkdir -p '%s'", folder, folder);
  return system(command_line) == 0 && chdir(folder) == 0 && mkdir("results", 0700) == 0 &&
         mkdir("kept", 0700) == 0;
}

/* test_cli_faults DATA SCRATCH [long]: ONNX's node tests, and a scratch folder. */
int main(int argc, char **argv) {
  const int missing = device_and_layer_missing(&layer);
  if (missing)
    return missing;
  if (argc < 3 || !cli_inputs_find(argv[1]) || !enter_scratch(argv[2]) || !cli_inputs_write() ||
      !write_file(".out", "", 0) || !write_file(".err", "", 0) || setenv("TMPDIR", ".", 1) != 0) {
    (void)fprintf(stderr, "usage: test_cli_faults DATA SCRATCH [long]\n");
    return 1;
  }
  is_long = argc > 3;
  test_device device;
  device_open(&device);
  threads_outlive_queues = driver_has_defect(device.device, DEFECT_QUEUES_KEPT);
  device_close(&device);
  return RUN_TESTS(NULL, NULL);
}
