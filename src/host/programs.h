/*
 * Built programs in a file: for a start without compiling.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "host.h"

/* The programs of a file that `clreshape warm -o` wrote, for this device. Messages begin with the
 * path. */
clrs_status cli_programs_load(const cli_host *host, const char *path, clrs_error *error);

/* Those that the host's library has built. */
clrs_status cli_programs_save(const cli_host *host, const char *path, clrs_error *error);
