/*
 * How fast are gather and scatter by indices against a copy of as many bytes? Gathers rows of a
 * table of 256 MiB of f16 at random places, 32 MiB in total. In turn with the gather:
 * clEnqueueCopyBuffer, and the library's own copy. Prints medians, and compares every element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 120
#define _POSIX_C_SOURCE 200809L
#include <clreshape/clreshape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "consumer/speed.h"

enum { TABLE_BYTES = 256 << 20, MOVED_BYTES = 32 << 20, ROUNDS = 31 };
enum { TABLE_COUNT = TABLE_BYTES / 2, MOVED_COUNT = MOVED_BYTES / 2 };

typedef struct row {
  const char *name;
  int64_t bytes; /* of a row */
  bool scatters;
} row;

static const row rows[] = {{"gather, rows of 8 KiB (embedding)", 8192, false},
                           {"gather, rows of 32 KiB (pages of keys)", 32768, false},
                           {"gather, rows of 2 KiB", 2048, false},
                           {"gather, rows of 512 B", 512, false},
                           {"gather, rows of 128 B", 128, false},
                           {"gather, rows of 32 B", 32, false},
                           {"gather, elements", 2, false},
                           {"scatter, rows of 8 KiB", 8192, true},
                           {"scatter, rows of 512 B (slots)", 512, true}};

enum { INDEXED, COPIED, MOVED, KINDS };

typedef struct setting {
  clrs_context *context;
  cl_context opencl;
  cl_command_queue queue;
  cl_mem table, moved, other, index;
  clrs_tensor *tensors[4]; /* in that order */
  int32_t *indices;
  uint16_t *values; /* room for the table */
  double seconds[KINDS][ROUNDS];
} setting;

static clrs_error error;

static void require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "indexed_speed: %s: %s\n", what, error.message);
    exit(1);
  }
}

/* ---- what there is ---- */

static cl_mem buffer_of(const setting *s, size_t bytes) {
  cl_mem buffer = clCreateBuffer(s->opencl, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  require(buffer != NULL, "clCreateBuffer");
  return buffer;
}

/* Exits with 77 if there is no device. */
static void set_up(setting *s) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  cl_platform_id platform = NULL;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &options.device, NULL) != CL_SUCCESS) {
    fputs("indexed_speed: no OpenCL device\n", stderr);
    exit(77);
  }
  s->opencl = options.context = clCreateContext(NULL, 1, &options.device, NULL, NULL, NULL);
  s->queue = clCreateCommandQueue(s->opencl, options.device, 0, NULL);
  require(s->queue != NULL, "clCreateCommandQueue");
  require(clrs_context_create(&options, &s->context, &error) == CLRS_OK, "context");
  s->table = buffer_of(s, TABLE_BYTES);
  s->moved = buffer_of(s, MOVED_BYTES);
  s->other = buffer_of(s, MOVED_BYTES);
  s->index = buffer_of(s, MOVED_COUNT * sizeof *s->indices);
  s->values = malloc(TABLE_BYTES);
  s->indices = malloc(MOVED_COUNT * sizeof *s->indices);
  require(s->values != NULL && s->indices != NULL, "malloc");
}

static void tear_down(const setting *s) {
  clReleaseMemObject(s->table);
  clReleaseMemObject(s->moved);
  clReleaseMemObject(s->other);
  clReleaseMemObject(s->index);
  clrs_context_release(s->context);
  clReleaseCommandQueue(s->queue);
  clReleaseContext(s->opencl);
  free(s->values);
  free(s->indices);
}

/* Different indices, in no order. */
static void draw_indices(const setting *s, int64_t places, int64_t count) {
  uint64_t state = 88172645463325252u;
  unsigned char *taken = calloc((size_t)places, 1);
  require(taken != NULL, "calloc");
  for (int64_t i = 0; i < count; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    int64_t place = (int64_t)(state % (uint64_t)places);
    while (taken[place]) {
      place = (place + 1) % places;
    }
    taken[place] = 1;
    s->indices[i] = (int32_t)place;
  }
  free(taken);
}

static uint16_t value_of(int64_t element, uint64_t salt) {
  return (uint16_t)(((uint64_t)element + salt) * 2654435761u >> 12);
}

static void put(const setting *s, cl_mem buffer, int64_t count, uint64_t salt) {
  for (int64_t i = 0; i < count; i++) {
    s->values[i] = value_of(i, salt);
  }
  require(clEnqueueWriteBuffer(s->queue, buffer, CL_TRUE, 0, (size_t)count * 2, s->values, 0, NULL,
                               NULL) == CL_SUCCESS,
          "clEnqueueWriteBuffer");
}

