/*
 * What of OpenCL a device has that is not the same everywhere, and what the library makes of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>

#include "device_list.h"

typedef struct cli_device_features {
  bool sub_groups, fp16, fp64, usm;
  cl_bitfield svm; /* CL_DEVICE_SVM_CAPABILITIES, 0 for none */
  bool is_described;
  clrs_device_report report; /* if it is described */
} cli_device_features;

/* What a device says of itself. */
typedef struct cli_device_facts {
  char platform[256], name[256], version[256], driver[256];
  cl_uint compute_units, address_bits;
  cl_ulong memory, largest_buffer, cache; /* bytes */
} cli_device_facts;

/* What a driver does not answer stays empty or 0: to say less is better than to fail. */
cli_device_facts cli_device_facts_read(cl_device_id device);

/* What a driver does not answer counts as missing. Fails only for an environment that asks the
 * library for what there is not. */
clrs_status cli_device_features_read(cl_device_id device, cli_device_features *features,
                                     clrs_error *error);

/* Two lines and one for each note; members of a JSON object, each with a comma before it. */
void cli_device_features_print(const cli_device_features *features);
void cli_device_features_print_json(const cli_device_features *features);
