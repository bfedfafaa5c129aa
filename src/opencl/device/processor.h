/*
 * A checksum of what the processor of this machine can do. Machine code for CPU devices depends on
 * the processor, and not every driver checks that a binary fits the processor.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdint.h>

/* A checksum of the instructions that the processor has and that the system lets programs use. All
 * cores have the same checksum, and so does another model or stepping with the same abilities. */
uint64_t clrs__processor_checksum(void);
