/* SPDX-License-Identifier: Apache-2.0 */
#include "device_features.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "host.h"
#include "print.h"

/* Constants of OpenCL 2.0 and 2.1. The headers define the constants only for programs that target
 * those versions. */
enum { SVM_CAPABILITIES = 0x1053, MAX_NUM_SUB_GROUPS = 0x105c };

/* Names of the bits of CL_DEVICE_SVM_CAPABILITIES, from the lowest bit on. */
static const char *const svm_kinds[] = {"coarse buffer", "fine buffer", "fine system", "atomics"};
enum { SVM_KINDS = sizeof svm_kinds / sizeof *svm_kinds };

/* ---- reading ---- */

cli_device_facts cli_device_facts_read(cl_device_id device) {
  cli_device_facts facts = {.platform = ""};
  cl_platform_id platform = NULL;
  const struct {
    cl_device_info what;
    size_t size;
    void *value;
  } questions[] = {
      {CL_DEVICE_NAME, sizeof facts.name - 1, facts.name},
      {CL_DEVICE_VERSION, sizeof facts.version - 1, facts.version},
      {CL_DRIVER_VERSION, sizeof facts.driver - 1, facts.driver},
      {CL_DEVICE_TYPE, sizeof facts.type, &facts.type},
      {CL_DEVICE_MAX_COMPUTE_UNITS, sizeof facts.compute_units, &facts.compute_units},
      {CL_DEVICE_ADDRESS_BITS, sizeof facts.address_bits, &facts.address_bits},
      {CL_DEVICE_GLOBAL_MEM_SIZE, sizeof facts.memory, &facts.memory},
      {CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof facts.largest_buffer, &facts.largest_buffer},
      {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof facts.cache, &facts.cache},
      {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof facts.group, &facts.group},
      {CL_DEVICE_MAX_PARAMETER_SIZE, sizeof facts.parameters, &facts.parameters},
      {CL_DEVICE_LOCAL_MEM_SIZE, sizeof facts.local_memory, &facts.local_memory},
      {CL_DEVICE_LOCAL_MEM_TYPE, sizeof facts.local_type, &facts.local_type},
      {CL_DEVICE_PLATFORM, sizeof platform, &platform}};
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    clGetDeviceInfo(device, questions[i].what, questions[i].size, questions[i].value, NULL);
  }
  if (platform != NULL) {
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof facts.platform - 1, facts.platform, NULL);
  }
  return facts;
}

/* Returns the list of extensions, which the caller frees, or NULL if there is no list or no
 * memory. */
static char *read_extensions(cl_device_id device) {
  size_t size = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS) {
    return NULL;
  }
  char *list = calloc(size + 1, 1);
  if (list != NULL &&
      clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, list, NULL) != CL_SUCCESS) {
    free(list);
    list = NULL;
  }
  return list;
}

/* Is `word` a word of the list? */
static bool has_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; at != NULL && *at != '\0'; at += strcspn(at, " ")) {
    at += strspn(at, " ");
    if (strcspn(at, " ") == length && strncmp(at, word, length) == 0) {
      return true;
    }
  }
  return false;
}

/* Sub-groups are a core feature of OpenCL 2.1 that a device of 3.0 may lack. */
static bool has_sub_groups(cl_device_id device) {
  cl_uint most = 0;
  return clGetDeviceInfo(device, MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL) == CL_SUCCESS &&
         most > 0;
}

clrs_status cli_device_features_read(cl_device_id device, cli_device_features *features,
                                     clrs_error *error) {
  memset(features, 0, sizeof *features);
  clrs_execution wished = CLRS_EXECUTION_AUTO;
  CLRS_TRY(cli_execution_from_environment(&wished, error));
  const clrs_status status = clrs_device_describe(device, &features->report, error);
  if (status == CLRS_INVALID_ARGUMENT) {
    return status;
  }
  if (wished != CLRS_EXECUTION_AUTO) {
    features->report.execution = wished;
  }
  features->is_described = status == CLRS_OK;
  char *extensions = read_extensions(device);
  features->sub_groups = has_sub_groups(device) || has_word(extensions, "cl_khr_subgroups") ||
                         has_word(extensions, "cl_intel_subgroups");
  features->fp16 = has_word(extensions, "cl_khr_fp16");
  features->fp64 = has_word(extensions, "cl_khr_fp64");
  features->usm = has_word(extensions, "cl_intel_unified_shared_memory");
  free(extensions);
  if (clGetDeviceInfo(device, SVM_CAPABILITIES, sizeof features->svm, &features->svm, NULL) !=
      CL_SUCCESS) {
    features->svm = 0;
  }
  return CLRS_OK;
}

