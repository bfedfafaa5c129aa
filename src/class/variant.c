/* SPDX-License-Identifier: Apache-2.0 */
#include "variant.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "index_any.h"
#include "table.h"

void clrs__variant_make_loop(clrs__variant *variant) {
  variant->loops = true;
  if (variant->kernel_class == CLRS__CLASS_GPU_TILE) { /* other classes' pieces need the flags */
    variant->wide_source = variant->wide_destination = false;
  }
}

/* A CPU's chunk finds its axes by a loop counter for any room. */
static uint32_t nest_room(const clrs__cut *cut) {
  const bool unrolls =
      !clrs__cut_is_chunked(cut) || clrs__class_of(cut->kernel_class)->takes_groups;
  const uint32_t room = clrs__cut_nest_room(cut);
  return unrolls && room > CLRS__FEW_NEST_AXES && clrs__cut_axis_count(cut) <= CLRS__FEW_NEST_AXES
             ? CLRS__FEW_NEST_AXES
             : room;
}

static bool reads_blocks(const clrs__cut *cut) {
  return cut->kind == CLRS__CUT_VOLUMES && cut->as.volumes.read_kind == CLRS_ACCESS_BLOCK;
}

clrs__variant clrs__cut_variant(const clrs__cut *cut) {
  clrs__variant variant = {.kernel_class = cut->kernel_class,
                           .unit_bits = cut->unit_bits,
                           .index_bits = cut->index_bits,
                           .nest_axes = nest_room(cut),
                           .level_axes = clrs__cut_level_room(cut),
                           .msb_first = cut->unit_bits < 8 && cut->msb_first,
                           .interleaves = cut->kind == CLRS__CUT_BYTES && cut->as.bytes.interleaves,
                           .fills = cut->from == CLRS__FROM_VALUE,
                           .is_chunked = clrs__cut_is_chunked(cut),
                           .wide_source = cut->wide_source,
                           .halvings = cut->halvings,
                           .wide_destination = cut->wide_destination || reads_blocks(cut),
                           .index = cut->address.key};
  if (cut->loops) {
    clrs__variant_make_loop(&variant);
  }
  return variant;
}

bool clrs__cut_fits_batch(const clrs__cut *cut) {
  const bool lists_axes_again = cut->kind == CLRS__CUT_VOLUMES || cut->kind == CLRS__CUT_BOXES;
  const bool has_few = cut->nest.axis_count <= CLRS__FEW_NEST_AXES &&
                       (cut->from != CLRS__FROM_STACK || cut->level_axes <= CLRS__FEW_LEVEL_AXES);
  return cut->index_bits == 32 && (has_few || lists_axes_again);
}

/* Most nests are short, and tables of short nests are small. */
clrs__variant clrs__batch_variant(const clrs__cut *cut) {
  clrs__variant variant = clrs__cut_variant(cut);
  variant.is_batched = true;
  if (variant.nest_axes > CLRS__FEW_NEST_AXES && clrs__cut_axis_count(cut) <= CLRS__FEW_NEST_AXES) {
    variant.nest_axes = CLRS__FEW_NEST_AXES;
  }
  return variant;
}

bool clrs__variant_equal(clrs__variant a, clrs__variant b) {
  return a.kernel_class == b.kernel_class && a.unit_bits == b.unit_bits &&
         a.index_bits == b.index_bits && a.nest_axes == b.nest_axes &&
         a.level_axes == b.level_axes && a.msb_first == b.msb_first &&
         a.interleaves == b.interleaves && a.fills == b.fills && a.is_chunked == b.is_chunked &&
         a.is_batched == b.is_batched && a.wide_source == b.wide_source &&
         a.wide_destination == b.wide_destination && a.loops == b.loops &&
         a.halvings == b.halvings && memcmp(&a.map, &b.map, sizeof a.map) == 0 &&
         memcmp(&a.index, &b.index, sizeof a.index) == 0;
}

