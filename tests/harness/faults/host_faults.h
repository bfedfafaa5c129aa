/*
 * Memory and files that fail: what the code under test asks of the C library goes through here, as
 * the linker is told (--wrap), and the n-th such call fails. The C library's and the driver's own
 * calls do not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_HOST_FAULTS_H
#define CLRS_TEST_HOST_FAULTS_H

#include <stdbool.h>

typedef enum host_fault_kind {
  HOST_NONE,
  HOST_NO_MEMORY,   /* any allocation; locks, files that live in memory and resolved paths too */
  HOST_IO_ERROR,    /* any operation on a file but its removal: EIO */
  HOST_NO_SPACE,    /* the same: ENOSPC */
  HOST_SHORT,       /* a read or a write does half of what was asked */
  HOST_INTERRUPTED, /* a read or a write ends with EINTR and did nothing */
  HOST_FAULT_KINDS
} host_fault_kind;

typedef struct host_fault {
  host_fault_kind kind;
  int nth; /* counted from 1, among the calls that the kind is about */
  bool sticky;
} host_fault;

/* HOST_NONE ends it. */
void host_faults_arm(host_fault fault);
/* The first call that failed since it was last armed with something, or NULL. */
const char *host_faults_failed(void);
/* Blocks allocated through here that are not freed. */
long host_faults_live(void);

#endif
