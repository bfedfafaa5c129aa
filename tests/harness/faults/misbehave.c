/*
 * A program that commits the faults that the fault layer must notice: misbehave HOW. The program
 * tests only the layer. `none` does the same work without a fault.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1000 };

static const char poke_source[] =
    "kernel void poke(global uchar *bytes, long at) { bytes[at] = 1; }";

typedef struct rig {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_mem buffer;
  cl_program program;
  cl_kernel kernel;
} rig;

static void need(cl_int code) {
  if (code != CL_SUCCESS) {
    (void)fprintf(stderr, "misbehave: OpenCL error %d\n", (int)code);
    exit(1);
  }
}

static rig rig_open(void) {
  const char *text = poke_source;
  rig r;
  cl_platform_id platform;
  cl_int code;
  code = clGetPlatformIDs(1, &platform, NULL);
  /* CL_PLATFORM_NOT_FOUND_KHR, an error of the loader. Any other code is a failure All else is a
   * failure */
  if (code == -1001)
    exit(77);
  need(code);
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &r.device, NULL));
  r.context = clCreateContext(NULL, 1, &r.device, NULL, NULL, &code);
  need(code);
  r.queue = clCreateCommandQueue(r.context, r.device, 0, &code);
  need(code);
  r.buffer = clCreateBuffer(r.context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
  need(code);
  r.program = clCreateProgramWithSource(r.context, 1, &text, NULL, &code);
  need(code);
  need(clBuildProgram(r.program, 1, &r.device, "", NULL, NULL));
  r.kernel = clCreateKernel(r.program, "poke", &code);
  need(code);
  return r;
}

static void rig_close(const rig *r) {
  need(clFinish(r->queue));
  need(clReleaseKernel(r->kernel));
  need(clReleaseProgram(r->program));
  need(clReleaseMemObject(r->buffer));
  need(clReleaseCommandQueue(r->queue));
  need(clReleaseContext(r->context));
}

static void set_arguments(const rig *r, cl_long at) {
  need(clSetKernelArg(r->kernel, 0, sizeof r->buffer, &r->buffer));
  need(clSetKernelArg(r->kernel, 1, sizeof at, &at));
}

static void poke(const rig *r, cl_long at) {
  const size_t one = 1;
  set_arguments(r, at);
  need(clEnqueueNDRangeKernel(r->queue, r->kernel, 1, NULL, &one, &one, 0, NULL, NULL));
  need(clFinish(r->queue));
}

static void *set_arguments_too(void *argument) {
  set_arguments(argument, 1);
  return NULL;
}

static void share_kernel(rig *r) {
  pthread_t other;
  set_arguments(r, 0);
  if (pthread_create(&other, NULL, set_arguments_too, r) != 0 || pthread_join(other, NULL) != 0)
    exit(1);
  poke(r, 0);
}

/* The layer does not pass on the second release, because a driver would crash. */
static void release_twice(const rig *r) {
  cl_int code;
  cl_event event = clCreateUserEvent(r->context, &code);
  need(code);
  need(clReleaseEvent(event));
  (void)clReleaseEvent(event);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  rig r = rig_open();
  poke(&r, 0);
  poke(&r, BYTES - 1);
  if (strcmp(how, "leak") == 0)
    need(clRetainMemObject(r.buffer));
  else if (strcmp(how, "release_twice") == 0)
    release_twice(&r);
  else if (strcmp(how, "share_kernel") == 0)
    share_kernel(&r);
  else if (strcmp(how, "write_behind") == 0)
    poke(&r, BYTES);
  else if (strcmp(how, "write_before") == 0)
    poke(&r, -1);
  else if (strcmp(how, "none") != 0)
    return 2;
  rig_close(&r);
  return 0;
}
