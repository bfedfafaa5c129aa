/* SPDX-License-Identifier: Apache-2.0 */
#include "volume_words.h"

#include "axes.h"
#include "checked.h"

typedef struct listed {
  clrs__nest nest;
  uint32_t write_end, read_end;
  uint32_t ragged[CLRS__RAGGED_AXES]; /* axes of a volume in the destination's order */
  int64_t written[CLRS__RAGGED_AXES]; /* steps of ragged axes that two volumes share */
  int64_t table_units, run_units;     /* 0: no run */
} listed;

int64_t clrs__access_units(int kind, uint32_t unit_bits) {
  const int bits = (int)unit_bits;
  return kind == CLRS_ACCESS_UNIT   ? (bits < 8 ? 8 / bits : 1)
         : kind == CLRS_ACCESS_WORD ? 32 / bits
                                    : CLRS_WIDE_BYTES(bits) * 8 / bits;
}

int64_t clrs__most_accesses(int kind, const clrs__cut *cut) {
  const int each = kind == CLRS_ACCESS_WIDE    ? CLRS_MOST_WIDE_ACCESSES
                   : kind == CLRS_ACCESS_BLOCK ? CLRS_MOST_BLOCKS
                                               : CLRS_MOST_ACCESSES(cut->unit_bits);
  return clrs__exact_multiply(clrs__cut_group(cut), each);
}

/* Appends an axis behind the axes from `first` on, or merges the axis with the last axis. */
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

/* Sets destination strides of the volume's axes to bytes of local memory. A unit under a byte has
 * its own byte. */
static void list_places(const clrs__cut *cut, clrs__nest *places) {
  int64_t step = clrs__unit_bytes(cut->unit_bits);
  clrs__nest_copy(places, &cut->nest);
  for (uint32_t i = places->axis_count; i > cut->as.volumes.outer_axis_count; i--) {
    places->axes[i - 1].destination_stride = step;
    step = clrs__exact_multiply(step, places->axes[i - 1].extent);
  }
}

/* A step that repeats the source comes last, because it is not part of a run. */
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

/* Takes the last axes, or a part of the last axis, off a list of reads. The taken axes are a run of
 * the source, enough for whole accesses or as long as there is room. The table has the taken axes
 * in the same order. Returns the units of the table. */
