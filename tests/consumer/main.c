/*
 * Runs examples/heads.c and examples/frame.c like a user: with a separate OpenCL context, queue,
 * buffer and event. The result is in OpenCL's buffers, and then in parts of larger buffers from an
 * allocator. Compares every element. Compiles as C and as C++.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clreshape/clreshape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

clrs_status split_heads(clrs_context *context, cl_mem hidden, const clrs_on *on,
                        clrs_tensor **heads, cl_event *done, clrs_error *error);
clrs_status normalize_frame(clrs_context *context, cl_mem pixels, const clrs_on *on,
                            clrs_tensor **planes, cl_event *done, clrs_error *error);

enum { BATCH = 8, TOKENS = 128, HEADS = 12, CHANNELS = 64, COUNT = BATCH * TOKENS * 768 };

enum { PIXELS = 1080 * 1920, COLOURS = 3 };

static float hidden[COUNT], result[COUNT], planes_read[COLOURS * PIXELS];
static unsigned char frame[COLOURS * PIXELS];

static void require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
  }
}

/* The first device of any kind. Exits without a device. */
static cl_device_id find_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS) {
    for (cl_uint i = 0; i < count && i < 16 && device == NULL; i++) {
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        device = NULL;
      }
    }
  }
  if (device == NULL) {
    const char *required = getenv("CLRS_REQUIRE_DEVICE");
    fputs("no OpenCL device\n", stderr);
    exit(required != NULL && strcmp(required, "1") == 0 ? 1 : 77);
  }
  return device;
}

static void compare(void) {
  size_t at = 0;
  for (int batch = 0; batch < BATCH; batch++) {
    for (int head = 0; head < HEADS; head++) {
      for (int token = 0; token < TOKENS; token++) {
        for (int channel = 0; channel < CHANNELS; channel++) {
          const int from = ((batch * TOKENS + token) * HEADS + head) * CHANNELS + channel;
          require(result[at++] == (float)from, "every element is where it belongs");
        }
      }
    }
  }
}

/* ---- an allocator that gives parts of buffers ---- */

enum { POISON = 0xa5, ORIGIN = 192 };

typedef struct pool {
  cl_mem root; /* the only requested memory */
  size_t used, size;
  bool is_back;
} pool;

static cl_int allocate_part(void *user_data, const clrs_memory_request *request,
                            clrs_storage *storage) {
  pool *from = (pool *)user_data;
  cl_int code = CL_SUCCESS;
  require(from->root == NULL, "memory is asked for once");
  require(ORIGIN % request->alignment == 0, "memory that begins there is aligned");
  from->used = request->bytes;
  from->size = ORIGIN + request->bytes + 64;
  void *poison = malloc(from->size);
  require(poison != NULL, "malloc");
  memset(poison, POISON, from->size);
  from->root = clCreateBuffer(request->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              from->size, poison, &code);
  free(poison);
  require(from->root != NULL, "clCreateBuffer of the root");
  storage->buffer = from->root;
  storage->byte_offset = ORIGIN;
  return code;
}

static void take_part_back(void *user_data, const clrs_storage *storage, cl_uint event_count,
                           const cl_event *events) {
  pool *from = (pool *)user_data;
  require(storage->buffer == from->root && storage->byte_offset == ORIGIN, "what was given");
  require(event_count > 0 && clWaitForEvents(event_count, events) == CL_SUCCESS,
          "the commands that use the part end");
  from->is_back = true;
}

/* The root is unchanged around the part that was given out. */
static void close_pool(pool *from, cl_command_queue queue) {
  require(from->root != NULL && from->is_back, "the part was asked for and given back");
  unsigned char *bytes = (unsigned char *)malloc(from->size);
  require(bytes != NULL, "malloc");
  require(clEnqueueReadBuffer(queue, from->root, CL_TRUE, 0, from->size, bytes, 0, NULL, NULL) ==
              CL_SUCCESS,
          "clEnqueueReadBuffer");
  for (size_t i = 0; i < from->size; i++) {
    const bool is_given = i >= ORIGIN && i < ORIGIN + from->used;
    require(is_given || bytes[i] == POISON, "the rest of the root is left alone");
  }
  free(bytes);
  require(clReleaseMemObject(from->root) == CL_SUCCESS, "clReleaseMemObject");
}

