/*
 * Lattices: where the source's one walk and the destination count the same positions, in digits
 * that do not agree. What they are good for, kernels/lattice.cl says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_LATTICE_H
#define CLRS_CLASS_LATTICE_H

#include "class.h"

/* Cuts a composed move of a CPU into tiles of a lattice, if it has one; *cut has the job's nest,
 * and keeps it if not. */
bool clrs__cut_lattice(const clrs__job *job, clrs__cut *cut);

#endif
