/* SPDX-License-Identifier: Apache-2.0 */
#include "volume_words.h"

#include "axes.h"
#include "checked.h"

typedef struct listed {
  clrs__nest nest;
  uint32_t write_end, read_end;
} listed;

/* Appends an axis behind those from `first` on, or makes it one with the last of them. */
static void append(clrs__nest *nest, uint32_t first, clrs__nest_axis axis) {
  clrs__nest_axis *last = &nest->axes[nest->axis_count > first ? nest->axis_count - 1 : first];
  int64_t source, destination;
  if (nest->axis_count > first && clrs__multiply(axis.extent, axis.source_stride, &source) &&
      clrs__multiply(axis.extent, axis.destination_stride, &destination) &&
      last->source_stride == source && last->destination_stride == destination) {
    last->extent = clrs__exact_multiply(last->extent, axis.extent);
    last->source_stride = axis.source_stride;
    last->destination_stride = axis.destination_stride;
    return;
  }
  nest->axes[nest->axis_count++] = axis;
}

/* Axes of the volume with bytes of local memory for destination strides; a unit under a byte has
 * one to itself. */
static void list_places(const clrs__cut *cut, clrs__nest *places) {
  int64_t step = clrs__unit_bytes(cut->unit_bits);
  clrs__nest_copy(places, &cut->nest);
  for (uint32_t i = places->axis_count; i > cut->as.volumes.outer_axis_count; i--) {
    places->axes[i - 1].destination_stride = step;
    step = clrs__exact_multiply(step, places->axes[i - 1].extent);
  }
}

/* A step that repeats what is read comes last: it is no part of a run. */
static bool reads_before(clrs__nest_axis a, clrs__nest_axis b) {
  return b.source_stride == 0 || (a.source_stride != 0 && clrs__magnitude(a.source_stride) <
                                                              clrs__magnitude(b.source_stride));
}

void clrs__volume_reads(const clrs__cut *cut, clrs__nest *reads) {
  clrs__nest places;
  list_places(cut, &places);
  clrs__nest_copy(reads, &places);
  reads->axis_count = cut->as.volumes.outer_axis_count;
  for (uint32_t i = cut->as.volumes.outer_axis_count; i < places.axis_count; i++) {
    uint32_t at = reads->axis_count++;
    for (;
         at > cut->as.volumes.outer_axis_count && reads_before(reads->axes[at - 1], places.axes[i]);
         at--) {
      reads->axes[at] = reads->axes[at - 1];
    }
    reads->axes[at] = places.axes[i];
  }
}

/* Takes the last axes, or a part of the last one taken, off a list of reads: as many as make whole
 * accesses. They become those of the table, in the same order; how many units it has. */
static int64_t split_table(clrs__nest *reads, int64_t width, clrs__nest *table) {
  int64_t units = 1;
  table->axis_count = 0;
  while (units % width != 0) {
    clrs__nest_axis *axis = &reads->axes[reads->axis_count - 1];
    const int64_t step = width / clrs__common_divisor(units, width);
    const int64_t part = axis->extent % step == 0 ? step : axis->extent;
    clrs__insert_axis(table, 0);
    table->axes[0] = CLRS__NEST_AXIS(part, 0, axis->destination_stride);
    units = clrs__exact_multiply(units, part);
    axis->extent /= part;
    axis->source_stride = clrs__exact_multiply(axis->source_stride, part);
    axis->destination_stride = clrs__exact_multiply(axis->destination_stride, part);
    reads->axis_count -= axis->extent == 1;
  }
  return units;
}

/* Makes the fastest axes of reads those that lead to the same vector of local memory: then reads of
 * neighbouring items meet in fewer banks, and still read runs of 32 bytes or more together. */
static void read_near_places_first(uint32_t outer, int access_bytes, clrs__nest *reads) {
  enum { VECTOR_BYTES = 16 };
  int64_t items = 1;
  for (uint32_t i = reads->axis_count, moved = 0; i > outer; i--) {
    const clrs__nest_axis *axis = &reads->axes[i - 1];
    if (axis->destination_stride < VECTOR_BYTES && axis->extent <= access_bytes / items) {
      items = clrs__exact_multiply(items, axis->extent);
      clrs__move_axis(reads, i - 1, reads->axis_count - 1 - moved++);
    }
  }
}

static void list_axes(const clrs__cut *cut, listed *list) {
  const uint32_t outer = cut->as.volumes.outer_axis_count;
  clrs__nest places, reads, table = {.axis_count = 0};
  list_places(cut, &places);
  clrs__volume_reads(cut, &reads);
  clrs__nest_copy(&list->nest, &cut->nest);
  list->nest.axis_count = outer;
  for (uint32_t i = outer; i < cut->nest.axis_count; i++) {
    append(&list->nest, outer,
           CLRS__NEST_AXIS(places.axes[i].extent, places.axes[i].destination_stride,
                           cut->nest.axes[i].destination_stride));
  }
  list->write_end = list->nest.axis_count;
  const int64_t width = cut->as.volumes.read_width;
  const int64_t units = width > 1 ? split_table(&reads, width, &table) : 1;
  read_near_places_first(outer, (int)width * (int)cut->unit_bits / 8, &reads);
  for (uint32_t i = outer; i < reads.axis_count; i++) {
    append(&list->nest, list->write_end, reads.axes[i]);
  }
  if (width > 1) {
    list->nest.axes[list->nest.axis_count++] = CLRS__NEST_AXIS(units, 1, 0);
  }
  list->read_end = list->nest.axis_count;
  for (uint32_t i = 0; i < table.axis_count; i++) {
    append(&list->nest, list->read_end, table.axes[i]);
  }
}

int64_t clrs__volume_table_units(const clrs__nest *reads, int64_t width) {
  clrs__nest rest, table;
  clrs__nest_copy(&rest, reads);
  return width == 1 ? 1 : split_table(&rest, width, &table);
}

uint32_t clrs__volume_axis_count(const clrs__cut *cut) {
  listed list;
  list_axes(cut, &list);
  return list.nest.axis_count;
}

/* Where reads go to places a power of two apart, these bits take part in which vector of its 128
 * bytes a place is in. Pixels of 64 bytes whose reads are 16 pixels apart: 1024 is bit 10, a shift
 * of 6 to bit 4. Other steps lead to other banks by themselves. */
static int64_t swizzle_shift(const listed *list) {
  enum { NONE = 31, LEAST_STEP = 32, LEAST_BIT = 7, MOST_BIT = 12, VECTOR_BIT = 4 };
  int64_t bit = LEAST_BIT, step = 0;
  for (uint32_t i = list->read_end; i > list->write_end && step < LEAST_STEP / 2; i--) {
    step = list->nest.axes[i - 1].destination_stride;
  }
  while (bit < MOST_BIT && step >> (bit + 1) != 0) {
    bit++;
  }
  return (step & (step - 1)) == 0 && step >= LEAST_STEP ? bit - VECTOR_BIT : NONE;
}

void clrs__encode_volume(const clrs__cut *cut, clrs__words *words) {
  listed list;
  list_axes(cut, &list);
  clrs__encode_axes(cut, &list.nest, words);
  words->outer_axis_count = words->narrow_axes = cut->as.volumes.outer_axis_count;
  words->volume_units = cut->as.volumes.units;
  words->write_axis_end = list.write_end;
  words->read_axis_end = list.read_end;
  words->read_width = cut->as.volumes.read_width;
  words->write_width = cut->as.volumes.write_width;
  words->swizzle_shift = swizzle_shift(&list);
}
