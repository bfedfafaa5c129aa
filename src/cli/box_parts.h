/*
 * Cuts a box into parts if the box exceeds the limits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "boxes.h"

/* Calls `move` for each part of box `index`. Each part keeps the byte limits of a box. The only
 * part is the box itself unless boxes->is_refined. `box` is memory for the parts. */
typedef clrs_status (*cli_box_fn)(void *user_data, const cli_box *box, clrs_error *error);
typedef struct cli_box_visitor {
  cli_box *box;
  cli_box_fn move;
  void *user_data;
} cli_box_visitor;
clrs_status cli_boxes_each(const cli_boxes *boxes, int64_t index, const cli_box_visitor *visitor,
                           clrs_error *error);
