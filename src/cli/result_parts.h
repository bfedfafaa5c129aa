/*
 * The parts of an assembly: the place of each part in the result, and the effect of the operations
 * after the assembly on each part. A map after the assembly applies to the whole and commutes with
 * every movement. The map's parameters are moved back to the shape of the joined parts, and each
 * part gets its piece of the parameters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "assembled.h"

/* Applies the operations after the assembly, once measured, and fills the rest of *made. */
clrs_status cli_parts_start(const cli_assembly *assembly, cli_assembled *made, clrs_error *error);

/* Do the operations after the assembly compute anything? */
bool cli_parts_compute(const cli_assembled *made);

/* Is a border moved like a part? A border is moved if a map applies, or if the border's places are
 * no single walk. Otherwise the host fills the border. */
bool cli_parts_border_moves(const cli_assembled *made);

typedef struct cli_part {
  clrs_view place;   /* places in the result, in units of the result's type */
  clrs_mapped after; /* has the part's shape; the source is not read */
} cli_part;

/* Finds the next part, which has that shape. */
clrs_status cli_part_next(const cli_assembly *assembly, const clrs_shape *shape,
                          cli_assembled *made, cli_part *part, clrs_error *error);

/* Finds box number `box` of a pad. */
clrs_status cli_part_box(const cli_assembled *made, size_t box, cli_part *part, clrs_error *error);

/* Finds slab `slab` of the border of a pad in mode constant. There are 2 slabs for each dim. Some
 * may be empty. */
clrs_status cli_part_border(const cli_assembly *assembly, const cli_assembled *made, uint32_t slab,
                            cli_part *part, clrs_error *error);

/* Applies the maps after the assembly to the part `mapped`, in place. */
clrs_status cli_part_map(const cli_assembly *assembly, const cli_assembled *made,
                         const cli_part *part, clrs_mapped *mapped, clrs_error *error);

/* Writes one unit of the border's elements, in the parts' type. */
enum { CLI_MOST_UNIT = 16 }; /* bytes */
clrs_status cli_part_element(const cli_assembly *assembly, const cli_npy_type *type,
                             uint8_t element[CLI_MOST_UNIT], clrs_error *error);
