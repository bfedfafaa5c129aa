/*
 * Tensors in GGUF files, versions 2 and 3, the files of llama.cpp. Only reading.
 *
 * A tensor of numbers is read in place. The blocks of Q4_0 and Q8_0 become f32 in a spool, bit for
 * bit as the package gguf has the numbers: each element is a small integer times the block's scale,
 * rounded once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "archive.h"
#include "names.h"
#include "npy_header.h"

/* Opens the file and finds the tensor `of->member`, or the only tensor if the member is NULL. The
 * caller closes *fd. The outermost dim comes first, as in NumPy. Messages begin with `name`. */
clrs_status cli_gguf_open(const char *name, const cli_archive_name *of, int *fd,
                          cli_npy_header *header, clrs_error *error);

/* Adds all tensors of the file at `path`. */
clrs_status cli_gguf_list(const char *path, cli_names *names, clrs_error *error);
