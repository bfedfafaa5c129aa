/*
 * The command lines. See cli_commands.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem */

#include "cli_commands.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"

enum { ROWS = 4, COLUMNS = 6, COUNT = ROWS * COLUMNS };

bool read_file(const char *path, contents *file) {
  FILE *stream = fopen(path, "rb");
  if (!stream)
    return false;
  file->size = fread(file->bytes, 1, MOST_FILE, stream);
  return fclose(stream) == 0;
}

bool write_file(const char *path, const void *bytes, size_t size) {
  FILE *stream = fopen(path, "wb");
  const bool wrote = stream && fwrite(bytes, 1, size, stream) == size;
  return stream && fclose(stream) == 0 && wrote;
}

/* ---- inputs: 0, 1, 2, ... as [ROWS, COLUMNS] of int32 ---- */

static bool write_npy(const char *path, bool fortran) {
  unsigned char file[128 + COUNT * 4];
  char header[128];
  int32_t values[COUNT];
  const int used =
      snprintf(header, sizeof header, "{'descr': '<i4', 'fortran_order': %s, 'shape': (%d, %d), }",
               fortran ? "True" : "False", ROWS, COLUMNS);
  memset(file, ' ', 128);
  memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
  memcpy(file + 10, header, (size_t)used);
  file[127] = '\n';
  for (int i = 0; i < COUNT; i++)
    values[i] = fortran ? i % ROWS * COLUMNS + i / ROWS : i;
  memcpy(file + 128, values, sizeof values);
  return write_file(path, file, sizeof file);
}

/* ---- what the commands must have made ---- */

/* A file of numbers in this order, whose header has `shape`. */
static bool holds(const char *path, bool transposed, const char *shape) {
  static contents got;
  if (!read_file(path, &got) || got.size != 128 + COUNT * 4)
    return false;
  for (int i = 0; i < COUNT; i++) {
    int32_t value;
    memcpy(&value, got.bytes + 128 + 4 * i, 4);
    if (value != (transposed ? i % ROWS * COLUMNS + i / ROWS : i))
      return false;
  }
  return memmem(got.bytes, 128, shape, strlen(shape)) != NULL;
}

static bool is_transposed(const char *path) {
  return holds(path, true, "(6, 4)");
}

static bool is_flat(const char *path) {
  return holds(path, false, "(24,");
}

/* Checks all elements, or skips the first row and column. */
static bool is_in_place(const char *path, bool has_border) {
  static contents got;
  if (!read_file(path, &got) || got.size != 128 + COUNT * 4)
    return false;
  for (int i = 0; i < COUNT; i++) {
    const bool is_border = has_border && (i < COLUMNS || i % COLUMNS == 0);
    int32_t value;
    memcpy(&value, got.bytes + 128 + 4 * i, 4);
    if (value != (is_border ? 0 : i))
      return false;
  }
  return memmem(got.bytes, 128, "(4, 6)", 6) != NULL;
}

static bool is_whole(const char *path) {
  return is_in_place(path, false);
}

static bool is_bordered(const char *path) {
  return is_in_place(path, true);
}

/* ONNX's own answer ends in the elements, [4, 3, 2] floats. */
static bool is_onnx_answer(const char *path) {
  static contents got, expected;
  return read_file("answer.pb", &expected) && read_file(path, &got) && got.size >= 96 &&
         memmem(got.bytes, got.size, expected.bytes + expected.size - 96, 96) != NULL;
}

#define THREE "results/output_0.pb", "results/output_1.pb", "results/output_2.pb"

/* 1 to 6 as floats, two in each file. */
static bool is_in_three(const char *path) {
  static const char *const paths[] = {THREE};
  static contents got;
  (void)path;
  for (int i = 0; i < 3; i++) {
    const float values[2] = {(float)(2 * i + 1), (float)(2 * i + 2)};
    if (!read_file(paths[i], &got) || got.size < 8 ||
        memcmp(got.bytes + got.size - 8, values, 8) != 0)
      return false;
  }
  return true;
}

static bool says_12(const char *path) {
  static contents got;
  return read_file(path, &got) && got.size == 5 && memcmp(got.bytes, "2,12\n", 5) == 0;
}