/* ---- both ways ---- */

/* An allocator may give a part of a buffer: the result need not begin at byte 0. */
static void read_result(cl_command_queue queue, const clrs_tensor *heads) {
  clrs_byte_range bytes = {NULL, 0, 0};
  for (int i = 0; i < COUNT; i++) {
    result[i] = -1;
  }
  require(clrs_tensor_bytes(heads, &bytes, NULL) == CLRS_OK && bytes.size == sizeof result,
          "clrs_tensor_bytes");
  require(clEnqueueReadBuffer(queue, bytes.buffer, CL_TRUE, bytes.offset, bytes.size, result, 0,
                              NULL, NULL) == CL_SUCCESS,
          "clEnqueueReadBuffer");
}

static void run(const clrs_context_options *options, cl_command_queue queue, cl_mem buffer,
                cl_event ready) {
  clrs_error error = {CLRS_OK, 0, ""};
  clrs_context *context = NULL;
  clrs_tensor *heads = NULL;
  const clrs_on on = {queue, 1, &ready};
  cl_event done = NULL;
  require(clrs_context_create(options, &context, &error) == CLRS_OK, error.message);
  require(split_heads(context, buffer, &on, &heads, &done, &error) == CLRS_OK, error.message);
  require(clWaitForEvents(1, &done) == CL_SUCCESS, "the pass");
  read_result(queue, heads);
  compare();
  require(clReleaseEvent(done) == CL_SUCCESS, "clReleaseEvent");
  clrs_tensor_release(heads);
  clrs_context_release(context);
}

/* ---- two queues ---- */

enum { TIMES = 4 };

/* The heads are made on the first queue and copied on the second, of which the library knows
 * nothing. The heads are released with the event of the copy: later heads get the bytes when the
 * copy has ended, not before. */
static void copy_heads(clrs_context *context, const cl_command_queue *queues, cl_mem buffer,
                       cl_mem kept, size_t at) {
  clrs_error error = {CLRS_OK, 0, ""};
  clrs_tensor *heads = NULL;
  cl_event ready = NULL, made = NULL, copied = NULL;
  require(clEnqueueMarkerWithWaitList(queues[0], 0, NULL, &ready) == CL_SUCCESS, "a marker");
  const clrs_on on = {queues[0], 1, &ready};
  require(split_heads(context, buffer, &on, &heads, &made, &error) == CLRS_OK, error.message);
  require(clEnqueueCopyBuffer(queues[1], clrs_tensor_storage(heads).buffer, kept, 0,
                              at * sizeof result, sizeof result, 1, &made, &copied) == CL_SUCCESS,
          "clEnqueueCopyBuffer");
  require(clFlush(queues[0]) == CL_SUCCESS && clFlush(queues[1]) == CL_SUCCESS, "clFlush");
  require(clrs_tensor_release_after(heads, 1, &copied, &error) == CLRS_OK, error.message);
  require(clReleaseEvent(ready) == CL_SUCCESS && clReleaseEvent(made) == CL_SUCCESS &&
              clReleaseEvent(copied) == CL_SUCCESS,
          "clReleaseEvent");
}

static void run_two_queues(const clrs_context_options *options, cl_command_queue queue,
                           cl_mem buffer) {
  clrs_error error = {CLRS_OK, 0, ""};
  clrs_context *context = NULL;
  const cl_command_queue queues[2] = {
      queue, clCreateCommandQueue(options->context, options->device, 0, NULL)};
  cl_mem kept =
      clCreateBuffer(options->context, CL_MEM_READ_WRITE, TIMES * sizeof result, NULL, NULL);
  require(queues[1] != NULL && kept != NULL, "a queue and a buffer");
  require(clrs_context_create(options, &context, &error) == CLRS_OK, error.message);
  for (size_t i = 0; i < TIMES; i++) {
    copy_heads(context, queues, buffer, kept, i);
  }
  for (size_t i = 0; i < TIMES; i++) {
    require(clEnqueueReadBuffer(queues[1], kept, CL_TRUE, i * sizeof result, sizeof result, result,
                                0, NULL, NULL) == CL_SUCCESS,
            "clEnqueueReadBuffer");
    compare();
  }
  require(clReleaseMemObject(kept) == CL_SUCCESS && clReleaseCommandQueue(queues[1]) == CL_SUCCESS,
          "releasing");
  clrs_context_release(context);
}

