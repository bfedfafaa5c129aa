/*
 * The onnx command's own arguments: exit codes, options, folders, and paths that are not files.
 *
 *     test_onnx_command DATA_FOLDER SCRATCH_FOLDER
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sys/stat.h>
#include <unistd.h>

#include "harness/device.h"

#include <getopt.h>

#include "case.h"
#include "cli/commands.h"
#include "cli/onnx_run.h"
#include "host/fail.h"

static const char *data_folder, *scratch_folder;

typedef struct paths {
  char model[CASE_PATH], input[CASE_PATH], shape[CASE_PATH], output[CASE_PATH];
} paths;

static paths make_paths(void) {
  paths made;
  const char *format = "%s/node/test_reshape_zero_dim/%s";
  snprintf(made.model, CASE_PATH, format, data_folder, "model.onnx");
  snprintf(made.input, CASE_PATH, format, data_folder, "test_data_set_0/input_0.pb");
  snprintf(made.shape, CASE_PATH, format, data_folder, "test_data_set_0/input_1.pb");
  snprintf(made.output, CASE_PATH, "%s/output_0.pb", scratch_folder);
  return made;
}

/* Runs the command with up to 8 arguments, the last of them NULL. */
static int run(const char *const *arguments) {
  char *argv[11] = {(char *)(uintptr_t) "onnx", (char *)(uintptr_t) "--no-cache"};
  int argc = 2;
  for (; arguments[argc - 2] != NULL; argc++)
    argv[argc] = (char *)(uintptr_t)arguments[argc - 2];
  optind = 1;
  return cli_onnx(argc, argv);
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static bool exists(const char *path) {
  return access(path, F_OK) == 0;
}

TEST(good_request_writes_the_file) {
  paths at = make_paths();
  unlink(at.output);
  assert_int_equal(RUN(at.model, at.input, at.shape, "-o", scratch_folder), CLI_EXIT_DONE);
  assert_true(exists(at.output));
  unlink(at.output);
  assert_int_equal(RUN("-o", scratch_folder, "--explain", at.model, at.input, at.shape),
                   CLI_EXIT_DONE);
  assert_true(exists(at.output));
}

TEST(the_folder_is_the_current_one_by_default) {
  paths at = make_paths();
  char before[CASE_PATH];
  unlink(at.output);
  assert_non_null(getcwd(before, sizeof before));
  assert_int_equal(chdir(scratch_folder), 0);
  int code = RUN(at.model, at.input, at.shape);
  assert_int_equal(chdir(before), 0);
  assert_int_equal(code, CLI_EXIT_DONE);
  assert_true(exists(at.output));
}

TEST(mistakes_in_the_command_line_are_usage_errors) {
  paths at = make_paths();
  const char *const nothing[] = {NULL};
  assert_int_equal(run(nothing), CLI_EXIT_USAGE);
  assert_int_equal(RUN("--nonsense", at.model), CLI_EXIT_USAGE);
  assert_int_equal(RUN(at.model, "-o"), CLI_EXIT_USAGE);
  assert_int_equal(RUN(at.model, "--device", "first"), CLI_EXIT_USAGE);
  assert_int_equal(RUN("--help"), CLI_EXIT_DONE);
}

TEST(files_that_are_none_fail_and_write_nothing) {
  paths at = make_paths();
  unlink(at.output);
  char missing[CASE_PATH];
  snprintf(missing, sizeof missing, "%s/no-such-thing", scratch_folder);
  assert_int_equal(RUN(at.model, at.input, at.shape, "-o", missing), CLI_EXIT_FAILED);
  assert_int_equal(RUN(at.model, at.input, at.shape, "-o", at.model), CLI_EXIT_FAILED);
  assert_int_equal(RUN(missing, at.input, at.shape, "-o", scratch_folder), CLI_EXIT_FAILED);
  assert_int_equal(RUN(at.model, missing, at.shape, "-o", scratch_folder), CLI_EXIT_FAILED);
  assert_int_equal(RUN(scratch_folder, at.input, at.shape, "-o", scratch_folder), CLI_EXIT_FAILED);
  assert_int_equal(RUN(at.model, scratch_folder, at.shape, "-o", scratch_folder), CLI_EXIT_FAILED);
  assert_int_equal(RUN(at.input, at.model, "-o", scratch_folder), CLI_EXIT_FAILED);
  assert_false(exists(at.output));
}

TEST(an_output_that_cannot_be_replaced_fails) {
  paths at = make_paths();
  unlink(at.output);
  assert_int_equal(mkdir(at.output, 0777), 0);
  int code = RUN(at.model, at.input, at.shape, "-o", scratch_folder);
  assert_int_equal(rmdir(at.output), 0);
  assert_int_equal(code, CLI_EXIT_FAILED);
}

TEST(a_fifo_and_a_huge_file_are_refused_without_reading) {
  paths at = make_paths();
  char odd[CASE_PATH];
  snprintf(odd, sizeof odd, "%s/odd", scratch_folder);
  unlink(odd);
  unlink(at.output);
  assert_int_equal(mkfifo(odd, 0666), 0);
  assert_int_equal(RUN(odd, at.input, at.shape, "-o", scratch_folder), CLI_EXIT_FAILED);
  unlink(odd);
  CHECK_OK(case_write_file(odd, "", 0, &error), error);
  assert_int_equal(truncate(odd, (off_t)3 << 30), 0); /* 3 GiB, all of it a hole */
  assert_int_equal(RUN(odd, at.input, at.shape, "-o", scratch_folder), CLI_EXIT_FAILED);
  unlink(odd);
  assert_false(exists(at.output));
}

/* Runs a case of one or more inputs and reads what is explained. */
static void explain(const char *name, size_t input_count, char *text, size_t size) {
  char model[CASE_PATH], files[2][CASE_PATH];
  char *const inputs[] = {files[0], files[1]};
  cli_inputs read = {0};
  cli_host host;
  snprintf(model, sizeof model, "%s/%s/model.onnx", data_folder, name);
  for (size_t i = 0; i < input_count; i++)
    snprintf(files[i], CASE_PATH, "%s/%s/test_data_set_0/input_%zu.pb", data_folder, name, i);
  onnx_request request = {.model = model,
                          .input_count = input_count,
                          .inputs = inputs,
                          .folder = scratch_folder,
                          .files = &read,
                          .explain = tmpfile()};
  assert_non_null(request.explain);
  CHECK_OK(cli_host_open(NULL, &host, &error), error);
  CHECK_OK(onnx_run(&host, &request, &error), error);
  cli_inputs_free(&read);
  cli_host_close(&host);
  rewind(request.explain);
  text[fread(text, 1, size - 1, request.explain)] = '\0';
  fclose(request.explain);
}

/* PixelShuffle as PyTorch exports it: Reshape, Transpose, Reshape. */
TEST(a_chain_of_nodes_is_explained_as_one_launch) {
  char text[4096];
  explain("pytorch-converted/test_PixelShuffle", 1, text, sizeof text);
  assert_non_null(strstr(text, "output 0 \"5\": float [1,1,12,12]: "));
  assert_non_null(strstr(text, "1 launch"));
  assert_non_null(strstr(text, "\nlaunches: 1\n"));
}

TEST(a_concat_is_explained_part_by_part) {
  char text[4096];
  explain("node/test_concat_2d_axis_1", 2, text, sizeof text);
  const char *first = strstr(text, "node 0 \"\" (Concat): float [2,2]: ");
  assert_non_null(first);
  assert_non_null(strstr(first + 1, "node 0 \"\" (Concat): float [2,2]: "));
  assert_non_null(strstr(text, "output 0 \"output\": float [2,4]: "));
  assert_non_null(strstr(text, "\nlaunches: 2\n"));
}

TEST(what_the_host_knows_takes_no_launch) {
  char text[4096];
  explain("node/test_shape", 1, text, sizeof text);
  assert_string_equal(text, "output 0 \"y\": int64 [3]: known on the host\nlaunches: 0\n");
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  int missing = device_missing();
  if (missing != 0)
    return missing;
  data_folder = argv[1];
  scratch_folder = argv[2];
  mkdir(scratch_folder, 0777);
  return RUN_TESTS(NULL, NULL);
}
