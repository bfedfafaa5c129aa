/*
 * Runs a case and compares files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "case.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/onnx_run.h"
#include "host/fail.h"
#include "onnx.pb-c.h"

/* The contents of every output file before a run. */
static const char sentinel[] = "older contents";

bool case_is_refused(const cli_host *host, const clrs_error *error) {
  cl_device_fp_config config = 0;
  return error->status == CLRS_UNSUPPORTED &&
         strstr(error->message, "has no cl_khr_fp64") != NULL &&
         (clGetDeviceInfo(host->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL) !=
              CL_SUCCESS ||
          config == 0);
}

clrs_status case_write_file(const char *path, const void *bytes, size_t size, clrs_error *error) {
  remove(path); /* file systems flush a file that is emptied and written again */
  FILE *file = fopen(path, "wb");
  if (file == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot create %s", path);
  size_t written = fwrite(bytes, 1, size, file);
  if (fclose(file) != 0 || written != size)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot write %s", path);
  return CLRS_OK;
}

clrs_status case_read_file(const char *path, uint8_t **bytes, size_t *size, clrs_error *error) {
  enum { LIMIT = 1 << 24 };
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot open %s", path);
  *bytes = malloc(LIMIT);
  *size = *bytes == NULL ? 0 : fread(*bytes, 1, LIMIT, file);
  bool whole = *bytes != NULL && !ferror(file) && *size < LIMIT;
  fclose(file);
  if (whole)
    return CLRS_OK;
  free(*bytes);
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot read %s", path);
}

static void output_path(const char *folder, size_t index, char path[CASE_PATH]) {
  snprintf(path, CASE_PATH, "%s/output_%zu.pb", folder, index);
}

static clrs_status poison(const char *folder, size_t count, clrs_error *error) {
  for (size_t i = 0; i < count; i++) {
    char path[CASE_PATH];
    output_path(folder, i, path);
    CLRS_TRY(case_write_file(path, sentinel, sizeof sentinel, error));
  }
  return CLRS_OK;
}

static clrs_status run(cli_host *host, const case_files *files, const char *folder, FILE *explain,
                       clrs_error *error) {
  char *inputs[CASE_MAX_FILES];
  cli_inputs read = {0};
  for (size_t i = 0; i < files->input_count; i++)
    inputs[i] = (char *)(uintptr_t)files->inputs[i];
  onnx_request request = {.model = files->model,
                          .input_count = files->input_count,
                          .inputs = inputs,
                          .folder = folder,
                          .files = &read,
                          .explain = explain};
  const clrs_status status = onnx_run(host, &request, error);
  cli_inputs_free(&read);
  return status;
}

/* The last line of the explanation is "launches: N". */
static clrs_status check_launches(FILE *explained, int expected, clrs_error *error) {
  char text[1024];
  int launches = CASE_ANY;
  rewind(explained);
  while (fgets(text, sizeof text, explained) != NULL)
    sscanf(text, "launches: %d", &launches);
  if (launches != expected)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it took %d launches; %d are expected",
                      launches, expected);
  return CLRS_OK;
}

static clrs_status run_explained(cli_host *host, const case_files *files, const char *folder,
                                 clrs_error *error) {
  FILE *explain = tmpfile();
  if (explain == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "no temporary file");
  clrs_status status = run(host, files, folder, explain, error);
  if (status == CLRS_OK)
    status = check_launches(explain, files->launches, error);
  fclose(explain);
  return status;
}

/* ------------------------------------------------------------------------------------ compare */

