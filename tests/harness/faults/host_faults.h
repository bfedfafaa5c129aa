/*
 * Failing memory and files. The linker (--wrap) routes the C library calls of the code under test
 * through these wrappers, and the n-th call fails. The C library's and the driver's own calls do
 * not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_HOST_FAULTS_H
#define CLRS_TEST_HOST_FAULTS_H

#include <stdbool.h>

typedef enum host_fault_kind {
  HOST_NONE,
  HOST_NO_MEMORY,   /* any allocation, including locks, files in memory and resolved paths */
  HOST_IO_ERROR,    /* any operation on a file except removal: EIO */
  HOST_NO_SPACE,    /* the same: ENOSPC */
  HOST_SHORT,       /* a read or a write processes half of the bytes */
  HOST_INTERRUPTED, /* a read or a write ends with EINTR and did nothing */
  HOST_FAULT_KINDS
} host_fault_kind;

typedef struct host_fault {
  host_fault_kind kind;
  int nth; /* counted from 1, among the calls that the kind is about */
  bool sticky;
} host_fault;

/* Arms a fault. HOST_NONE disarms. */
void host_faults_arm(host_fault fault);
/* Returns the first failed call since the last arming with a fault, or NULL. */
const char *host_faults_failed(void);
/* Blocks allocated through here that are not freed. */
long host_faults_live(void);

#endif
