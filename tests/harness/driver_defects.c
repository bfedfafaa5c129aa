/*
 * Which driver has which defect. See driver_defects.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "driver_defects.h"

#include "device.h"

enum { TEXT = 256 };

/* Prefixes of the platform's name and of the driver's version. Example: "7.1" is every 7.1, with
 * all patches. */
typedef struct known {
  const char *platform, *driver;
  driver_defect defect;
} known;

static const known list[] = {
    {"Intel(R) OpenCL", "2026.", DEFECT_STATUS_OF_FAILED},
    {"Intel(R) OpenCL", "2026.", DEFECT_SEVERAL_FAILED},
    {"Intel(R) OpenCL", "2026.", DEFECT_FINISH_AFTER_FAILED},
    {"Portable Computing Language", "7.1", DEFECT_SUB_BUFFER_RELEASE},
    {"Portable Computing Language", "6.0", DEFECT_USM_REFERENCES},
    {"rusticl", "25.0", DEFECT_QUEUES_KEPT},
    {"rusticl", "26.2", DEFECT_QUEUES_KEPT},
    {"Oclgrind", "Oclgrind 21.10", DEFECT_FLUSH_WAITS},
    {"Oclgrind", "Oclgrind 21.10", DEFECT_FAILED_LATER},
};

static const char *const sentences[DEFECT_COUNT] = {
    "the status of a command whose producer failed is 0 (defects/failed_status.c)",
    "several commands behind one that failed: the failure is lost, or the process ends "
    "(defects/failed_chain.c, failed_marker.c, failed_beside.c)",
    "clFinish of an unordered queue never ends after a marker that failed "
    "(defects/failed_finish.c)",
    "releasing a sub-buffer while a kernel uses its root ends the process "
    "(defects/sub_buffer_release.c)",
    "memory of a released queue is kept for later ones (defects/queues_kept.c)",
    "unified shared memory that was freed keeps its context and queues (defects/usm_references.c)",
    "clFlush waits for what was enqueued (defects/flush_waits.c)",
    "a command behind one whose producer failed runs, on an unordered queue "
    "(defects/failed_later.c)",
};

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

bool driver_has_defect(cl_device_id device, driver_defect defect) {
  static bool told[DEFECT_COUNT];
  char platform[TEXT] = "", driver[TEXT] = "";
  cl_platform_id id = NULL;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof id, (void *)&id, NULL));
  CL_OK(clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof platform, platform, NULL));
  CL_OK(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL));
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    if (list[i].defect == defect && begins(platform, list[i].platform) &&
        begins(driver, list[i].driver)) {
      if (!told[defect])
        print_message("known defect of %s %s: %s\n", platform, driver, sentences[defect]);
      told[defect] = true;
      return true;
    }
  }
  return false;
}
