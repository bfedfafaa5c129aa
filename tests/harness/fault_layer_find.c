/*
 * Finds the fault layer in this process, if the loader has loaded the layer. See fault_layer.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_layer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ISO C has no cast to a function. */
static bool look_up(void *loaded, const char *name, void *function, size_t size) {
  void *const symbol = dlsym(loaded, name);
  memcpy(function, &symbol, size);
  return symbol != NULL;
}

bool fault_layer_find(fault_layer *layer) {
  const char *path = getenv("CLRS_TEST_FAULT_LAYER"); /* OPENCL_LAYERS is cut up by the loader */
  cl_uint platforms = 0;
  (void)clGetPlatformIDs(0, NULL, &platforms); /* layers are loaded at the first call */
  void *loaded = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  return loaded && look_up(loaded, "fault_layer_arm", &layer->arm, sizeof layer->arm) &&
         look_up(loaded, "fault_layer_failed", &layer->failed, sizeof layer->failed) &&
         look_up(loaded, "fault_layer_calls", &layer->calls, sizeof layer->calls) &&
         look_up(loaded, "fault_layer_balance", &layer->balance, sizeof layer->balance);
}

long fault_layer_alive(void) {
  fault_layer layer;
  return fault_layer_find(&layer) ? layer.balance().live : 0;
}

int fault_layer_missing(fault_layer *layer) {
  const char *required = getenv("CLRS_REQUIRE_DEVICE");
  if (fault_layer_find(layer))
    return 0;
  (void)fprintf(stderr, "the OpenCL loader did not load the fault layer\n");
  return required && strcmp(required, "1") == 0 ? 1 : 77;
}
