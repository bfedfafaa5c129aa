/*
 * Finds the fault layer in this process, if the loader loaded it. See fault_layer.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_layer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool fault_layer_find(fault_layer *layer) {
  const char *path = getenv("CLRS_TEST_FAULT_LAYER"); /* OPENCL_LAYERS is cut up by the loader */
  void *loaded = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  if (!loaded)
    return false;
  void *symbols[3] = {dlsym(loaded, "fault_layer_arm"), dlsym(loaded, "fault_layer_failed"),
                      dlsym(loaded, "fault_layer_live")};
  memcpy(&layer->arm, &symbols[0], sizeof symbols[0]); /* ISO C has no cast to a function */
  memcpy(&layer->failed, &symbols[1], sizeof symbols[1]);
  memcpy(&layer->live, &symbols[2], sizeof symbols[2]);
  return layer->arm && layer->failed && layer->live;
}
