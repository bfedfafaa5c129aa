/*
 * The classes by number. Callers know them by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_CLASS_NUMBER_H
#define CLRS_CLASS_CLASS_NUMBER_H

typedef enum clrs__class_number {
  CLRS__CLASS_ANY,         /* no class: the planner chooses */
  CLRS__CLASS_CPU_ROWS,    /* one fastest axis on both sides */
  CLRS__CLASS_GPU_ROWS,    /* long rows of any strides, a work-group at a time */
  CLRS__CLASS_CPU_TILE,    /* each side is contiguous along another axis */
  CLRS__CLASS_GPU_TILE,    /* the same, through local memory */
  CLRS__CLASS_CPU_SHORT,   /* short axes that together fill runs of the destination */
  CLRS__CLASS_GPU_SHORT,   /* short axes, several at once through local memory */
  CLRS__CLASS_CPU_ANY,     /* any strides on both sides */
  CLRS__CLASS_GPU_ANY,     /* the same, a unit per work-item. The reference for all others */
  CLRS__CLASS_COMPOSED,    /* through a stack of walks. CPU: any units that fill whole bytes */
  CLRS__CLASS_FILL,        /* one value into every unit of the destination */
  CLRS__CLASS_SUBBYTE,     /* units under a byte: one work-item owns each destination byte */
  CLRS__CLASS_CPU_SUBBYTE, /* the same, many at once, a byte for each in the cache */
  CLRS__CLASS_COUNT        /* no class: the number of names */
} clrs__class_number;

#endif
