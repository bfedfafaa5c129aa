/*
 * Optional OpenCL features of a device, and the library's choices for the device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "device_list.h"

typedef struct cli_device_features {
  bool sub_groups, fp16, fp64, usm;
  cl_bitfield svm; /* CL_DEVICE_SVM_CAPABILITIES, 0 for none */
  bool is_described;
  clrs_device_report report; /* valid if is_described */
} cli_device_features;

/* Properties that a device reports. */
typedef struct cli_device_facts {
  char platform[256], name[256], version[256], driver[256];
  cl_device_type type;
  cl_uint compute_units, address_bits;
  cl_ulong memory, largest_buffer, cache; /* bytes */
  /* Limits of a kernel: work-items of a group, bytes of arguments, bytes of a group's memory. */
  size_t group, parameters;
  cl_ulong local_memory;
  cl_device_local_mem_type local_type;
} cli_device_facts;

/* Reads the properties. A property that the driver does not report stays empty or 0, because
 * missing text is better than a failure. */
cli_device_facts cli_device_facts_read(cl_device_id device);

/* Reads the features. A feature that the driver does not report counts as missing. Fails only if
 * the environment asks the library for something that does not exist. */
clrs_status cli_device_features_read(cl_device_id device, cli_device_features *features,
                                     clrs_error *error);

const char *cli_device_type_name(cl_device_type type);
/* Prints two lines, and a line for each note. */
void cli_device_features_print(const cli_device_features *features);
/* Prints the members of a JSON object, with commas between. */
void cli_device_print_json(FILE *file, const cli_device_facts *facts,
                           const cli_device_features *features);