clrs__variant clrs__mapped_variant(const clrs__map_key *key, uint32_t index_bits) {
  return (clrs__variant){.kernel_class = CLRS__CLASS_ANY, .index_bits = index_bits, .map = *key};
}

clrs__variant clrs__any_indexed_variant(const clrs__index_key *key, uint32_t unit_bits) {
  return (clrs__variant){.kernel_class = CLRS__CLASS_ANY,
                         .unit_bits = unit_bits,
                         .index_bits = CLRS__ANY_INDEXED_BITS,
                         .nest_axes = CLRS__FEW_NEST_AXES,
                         .index = *key};
}

static bool is_any_indexed(const clrs__variant *variant) {
  return clrs__variant_is_indexed(variant) && variant->kernel_class == CLRS__CLASS_ANY;
}

bool clrs__variant_takes_groups(const clrs__variant *variant) {
  const clrs__class *used = clrs__class_of(variant->kernel_class);
  return clrs__variant_is_mapped(variant)
             ? clrs__map_key_is_grouped(&variant->map)
             : variant->kernel_class != CLRS__CLASS_ANY && used->takes_groups;
}

const char *clrs__variant_name(const clrs__variant *variant) {
  return clrs__variant_is_mapped(variant) ? clrs__map_key_name(&variant->map)
         : is_any_indexed(variant)        ? "index_any"
                                          : clrs_class_name(variant->kernel_class);
}

static const char *unit_type(uint32_t unit_bits) {
  switch (unit_bits) {
  case 16:
    return "ushort";
  case 32:
    return "uint";
  case 64:
    return "ulong";
  case 128:
    return "uint4";
  default:
    return "uchar";
  }
}

static const char *const own_names[] = {
    [CLRS__OWN_NONE] = "none",    [CLRS__OWN_BUNDLE] = "bundle", [CLRS__OWN_FILLED] = "filled",
    [CLRS__OWN_SPAN] = "span",    [CLRS__OWN_RUN] = "run",       [CLRS__OWN_BOX] = "box",
    [CLRS__OWN_VOLUME] = "volume"};

void clrs__variant_options(clrs__variant variant, char *options, size_t size) {
  if (clrs__variant_is_mapped(&variant)) {
    clrs__map_key_options(&variant.map, variant.index_bits, options, size);
    const size_t length = strlen(options);
    snprintf(options + length, size - length, " -DBATCHED=%d", variant.is_batched);
    return;
  }
  const clrs__class *used = clrs__class_of(variant.kernel_class);
  const clrs__own_words own = used != NULL ? used->own : CLRS__OWN_NONE;
  snprintf(options, size,
           "-cl-std=CL1.2 -DINDEX_BITS=%u -DUNIT=%s -DUNIT_BITS=%u -DMSB_FIRST=%d "
           "-DINTERLEAVED=%d -DFILLS=%d "
           "-DNEST_AXES=%u -DLEVEL_AXES=%u -DCHUNKED=%d -DBOXED=%d -DOWN_WORDS=%s -DBATCHED=%d "
           "-DWIDE_SOURCE=%d -DWIDE_DESTINATION=%d -DLOOPS=%d",
           variant.index_bits, unit_type(variant.unit_bits), variant.unit_bits, variant.msb_first,
           variant.interleaves, variant.fills, variant.nest_axes, variant.level_axes,
           variant.is_chunked, own == CLRS__OWN_BOX, own_names[own], variant.is_batched,
           variant.wide_source, variant.wide_destination, variant.loops);
  if (variant.halvings > 0) {
    const size_t length = strlen(options);
    snprintf(options + length, size - length, " -DGROUP_ITEMS=%d",
             CLRS_GROUP_ITEMS >> variant.halvings);
  }
  if (clrs__variant_is_indexed(&variant)) {
    const size_t length = strlen(options);
    snprintf(options + length, size - length, " -DINDEXED=1 -DSCATTERS=%u", variant.index.scatters);
  }
}

