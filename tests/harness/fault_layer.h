/*
 * A layer for the OpenCL loader (OPENCL_LAYERS). It makes chosen calls fail, counts the references
 * that are alive and those released once too often, puts pages that may not be touched around every
 * buffer, and notices a kernel object that two threads use at once.
 *
 * A test finds it in its own process with fault_layer_find. Every process that has it also reports
 * at its end: see fault_layer.c. Loader and layer are silent when they are misconfigured, so
 * whoever relies on them asks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_H
#define CLRS_TEST_FAULT_LAYER_H

#include <CL/cl.h>
#include <stdbool.h>

typedef enum fault_kind {
  FAULT_BEFORE, /* the call does nothing and returns the code */
  FAULT_AFTER,  /* the call is made, and the code returned all the same; what it made is gone */
  FAULT_ASYNC   /* only commands count; the call succeeds, its command fails at the next wait or arm
                 */
} fault_kind;

typedef struct fault {
  int nth; /* which call from now on, counted from 1; 0 for none */
  cl_int code;
  bool sticky; /* and all later ones */
  fault_kind kind;
} fault;

/* What is wrong at the moment: all 0 at the end of a correct program. */
typedef struct fault_balance {
  long live;           /* references, to objects of any kind */
  long over_releases;  /* releases of what was not alive; they are not passed on */
  long canaries;       /* buffers that died with a changed byte beside them */
  long shared_kernels; /* uses of a kernel between another thread's arguments and its launch */
} fault_balance;

typedef struct fault_layer {
  /* From now on. Starts the counts of `calls` and `commands` again; NULL only does that. */
  void (*arm)(const fault *fault);
  /* The name of the first call that failed since, or NULL if none did. */
  const char *(*failed)(void);
  /* How many calls that can fail were made since. Releases cannot, and are not counted. */
  int (*calls)(void);
  fault_balance (*balance)(void);
} fault_layer;

/* False if the layer is not loaded. */
bool fault_layer_find(fault_layer *layer);

/* References that the layer, if it is loaded, knows to be alive. */
long fault_layer_alive(void);

/* 0 if the layer is loaded, else what main must return: 77, or 1 if CLRS_REQUIRE_DEVICE=1. */
int fault_layer_missing(fault_layer *layer);

/* What a failed clBuildProgram has as its log. */
#define FAULT_LAYER_BUILD_LOG "the fault layer let this build fail"

/* What a process with the layer ends with instead of its own code, if its balance is not 0. */
enum { FAULT_LAYER_EXIT = 96 };

#endif