static clrs_tensor *wrap(const setting *s, cl_mem buffer, clrs_dtype dtype, int64_t count,
                         int64_t width) {
  clrs_tensor *tensor = NULL;
  require(clrs_tensor_wrap_dense(s->context, buffer, dtype, width > 0 ? 2 : 1,
                                 (const int64_t[]){count, width}, &tensor, &error) == CLRS_OK,
          "tensor");
  return tensor;
}

/* ---- what is measured ---- */

static clrs_status enqueue(const setting *s, const row *of, int kind, cl_event *done) {
  const clrs_indices given = {.tensor = s->tensors[3]};
  if (kind == MOVED) {
    return clrs_enqueue_move(s->tensors[1], s->tensors[2], &(clrs_on){.queue = s->queue}, done,
                             &error);
  }
  return of->scatters ? clrs_enqueue_scatter(s->tensors[1], &given, s->tensors[0],
                                             &(clrs_on){.queue = s->queue}, done, &error)
                      : clrs_enqueue_gather(s->tensors[0], &given, s->tensors[2], NULL,
                                            &(clrs_on){.queue = s->queue}, done, &error);
}

static double measure(const setting *s, const row *of, int kind) {
  cl_event done = NULL;
  const double start = now();
  if (kind == COPIED) {
    require(clEnqueueCopyBuffer(s->queue, s->moved, s->other, 0, 0, MOVED_BYTES, 0, NULL, &done) ==
                CL_SUCCESS,
            "clEnqueueCopyBuffer");
  } else {
    require(enqueue(s, of, kind, &done) == CLRS_OK, of->name);
  }
  require(clWaitForEvents(1, &done) == CL_SUCCESS, "a command");
  const double seconds = now() - start;
  clReleaseEvent(done);
  return seconds;
}

/* After another run of the gather alone. */
static void verify(const setting *s, const row *of, int64_t width, int64_t count) {
  (void)measure(s, of, INDEXED);
  const int64_t read = of->scatters ? TABLE_COUNT : MOVED_COUNT;
  require(clEnqueueReadBuffer(s->queue, of->scatters ? s->table : s->other, CL_TRUE, 0,
                              (size_t)read * 2, s->values, 0, NULL, NULL) == CL_SUCCESS,
          "clEnqueueReadBuffer");
  for (int64_t i = 0; i < count; i++) {
    const int64_t named = (int64_t)s->indices[i] * width, listed = i * width;
    for (int64_t k = 0; k < width; k++) {
      require(of->scatters ? s->values[named + k] == value_of(listed + k, 77)
                           : s->values[listed + k] == value_of(named + k, 0),
              "an element is not where it belongs");
    }
  }
}

static void run(setting *s, const row *of) {
  const int64_t width = of->bytes / 2, places = TABLE_COUNT / width, count = MOVED_COUNT / width;
  draw_indices(s, places, count);
  put(s, s->table, TABLE_COUNT, 0);
  put(s, s->moved, MOVED_COUNT, 77);
  require(clEnqueueWriteBuffer(s->queue, s->index, CL_TRUE, 0, (size_t)count * sizeof *s->indices,
                               s->indices, 0, NULL, NULL) == CL_SUCCESS,
          "clEnqueueWriteBuffer");
  s->tensors[0] = wrap(s, s->table, CLRS_F16, places, width);
  s->tensors[1] = wrap(s, s->moved, CLRS_F16, count, width);
  s->tensors[2] = wrap(s, s->other, CLRS_F16, count, width);
  s->tensors[3] = wrap(s, s->index, CLRS_I32, count, 0);
  for (int round = -2; round < ROUNDS; round++) {
    for (int kind = 0; kind < KINDS; kind++) {
      s->seconds[kind][round < 0 ? 0 : round] = measure(s, of, kind);
    }
  }
  verify(s, of, width, count);
  for (int i = 0; i < 4; i++) {
    clrs_tensor_release(s->tensors[i]);
  }
  const double indexed = median(s->seconds[INDEXED], ROUNDS),
               copied = median(s->seconds[COPIED], ROUNDS);
  printf("%-40s %7.3f ms, %.2f of clEnqueueCopyBuffer, %.2f of the library's copy\n", of->name,
         indexed * 1e3, copied / indexed, median(s->seconds[MOVED], ROUNDS) / indexed);
}

int main(void) {
  setting s = {.context = NULL};
  set_up(&s);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run(&s, &rows[i]);
  }
  tear_down(&s);
  return 0;
}
