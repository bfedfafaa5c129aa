/* SPDX-License-Identifier: Apache-2.0 */
#include "each.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "archive.h"
#include "fail.h"
#include "gguf.h"
#include "npy.h"
#include "npz.h"
#include "safetensors.h"
#include "text.h"

/* Part of an input's name that names the result: the array in an archive, or else the file without
 * folder and ending. */
static const char *find_stem(const char *input, int *length) {
  cli_archive_name archive;
  const char *end = strrchr(input, '.');
  const char *stem = input + cli_folder_length(input);
  if (cli_archive_find(input, &archive) && archive.member != NULL) {
    stem = archive.member;
    end = NULL;
  }
  *length = (int)(end != NULL && end > stem ? (size_t)(end - stem) : strlen(stem));
  return stem;
}

/* Does the input stand for all arrays of an archive? */
static bool is_all(const cli_request *request, const char *input, cli_archive_name *archive) {
  return request->raw == NULL && cli_archive_find(input, archive) && archive->member == NULL;
}

/* A name from a file must not lead out of the folder of the results. */
static bool is_inside(const cli_request *request, const char *stem) {
  cli_archive_name archive;
  return cli_archive_find(request->each, &archive) || cli_folder_length(stem) == 0;
}

static clrs_status find_output(const cli_request *request, size_t index, char path[CLI_PATH_BYTES],
                               clrs_error *error) {
  cli_archive_name archive;
  int length;
  const char *stem = find_stem(request->inputs[index], &length);
  const bool is_archive = cli_archive_find(request->each, &archive);
  const int used =
      snprintf(path, CLI_PATH_BYTES, "%s%s%.*s%s%s", request->each, is_archive ? ":" : "/", length,
               stem, is_archive ? "" : ".", is_archive ? "" : request->format->name);
  return used < CLI_PATH_BYTES ? CLRS_OK
                               : cli_fail_file(error, request->inputs[index], ENAMETOOLONG);
}

/* Compares the name of the result with the names of the results before. */
static clrs_status check_name(const cli_request *request, size_t index, clrs_error *error) {
  cli_archive_name archive;
  int length, other_length;
  const char *stem = find_stem(request->inputs[index], &length);
  for (size_t i = 0; i < index && !is_all(request, request->inputs[index], &archive); i++) {
    const char *other = find_stem(request->inputs[i], &other_length);
    if (length == other_length && memcmp(stem, other, (size_t)length) == 0 &&
        !is_all(request, request->inputs[i], &archive)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "--each: the results of %s and %s would have one name", request->inputs[i],
                        request->inputs[index]);
    }
  }
  return CLRS_OK;
}

clrs_status cli_each_check(const cli_request *request, clrs_error *error) {
  cli_archive_name archive;
  if (request->each[0] == '\0' ||
      (cli_archive_find(request->each, &archive) && archive.member != NULL)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "--each '%s': it names a folder or an archive, and no array",
                      clrs__show(request->each).text);
  }
  for (size_t i = 0; i < request->input_count; i++) {
    int length;
    const char *stem = find_stem(request->inputs[i], &length);
    CLRS_TRY(check_name(request, i, error));
    if (!is_inside(request, stem)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "--each: the name of %s leads to another folder; an archive takes it",
                        request->inputs[i]);
    }
    if (length == 0 || cli_is_standard_input(request->inputs[i])) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "--each: its inputs are files, and '%s' is none",
                        clrs__show(request->inputs[i]).text);
    }
  }
  return CLRS_OK;
}

static clrs_status do_one(const cli_request *request, size_t index, cli_each_fn what,
                          void *user_data, clrs_error *error) {
  char path[CLI_PATH_BYTES];
  cli_request one = *request;
  CLRS_TRY(find_output(request, index, path, error));
  one.input = request->inputs[index];
  one.output = path;
  const clrs_status status = what(&one, user_data, error);
  return status == CLRS_OK || strncmp(error->message, one.input, strlen(one.input)) == 0
             ? status
             : cli_fail_prefix(error, "%s", one.input);
}

/* ---- all of them ---- */

/* Adds the input, or all arrays of an archive that is an input. */
static clrs_status expand(const cli_request *request, const char *input, cli_names *names,
                          clrs_error *error) {
  static clrs_status (*const lists[])(const char *, cli_names *,
                                      clrs_error *) = {[CLI_NPZ] = cli_npz_list,
                                                       [CLI_SAFETENSORS] = cli_safetensors_list,
                                                       [CLI_GGUF] = cli_gguf_list};
  cli_archive_name archive;
  return is_all(request, input, &archive) ? lists[archive.kind](input, names, error)
                                          : cli_names_add(names, input, NULL, 0, error);
}

static clrs_status do_all(const cli_request *request, cli_names *names, cli_each_fn what,
                          void *user_data, clrs_error *error) {
  cli_request all = *request;
  for (size_t i = 0; i < request->input_count; i++) {
    CLRS_TRY(expand(request, request->inputs[i], names, error));
  }
  all.inputs = names->list;
  all.input_count = names->count;
  CLRS_TRY(cli_each_check(&all, error));
  for (size_t i = 0; i < all.input_count; i++) {
    CLRS_TRY(do_one(&all, i, what, user_data, error));
  }
  return CLRS_OK;
}

clrs_status cli_request_each(const cli_request *request, cli_each_fn what, void *user_data,
                             clrs_error *error) {
  cli_names names = {0};
  if (request->each == NULL) {
    return what(request, user_data, error);
  }
  const clrs_status status = do_all(request, &names, what, user_data, error);
  cli_names_free(&names);
  return status;
}
