/*
 * The state of a run: two ends, devices, and the part that is being moved, cut into boxes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "boxes.h"
#include "ends.h"
#include "explain_plan.h"
#include "host.h"
#include "programs.h"

typedef struct cli_job {
  const cli_request *request;
  cli_inputs inputs; /* all input files */
  cli_source source;
  cli_sink sink;
  cli_work work; /* the part that is being moved, and the whole result */
  cli_boxes boxes;
  cli_host hosts[CLI_MOST_DEVICES];
  cli_programs programs[CLI_MOST_DEVICES];
  size_t host_count;
} cli_job;

/* Cuts the part work.seen, which goes to work.part. */
clrs_status cli_job_cut(cli_job *run, bool in_order, clrs_error *error);

/* Cuts the first part so that streams are read and written in order, or else sets *is_spooled.
 * Several parts have no common order, so their streams need spools. */
clrs_status cli_job_cut_between_ends(cli_job *run, bool *is_spooled, clrs_error *error);
clrs_status cli_job_spool_ends(cli_job *run, clrs_error *error);

/* Opens the devices, unless they are open, and begins the output. Nothing is written to standard
 * output before a device is open. */
clrs_status cli_job_begin_output(cli_job *run, clrs_error *error);
void cli_job_close_hosts(cli_job *run, clrs_status status);

/* Moves the cut part from `input` to the output. */
clrs_status cli_job_carry(cli_job *run, const cli_run_file *input, clrs_error *error);