static int64_t split_table(clrs__nest *reads, uint32_t outer, int64_t width, clrs__nest *table) {
  int64_t units = 1;
  table->axis_count = 0;
  while (units % width != 0 && reads->axis_count > outer) {
    clrs__nest_axis *axis = &reads->axes[reads->axis_count - 1];
    const int64_t step = width / clrs__common_divisor(units, width);
    const int64_t part = axis->extent % step == 0 ? step : axis->extent;
    if (axis->source_stride != units || part > CLRS_TABLE_UNITS / units) {
      break;
    }
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

/* Makes the axes inside one vector of local memory the fastest axes of reads. Reads of neighbouring
 * items then meet in fewer banks, and still read runs of 32 bytes or more together. */
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

/* Lists a volume's axes in the destination's order. The kernel compares digits of a ragged axis, so
 * that only faster axes are merged into a ragged axis. */
static void list_write_axes(const clrs__cut *cut, const clrs__nest *places, listed *list) {
  uint32_t first = cut->as.volumes.outer_axis_count;
  for (uint32_t i = first; i < cut->nest.axis_count; i++) {
    for (uint32_t j = 0; j < CLRS__RAGGED_AXES; j++) {
      const clrs__ragged *ragged = &cut->as.volumes.ragged[j];
      if (ragged->back > 0 && ragged->axis == i) {
        first = list->ragged[j] = list->nest.axis_count;
      }
    }
    append(&list->nest, first,
           CLRS__NEST_AXIS(places->axes[i].extent, places->axes[i].destination_stride,
                           cut->nest.axes[i].destination_stride));
  }
  list->write_end = list->nest.axis_count;
}

/* The last axis counts accesses. A run may begin anywhere in its first block. */
static void list_writes(const clrs__cut *cut, const clrs__nest *places, listed *list) {
  list_write_axes(cut, places, list);
  clrs__nest_axis *last = &list->nest.axes[list->write_end - 1];
  const bool are_blocks = cut->as.volumes.write_kind == CLRS_ACCESS_BLOCK;
  const int64_t width = clrs__access_units(cut->as.volumes.write_kind, cut->unit_bits);
  for (uint32_t j = 0; j < CLRS__RAGGED_AXES; j++) {
    const clrs__ragged *ragged = &cut->as.volumes.ragged[j];
    if (ragged->back > 0) {
      const bool is_run = list->ragged[j] == list->write_end - 1;
      const int64_t extent = list->nest.axes[list->ragged[j]].extent;
      list->written[j] =
          clrs__exact_multiply(ragged->back, extent / cut->nest.axes[ragged->axis].extent);
      list->written[j] /= is_run && !are_blocks ? width : 1;
      list->ragged[j] = is_run && are_blocks ? CLRS_RUN_AXIS : list->ragged[j];
    }
  }
  list->run_units = last->destination_stride == 1 ? last->extent : 0;
  last->extent =
      are_blocks ? clrs__divide_up(last->extent + width - 1, width) : last->extent / width;
  last->source_stride = clrs__exact_multiply(last->source_stride, width);
  last->destination_stride = clrs__exact_multiply(last->destination_stride, width);
}

/* If there is a table, the last axis counts accesses to the table. */
static void list_reads(const clrs__cut *cut, listed *list) {
  const uint32_t outer = cut->as.volumes.outer_axis_count;
  const int64_t wide = clrs__access_units(CLRS_ACCESS_WIDE, cut->unit_bits);
  clrs__nest reads, rest, table = {.axis_count = 0};
  clrs__volume_reads(cut, &reads);
  clrs__nest_copy(&rest, &reads);
  list->table_units = split_table(&rest, outer, wide, &table);
  const bool has_table = cut->as.volumes.read_kind != CLRS_ACCESS_UNIT;
  if (has_table) {
    clrs__nest_copy(&reads, &rest);
  }
  const int width = has_table ? (int)wide : 1;
  read_near_places_first(outer, width * (int)cut->unit_bits / 8, &reads);
  for (uint32_t i = outer; i < reads.axis_count; i++) {
    append(&list->nest, list->write_end, reads.axes[i]);
  }
  if (has_table) {
    list->nest.axes[list->nest.axis_count++] =
        CLRS__NEST_AXIS(clrs__divide_up(list->table_units, wide), wide, 0);
  }
  list->read_end = list->nest.axis_count;
  for (uint32_t i = 0; has_table && i < table.axis_count; i++) {
    append(&list->nest, list->read_end, table.axes[i]);
  }
}

static void list_axes(const clrs__cut *cut, listed *list) {
  clrs__nest places;
  list_places(cut, &places);
  clrs__nest_copy(&list->nest, &cut->nest);
  list->nest.axis_count = cut->as.volumes.outer_axis_count;
  for (uint32_t j = 0; j < CLRS__RAGGED_AXES; j++) {
    list->ragged[j] = CLRS_NO_AXIS;
    list->written[j] = 0;
  }
  list_writes(cut, &places, list);
  list_reads(cut, list);
}

static int64_t count_steps(const clrs__nest *nest, uint32_t first, uint32_t end) {
  int64_t count = 1;
  for (uint32_t i = first; i < end; i++) {
    count = clrs__exact_multiply(count, nest->axes[i].extent);
  }
  return count;
}

clrs__volume_sizes clrs__volume_sizes_of(const clrs__cut *cut) {
  listed list;
  list_axes(cut, &list);
  return (clrs__volume_sizes){
      list.nest.axis_count, count_steps(&list.nest, list.write_end, list.read_end),
      count_steps(&list.nest, cut->as.volumes.outer_axis_count, list.write_end), list.table_units,
      list.run_units};
}

/* If neighbouring reads go to places whole banks apart, bits of that step also select the vector
 * within 128 bytes. Example: pixels of 64 bytes whose reads are 16 pixels apart have the
 * step 1024, which is bit 10. A shift of 6 moves bit 10 to bit 4. Other steps lead to other banks
 * without a shift. */
static int64_t swizzle_shift(const listed *list) {
  enum { NONE = 31, LEAST_STEP = 32, LEAST_BIT = 7, MOST_BIT = 12, VECTOR_BIT = 4 };
  int64_t bit = LEAST_BIT, step = 0;
  for (uint32_t i = list->read_end; i > list->write_end && step < LEAST_STEP / 2; i--) {
    step = list->nest.axes[i - 1].destination_stride;
  }
  while (bit < MOST_BIT && step >> (bit + 1) != 0) {
    bit++;
  }
  return step % LEAST_STEP == 0 && step > 0 ? bit - VECTOR_BIT : NONE;
}

/* The distance by which the last volume along a ragged axis begins earlier. */
static int64_t earlier(const clrs__cut *cut, uint32_t which, bool is_source) {
  const clrs__ragged *ragged = &cut->as.volumes.ragged[which];
  const clrs__nest_axis *axis = &cut->nest.axes[ragged->axis];
  const int64_t stride = is_source ? axis->source_stride : axis->destination_stride;
  return ragged->back > 0 ? clrs__exact_multiply(ragged->back, stride) : 0;
}

/* The last position, counted from the start of the source, from which an access may read whole
 * words. No word then ends behind the last unit. */
static int64_t last_word_read(const clrs__cut *cut) {
  const int64_t bits = cut->unit_bits, units_of_word = bits < 32 ? 32 / bits : 1;
  int64_t highest = 0;
  for (uint32_t i = 0; i < cut->nest.axis_count; i++) {
    const clrs__nest_axis *axis = &cut->nest.axes[i];
    highest +=
        axis->source_stride > 0 ? clrs__exact_multiply(axis->extent - 1, axis->source_stride) : 0;
  }
  for (uint32_t j = 0; j < CLRS__RAGGED_AXES; j++) {
    const int64_t back = earlier(cut, j, true);
    highest -= back > 0 ? back : 0;
  }
  return highest + 1 - clrs__access_units(CLRS_ACCESS_WIDE, cut->unit_bits) - (units_of_word - 1);
}

void clrs__encode_volume(const clrs__cut *cut, clrs__words *words) {
  listed list;
  list_axes(cut, &list);
  clrs__encode_axes(cut, &list.nest, words);
  const clrs__volume_sizes sizes = clrs__volume_sizes_of(cut);
  words->outer_axis_count = words->narrow_axes = cut->as.volumes.outer_axis_count;
  words->read_accesses = sizes.reads;
  words->write_accesses = sizes.writes;
  words->access_kinds = cut->as.volumes.read_kind + INT64_C(4) * cut->as.volumes.write_kind;
  words->write_axis_end = list.write_end;
  words->read_axis_end = list.read_end;
  words->swizzle_shift = swizzle_shift(&list);
  words->run_units = list.run_units;
  words->table_units = list.table_units;
  words->last_word_read = last_word_read(cut);
  words->fast_back_from = earlier(cut, 0, true);
  words->fast_back_to = earlier(cut, 0, false);
  words->slow_back_from = earlier(cut, 1, true);
  words->slow_back_to = earlier(cut, 1, false);
  words->ragged_axes = list.ragged[0] + INT64_C(64) * list.ragged[1];
  words->written = list.written[0] + INT64_C(65536) * list.written[1];
}
