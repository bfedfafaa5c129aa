/*
 * The parts of what an assembly makes: where in the result each goes, and what the operations after
 * the assembly make of its elements. A map there is spread over the whole, and commutes with every
 * movement: its parameters go back to the shape that the parts make up together, and of them a part
 * has its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "assembled.h"

/* Of what was measured: the operations after the assembly, and with them the rest of *made. */
clrs_status cli_parts_start(const cli_assembly *assembly, cli_assembled *made, clrs_error *error);

/* Do they compute anything? */
bool cli_parts_compute(const cli_assembled *made);

/* Is a border moved like a part, as a map goes over it or no single walk leads to its places? Other
 * borders are filled by the host. */
bool cli_parts_border_moves(const cli_assembled *made);

typedef struct cli_part {
  clrs_view place;   /* of the result, in units of its type */
  clrs_mapped after; /* of the part's shape; its source is not read */
} cli_part;

/* The next part, which has that shape. */
clrs_status cli_part_next(const cli_assembly *assembly, const clrs_shape *shape,
                          cli_assembled *made, cli_part *part, clrs_error *error);

/* Box number `box` of a pad. */
clrs_status cli_part_box(const cli_assembled *made, size_t box, cli_part *part, clrs_error *error);

/* The border that pad leaves in mode constant, in 2 * pad_count slabs, some of them empty. */
clrs_status cli_part_border(const cli_assembly *assembly, const cli_assembled *made, uint32_t slab,
                            cli_part *part, clrs_error *error);

/* What becomes of a part that is `mapped`, in place. */
clrs_status cli_part_map(const cli_assembly *assembly, const cli_assembled *made,
                         const cli_part *part, clrs_mapped *mapped, clrs_error *error);

/* One unit of the border's elements, of the parts' type. */
enum { CLI_MOST_UNIT = 16 }; /* bytes */
clrs_status cli_part_element(const cli_assembly *assembly, const cli_npy_type *type,
                             uint8_t element[CLI_MOST_UNIT], clrs_error *error);
