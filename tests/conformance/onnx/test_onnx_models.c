/*
 * Runs the generated models of models.txt (make_models.py) and torch.txt (make_torch_models.py).
 * GOOD models must run, some of them in a given number of launches, and BAD models must fail. The
 * file must hold exactly these numbers of models, so that a truncated file does not pass.
 *
 *     test_onnx_models MODELS.txt SCRATCH_FOLDER GOOD BAD [STEP]
 *
 * With STEP only every STEPth GOOD model runs, because a driver compiles one or more kernels for
 * many models.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sys/stat.h>

#include "case.h"
#include "harness/device.h"
#include "host/fail.h"

typedef struct progress {
  cli_host host;
  const char *scratch;
  int step; /* every step-th GOOD model runs */
  int good, passed_over, bad, failed, refused;
} progress;

static int digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Writes the bytes that `text` spells in hexadecimal over `text`. */
static clrs_status write_hexadecimal(char *text, const char *path, clrs_error *error) {
  size_t length = strcmp(text, "-") == 0 ? 0 : strlen(text);
  for (size_t i = 0; i < length; i += 2) {
    int high = digit(text[i]), low = i + 1 < length ? digit(text[i + 1]) : -1;
    if (high < 0 || low < 0)
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "\"%.20s\" is not hexadecimal", text);
    text[i / 2] = (char)(high * 16 + low);
  }
  return case_write_file(path, text, length / 2, error);
}

/* A line of the file, taken apart field by field. */
typedef struct line {
  char *rest;
} line;

static char *next_field(line *from) {
  char *field = from->rest;
  if (field == NULL)
    return NULL;
  char *tab = strchr(field, '\t');
  from->rest = tab == NULL ? NULL : tab + 1;
  if (tab != NULL)
    *tab = '\0';
  return field;
}

static clrs_status write_files(line *from, const char *scratch, const char *stem, size_t *count,
                               char paths[][CASE_PATH], clrs_error *error) {
  const char *number = next_field(from);
  *count = number == NULL ? CASE_MAX_FILES + 1 : strtoul(number, NULL, 10);
  if (*count > CASE_MAX_FILES)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the line has no usable number of files");
  for (size_t i = 0; i < *count; i++) {
    char *field = next_field(from);
    if (field == NULL)
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the line is cut short");
    snprintf(paths[i], CASE_PATH, "%s/%s_%zu.pb", scratch, stem, i);
    CLRS_TRY(write_hexadecimal(field, paths[i], error));
  }
  return CLRS_OK;
}

static clrs_status write_model(line *from, const char *scratch, case_files *files,
                               clrs_error *error) {
  char *model = next_field(from);
  if (model == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the line is cut short");
  snprintf(files->model, CASE_PATH, "%s/model.onnx", scratch);
  CLRS_TRY(write_hexadecimal(model, files->model, error));
  return write_files(from, scratch, "input", &files->input_count, files->inputs, error);
}

/* `kind` is "ok" or "ok:LAUNCHES". */
static clrs_status run_good(progress *state, const char *kind, line *from, clrs_error *error) {
  static case_files files; /* large */
  files.launches = kind[2] == ':' ? atoi(kind + 3) : CASE_ANY;
  CLRS_TRY(write_model(from, state->scratch, &files, error));
  CLRS_TRY(
      write_files(from, state->scratch, "expected", &files.output_count, files.expected, error));
  if (files.output_count == 0)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "no output is expected");
  return case_run(&state->host, &files, state->scratch, error);
}

static clrs_status run_bad(progress *state, line *from, clrs_error *error) {
  static case_files files; /* large */
  CLRS_TRY(write_model(from, state->scratch, &files, error));
  if (from->rest == NULL || from->rest[0] == '\0')
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "no words of the error are given");
  return case_run_bad(&state->host, &files, state->scratch, from->rest, error);
}

/* Counts the model if it is not to run. */
static bool is_passed_over(progress *state) {
  const bool passes = (state->good + state->refused + state->passed_over) % state->step != 0;
  state->passed_over += passes;
  return passes;
}

static void run_line(progress *state, char *text) {
  line from = {text};
  clrs_error error = {0};
  text[strcspn(text, "\n")] = '\0';
  const char *kind = next_field(&from), *name = next_field(&from);
  bool is_good = strncmp(kind, "ok", 2) == 0;
  if (is_good && is_passed_over(state))
    return;
  clrs_status status =
      is_good ? run_good(state, kind, &from, &error) : run_bad(state, &from, &error);
  const bool is_refused = is_good && status != CLRS_OK && case_is_refused(&state->host, &error);
  printf("%s %s%s%s\n",
         status == CLRS_OK ? "ok  "
         : is_refused      ? "none"
                           : "FAIL",
         name ? name : "", status == CLRS_OK ? "" : ": ", error.message);
  *(is_good ? &state->good : &state->bad) += status == CLRS_OK;
  state->refused += is_refused;
  state->failed += status != CLRS_OK && !is_refused;
}

static bool run_file(progress *state, const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return false;
  while (getline(&text, &size, file) >= 0)
    run_line(state, text);
  free(text);
  fclose(file);
  return true;
}

int main(int argc, char **argv) {
  progress state = {.step = argc == 6 ? atoi(argv[5]) : 1};
  if (argc < 5 || argc > 6 || state.step < 1)
    return 2;
  int missing = device_missing();
  if (missing != 0)
    return missing;
  state.scratch = argv[2];
  mkdir(state.scratch, 0777);
  if (cli_host_open(NULL, &state.host, &error) != CLRS_OK)
    return cli_report(&error);
  bool found = run_file(&state, argv[1]);
  cli_host_close(&state.host);
  const int good = atoi(argv[3]), bad = atoi(argv[4]);
  printf("%d of %d models ran, %d were passed over, %d of %d failed as they must, %d failures, "
         "%d not for this device\n",
         state.good, good, state.passed_over, state.bad, bad, state.failed, state.refused);
  const bool all_there = state.good + state.refused + state.passed_over == good && state.bad == bad;
  return found && state.failed == 0 && all_there ? 0 : 1;
}