static clrs_status load(const char *path, Onnx__TensorProto **tensor, clrs_error *error) {
  uint8_t *bytes;
  size_t size;
  CLRS_TRY(case_read_file(path, &bytes, &size, error));
  *tensor = onnx__tensor_proto__unpack(NULL, size, bytes);
  free(bytes);
  if (*tensor == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is not a TensorProto", path);
  return CLRS_OK;
}

static bool same_name(const Onnx__TensorProto *got, const Onnx__TensorProto *expected) {
  return expected->name == NULL || expected->name[0] == '\0' ||
         (got->name != NULL && strcmp(got->name, expected->name) == 0);
}

static bool same_dims(const Onnx__TensorProto *got, const Onnx__TensorProto *expected) {
  return got->n_dims == expected->n_dims &&
         (got->n_dims == 0 ||
          memcmp(got->dims, expected->dims, got->n_dims * sizeof *got->dims) == 0);
}

static bool same_bytes(const Onnx__TensorProto *got, const Onnx__TensorProto *expected) {
  return got->raw_data.len == expected->raw_data.len &&
         (got->raw_data.len == 0 ||
          memcmp(got->raw_data.data, expected->raw_data.data, got->raw_data.len) == 0);
}

static bool same_strings(const Onnx__TensorProto *got, const Onnx__TensorProto *expected) {
  if (got->n_string_data != expected->n_string_data)
    return false;
  for (size_t i = 0; i < got->n_string_data; i++) {
    const ProtobufCBinaryData *a = &got->string_data[i], *b = &expected->string_data[i];
    if (a->len != b->len || (a->len > 0 && memcmp(a->data, b->data, a->len) != 0))
      return false;
  }
  return true;
}

static bool is_string(const Onnx__TensorProto *tensor) {
  return tensor->data_type == ONNX__TENSOR_PROTO__DATA_TYPE__STRING;
}

static clrs_status compare_tensors(const Onnx__TensorProto *got, const Onnx__TensorProto *expected,
                                   const char *path, clrs_error *error) {
  const char *what = NULL;
  if (is_string(got) == got->has_raw_data || is_string(expected) == expected->has_raw_data)
    what = "there is no raw_data, or strings have it";
  else if (!same_name(got, expected))
    what = "the names differ";
  else if (got->data_type != expected->data_type)
    what = "the types differ";
  else if (!same_dims(got, expected))
    what = "the dims differ";
  else if (!same_bytes(got, expected))
    what = "the bytes differ";
  else if (!same_strings(got, expected))
    what = "the strings differ";
  return what == NULL ? CLRS_OK : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", path, what);
}

static clrs_status compare(const char *path, const char *expected_path, clrs_error *error) {
  Onnx__TensorProto *got = NULL, *expected = NULL;
  clrs_status status = load(path, &got, error);
  if (status == CLRS_OK)
    status = load(expected_path, &expected, error);
  if (status == CLRS_OK)
    status = compare_tensors(got, expected, path, error);
  if (got != NULL)
    onnx__tensor_proto__free_unpacked(got, NULL);
  if (expected != NULL)
    onnx__tensor_proto__free_unpacked(expected, NULL);
  return status;
}

clrs_status case_run(cli_host *host, const case_files *files, const char *folder,
                     clrs_error *error) {
  CLRS_TRY(poison(folder, files->output_count, error));
  CLRS_TRY(files->launches == CASE_ANY ? run(host, files, folder, NULL, error)
                                       : run_explained(host, files, folder, error));
  for (size_t i = 0; i < files->output_count; i++) {
    char path[CASE_PATH];
    output_path(folder, i, path);
    CLRS_TRY(compare(path, files->expected[i], error));
  }
  return CLRS_OK;
}

/* ---------------------------------------------------------------------------------- bad input */

static clrs_status check_unchanged(const char *folder, size_t index, clrs_error *error) {
  char path[CASE_PATH];
  uint8_t *bytes;
  size_t size;
  output_path(folder, index, path);
  CLRS_TRY(case_read_file(path, &bytes, &size, error));
  bool same = size == sizeof sentinel && memcmp(bytes, sentinel, size) == 0;
  free(bytes);
  if (!same)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s was changed by a run that failed", path);
  return CLRS_OK;
}

/* Temporary files begin with a dot. */
static bool is_leftover(const char *name) {
  return name[0] == '.' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static clrs_status check_no_leftover(const char *folder, clrs_error *error) {
  DIR *listing = opendir(folder);
  clrs_status status = CLRS_OK;
  if (listing == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot list %s", folder);
  for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    if (is_leftover(entry->d_name))
      status =
          clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s/%s was left behind", folder, entry->d_name);
  }
  closedir(listing);
  return status;
}

static clrs_status check_failure(clrs_status status, const clrs_error *failure, const char *text,
                                 clrs_error *error) {
  if (status == CLRS_OK)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it did not fail");
  if (failure->status != status)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the error has another status than the result");
  if (strstr(failure->message, text) == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "\"%s\" is not in \"%.800s\"", text,
                      failure->message);
  return CLRS_OK;
}

/* Bad models here have at most two outputs. */
enum { BAD_OUTPUTS = 2 };

clrs_status case_run_bad(cli_host *host, const case_files *files, const char *folder,
                         const char *text, clrs_error *error) {
  clrs_error failure = {0};
  CLRS_TRY(poison(folder, BAD_OUTPUTS, error));
  clrs_status status = run(host, files, folder, NULL, &failure);
  CLRS_TRY(check_failure(status, &failure, text, error));
  for (size_t i = 0; i < BAD_OUTPUTS; i++)
    CLRS_TRY(check_unchanged(folder, i, error));
  return check_no_leftover(folder, error);
}

static clrs_status check_complete(const char *folder, clrs_error *error) {
  char path[CASE_PATH];
  Onnx__TensorProto *tensor;
  output_path(folder, 0, path);
  CLRS_TRY(load(path, &tensor, error));
  bool complete = tensor->has_data_type && (tensor->has_raw_data || is_string(tensor));
  onnx__tensor_proto__free_unpacked(tensor, NULL);
  return complete ? CLRS_OK : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is not complete", path);
}

clrs_status case_run_damaged(cli_host *host, const case_files *files, const char *folder, bool *ran,
                             clrs_error *error) {
  clrs_error failure = {0};
  CLRS_TRY(poison(folder, BAD_OUTPUTS, error));
  clrs_status status = run(host, files, folder, NULL, &failure);
  *ran = status == CLRS_OK;
  if (*ran) {
    CLRS_TRY(check_complete(folder, error));
  } else {
    CLRS_TRY(check_failure(status, &failure, "", error));
    CLRS_TRY(check_unchanged(folder, 0, error));
  }
  return check_no_leftover(folder, error);
}
