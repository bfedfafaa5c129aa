/*
 * A context that is made for a sub-device has that sub-device, and no other. PoCL lists the root.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                              CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id part = NULL, listed[4] = {NULL};
  cl_int code = clCreateSubDevices(o.device, one, 1, &part, NULL);
  if (code != CL_SUCCESS) {
    printf("the context of a sub-device: clCreateSubDevices says %d\n", (int)code);
    return DEFECT_CANNOT_TELL;
  }
  cl_context context = clCreateContext(NULL, 1, &part, NULL, NULL, &code);
  need(code, "clCreateContext");
  need(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof listed, (void *)listed, NULL),
       "clGetContextInfo");
  printf("the context of a sub-device lists %s\n", listed[0] == part       ? "it"
                                                   : listed[0] == o.device ? "its root instead"
                                                                           : "another device");
  return listed[0] == part ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "the context of a sub-device");
}