/* ---- a frame ---- */

static void compare_frame(void) {
  const float means[COLOURS] = {123.7f, 116.3f, 103.5f},
              deviations[COLOURS] = {58.4f, 57.1f, 57.4f};
  for (int colour = 0; colour < COLOURS; colour++) {
    for (int i = 0; i < PIXELS; i++) {
      const float difference = (float)frame[i * COLOURS + colour] - means[colour];
      const float expected = difference / deviations[colour];
      require(planes_read[colour * PIXELS + i] == expected, "every colour is normalised");
    }
  }
}

static void run_frame(const clrs_context_options *options, cl_command_queue queue) {
  clrs_error error = {CLRS_OK, 0, ""};
  clrs_context *context = NULL;
  clrs_tensor *planes = NULL;
  const clrs_on on = {queue, 0, NULL};
  cl_event done = NULL;
  for (int i = 0; i < COLOURS * PIXELS; i++) {
    frame[i] = (unsigned char)((unsigned)i * 2654435761u >> 21);
  }
  cl_mem pixels = clCreateBuffer(options->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 sizeof frame, frame, NULL);
  require(pixels != NULL, "clCreateBuffer");
  require(clrs_context_create(options, &context, &error) == CLRS_OK, error.message);
  require(normalize_frame(context, pixels, &on, &planes, &done, &error) == CLRS_OK, error.message);
  require(clWaitForEvents(1, &done) == CL_SUCCESS, "the pass");
  require(clEnqueueReadBuffer(queue, clrs_tensor_storage(planes).buffer, CL_TRUE, 0,
                              sizeof planes_read, planes_read, 0, NULL, NULL) == CL_SUCCESS,
          "clEnqueueReadBuffer");
  compare_frame();
  require(clReleaseEvent(done) == CL_SUCCESS && clReleaseMemObject(pixels) == CL_SUCCESS,
          "releasing");
  clrs_tensor_release(planes);
  clrs_context_release(context);
}

int main(void) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  pool parts = {NULL, 0, 0, false};
  cl_event ready = NULL;
  for (int i = 0; i < COUNT; i++) {
    hidden[i] = (float)i;
  }
  options.device = find_device();
  options.context = clCreateContext(NULL, 1, &options.device, NULL, NULL, NULL);
  require(options.context != NULL, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(options.context, options.device, 0, NULL);
  require(queue != NULL, "clCreateCommandQueue");
  cl_mem buffer = clCreateBuffer(options.context, CL_MEM_READ_ONLY, sizeof hidden, NULL, NULL);
  require(buffer != NULL, "clCreateBuffer");
  require(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof hidden, hidden, 0, NULL,
                               &ready) == CL_SUCCESS,
          "clEnqueueWriteBuffer");
  run(&options, queue, buffer, ready);
  run_two_queues(&options, queue, buffer);
  run_frame(&options, queue);
  options.allocator.user_data = &parts;
  options.allocator.allocate = allocate_part;
  options.allocator.release = take_part_back;
  run(&options, queue, buffer, ready);
  close_pool(&parts, queue);
  require(clReleaseEvent(ready) == CL_SUCCESS && clReleaseMemObject(buffer) == CL_SUCCESS &&
              clReleaseCommandQueue(queue) == CL_SUCCESS &&
              clReleaseContext(options.context) == CL_SUCCESS,
          "releasing");
  puts("every element is where it belongs");
  return 0;
}
