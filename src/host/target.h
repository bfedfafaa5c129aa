/*
 * Where an output file goes: links in its path are followed, and what is there is looked at before
 * it is replaced.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <sys/types.h>

#include "inputs.h"

typedef struct cli_target {
  char *path;  /* of the file itself: its last part is no link */
  bool exists; /* then: */
  mode_t mode; /* permissions */
  uid_t user;  /* owner */
  gid_t group;
} cli_target;

/* Fails if `path` is empty, a folder or anything else that is no regular file, if what is there may
 * not be written, and if it is one of the inputs, by whatever name or link. A link to a file that
 * does not exist is followed to where that will be. *target is freed with cli_target_free in any
 * case; its path is NULL after a failure. */
clrs_status cli_target_find(const char *path, const cli_inputs *inputs, cli_target *target,
                            clrs_error *error);
void cli_target_free(cli_target *target);

/* The folder that the file is in; false if `size` bytes (at least 2) are too few for it. */
bool cli_target_folder(const cli_target *target, char *folder, size_t size);

/* Are both the same file, or will they be? For targets of one command; if it cannot be told (the
 * folder is gone), the answer is no. */
bool cli_target_is_same(const cli_target *a, const cli_target *b);

/* Gives the file, which is new and still empty, the owner, the permissions and the access list of
 * the one that it replaces. The group's permissions shrink to those of all others if the group or
 * the list cannot be kept, so that nobody may read what could not be read before. -1 with errno. */
int cli_target_keep_mode(const cli_target *target, int fd);
