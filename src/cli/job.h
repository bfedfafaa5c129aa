/*
 * A run on its way: its two ends, its devices, and the part that is being moved, which is cut into
 * boxes.
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
  cli_inputs inputs; /* all that is read */
  cli_source source;
  cli_sink sink;
  cli_work work; /* of the part that is being moved, and what is made of all */
  cli_boxes boxes;
  cli_host hosts[CLI_MOST_DEVICES];
  cli_programs programs[CLI_MOST_DEVICES];
  size_t host_count;
} cli_job;

/* The part, as it is in work.seen and goes to work.part. */
clrs_status cli_job_cut(cli_job *run, bool in_order, clrs_error *error);

/* The first part. A spool for each stream, or boxes that go without. What several parts make has
 * no order. */
clrs_status cli_job_cut_between_ends(cli_job *run, bool *is_spooled, clrs_error *error);
clrs_status cli_job_spool_ends(cli_job *run, clrs_error *error);

/* Nothing goes to standard output before there is a device. */
clrs_status cli_job_begin_output(cli_job *run, clrs_error *error);
void cli_job_close_hosts(cli_job *run, clrs_status status);

/* The part that was cut, from there to the output. */
clrs_status cli_job_carry(cli_job *run, const cli_run_file *input, clrs_error *error);
