/*
 * clreshape devices: lists the OpenCL devices and the properties that matter for clreshape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "device_list.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "device_features.h"
#include "fail.h"
#include "print.h"
#include "text.h"

static const char help[] =
    "usage: clreshape devices [--json]\n"
    "\n"
    "Lists the OpenCL devices. The first column is what --device takes; '*' marks the\n"
    "device that is used without it: the first GPU, or else the first device. After what\n"
    "OpenCL says: which kernels the library takes there (CLRS_EXECUTION and\n"
    "CLRS_COMPILE_PATH choose others), and what is known of the driver.\n";

static void print_text(const cli_device *device, const cli_device_facts *found, bool is_default) {
  printf("%u:%u%c %s (%s)\n", device->id.platform, device->id.device, is_default ? '*' : ' ',
         clrs__show(found->name).text, clrs__show(found->platform).text);
  printf("     %s, %s, driver %s\n", cli_device_type_name(device->type),
         clrs__show(found->version).text, clrs__show(found->driver).text);
  printf("     %u compute units, %" PRIu64 " MiB of memory, buffers up to %" PRIu64 " MiB\n",
         found->compute_units, found->memory >> 20, found->largest_buffer >> 20);
}

static void print_list(const cli_device_list *list, cl_device_id chosen,
                       const cli_device_features *features, bool json) {
  fputs(json ? "{\"devices\":[" : "", stdout);
  for (size_t i = 0; i < list->count; i++) {
    const cli_device *device = &list->devices[i];
    const cli_device_facts found = cli_device_facts_read(device->device);
    const bool is_default = device->device == chosen;
    if (json) {
      printf("%s{\"id\":\"%u:%u\",\"default\":%s,", i > 0 ? "," : "", device->id.platform,
             device->id.device, is_default ? "true" : "false");
      cli_device_print_json(stdout, &found, &features[i]);
      putchar('}');
    } else {
      print_text(device, &found, is_default);
      cli_device_features_print(&features[i]);
    }
  }
  fputs(json ? "]}\n" : "", stdout);
}

/* Reads all properties before printing. */
static clrs_status read_and_print(const cli_device_list *list, bool json, clrs_error *error) {
  cl_device_id chosen = NULL;
  CLRS_TRY(cli_device_list_find(list, NULL, &chosen, error));
  cli_device_features *features = calloc(list->count, sizeof *features);
  if (features == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu devices", list->count);
  }
  clrs_status status = CLRS_OK;
  for (size_t i = 0; i < list->count && status == CLRS_OK; i++) {
    status = cli_device_features_read(list->devices[i].device, &features[i], error);
  }
  if (status == CLRS_OK) {
    print_list(list, chosen, features, json);
  }
  free(features);
  return status;
}

static int list_devices(bool json) {
  clrs_error error;
  cli_device_list list;
  if (cli_device_list_read(&list, &error) != CLRS_OK) {
    return cli_report(&error);
  }
  const clrs_status status = read_and_print(&list, json, &error);
  cli_device_list_free(&list);
  return status == CLRS_OK ? CLI_EXIT_DONE : cli_report(&error);
}

int cli_devices(int argc, char **argv) {
  static const struct option options[] = {
      {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
  bool json = false;
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
    if (option == 'h') {
      return cli_help(help);
    }
    if (option != 'j') {
      return cli_usage_error("devices", "%s is not an option of devices", argv[optind - 1]);
    }
    json = true;
  }
  if (optind < argc) {
    return cli_usage_error("devices", "devices takes no argument: '%s'", argv[optind]);
  }
  return list_devices(json);
}