/* ---- printing ---- */

static bool has_svm(const cli_device_features *features, int kind) {
  return (features->svm >> kind & 1) != 0;
}

static const char *execution_name(const cli_device_features *features) {
  return features->report.execution == CLRS_EXECUTION_CPU ? "cpu" : "gpu";
}

static const char *path_name(const cli_device_features *features) {
  return features->report.compile_path == CLRS_COMPILE_PATH_NATIVE ? "native" : "portable";
}

static void print_svm(const cli_device_features *features) {
  fputs("SVM", stdout);
  for (int kind = 0; kind < SVM_KINDS; kind++) {
    if (has_svm(features, kind)) {
      printf(" (%s)", svm_kinds[kind]);
    }
  }
  fputs(features->svm == 0 ? " no" : "", stdout);
}

static const char *yes(bool has) {
  return has ? "yes" : "no";
}

void cli_device_features_print(const cli_device_features *features) {
  printf("     sub-groups %s, fp16 %s, fp64 %s, USM %s, ", yes(features->sub_groups),
         yes(features->fp16), yes(features->fp64), yes(features->usm));
  print_svm(features);
  putchar('\n');
  if (!features->is_described) {
    puts("     the driver does not say enough to choose kernels for it");
    return;
  }
  printf("     kernels: %s execution, %s compile path\n", execution_name(features),
         path_name(features));
  for (size_t i = 0; i < features->report.note_count; i++) {
    printf("     known: %s\n", features->report.notes[i]);
  }
}

const char *cli_device_type_name(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) {
    return "gpu";
  }
  if (type & CL_DEVICE_TYPE_CPU) {
    return "cpu";
  }
  return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "custom";
}

static void print_facts(FILE *file, const cli_device_facts *facts) {
  const struct {
    const char *key;
    uint64_t value;
  } numbers[] = {
      {"compute_units", facts->compute_units}, {"address_bits", facts->address_bits},
      {"memory_bytes", facts->memory},         {"largest_buffer_bytes", facts->largest_buffer},
      {"cache_bytes", facts->cache},           {"group_items", facts->group},
      {"parameter_bytes", facts->parameters},  {"local_bytes", facts->local_memory}};
  cli_print_field(file, "platform", facts->platform);
  cli_print_field(file, "name", facts->name);
  cli_print_field(file, "type", cli_device_type_name(facts->type));
  cli_print_field(file, "version", facts->version);
  cli_print_field(file, "driver", facts->driver);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    fprintf(file, "\"%s\":%" PRIu64 ",", numbers[i].key, numbers[i].value);
  }
  fprintf(file, "\"local_type\":\"%s\"", facts->local_type == CL_LOCAL ? "local" : "global");
}

static void print_flag(FILE *file, const char *name, bool has) {
  fprintf(file, ",\"%s\":%s", name, has ? "true" : "false");
}

/* Prints `value`, or null if the value is unknown. */
static void print_choice(FILE *file, const char *name, const cli_device_features *features,
                         const char *value) {
  fprintf(file, ",\"%s\":", name);
  if (features->is_described) {
    cli_print_string(file, value);
  } else {
    fputs("null", file);
  }
}

static void print_features(FILE *file, const cli_device_features *features) {
  print_flag(file, "sub_groups", features->sub_groups);
  print_flag(file, "fp16", features->fp16);
  print_flag(file, "fp64", features->fp64);
  print_flag(file, "usm", features->usm);
  fputs(",\"svm\":[", file);
  const char *comma = "";
  for (int kind = 0; kind < SVM_KINDS; kind++) {
    if (has_svm(features, kind)) {
      fprintf(file, "%s\"%s\"", comma, svm_kinds[kind]);
      comma = ",";
    }
  }
  putc(']', file);
  print_choice(file, "execution", features, execution_name(features));
  print_choice(file, "compile_path", features, path_name(features));
  fputs(",\"known\":[", file);
  for (size_t i = 0; i < features->report.note_count; i++) {
    fputs(i > 0 ? "," : "", file);
    cli_print_string(file, features->report.notes[i]);
  }
  putc(']', file);
}

void cli_device_print_json(FILE *file, const cli_device_facts *facts,
                           const cli_device_features *features) {
  print_facts(file, facts);
  print_features(file, features);
}
