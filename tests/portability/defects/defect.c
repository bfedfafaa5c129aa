/*
 * Shared by the programs of this folder. See defect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INTS = 4096, MOST_SECONDS = 30 };

void need(cl_int code, const char *what) {
  if (code != CL_SUCCESS) {
    printf("%s failed with %d\n", what, (int)code);
    (void)fflush(stdout);
    _exit(DEFECT_CANNOT_TELL);
  }
}

static cl_device_id first_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device = NULL;
  need(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count && i < 16; i++)
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
      return device;
  need(CL_DEVICE_NOT_FOUND, "clGetDeviceIDs");
  return NULL;
}

cl_kernel defect_kernel(const opened *o, const char *source, const char *name) {
  cl_int code;
  cl_program program = clCreateProgramWithSource(o->context, 1, &source, NULL, &code);
  need(code, "clCreateProgramWithSource");
  need(clBuildProgram(program, 1, &o->device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, name, &code);
  need(code, "clCreateKernel");
  need(clSetKernelArg(kernel, 0, sizeof o->buffer, (const void *)&o->buffer), "clSetKernelArg");
  return kernel;
}

opened defect_open(void) {
  static const char *source = "__kernel void seven(__global int *to) { to[get_global_id(0)] = 7; }";
  static int zeros[INTS];
  opened o = {.device = first_device()};
  cl_int code;
  o.context = clCreateContext(NULL, 1, &o.device, NULL, NULL, &code);
  need(code, "clCreateContext");
  o.in_order = clCreateCommandQueue(o.context, o.device, 0, &code);
  need(code, "clCreateCommandQueue");
  o.program = clCreateProgramWithSource(o.context, 1, &source, NULL, &code);
  need(code, "clCreateProgramWithSource");
  need(clBuildProgram(o.program, 1, &o.device, "", NULL, NULL), "clBuildProgram");
  o.kernel = clCreateKernel(o.program, "seven", &code);
  need(code, "clCreateKernel");
  o.buffer = clCreateBuffer(o.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros,
                            zeros, &code);
  need(code, "clCreateBuffer");
  need(clSetKernelArg(o.kernel, 0, sizeof o.buffer, (const void *)&o.buffer), "clSetKernelArg");
  return o;
}

cl_command_queue defect_unordered(const opened *o) {
  cl_int code;
  cl_command_queue queue =
      clCreateCommandQueue(o->context, o->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
  need(code, "clCreateCommandQueue");
  return queue;
}

cl_event defect_gate(const opened *o) {
  cl_int code;
  cl_event gate = clCreateUserEvent(o->context, &code);
  need(code, "clCreateUserEvent");
  return gate;
}

cl_int defect_status(cl_event event) {
  cl_int status = CL_QUEUED;
  need(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
       "clGetEventInfo");
  return status;
}

void defect_flush(const opened *o, cl_command_queue queue) {
  char driver[256] = "";
  need(clGetDeviceInfo(o->device, CL_DRIVER_VERSION, sizeof driver, driver, NULL),
       "clGetDeviceInfo");
  if (strncmp(driver, "Oclgrind", strlen("Oclgrind")) != 0)
    need(clFlush(queue), "clFlush");
}

cl_event defect_launch(const opened *o, cl_command_queue queue, cl_event gate) {
  const size_t items = 4;
  cl_event event = NULL;
  need(clEnqueueNDRangeKernel(queue, o->kernel, 1, NULL, &items, NULL, gate ? 1 : 0,
                              gate ? &gate : NULL, &event),
       "clEnqueueNDRangeKernel");
  return event;
}

/* More on a busy machine, where matrix.sh is told to be patient. */
static unsigned most_seconds(void) {
  const char *patience = getenv("CLRS_MATRIX_PATIENCE");
  const unsigned long times = patience == NULL ? 1 : strtoul(patience, NULL, 10);
  return times == 0 || times > 100 ? MOST_SECONDS : MOST_SECONDS * (unsigned)times;
}

int defect_ask(int (*ask)(void), const char *verdict) {
  int status = 0;
  (void)fflush(stdout);
  const pid_t child = fork();
  if (child < 0)
    return DEFECT_CANNOT_TELL;
  if (child == 0) {
    (void)alarm(most_seconds());
    const int answer = ask();
    (void)fflush(stdout);
    _exit(answer);
  }
  if (waitpid(child, &status, 0) != child)
    return DEFECT_CANNOT_TELL;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  if (WTERMSIG(status) == SIGALRM)
    printf("%s: it does not end\n", verdict);
  else
    printf("%s: the process ends by signal %d, %s\n", verdict, WTERMSIG(status),
           strsignal(WTERMSIG(status)));
  return DEFECT_SHOWN;
}
