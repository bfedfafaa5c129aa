/*
 * clreshape devices: the OpenCL devices and what matters here about each.
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

typedef struct facts {
  char platform[256], name[256], version[256], driver[256];
  const char *type;
  cl_ulong memory, largest_buffer;
  cl_uint compute_units, address_bits;
  bool is_default;
  cli_device_features features;
} facts;

static const char *type_name(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) {
    return "gpu";
  }
  if (type & CL_DEVICE_TYPE_CPU) {
    return "cpu";
  }
  return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "custom";
}

/* What a driver does not answer stays empty or 0: a list is worth more than an error here. */
static facts read_facts(const cli_device *device, cl_device_id chosen,
                        const cli_device_features *features) {
  facts found;
  cl_device_id id = device->device;
  memset(&found, 0, sizeof found);
  found.features = *features;
  clGetPlatformInfo(device->platform, CL_PLATFORM_NAME, sizeof found.platform - 1, found.platform,
                    NULL);
  clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof found.name - 1, found.name, NULL);
  clGetDeviceInfo(id, CL_DEVICE_VERSION, sizeof found.version - 1, found.version, NULL);
  clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof found.driver - 1, found.driver, NULL);
  clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof found.memory, &found.memory, NULL);
  clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof found.largest_buffer,
                  &found.largest_buffer, NULL);
  clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof found.compute_units, &found.compute_units,
                  NULL);
  clGetDeviceInfo(id, CL_DEVICE_ADDRESS_BITS, sizeof found.address_bits, &found.address_bits, NULL);
  found.type = type_name(device->type);
  found.is_default = id == chosen;
  return found;
}

static void print_field(const char *key, const char *value) {
  printf("\"%s\":", key);
  cli_print_string(stdout, value);
  putchar(',');
}

static void print_json(const cli_device *device, const facts *found) {
  printf("{\"id\":\"%u:%u\",", device->id.platform, device->id.device);
  print_field("platform", found->platform);
  print_field("name", found->name);
  print_field("type", found->type);
  print_field("version", found->version);
  print_field("driver", found->driver);
  printf("\"compute_units\":%u,\"address_bits\":%u,", found->compute_units, found->address_bits);
  printf("\"memory_bytes\":%" PRIu64 ",\"largest_buffer_bytes\":%" PRIu64 ",", found->memory,
         found->largest_buffer);
  printf("\"default\":%s", found->is_default ? "true" : "false");
  cli_device_features_print_json(&found->features);
  putchar('}');
}

static void print_text(const cli_device *device, const facts *found) {
  printf("%u:%u%c %s (%s)\n", device->id.platform, device->id.device, found->is_default ? '*' : ' ',
         clrs__show(found->name).text, clrs__show(found->platform).text);
  printf("     %s, %s, driver %s\n", found->type, clrs__show(found->version).text,
         clrs__show(found->driver).text);
  printf("     %u compute units, %" PRIu64 " MiB of memory, buffers up to %" PRIu64 " MiB\n",
         found->compute_units, found->memory >> 20, found->largest_buffer >> 20);
  cli_device_features_print(&found->features);
}

static void print_list(const cli_device_list *list, cl_device_id chosen,
                       const cli_device_features *features, bool json) {
  if (json) {
    fputs("{\"devices\":[", stdout);
  }
  for (size_t i = 0; i < list->count; i++) {
    facts found = read_facts(&list->devices[i], chosen, &features[i]);
    if (json && i > 0) {
      putchar(',');
    }
    (json ? print_json : print_text)(&list->devices[i], &found);
  }
  if (json) {
    puts("]}");
  }
}

/* All is read before anything is printed. */
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
