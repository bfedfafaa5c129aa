/*
 * What the processor of this machine can do, as a number. Machine code for CPU devices depends on
 * it, and not every driver looks whether a binary is of a processor like this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdint.h>

/* A checksum of the instructions that it has and that the system lets programs use. It is the same
 * on each of its cores, and for another model or stepping that can do the same. */
uint64_t clrs__processor_checksum(void);
