/*
 * A layer for the OpenCL loader (OPENCL_LAYERS). The layer makes chosen calls fail, and counts the
 * live references and the references released too often. The layer also puts inaccessible pages
 * around every buffer, and detects a kernel object that two threads use at once.
 *
 * A test finds the layer in the test's process with fault_layer_find. Every process with the layer
 * also reports at the end: see fault_layer.c. Loader and layer are silent if misconfigured, so a
 * program that needs the layer must ask for the layer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_H
#define CLRS_TEST_FAULT_LAYER_H

#include <CL/cl.h>
#include <stdbool.h>

typedef enum fault_kind {
  FAULT_BEFORE, /* the call does nothing and returns the code */
  FAULT_AFTER,  /* the call is made, the created object is released, and the code is returned */
  /* only commands count: the call succeeds, but the command fails at the next wait or arm */
  FAULT_ASYNC
} fault_kind;

typedef struct fault {
  int nth; /* number of the failing call from now on, counted from 1 (0: no call fails) */
  cl_int code;
  bool sticky; /* all later calls fail too */
  fault_kind kind;
} fault;

/* Current violations. All fields are 0 at the end of a correct program. */
typedef struct fault_balance {
  long live;           /* references, to objects of any kind */
  long over_releases;  /* releases of objects that were not alive, which are not passed on */
  long canaries;       /* buffers released with a changed byte in the guard bytes */
  long shared_kernels; /* uses of a kernel by a second thread between argument and launch */
} fault_balance;

typedef struct fault_layer {
  /* From now on. Restarts the counts of `calls` and `commands`. NULL does only this. */
  void (*arm)(const fault *fault);
  /* The name of the first failed call since arm, or NULL. */
  const char *(*failed)(void);
  /* How many calls that can fail were made since. Releases cannot, and are not counted. */
  int (*calls)(void);
  fault_balance (*balance)(void);
} fault_layer;

/* False if the layer is not loaded. */
bool fault_layer_find(fault_layer *layer);

/* Number of live references, or 0 without the layer. */
long fault_layer_alive(void);

/* Returns 0 if the layer is loaded, else the return value of main: 77, or 1 if
 * CLRS_REQUIRE_DEVICE=1. */
int fault_layer_missing(fault_layer *layer);

/* The build log of a clBuildProgram that the layer failed. */
#define FAULT_LAYER_BUILD_LOG "the fault layer let this build fail"

/* Exit code of a process with the layer if the balance is not 0. */
enum { FAULT_LAYER_EXIT = 96 };

#endif
