/*
 * Which class, unit and chunk some named moves take on either execution: choices.txt, made by
 * `ninja choices` and read as a diff where something was tuned. The output is a report, not a test.
 *
 *   choices >tests/class/choices.txt
 *
 * A move is the dims of a dense tensor and steps: p permute, r reshape, f flip, e expand, s slice
 * (axis:start:end:step). Each move goes into a separate dense result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

typedef struct row {
  const char *family, *name;
  clrs_dtype dtype;
  const char *dims, *steps; /* steps NULL: a fill */
} row;

static const row rows[] = {
    {"copies", "flat", CLRS_F32, "16777216", ""},
    {"copies", "pitched_rows", CLRS_F32, "4096x1100", "s1:0:1024:1"},
    {"copies", "short_pitched_rows", CLRS_U8, "65536x48", "s1:0:40:1"},
    {"copies", "odd_bytes", CLRS_U8, "1000x1001", "s1:0:999:1"},
    {"copies", "every_other_row", CLRS_F16, "8192x256", "s0:0:8192:2"},
    {"transposes", "square_8", CLRS_U8, "4096x4096", "p1,0"},
    {"transposes", "square_16", CLRS_F16, "4096x4096", "p1,0"},
    {"transposes", "square_32", CLRS_F32, "2048x2048", "p1,0"},
    {"transposes", "square_64", CLRS_F64, "2048x2048", "p1,0"},
    {"transposes", "square_128", CLRS_C128, "1024x1024", "p1,0"},
    {"transposes", "odd_sides", CLRS_F32, "1001x999", "p1,0"},
    {"transposes", "tall", CLRS_F32, "1000000x8", "p1,0"},
    {"transposes", "wide", CLRS_F32, "8x1000000", "p1,0"},
    {"transposes", "batched_small", CLRS_F32, "10000x12x20", "p0,2,1"},
    {"transposes", "batched_tiny", CLRS_F32, "100000x3x5", "p0,2,1"},
    {"transposes", "outer_axes", CLRS_F32, "64x512x64", "p1,0,2"},
    {"transposes", "reverse_all", CLRS_F32, "40x50x60x20", "p3,2,1,0"},
    {"transposes", "whole_lines_between", CLRS_F32, "16x15x12x15x32", "p1,4,3,2,0"},
    {"attention", "split_heads", CLRS_F16, "8x512x12x64", "p0,2,1,3"},
    {"attention", "merge_heads", CLRS_F16, "8x12x512x64", "p0,2,1,3"},
    {"attention", "keys_transposed", CLRS_F16, "8x512x12x64", "p0,2,3,1"},
    {"attention", "small_heads", CLRS_F16, "8x512x32x16", "p0,2,1,3"},
    {"attention", "one_token", CLRS_F16, "64x1x32x128", "p0,2,1,3"},
    {"attention", "rotary_halves", CLRS_F16, "4x1024x16x2x64", "p0,1,2,4,3"},
    {"attention", "qkv_split", CLRS_F16, "8x512x3x12x64", "p2,0,3,1,4"},
    {"images", "nchw_to_nhwc_3", CLRS_U8, "16x3x224x224", "p0,2,3,1"},
    {"images", "nhwc_to_nchw_3", CLRS_U8, "16x224x224x3", "p0,3,1,2"},
    {"images", "nchw_to_nhwc_4", CLRS_F32, "4x4x512x512", "p0,2,3,1"},
    {"images", "nhwc_to_nchw_64", CLRS_F32, "8x56x56x64", "p0,3,1,2"},
    {"images", "nchw_to_nhwc_256", CLRS_F16, "8x256x28x28", "p0,2,3,1"},
    {"images", "depth_to_space_2", CLRS_F32, "4x2x2x64x64x64", "p0,3,4,1,5,2"},
    {"images", "space_to_depth_2", CLRS_F32, "4x64x64x2x64x2", "p0,3,5,1,2,4"},
    {"images", "patches_16", CLRS_F32, "8x3x14x16x14x16", "p0,2,4,3,5,1"},
    {"images", "channel_shuffle", CLRS_F32, "16x3x32x56x56", "p0,2,1,3,4"},
    {"images", "blocked_16", CLRS_F32, "8x4x16x56x56", "p0,1,3,4,2"},
    {"images", "crop", CLRS_U8, "32x256x256x3", "s1:16:240:1 s2:16:240:1"},
    {"images", "mirror", CLRS_U8, "16x3x224x224", "f3"},
    {"images", "upside_down", CLRS_F32, "16x3x224x224", "f2"},
    {"short_axes", "cubes_of_3", CLRS_F32, "1000x3x3x3x3", "p0,4,3,2,1"},
    {"short_axes", "bits_of_an_index", CLRS_F32, "2x2x2x2x2x2x2x2x2x2x2x2x64",
     "p11,10,9,8,7,6,5,4,3,2,1,0,12"},
    {"short_axes", "last_two_of_five", CLRS_U8, "5000x7x11x13", "p0,3,2,1"},
    {"short_axes", "doubles_of_six", CLRS_F64, "20000x6x7x2", "p0,2,3,1"},
    {"short_axes", "pairs_apart", CLRS_F16, "100000x2x8", "p1,0,2"},
    {"any_strides", "every_third", CLRS_F32, "3000000", "s0:0:3000000:3"},
    {"any_strides", "backwards", CLRS_F32, "4000000", "f0"},
    {"any_strides", "broadcast_rows", CLRS_F32, "1x4096", "e1000x4096"},
    {"any_strides", "broadcast_columns", CLRS_F32, "4096x1", "e4096x1000"},
    {"any_strides", "diagonal_like", CLRS_F32, "1024x1024", "r1048576 s0:0:1048576:1025"},
    {"sub_byte", "nibbles_flat", CLRS_U4, "1000000", ""},
    {"sub_byte", "nibbles_transposed", CLRS_U4, "4096x4096", "p1,0"},
    {"sub_byte", "nibbles_transposed_odd", CLRS_U4, "999x1001", "p1,0"},
    {"sub_byte", "nibbles_shifted", CLRS_U4, "1000x1001", "s1:1:1001:1"},
    {"sub_byte", "bits_transposed", CLRS_U1, "2048x2048", "p1,0"},
    {"sub_byte", "pairs_backwards", CLRS_U2, "1000000", "f0"},
    {"sub_byte", "nibble_rows", CLRS_U4, "64x512x64", "p1,0,2"},
    {"composed", "transposed_regrouped", CLRS_F32, "96x1000", "p1,0 r240x400 p1,0"},
    {"composed", "transposed_flattened_cut", CLRS_F32, "1000x999", "p1,0 r999000 s0:0:999000:2"},
    {"composed", "regrouped_nibbles", CLRS_U4, "96x1024", "p1,0 r256x384 p1,0"},
    {"composed", "regrouped_bytes", CLRS_U8, "30x40x50", "p2,0,1 r25x48x50 p1,2,0"},
    {"fills", "flat", CLRS_F32, "16777216", NULL},
    {"fills", "doubles", CLRS_F64, "1000000", NULL},
    {"fills", "bits", CLRS_U1, "1000001", NULL},
};

