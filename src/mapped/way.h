/*
 * Which way elements take through a map on a device, and how the device divides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "key.h"

/* Chooses how the device computes the map of the key. Fails with CLRS_UNSUPPORTED, naming what the
 * device lacks. */
clrs_status clrs__map_key_settle(const clrs__arithmetic *device, clrs__map_key *key,
                                 clrs_error *error);

/* 64 if the values that go from step to step are doubles, else 32. Of a key that is settled. */
int clrs__map_key_value_bits(const clrs__map_key *key);
