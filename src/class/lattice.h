/*
 * Lattices: the one walk of the source and the nest of the destination count the same positions, in
 * digits that do not agree. kernels/lattice.cl explains their use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_LATTICE_H
#define CLRS_CLASS_LATTICE_H

#include "class.h"

/* Cuts a composed move for a CPU into tiles of a lattice. Returns false if the move has no lattice.
 * *cut then keeps the job's nest. */
bool clrs__cut_lattice(const clrs__job *job, clrs__cut *cut);

#endif
