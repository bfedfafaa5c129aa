/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"

/* ---- what is there ---- */

static bool is_one_file(const cli_file_info *a, const cli_file_info *b) {
  return a->device == b->device && a->number == b->number;
}

static clrs_status check_replaceable(const char *path, const cli_file_info *info,
                                     const cli_inputs *inputs, clrs_error *error) {
  if (!info->is_regular) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: exists and is not a regular file", path);
  }
  CLRS_TRY(cli_inputs_check(inputs, path, info, error));
  return cli_file_may_write(path) == 0 ? CLRS_OK /* rename would replace a read-only file */
                                       : cli_fail_file(error, path, errno);
}

static clrs_status find(const char *path, const cli_inputs *inputs, cli_target *target,
                        clrs_error *error) {
  target->exists = cli_file_look(path, &target->info) == 0;
  if (target->exists) {
    CLRS_TRY(check_replaceable(path, &target->info, inputs, error));
  } else if (errno != ENOENT) {
    return cli_fail_file(error, path, errno);
  }
  target->path = cli_file_follow(path, target->exists ? &target->info : NULL);
  if (target->path == NULL && errno == ENOMEM) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  return target->path != NULL ? CLRS_OK : cli_fail_file(error, path, errno);
}

clrs_status cli_target_find(const char *path, const cli_inputs *inputs, cli_target *target,
                            clrs_error *error) {
  memset(target, 0, sizeof *target);
  if (path[0] == '\0') {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the output path is empty");
  }
  clrs_status status = find(path, inputs, target, error);
  if (status != CLRS_OK) {
    cli_target_free(target);
  }
  return status;
}

void cli_target_free(cli_target *target) {
  free(target->path);
  memset(target, 0, sizeof *target);
}

/* ---- comparing, keeping ---- */

bool cli_target_folder(const cli_target *target, char *folder, size_t size) {
  const size_t length = cli_folder_length(target->path);
  if (length >= size) {
    return false;
  }
  memcpy(folder, target->path, length);
  memcpy(folder + length, length > 0 ? "" : ".", length > 0 ? 1 : sizeof ".");
  return true;
}

static bool stat_folder(const cli_target *target, cli_file_info *info) {
  char folder[CLI_PATH_BYTES];
  return cli_target_folder(target, folder, sizeof folder) && cli_file_look(folder, info) == 0;
}

/* Two hard links to one file are different targets, because each name is replaced separately. */
bool cli_target_is_same(const cli_target *a, const cli_target *b) {
  cli_file_info of_a, of_b;
  if (strcmp(a->path + cli_folder_length(a->path), b->path + cli_folder_length(b->path)) != 0) {
    return false;
  }
  return stat_folder(a, &of_a) && stat_folder(b, &of_b) && is_one_file(&of_a, &of_b);
}
