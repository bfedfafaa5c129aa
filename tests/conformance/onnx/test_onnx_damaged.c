/*
 * Damaged files: a model and a tensor with each byte changed in several ways, and truncated at each
 * length. The program must not crash, and must write a whole output file or no file.
 *
 *     test_onnx_damaged DATA_FOLDER SCRATCH_FOLDER
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sys/stat.h>

#include "case.h"
#include "harness/device.h"
#include "host/fail.h"

/* No Expand, Tile, Pad: their damage can ask for gigabytes that really exist. */
static const char *const cases[] = {"test_reshape_zero_and_negative_dim",
                                    "test_split_variable_parts_2d",
                                    "test_slice_neg_steps",
                                    "test_squeeze_negative_axes",
                                    "test_concat_2d_axis_1",
                                    "test_depthtospace_example",
                                    "test_gather_2d_indices",
                                    "test_shape_start_1_end_negative_1",
                                    "test_where_long_example",
                                    "test_range_int32_type_negative_delta"};

typedef struct damage {
  cli_host host;
  const char *data, *scratch, *name;
  case_files files;
  uint8_t *bytes; /* bytes of the file to be damaged */
  size_t size;
  const char *path; /* path of the damaged copy */
  int ran, failed_as_they_must, wrong;
} damage;

static void run_once(damage *state, size_t size, const char *how, size_t at) {
  clrs_error error = {0};
  bool ran = false;
  clrs_status status = case_write_file(state->path, state->bytes, size, &error);
  if (status == CLRS_OK)
    status = case_run_damaged(&state->host, &state->files, state->scratch, &ran, &error);
  if (status != CLRS_OK) {
    printf("FAIL %s, %s %s at byte %zu: %s\n", state->name, state->path, how, at, error.message);
    state->wrong++;
  }
  *(ran ? &state->ran : &state->failed_as_they_must) += status == CLRS_OK;
}

/* Changed bytes: all bits, the lowest, the highest. Cut off: at each byte. */
static void damage_file(damage *state) {
  static const uint8_t changes[] = {0xff, 0x01, 0x80};
  for (size_t i = 0; i < state->size; i++) {
    for (size_t k = 0; k < sizeof changes; k++) {
      state->bytes[i] ^= changes[k];
      run_once(state, state->size, "changed", i);
      state->bytes[i] ^= changes[k];
    }
    run_once(state, i, "cut off", i);
  }
}

/* Damages a copy of one file of the case, which takes the file's place while it does. */
static clrs_status damage_copy(damage *state, char *place, clrs_error *error) {
  char original[CASE_PATH], copy[CASE_PATH];
  snprintf(original, sizeof original, "%s", place);
  snprintf(copy, sizeof copy, "%s/damaged", state->scratch);
  CLRS_TRY(case_read_file(original, &state->bytes, &state->size, error));
  snprintf(place, CASE_PATH, "%s", copy);
  state->path = copy;
  damage_file(state);
  snprintf(place, CASE_PATH, "%s", original);
  free(state->bytes);
  return CLRS_OK;
}

static void run_case(damage *state, const char *name) {
  clrs_error error = {0};
  case_files *files = &state->files;
  struct stat info;
  memset(files, 0, sizeof *files);
  state->name = name;
  snprintf(files->model, CASE_PATH, "%s/node/%s/model.onnx", state->data, name);
  for (files->input_count = 0; files->input_count < CASE_MAX_FILES; files->input_count++) {
    char *path = files->inputs[files->input_count];
    snprintf(path, CASE_PATH, "%s/node/%s/test_data_set_0/input_%zu.pb", state->data, name,
             files->input_count);
    if (stat(path, &info) != 0)
      break;
  }
  clrs_status status = damage_copy(state, files->model, &error);
  if (status == CLRS_OK && files->input_count > 1) /* the last is a shape, sizes, steps, indices */
    status = damage_copy(state, files->inputs[files->input_count - 1], &error);
  if (status != CLRS_OK) {
    printf("FAIL %s: %s\n", name, error.message);
    state->wrong++;
  }
}

int main(int argc, char **argv) {
  static damage state; /* large */
  if (argc != 3)
    return 2;
  int missing = device_missing();
  if (missing != 0)
    return missing;
  state.data = argv[1];
  state.scratch = argv[2];
  mkdir(state.scratch, 0777);
  if (cli_host_open(NULL, &state.host, &error) != CLRS_OK)
    return cli_report(&error);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    run_case(&state, cases[i]);
  cli_host_close(&state.host);
  printf("%d damaged files ran, %d were refused, %d went wrong\n", state.ran,
         state.failed_as_they_must, state.wrong);
  return state.wrong == 0 && state.ran > 0 && state.failed_as_they_must > 0 ? 0 : 1;
}