static bool says_affine(const char *path) {
  static contents got;
  return read_file(path, &got) && memmem(got.bytes, got.size, "\"outcome\":\"affine\"", 18);
}

static bool says_something(const char *path) {
  static contents got;
  return read_file(path, &got) && got.size > 20;
}

/* An output from data in another file, 1 and 2 as floats. */
static bool is_from_weights(const char *path) {
  static contents got;
  const float values[2] = {1, 2};
  return read_file(path, &got) && got.size > 8 && memcmp(got.bytes + got.size - 8, values, 8) == 0;
}

/* clang-format off */
const command cli_commands[] = {
    {"resolve", cli_resolve, {"--input", "2,3,4", "--shape", "0,-1"}, {NULL}, says_12, false, false, false, false, NULL},
    {"devices", cli_devices, {"--json"}, {NULL}, says_something, true, false, false, false, NULL},
    {"run", cli_run, {"in.npy", "out.npy", "permute=1,0"}, {"out.npy"}, is_transposed, true, true, false, false, NULL},
    {"run over an old file", cli_run, {"in.npy", "old.npy", "permute=1,0"}, {"old.npy"},
     is_transposed, true, true, true, true, NULL},
    {"run to a view", cli_run, {"in.npy", "out.npy", "reshape=-1"}, {"out.npy"}, is_flat, true, true, false, false, NULL},
    {"run on bare elements", cli_run, {"--raw", "i32,56", "in.npy", "out.npy", "slice=32:", "reshape=4,6"},
     {"out.npy"}, is_whole, true, true, true, false, NULL},
    {"run to bare elements", cli_run, {"--to", "raw", "in.npy", "out.raw", "permute=1,0"}, {"out.raw"}, says_something,
     true, true, true, false, NULL},
    {"run on an image", cli_run, {"in.pgm", "out.pgm", "permute=1,0"}, {"out.pgm"}, says_something, true, true, true,
     false, NULL},
    {"run on safetensors", cli_run, {"in.safetensors:x", "out.safetensors", "permute=1,0"}, {"out.safetensors"},
     says_something, true, true, true, false, NULL},
    {"run on a GGUF", cli_run, {"in.gguf:x", "out.npy", "reshape=8,4"}, {"out.npy"}, says_something, true, true, true,
     false, NULL},
    {"run on each", cli_run, {"--each", "results", "in.npy", "permute=1,0"}, {"results/in.npy"}, is_transposed, true,
     true, true, false, NULL},
    {"run on each, to an archive", cli_run, {"--each", "out.npz", "in.npy", "permute=1,0"}, {"out.npz"}, says_something,
     true, true, false, false, NULL},
    {"run from Fortran order", cli_run, {"fortran.npy", "out.npy", "--explain", "flatten=0",
     "reshape=-1"}, {"out.npy"}, is_flat, true, true, true, false, NULL},
    {"run between pipes", cli_run, {"-", "-", "permute=1,0"}, {NULL}, is_transposed, true, true, true, false,
     "in.npy"},
    {"run between pipes, through spools", cli_run, {"-", "-", "permute=1,0", "--memory", "128"}, {NULL},
     is_transposed, true, true, false, false, "in.npy"},
    {"run from a pipe", cli_run, {"-", "out.npy", "permute=1,0", "--memory", "128"}, {"out.npy"},
     is_transposed, true, true, true, false, "in.npy"},
    {"run with a concat", cli_run, {"in.npy", "out.npy", "slice=:0", "concat=0,fortran.npy"}, {"out.npy"},
     is_whole, true, true, false, false, NULL},
    {"run to an archive", cli_run, {"in.npy", "out.npz", "permute=1,0"}, {"out.npz"}, says_something, true,
     true, false, false, NULL},
    {"run with a border", cli_run, {"in.npy", "out.npy", "slice=1:,1:", "pad=1:0,1:0"}, {"out.npy"},
     is_bordered, true, true, true, false, NULL},
    {"run with a border through a map", cli_run, {"in.npy", "out.npy", "slice=1:,1:", "pad=1:0,1:0", "cast=u32"},
     {"out.npy"}, is_bordered, true, true, false, false, NULL},
    {"run with a border of its own", cli_run, {"in.npy", "out.npy", "pad=1,mode=reflect"}, {"out.npy"},
     says_something, true, true, false, false, NULL},
    {"explain", cli_explain, {"in.npy", "permute=1,0", "reshape=-1", "--json"}, {NULL}, says_affine,
     false, true, false, false, NULL},
    {"onnx", cli_onnx, {"model.onnx", "input.pb", "-o", "results"}, {"results/output_0.pb"},
     is_onnx_answer, true, true, false, false, NULL},
    {"onnx with data in another file", cli_onnx, {"external.onnx", "-o", "results", "--npy"},
     {"results/output_0.npy"}, is_from_weights, true, true, false, false, NULL},
    {"onnx with three outputs", cli_onnx, {"split.onnx", "parts.pb", "-o", "results"}, {THREE},
     is_in_three, true, true, false, false, NULL},
    {"onnx over three old files", cli_onnx, {"split.onnx", "parts.pb", "-o", "results"}, {THREE},
     is_in_three, true, true, false, true, NULL},
    {"bench", cli_bench, {"cases.tsv", "--tsv", "--repetitions", "2"}, {NULL}, says_something, true, true, true, false, NULL},
};
/* clang-format on */
const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

