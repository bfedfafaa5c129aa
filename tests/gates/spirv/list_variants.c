/*
 * Writes every program that the library could build into a folder: NAME.cl is the source as a
 * driver gets the source, NAME.options the options. NAME.needs names an extension if the program is
 * only built for devices with that extension. The argument is the folder.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples.h"
#include "map_keys.h"
#include "opencl/program/kernel_source.h"
#include "opencl/program/program.h"
#include "table.h"
#include "way.h"

enum { MOST_VARIANTS = 4000 };

typedef struct variant_list {
  size_t count;
  clrs__variant variants[MOST_VARIANTS];
} variant_list;

static void add(variant_list *list, clrs__variant variant) {
  for (size_t i = 0; i < list->count; i++) {
    if (clrs__variant_equal(list->variants[i], variant)) {
      return;
    }
  }
  if (list->count == MOST_VARIANTS) {
    fputs("there are more variants than list_variants.c has room for\n", stderr);
    exit(1);
  }
  list->variants[list->count++] = variant;
}

/* A subbyte kernel also moves between buffers that begin at any byte. */
static void add_alignments(variant_list *list, clrs__variant variant) {
  add(list, variant);
  if (variant.kernel_class == CLRS__CLASS_SUBBYTE) {
    variant.wide_destination = false;
    add(list, variant);
  }
}

static void add_with_batch(variant_list *list, const clrs__cut *cut) {
  add_alignments(list, clrs__cut_variant(cut));
  if (clrs__cut_fits_batch(cut)) {
    add_alignments(list, clrs__batch_variant(cut));
  }
}

/* Nests of few axes and of many axes. Both kinds have separate batch and stack variants. */
static void add_cut(variant_list *list, clrs__cut cut) {
  for (int has_many = 0; has_many < 2; has_many++) {
    add_with_batch(list, &cut);
    cut.nest.axis_count = CLRS__FEW_NEST_AXES + 1;
    cut.level_axes = CLRS__FEW_LEVEL_AXES + 1;
  }
}

static clrs_view view_of_units(void) {
  const int64_t units = CLRS__EXAMPLE_UNITS;
  clrs_shape shape;
  clrs_view view;
  if (clrs_shape_init(1, &units, &shape, NULL) != CLRS_OK ||
      clrs_view_dense(CLRS_U8, &shape, &view, NULL) != CLRS_OK) {
    fputs("there is no view of a few units\n", stderr);
    exit(1);
  }
  return view;
}

static void list_all(variant_list *list) {
  const clrs_view stack = view_of_units();
  clrs__cut cuts[CLRS__MOST_EXAMPLES];
  for (uint32_t choice = 0; choice < 4; choice++) {
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.min_index_bits = choice % 2 == 0 ? 32 : 64;
    limits.execution = choice < 2 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
    for (int c = CLRS__CLASS_ANY; c < CLRS__CLASS_COUNT; c++) {
      for (uint32_t width = 1; width <= 128; width *= 2) {
        const size_t count =
            clrs__class_examples((clrs__class_number)c, width, &limits, &stack, cuts);
        for (size_t i = 0; i < count; i++) {
          add_cut(list, cuts[i]);
        }
      }
    }
  }
}

/* Groups of 128 and of 64: single moves with words of 32 bits. */
static void list_halved(variant_list *list) {
  const clrs_view stack = view_of_units();
  clrs__cut cuts[CLRS__MOST_EXAMPLES];
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.execution = CLRS_EXECUTION_GPU;
  for (uint32_t choice = 0; choice < 16; choice++) {
    limits.max_group_items = CLRS_GROUP_ITEMS >> (1 + choice / 8);
    for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++) {
      const size_t count =
          clrs__class_examples((clrs__class_number)c, 1u << choice % 8, &limits, &stack, cuts);
      for (size_t i = 0; i < count; i++) {
        if (cuts[i].halvings > 0 && !cuts[i].loops) {
          add(list, clrs__cut_variant(&cuts[i]));
        }
      }
    }
  }
}

/* Maps with a tensor, with indices, with colours that the kernel makes, or with words in a separate
 * buffer are in no table. */
static bool has_batches(const clrs__map_key *key) {
  bool has = !key->is_tabled && !key->is_indexed && key->mixes == 0;
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    has = has && key->origins[i] != CLRS_ORIGIN_TENSOR;
  }
  return has;
}

static void add_map(variant_list *list, const clrs__map_key *key, uint32_t index_bits) {
  clrs__variant variant = clrs__mapped_variant(key, index_bits);
  add(list, variant);
  if (has_batches(key) && index_bits == 32) {
    variant.is_batched = true;
    add(list, variant);
  }
}

