/*
 * Which OpenCL objects are alive, by handle and kind: a driver hands out the address of a dead
 * object again. And which thread is setting the arguments of a kernel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_OBJECTS_H
#define CLRS_TEST_FAULT_LAYER_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum object_kind {
  OBJECT_CONTEXT,
  OBJECT_QUEUE,
  OBJECT_MEM,
  OBJECT_PROGRAM,
  OBJECT_KERNEL,
  OBJECT_EVENT,
  OBJECT_KINDS
} object_kind;

/* Records a created object. `handle` may be NULL if the creation failed. `call` is the name of the
 * creating call, a literal. */
void objects_made(object_kind kind, void *handle, const char *call);
/* Returns false, and counts the release, if the object is not alive. */
bool objects_released(object_kind kind, void *handle);

bool objects_are_held(object_kind kind, const void *handle);

/* A thread sets a kernel argument, failed to set an argument, or launches the kernel. */
typedef enum kernel_use { KERNEL_ARGUMENT, KERNEL_GIVEN_UP, KERNEL_LAUNCH } kernel_use;
void objects_kernel_used(void *kernel, kernel_use use);

long objects_live(void);
long objects_over_releases(void);
long objects_shared_kernels(void);
/* Writes a line about the live objects, with the creating calls. */
void objects_describe(char *text, size_t size);

#endif