/* ---- writing the inputs ---- */

const char *const cli_inputs[] = {"in.npy",        "fortran.npy", "model.onnx", "input.pb",
                                  "answer.pb",     "cases.tsv",   "split.onnx", "parts.pb",
                                  "external.onnx", "parts.bin",   "in.pgm",     "in.safetensors",
                                  "in.gguf",       NULL};

static contents model, input, answer, split, parts;

bool cli_inputs_find(const char *data) {
  static const struct {
    const char *name;
    contents *file;
  } rows[] = {{"transpose_default/model.onnx", &model},
              {"transpose_default/test_data_set_0/input_0.pb", &input},
              {"transpose_default/test_data_set_0/output_0.pb", &answer},
              {"split_equal_parts_1d/model.onnx", &split},
              {"split_equal_parts_1d/test_data_set_0/input_0.pb", &parts}};
  char path[1000];
  bool found = true;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    (void)snprintf(path, sizeof path, "%s/node/test_%s", data, rows[i].name);
    found = found && read_file(path, rows[i].file);
  }
  return found;
}

/* The initializer w is 2 floats in parts.bin. y is Identity of w. */
static const char external_model[] =
    "\010\007:H\012\020\012\001w\022\001y\042\010Identity\022\001g* \010\002\020\001B\001wj"
    "\025\012\010location\022\011parts.binp\001b\017\012\001y\022\012\012\010\010\001\022"
    "\004\012\002\010\002B\002\020\015";

static bool write_inputs(const char *folder) {
  static const char cases[] = "small\tnone\ti32\t64x48\tC\t1,0\tC\t0.012\ta transpose\n";
  static const float weights[2] = {1, 2};
  static const char image[] = "P5\n4 2\n65535\n0123456789abcdef";
  static const char tensors[] =
      "\106\0\0\0\0\0\0\0{\"x\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}"
      "             0123456789abcdefghijklmn";
  static const char gguf[] =
      "GGUF\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
      "x\1\0\0\0 \0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0<0123456789abcdef";
  char where[13][64];
  for (size_t i = 0; cli_inputs[i]; i++)
    (void)snprintf(where[i], sizeof where[i], "%s%s", folder, cli_inputs[i]);
  return write_npy(where[0], false) && write_npy(where[1], true) &&
         write_file(where[2], model.bytes, model.size) &&
         write_file(where[3], input.bytes, input.size) &&
         write_file(where[4], answer.bytes, answer.size) &&
         write_file(where[5], cases, sizeof cases - 1) &&
         write_file(where[6], split.bytes, split.size) &&
         write_file(where[7], parts.bytes, parts.size) &&
         write_file(where[8], external_model, sizeof external_model - 1) &&
         write_file(where[9], weights, sizeof weights) &&
         write_file(where[10], image, sizeof image - 1) &&
         write_file(where[11], tensors, sizeof tensors - 1) &&
         write_file(where[12], gguf, sizeof gguf - 1);
}

bool cli_inputs_write(void) {
  return write_inputs("") && write_inputs("kept/");
}
