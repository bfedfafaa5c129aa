/* SPDX-License-Identifier: Apache-2.0 */
#include "axes.h"

#include <string.h>

#include "checked.h"
#include "compose.h"
#include "tuning.h"

int64_t clrs__largest_divisor(int64_t number, int64_t most) {
  while (most > 1 && number % most != 0) {
    most--;
  }
  return most;
}

int64_t clrs__equal_part(int64_t extent, int64_t most, int64_t least) {
  const int64_t parts = clrs__divide_up(extent, most);
  for (int64_t more = 0; more < CLRS__EQUAL_PART_TRIALS; more++) {
    const int64_t part = clrs__divide_up(extent, parts + more);
    if (extent % part == 0 || extent % part >= least) {
      return part;
    }
  }
  return clrs__divide_up(extent, parts);
}

int64_t clrs__part_of_wholes(int64_t extent, int64_t most, int64_t whole) {
  const int64_t parts = clrs__divide_up(extent, most - most % whole);
  return clrs__exact_multiply(clrs__divide_up(clrs__divide_up(extent, parts), whole), whole);
}

void clrs__end_in_run(clrs__nest *nest) {
  const uint32_t count = nest->axis_count;
  if (count == 0 || nest->axes[count - 1].source_stride != 1 ||
      nest->axes[count - 1].destination_stride != 1) {
    clrs__insert_axis(nest, count);
  }
}

void clrs__marked_start(const clrs__nest *nest, clrs__marked_nest *marked) {
  clrs__nest_copy(&marked->nest, nest);
  memset(marked->marks, 0, nest->axis_count);
}

bool clrs__mark(clrs__marked_nest *marked, uint32_t at, int64_t part, uint8_t marks) {
  if (part < marked->nest.axes[at].extent) {
    if (!clrs__nest_split_axis(&marked->nest, at, part)) {
      return false;
    }
    memmove(marked->marks + at + 1, marked->marks + at, marked->nest.axis_count - 1 - at);
    at++;
  }
  marked->marks[at] |= marks;
  return true;
}

void clrs__append_marked(const clrs__marked_nest *marked, uint8_t among, uint8_t marks,
                         clrs__nest *nest) {
  for (uint32_t i = 0; i < marked->nest.axis_count; i++) {
    if ((marked->marks[i] & among) == marks) {
      nest->axes[nest->axis_count++] = marked->nest.axes[i];
    }
  }
}