/* ---- a move ---- */

static void check(clrs_status status, const clrs_error *error) {
  if (status != CLRS_OK) {
    fprintf(stderr, "choices: %s\n", error->message);
    exit(1);
  }
}

static uint32_t read_numbers(const char *text, int64_t *numbers) {
  uint32_t count = 0;
  while (*text != '\0' && *text != ' ' && count < CLRS_MAX_RANK) {
    char *end = NULL;
    numbers[count++] = strtoll(text, &end, 10);
    text = *end == 'x' || *end == ',' || *end == ':' ? end + 1 : end;
  }
  return count;
}

static void take_step(const char *step, clrs_view *view) {
  int64_t n[CLRS_MAX_RANK];
  const uint32_t count = read_numbers(step + 1, n);
  const clrs_slice slice = {(int64_t)n[0], n[1], n[2], n[3]};
  clrs_shape shape;
  clrs_error error;
  if (*step == 'p') {
    check(clrs_view_permute(view, count, n, &error), &error);
  } else if (*step == 'f') {
    check(clrs_view_flip(view, count, n, &error), &error);
  } else if (*step == 's') {
    check(clrs_view_slice(view, 1, &slice, &error), &error);
  } else {
    check(clrs_shape_init(count, n, &shape, &error), &error);
    check(*step == 'r' ? clrs_view_reshape(view, &shape, &error)
                       : clrs_view_expand(view, &shape, &error),
          &error);
  }
}

static void plan_row(const row *row, const clrs_device_limits *limits, clrs_plan *plan) {
  int64_t dims[CLRS_MAX_RANK];
  clrs_shape shape;
  clrs_view view;
  clrs_error error;
  check(clrs_shape_init(read_numbers(row->dims, dims), dims, &shape, &error), &error);
  check(clrs_view_dense(row->dtype, &shape, &view, &error), &error);
  const clrs_operand operand = {&view, 0, 128};
  if (row->steps == NULL) {
    check(clrs_plan_fill(&operand, limits, plan, &error), &error);
    return;
  }
  for (const char *step = row->steps; *step != '\0';) {
    take_step(step, &view);
    step += strcspn(step, " ");
    step += *step == ' ';
  }
  const clrs_move move = {operand, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
  check(clrs_plan_move(&move, limits, plan, &error), &error);
}

/* ---- what it takes ---- */

static void print_chunk(const clrs__cut *cut) {
  if (cut->kind == CLRS__CUT_CHUNKS) {
    printf("%" PRId64 "x%" PRId64, cut->as.chunks.extents[0], cut->as.chunks.extents[1]);
  } else if (cut->kind == CLRS__CUT_SHORT) {
    printf("%" PRId32 "x%" PRId32, cut->as.short_axes.rows, cut->as.short_axes.columns);
  } else if (cut->kind == CLRS__CUT_VOLUMES) {
    printf("%" PRId64, cut->as.volumes.units);
  } else if (cut->kind == CLRS__CUT_DECODED) {
    printf("%" PRId64 "x%d", cut->as.decoded.rows, CLRS_DECODED_UNITS);
  } else if (cut->kind == CLRS__CUT_LATTICE) {
    printf("%" PRId64 "x%" PRId64, cut->as.lattice.rows, cut->as.lattice.columns);
  } else {
    printf("-");
  }
}

static void print_row(const row *row, clrs_execution execution) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_plan plan;
  limits.execution = execution;
  limits.max_group_items = 256;
  limits.local_bytes = 32768;
  plan_row(row, &limits, &plan);
  for (uint32_t i = 0; i < plan.launch_count; i++) {
    const clrs__cut *cut = &clrs__plan_data_in(&plan)->cuts[i];
    printf("%s\t%s\t%s\t%s\t%u\t", row->family, row->name,
           execution == CLRS_EXECUTION_CPU ? "cpu" : "gpu", clrs_class_name(cut->kernel_class),
           cut->unit_bits);
    print_chunk(cut);
    printf("\t%" PRId64 "\t%" PRId64 "\n", cut->work, cut->merit);
  }
}

int main(void) {
  puts("family\tname\texecution\tclass\tunit_bits\tchunk\tpieces\tmerit");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    print_row(&rows[i], CLRS_EXECUTION_CPU);
    print_row(&rows[i], CLRS_EXECUTION_GPU);
  }
  return 0;
}
