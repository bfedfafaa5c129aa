/*
 * Volumes, for wide devices: the axes that are fastest in the source together with those that are
 * fastest in the destination, as many as make long runs on both sides and fit into local memory.
 * An axis that is too long gives a part of itself, if its extent divides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "groups.h"

#include "checked.h"
#include "compose.h"

enum {
  RUN_BYTES = 128,   /* wanted of a run on either side */
  LEAST_UNITS = 256, /* of a volume: one for each item of a group */
  LOCAL_BYTES = 16896,
  MOST_SPARE = 2 /* an axis may make a run that much longer than wanted */
};

/* As kernels/gpu_short.cl has it. */
static int64_t most_units(uint32_t unit_bits) {
  return unit_bits == 128 ? 1024 : unit_bits == 64 ? 2048 : 4096;
}

typedef struct volume {
  clrs_nest nest;
  bool is_inner[CLRS_MAX_AXES], is_seen[CLRS_MAX_AXES]; /* by axis */
  int64_t units, most;
} volume;

static int64_t largest_divisor(int64_t number, int64_t limit) {
  int64_t divisor = limit < number ? limit : number;
  while (divisor > 1 && number % divisor != 0) {
    divisor--;
  }
  return divisor;
}

/* The faster `extent` steps of an axis become an axis of their own, behind it. */
static bool split(volume *v, uint32_t at, int64_t extent) {
  if (!clrs__nest_split_axis(&v->nest, at, extent)) {
    return false;
  }
  for (uint32_t i = v->nest.axis_count - 1; i > at; i--) {
    v->is_inner[i] = v->is_inner[i - 1];
    v->is_seen[i] = v->is_seen[i - 1];
  }
  return true;
}

/* Takes an axis, or as much of it as a run should grow, into the volume; how much that is. */
static int64_t take(volume *v, uint32_t at, int64_t growth) {
  const int64_t extent = v->nest.axes[at].extent;
  if (v->is_inner[at]) {
    return extent;
  }
  const int64_t room = v->most / v->units;
  const int64_t part = largest_divisor(extent, growth < room ? growth : room);
  if (part == 1 || (part < extent && !split(v, at, part))) {
    return 1;
  }
  at += part < extent ? 1 : 0;
  v->is_inner[at] = v->is_seen[at] = true;
  v->units *= part;
  return part;
}

static uint32_t nearest_unseen(const volume *v) {
  uint32_t nearest = v->nest.axis_count;
  for (uint32_t i = 0; i < v->nest.axis_count; i++) {
    const uint64_t stride = clrs__magnitude(v->nest.axes[i].source_stride);
    if (!v->is_seen[i] && stride > 0 &&
        (nearest == v->nest.axis_count ||
         stride < clrs__magnitude(v->nest.axes[nearest].source_stride))) {
      nearest = i;
    }
  }
  return nearest;
}

/* How long the run is that the volume then has in the source. */
static int64_t take_source_run(volume *v, int64_t wanted) {
  int64_t run = 1;
  while (run < wanted) {
    const uint32_t at = nearest_unseen(v);
    if (at == v->nest.axis_count) {
      break;
    }
    v->is_seen[at] = true;
    run *= take(v, at, MOST_SPARE * wanted / run);
  }
  return run;
}

/* What the source's run took is a part of this one too, which is so never the shorter. */
static void take_destination_run(volume *v, int64_t wanted) {
  int64_t run = 1;
  for (uint32_t at = v->nest.axis_count; at > 0 && run < wanted; at--) {
    run *= take(v, at - 1, MOST_SPARE * wanted / run);
  }
}

/* Otherwise there are no runs, whatever the extents. */
static bool has_unit_steps(const clrs_nest *nest) {
  bool in_source = false;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    in_source = in_source || clrs__magnitude(nest->axes[i].source_stride) == 1;
  }
  return in_source && nest->axes[nest->axis_count - 1].destination_stride == 1;
}

/* Outer axes first; each kind keeps the destination's order. */
static uint32_t put_inner_last(const volume *v, clrs_nest *nest) {
  uint32_t next = 0, outer = 0;
  for (int inner = 0; inner < 2; inner++) {
    outer = inner == 0 ? 0 : next;
    for (uint32_t i = 0; i < v->nest.axis_count; i++) {
      if (v->is_inner[i] == (inner != 0)) {
        nest->axes[next++] = v->nest.axes[i];
      }
    }
  }
  nest->axis_count = next;
  return outer;
}

bool clrs__launch_choose_volume(const clrs_device_limits *limits, clrs_launch *launch) {
  const bool required = limits->required_class == CLRS_CLASS_GPU_SHORT;
  const int64_t wanted = RUN_BYTES / (launch->unit_bits / 8);
  volume v = {.units = 1, .most = most_units(launch->unit_bits)};
  if (limits->local_bytes < LOCAL_BYTES) {
    return false;
  }
  v.nest = launch->nest;
  const int64_t source_run = take_source_run(&v, wanted);
  take_destination_run(&v, wanted);
  take_destination_run(&v, LEAST_UNITS);
  const bool is_good =
      2 * source_run >= wanted && v.units >= LEAST_UNITS && has_unit_steps(&launch->nest);
  clrs_nest nest = launch->nest;
  const uint32_t outer = put_inner_last(&v, &nest);
  const bool has_room = 2 * nest.axis_count - outer <= clrs__launch_nest_axes(launch);
  if (!has_room || !(is_good || (required && v.units > 1))) {
    return false;
  }
  launch->kernel_class = CLRS_CLASS_GPU_SHORT;
  launch->nest = nest;
  launch->outer_axis_count = outer;
  return true;
}

static void insert_by_source(clrs_nest *nest, uint32_t first, clrs_nest_axis axis) {
  uint32_t at = nest->axis_count++;
  for (; at > first &&
         clrs__magnitude(nest->axes[at - 1].source_stride) < clrs__magnitude(axis.source_stride);
       at--) {
    nest->axes[at] = nest->axes[at - 1];
  }
  nest->axes[at] = axis;
}

clrs_launch clrs__launch_in_both_orders(const clrs_launch *launch) {
  clrs_launch both = *launch;
  const uint32_t end = launch->nest.axis_count;
  int64_t step = 1; /* at most the units of a volume */
  for (uint32_t i = end; i > launch->outer_axis_count; i--) {
    const clrs_nest_axis axis = launch->nest.axes[i - 1];
    insert_by_source(&both.nest, end, (clrs_nest_axis){axis.extent, axis.source_stride, step});
    step *= axis.extent;
  }
  return both;
}
