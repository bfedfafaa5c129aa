/*
 * Drivers differ. What this library does otherwise for one of them, and which of their defects its
 * users meet, stands in quirks.c with the driver and its version, and nowhere else.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_QUIRKS_H
#define CLRS_RUNTIME_QUIRKS_H

#include "device.h"

typedef struct clrs__quirks {
  clrs_compile_path compile_path;
  /* Of buffers that nobody else makes. On CPUs memory of the host's, which exists at once: PoCL 3.1
   * allocates at the first use otherwise, and ends the process if there is none by then. */
  cl_mem_flags buffer_flags;
  /* A marker that waits for several commands which have failed ends the process. */
  bool markers_wait_for_one;
  size_t note_count;
  const char *notes[CLRS_MAX_DEVICE_NOTES]; /* static */
} clrs__quirks;

/* Of the device's driver. The environment's CLRS_COMPILE_PATH, native or portable, chooses that
 * path. */
clrs_status clrs__quirks_of(cl_device_id device, clrs__quirks *quirks, clrs_error *error);

#endif