/* Whole accesses, and rows that begin anywhere, except with packed elements or indices. Packed
 * codes become bytes of a tile. */
static void add_groups(variant_list *list, clrs__map_key key, int geometry) {
  const int kinds = key.is_indexed || clrs_dtype_bits((clrs_dtype)key.to) < 8 ? 1 : 2;
  const bool unpacks =
      geometry == CLRS__MAPPED_GPU_TILE && clrs_dtype_bits((clrs_dtype)key.from) < 8;
  key.geometry = (uint8_t)geometry;
  key.pixels = 2;
  for (key.ragged = 0; key.ragged < kinds; key.ragged++) {
    key.column_axes = key.row_axes = (uint8_t)(1 + key.ragged);
    key.spread = unpacks && !key.ragged ? CLRS_MAPPED_STEADY : key.ragged;
    key.wide_source = unpacks || key.ragged;
    add_map(list, &key, 32);
    add_map(list, &key, 64);
  }
}

/* All colours of a pixel at once. Grey is none of these. */
static void add_colors(variant_list *list, clrs__map_key key) {
  if (key.colors != CLRS_COLORS_GREY && !key.is_unaligned && key.mixes + key.combine != 0) {
    key.geometry = CLRS__MAPPED_GPU_COLORS;
    key.pixels = CLRS_COLORS;
    key.column_axes = key.mixes != 0 && key.to == CLRS_U8 ? 2 : 1;
    key.row_axes = 1;
    key.spread = key.step_count > 1 && key.from == CLRS_U8 ? CLRS_MAPPED_STEADY : 0;
    key.wide_source = key.mixes != 0 && key.spread != 0;
    for (key.ragged = 0; key.ragged <= (key.combine != 0 ? 1 : 0); key.ragged++) {
      add_map(list, &key, 32);
      add_map(list, &key, 64);
    }
  }
}

static void list_maps(variant_list *list) {
  for (size_t i = 0; i < sizeof map_keys / sizeof *map_keys; i++) {
    clrs__map_key key = map_keys[i];
    const bool is_packed = clrs_dtype_bits((clrs_dtype)key.to) < 8;
    const uint32_t bits = clrs_dtype_bits((clrs_dtype)key.from);
    const bool has_rows_only = is_packed || key.is_indexed;
    const int turned = has_rows_only           ? 0
                       : bits < 8 || bits > 32 ? 1
                                               : 2; /* pixels have registers */
    const bool has_groups = !key.is_unaligned && key.mixes == 0 && key.combine == 0;
    for (int more = 0; has_groups && more <= turned; more++) {
      add_groups(list, key, CLRS__MAPPED_GPU_ROWS + more);
    }
    add_colors(list, key);
    /* A resized picture is not transposed, and on a CPU rows alone make colours. */
    const int end = key.mixes != 0     ? CLRS__MAPPED_ANY
                    : key.combine != 0 ? CLRS__MAPPED_TILE
                                       : CLRS__MAPPED_GPU_ROWS;
    for (int geometry = CLRS__MAPPED_ROWS; geometry < end; geometry++) {
      key.geometry = (uint8_t)geometry;
      for (uint32_t wide = 32; wide <= 64 && (!is_packed || geometry == CLRS__MAPPED_ANY);
           wide += 32) {
        add_map(list, &key, wide);
      }
    }
  }
}

/* For a class that takes indices: the type of an index. */
static void add_indexed(variant_list *list, clrs__variant variant) {
  if (variant.nest_axes > CLRS__INDEXED_NEST_AXES) {
    variant.nest_axes = CLRS__INDEXED_NEST_AXES;
  }
  for (uint8_t scatters = 0; scatters < 2; scatters++) {
    variant.index = (clrs__index_key){true, scatters};
    variant.wide_destination = false;
    add(list, variant);
    if (variant.kernel_class == CLRS__CLASS_GPU_ANY && variant.unit_bits < 128) {
      variant.wide_destination = true; /* in blocks */
      add(list, variant);
    }
  }
}

static void list_indexed(variant_list *list) {
  const size_t count = list->count;
  for (size_t i = 0; i < count; i++) {
    const clrs__variant *variant = &list->variants[i];
    const clrs__class *of = clrs__class_of(variant->kernel_class);
    if (of != NULL && (of->from & CLRS__BY_INDEX) != 0 && !variant->is_batched) {
      add_indexed(list, *variant);
    }
  }
  const clrs__index_key any = {true, 0};
  for (uint32_t unit_bits = 8; unit_bits <= 128; unit_bits *= 2) {
    add_indexed(list, clrs__any_indexed_variant(&any, unit_bits));
  }
}

