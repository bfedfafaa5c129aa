/*
 * Writes every program that the library could build into a folder: NAME.cl, its source as a driver
 * gets it, and NAME.options. The only argument is the folder.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/kernel_source.h"
#include "opencl/program.h"

enum { MOST_VARIANTS = 1000 };

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

/* Nests of one axis and of many: both have batches, and stacks, of their own. */
static void add_launches(variant_list *list, clrs_launch launch) {
  for (uint32_t axes = 1; axes <= 7; axes += 6) {
    launch.nest.axis_count = axes;
    add(list, clrs__launch_variant(&launch));
    if (!launch.fills) {
      add(list, clrs__batch_variant(&launch));
    }
  }
}

static void add_bits(variant_list *list, clrs_launch launch) {
  for (int choice = 0; choice < 8; choice++) {
    launch.interleaves = (choice & 1) != 0;
    launch.fills = (choice & 2) != 0;
    launch.follows_stack = (choice & 4) != 0;
    if (!launch.fills || !launch.follows_stack) {
      add_launches(list, launch);
    }
  }
}

/* The general classes that both executions have are chunked in one of them. */
static void add_class(variant_list *list, clrs_launch launch) {
  const bool general =
      launch.kernel_class == CLRS_CLASS_COMPOSED || launch.kernel_class == CLRS_CLASS_FILL;
  launch.fills = launch.kernel_class == CLRS_CLASS_FILL;
  launch.follows_stack = launch.kernel_class == CLRS_CLASS_COMPOSED;
  const bool is_chunked =
      launch.kernel_class >= CLRS_CLASS_CPU_ROWS && launch.kernel_class != CLRS_CLASS_GPU_SHORT;
  launch.chunks_per_item = is_chunked;
  if (launch.unit_bits >= 8 || launch.kernel_class == CLRS_CLASS_NIBBLE_TILE) {
    add_launches(list, launch);
  }
  launch.chunks_per_item = 1;
  if (general && (launch.unit_bits >= 8 || !launch.fills)) {
    add_launches(list, launch);
  }
}

static bool has_kernel(clrs_class kernel_class, uint32_t unit_bits) {
  switch (kernel_class) {
  case CLRS_CLASS_SUBBYTE:
    return unit_bits < 8;
  case CLRS_CLASS_NIBBLE_TILE:
    return unit_bits == 4;
  case CLRS_CLASS_COMPOSED:
    return true;
  case CLRS_CLASS_CPU_TILE:
    return unit_bits >= 8 && unit_bits < 128;
  default:
    return unit_bits >= 8;
  }
}

static void list_all(variant_list *list) {
  static const uint32_t widths[] = {1, 2, 4, 8, 16, 32, 64, 128};
  for (int c = CLRS_CLASS_GPU_ANY; c < CLRS_CLASS_COUNT; c++) {
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
      for (uint32_t choice = 0; has_kernel((clrs_class)c, widths[i]) && choice < 4; choice++) {
        const clrs_launch launch = {.kernel_class = (clrs_class)c,
                                    .unit_bits = widths[i],
                                    .index_bits = choice % 2 == 0 ? 32 : 64,
                                    .msb_first = choice >= 2};
        if (c == CLRS_CLASS_SUBBYTE) {
          add_bits(list, launch);
        } else {
          add_class(list, launch);
        }
      }
    }
  }
}

static FILE *create(const char *folder, const char *name, const char *ending) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  FILE *file = fopen(path, "wb");
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
  fprintf(stderr, "%s.cl could not be written, or is not built in\n", name);
  exit(1);
}

static void write_variant(const char *folder, clrs__variant variant) {
  char name[200], options[CLRS__OPTIONS_BYTES];
  snprintf(name, sizeof name, "%s_%u_index%u_axes%u_levels%u%s%s%s%s%s",
           clrs_class_name(variant.kernel_class), variant.unit_bits, variant.index_bits,
           variant.nest_axes, variant.level_axes, variant.msb_first ? "_msb" : "",
           variant.interleaves ? "_interleaved" : "", variant.fills ? "_fills" : "",
           variant.is_chunked ? "_chunked" : "", variant.is_batched ? "_batched" : "");
  clrs__variant_options(variant, options, sizeof options);
  FILE *file = create(folder, name, ".options");
  fprintf(file, "%s\n", options);
  close_whole(file);
  const clrs__kernel_files files = clrs__variant_files(variant);
  file = create(folder, name, ".cl");
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
  for (size_t i = 0; i < list.count; i++) {
    write_variant(argv[1], list.variants[i]);
  }
  printf("%zu variants\n", list.count);
  return 0;
}
