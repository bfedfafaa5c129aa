/*
 * The way in which a device computes a map, and the way in which it divides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "key.h"

/* Chooses how the device computes the map of the key. Fails with CLRS_UNSUPPORTED, and names the
 * ability that the device lacks. */
clrs_status clrs__map_key_settle(const clrs__arithmetic *device, clrs__map_key *key,
                                 clrs_error *error);

/* Returns true if each result of floats is a float, and no denormal floats are lost. */
bool clrs__map_key_keeps_floats(const clrs__map_key *key, const clrs__arithmetic *device);

/* Returns 64 if the values between steps are doubles, else 32. The key must be settled. */
int clrs__map_key_value_bits(const clrs__map_key *key);