/* A second program of the same name fails. */
static FILE *create(const char *folder, const char *name, const char *ending) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  FILE *file = fopen(path, "wbx");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  return file;
}

static void close_whole(FILE *file) {
  if (fclose(file) != 0) {
    perror("cannot write");
    exit(1);
  }
}

static void write_source(FILE *to, const char *name) {
  for (size_t i = 0; i < clrs__kernel_source_count; i++) {
    const struct clrs__kernel_source *source = &clrs__kernel_sources[i];
    if (strcmp(source->name, name) == 0 &&
        fwrite(source->text, 1, source->length, to) == source->length) {
      return;
    }
  }
  fprintf(stderr, "%s could not be written, or is not built in\n", name);
  exit(1);
}

/* Maps in doubles, with steps of doubles, and maps that divide in doubles: see test_key. */
static bool needs_doubles(const clrs__variant *variant) {
  return clrs__variant_is_mapped(variant) && (clrs__map_key_value_bits(&variant->map) == 64 ||
                                              variant->map.division == CLRS_DIVIDES_WIDE);
}

static void write_text(const char *folder, const char *name, const char *ending, const char *text) {
  FILE *file = create(folder, name, ending);
  fprintf(file, "%s\n", text);
  close_whole(file);
}

static void write_variant(const char *folder, clrs__variant variant) {
  static const char *const ways[] = {"", "_floats", "_integers", "_doubles"};
  static const char *const sums[] = {"",        "_nearest", "_opencv", "_exact",
                                     "_pillow", "_torch",   "_onnx",   "_openvino"};
  static const char *const colors[] = {"", "_colors", "_colors_floats", "_grey"};
  char name[200], options[CLRS__OPTIONS_BYTES];
  if (clrs__variant_is_mapped(&variant)) {
    snprintf(name, sizeof name, "%s_%u_%s_to_%s_index%u%s%s%s%s%s%s%s%s%s%s",
             clrs__variant_name(&variant), clrs_dtype_bits((clrs_dtype)variant.map.to),
             clrs_dtype_name(clrs__map_key_stored(&variant.map), CLRS_TYPES_CLRESHAPE),
             clrs_dtype_name((clrs_dtype)variant.map.to, CLRS_TYPES_CLRESHAPE), variant.index_bits,
             ways[variant.map.way], variant.map.mixes != 0 ? "_mixed" : "",
             variant.map.is_tabled ? "_tabled" : "", sums[variant.map.combine],
             colors[variant.map.colors],
             !variant.map.is_indexed ? ""
             : variant.map.scatters  ? "_scatters"
                                     : "_gathers",
             variant.map.is_unaligned ? "_unaligned" : "", variant.map.ragged ? "_ragged" : "",
             variant.map.division == CLRS_DIVIDES_WIDE ? "_wide" : "",
             variant.is_batched ? "_batched" : "");
  } else {
    const clrs__index_key *index = &variant.index;
    static const char *const halved[] = {"", "_groups128", "_groups64"};
    snprintf(name, sizeof name, "%s_%u_index%u_axes%u_levels%u%s%s%s%s%s%s%s%s%s%s",
             clrs__variant_name(&variant), variant.unit_bits, variant.index_bits, variant.nest_axes,
             variant.level_axes, variant.msb_first ? "_msb" : "",
             variant.interleaves ? "_interleaved" : "", variant.fills ? "_fills" : "",
             variant.is_chunked ? "_chunked" : "", variant.is_batched ? "_batched" : "",
             variant.wide_source ? "_from16" : "", variant.wide_destination ? "_to16" : "",
             variant.loops ? "_loops" : "", halved[variant.halvings],
             !index->is_indexed ? ""
             : index->scatters  ? "_scatters"
                                : "_gathers");
  }
  clrs__variant_options(variant, options, sizeof options);
  write_text(folder, name, ".options", options);
  if (needs_doubles(&variant)) {
    write_text(folder, name, ".needs", "cl_khr_fp64");
  }
  const clrs__kernel_files files = clrs__variant_files(variant);
  FILE *file = create(folder, name, ".cl");
  for (size_t i = 0; i < files.count; i++) {
    write_source(file, files.names[i]);
  }
  close_whole(file);
}

int main(int argc, char **argv) {
  static variant_list list;
  if (argc != 2) {
    fputs("usage: list_variants FOLDER\n", stderr);
    return 2;
  }
  list_all(&list);
  list_halved(&list);
  list_maps(&list);
  list_indexed(&list);
  for (size_t i = 0; i < list.count; i++) {
    write_variant(argv[1], list.variants[i]);
  }
  printf("%zu variants\n", list.count);
  return 0;
}
