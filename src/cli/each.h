/*
 * --each: a request for each of several inputs. An archive without the name of an array stands for
 * all of its arrays.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "request.h"

/* Checks that --each names a folder or an archive, that the inputs are files, and that each result
 * has a name of its own. Arrays that an archive stands for are not known yet. The name of a result
 * in a folder must not lead to another folder. */
clrs_status cli_each_check(const cli_request *request, clrs_error *error);

/* Calls `what` with the request, or, with --each, with a request for each input and its output.
 * Stops at the first failure, whose message then begins with the input. */
typedef clrs_status (*cli_each_fn)(const cli_request *one, void *user_data, clrs_error *error);
clrs_status cli_request_each(const cli_request *request, cli_each_fn what, void *user_data,
                             clrs_error *error);