static void add_file(clrs__kernel_files *files, const char *name) {
  assert(files->count < CLRS__MOST_KERNEL_FILES);
  files->names[files->count++] = name;
}

/* NULL ends the names. */
static void add_files(clrs__kernel_files *files, const char *const *names) {
  for (; *names != NULL; names++) {
    add_file(files, *names);
  }
}

static clrs__kernel_files mapped_files(const clrs__variant *variant) {
  static const char *const first[] = {"shared", "numbers", "mapped",       "words",
                                      "move",   "convert", "small_floats", NULL};
  static const char *const ways[] = {"exact", "floats", "integers", NULL};
  static const char *const parts[] = {"lines",     "map_pieces",  "map_source", "map_spread",
                                      "map_stage", "map_convert", NULL};
  static const char *const grouped[] = {"work_group", "map_group", NULL};
  clrs__kernel_files files = {0};
  add_files(&files, first);
  if (variant->map.division == CLRS_DIVIDES_FUSED) {
    add_file(&files, "quotient");
  }
  add_file(&files, "steps");
  if (variant->map.division == CLRS_DIVIDES_SOFTLY) {
    add_file(&files, "soft");
  }
  add_files(&files, ways);
  if (variant->map.is_indexed) {
    add_file(&files, "indices");
  }
  add_file(&files, "parameters");
  if (variant->map.mixes != 0 || variant->map.geometry == CLRS__MAPPED_GPU_COLORS) {
    add_file(&files, "mix");
  }
  if (variant->map.geometry == CLRS__MAPPED_GPU_COLORS ||
      (!clrs__map_key_is_grouped(&variant->map) && variant->map.geometry != CLRS__MAPPED_TILE)) {
    add_file(&files, "picture");
    add_file(&files, "resample");
  }
  if (clrs__map_key_is_grouped(&variant->map)) {
    add_files(&files, grouped);
  } else if (variant->map.geometry != CLRS__MAPPED_ANY) {
    add_files(&files, parts);
    if (variant->map.combine != 0) {
      add_file(&files, "map_lines");
    }
    add_file(&files, "map_parts");
    if (variant->map.mixes != 0) {
      add_file(&files, "map_mix");
    }
  }
  if (variant->map.geometry == CLRS__MAPPED_TILE) {
    add_file(&files, "transpose");
    add_file(&files, "turn");
  }
  if (variant->map.geometry == CLRS__MAPPED_GPU_TILE) {
    add_file(&files, "gpu_turn");
  }
  add_file(&files, clrs__variant_name(variant));
  return files;
}

clrs__kernel_files clrs__variant_files(clrs__variant variant) {
  static const char *const indexed[] = {"value", "indices", "address", NULL};
  static const char *const named_pieces[] = {"blocks", "named_pieces", NULL};
  static const char *const named_rows[] = {"named_rows", NULL};
  if (clrs__variant_is_mapped(&variant)) {
    return mapped_files(&variant);
  }
  const bool is_indexed = clrs__variant_is_indexed(&variant);
  const clrs__class *used = clrs__class_of(variant.kernel_class);
  clrs__kernel_files files = {0};
  add_file(&files, "shared");
  add_file(&files, "words");
  add_file(&files, "move");
  if (is_indexed) {
    add_files(&files, indexed);
  }
  if (is_any_indexed(&variant)) {
    add_file(&files, "index_any");
    return files;
  }
  if (used->takes_groups) {
    add_file(&files, "work_group");
  } else if (variant.is_chunked) { /* one work-item moves a chunk, and writes the chunk in lines */
    add_file(&files, "lines");
    add_files(&files, is_indexed ? named_rows : used->chunk_files);
  } else if (is_indexed) {
    add_files(&files, named_pieces);
  }
  add_files(&files, used->files);
  add_file(&files, used->name);
  return files;
}
