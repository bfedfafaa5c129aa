/*
 * The way of execution that the environment asks for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/core.h>

/* CLRS_EXECUTION: cpu or gpu, or CLRS_EXECUTION_AUTO if it is not set. Any other value is
 * CLRS_INVALID_ARGUMENT. The library itself looks at nothing but its options. */
clrs_status cli_execution_from_environment(clrs_execution *execution, clrs_error *error);
