/*
 * Tensors in files of safetensors. The header is JSON, which jansson parses. Without jansson each
 * function fails with a sentence.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "archive.h"
#include "names.h"
#include "npy_header.h"

/* Opens the file and finds the tensor `of->member`, or the only tensor if the member is NULL. The
 * caller closes *fd. The header is compared with the file's size. Messages begin with `name`. */
clrs_status cli_safetensors_open(const char *name, const cli_archive_name *of, int *fd,
                                 cli_npy_header *header, clrs_error *error);

/* Adds all tensors of the file at `path`. */
clrs_status cli_safetensors_list(const char *path, cli_names *names, clrs_error *error);

/* Checks that safetensors has the type. */
clrs_status cli_safetensors_check(const cli_npy_type *type, const clrs_shape *shape,
                                  clrs_error *error);

/* Writes a file of tensors. The metadata of the file `kept` is copied, too. A tensor without a name
 * is "tensor". */
clrs_status cli_safetensors_write(const cli_archive_made *made, clrs_error *error);

/* Checks that the tensors of that file can be kept. *bytes is the size of the file. */
clrs_status cli_safetensors_check_kept(const char *path, uint64_t *bytes, clrs_error *error);
