/*
 * The library on parts of a device from clCreateSubDevices: moves, batches, patterns in buffers and
 * programs kept as bytes, from end to end. Each part has a separate context.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"
#include "harness/works.h"

enum { MOST_PARTS = 64, COLUMNS = 37, ROWS = 29, COUNT = COLUMNS * ROWS };

typedef struct parts {
  const char *how;
  cl_uint count;
  cl_device_id devices[MOST_PARTS];
} parts;

/* Parts of the first device, a unit each: all parts, and then a single part. */
static const struct way {
  const char *name;
  cl_device_partition_property properties[4];
} ways[] = {
    {"equally", {CL_DEVICE_PARTITION_EQUALLY, 1, 0, 0}},
    {"by counts", {CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static cl_device_id first_device(void) {
  test_device device;
  device_open(&device);
  const cl_device_id id = device.device;
  device_close(&device);
  return id;
}

static bool make_parts(cl_device_id whole, const struct way *way, parts *made) {
  cl_device_partition_property supported[16] = {0};
  size_t bytes = 0;
  CL_OK(
      clGetDeviceInfo(whole, CL_DEVICE_PARTITION_PROPERTIES, sizeof supported, supported, &bytes));
  bool known = false;
  for (size_t i = 0; i < bytes / sizeof supported[0]; i++)
    known = known || supported[i] == way->properties[0];
  made->how = way->name;
  return known && clCreateSubDevices(whole, way->properties, MOST_PARTS, made->devices,
                                     &made->count) == CL_SUCCESS;
}

static void release_parts(const parts *made) {
  for (cl_uint i = 0; i < made->count && i < MOST_PARTS; i++)
    CL_OK(clReleaseDevice(made->devices[i]));
}

/* ---- what is done on each part ---- */

typedef struct desk {
  test_device device;
  clrs_context *library;
  cl_mem source, destination;
  uint32_t numbers[COUNT];
} desk;

static void desk_open(desk *d, cl_device_id part) {
  device_open_on(&d->device, part);
  d->library = device_library(&d->device, NULL);
  d->source = device_buffer(&d->device, CL_MEM_READ_WRITE, sizeof d->numbers);
  d->destination = device_buffer(&d->device, CL_MEM_READ_WRITE, sizeof d->numbers);
  for (uint32_t i = 0; i < COUNT; i++)
    d->numbers[i] = i * 7 + 1;
  device_write(&d->device, d->source, sizeof d->numbers, d->numbers);
}

static void desk_close(desk *d) {
  clrs_context_release(d->library);
  CL_OK(clReleaseMemObject(d->source));
  CL_OK(clReleaseMemObject(d->destination));
  device_close(&d->device);
}

static void poison(desk *d) {
  const uint32_t none[COUNT] = {0};
  device_write(&d->device, d->destination, sizeof none, none);
}

/* The destination holds the source's columns in sequence. */
static void expect_turned(desk *d) {
  uint32_t got[COUNT];
  device_read(&d->device, d->destination, sizeof got, got);
  for (uint32_t column = 0; column < COLUMNS; column++)
    for (uint32_t row = 0; row < ROWS; row++)
      assert_int_equal(got[column * ROWS + row], d->numbers[row * COLUMNS + column]);
}

typedef struct sides {
  clrs_tensor *source, *destination;
} sides;

static clrs_tensor *wrap(clrs_context *library, cl_mem buffer, const int64_t *strides) {
  clrs_layout layout;
  clrs_tensor *tensor = NULL;
  const clrs_shape shape = {2, {COLUMNS, ROWS}};
  const clrs_storage storage = {buffer, 0};
  CHECK_OK(clrs_layout_init(CLRS_U32, &shape, strides, 0, &layout, &error), error);
  CHECK_OK(clrs_tensor_wrap(library, &storage, &layout, &tensor, &error), error);
  return tensor;
}

static sides open_sides(const desk *d, clrs_context *library) {
  return (sides){wrap(library, d->source, (int64_t[]){1, COLUMNS}),
                 wrap(library, d->destination, NULL)};
}

static void close_sides(sides *s) {
  clrs_tensor_release(s->source);
  clrs_tensor_release(s->destination);
}

static void move_through(desk *d, clrs_context *library) {
  cl_event event = NULL;
  sides s = open_sides(d, library);
  poison(d);
  CHECK_OK(clrs_enqueue_move(s.source, s.destination, ON(d->device.queue), &event, &error), error);
  device_finish_event(event);
  expect_turned(d);
  close_sides(&s);
}

static void move(desk *d) {
  move_through(d, d->library);
}

static void batch(desk *d) {
  cl_event event = NULL;
  sides s = open_sides(d, d->library);
  const test_moves moves = {.count = 1, .sources = &s.source, .destinations = &s.destination};
  poison(d);
  CHECK_OK(test_enqueue_moves(d->library, &moves, ON(d->device.queue), &event, &error), error);
  device_finish_event(event);
  expect_turned(d);
  close_sides(&s);
}

static void pattern_in_a_buffer(desk *d) {
  const int64_t values[] = {-1, COLUMNS}, length = 2;
  cl_mem buffer = device_buffer(&d->device, CL_MEM_READ_WRITE, sizeof values);
  device_write(&d->device, buffer, sizeof values, values);
  const clrs_rules rules = {.dialect = CLRS_ONNX};
  clrs_pattern pattern;
  CHECK_OK(clrs_pattern_read_buffer(d->library, &rules, &(clrs_storage){buffer, 0}, CLRS_I64, 1,
                                    &length, &pattern, ON(d->device.queue), &error),
           error);
  assert_true(pattern.length == 2 && pattern.values[0] == -1 && pattern.values[1] == COLUMNS);
  CL_OK(clReleaseMemObject(buffer));
}

/* Another context on the part imports the exported programs, and builds nothing. */
static void programs_as_bytes(desk *d) {
  size_t size = 0;
  move(d);
  const size_t count = clrs_context_program_count(d->library);
  assert_true(count > 0);
  CHECK_OK(clrs_context_export_programs(d->library, NULL, 0, &size, &error), error);
  unsigned char *blob = malloc(size);
  assert_non_null(blob);
  CHECK_OK(clrs_context_export_programs(d->library, blob, size, &size, &error), error);
  clrs_context *fresh = device_library(&d->device, NULL);
  CHECK_OK(clrs_context_import_programs(fresh, blob, size, &error), error);
  free(blob);
  move_through(d, fresh);
  assert_int_equal(clrs_context_program_count(fresh), count);
  clrs_context_release(fresh);
}

static void on_every_part(void (*act)(desk *d)) {
  static desk d;
  const cl_device_id whole = first_device();
  for (size_t way = 0; way < WAYS; way++) {
    parts made = {.count = 0};
    if (!make_parts(whole, &ways[way], &made)) {
      print_message("not partitioned %s\n", ways[way].name);
      continue;
    }
    assert_true(made.count >= 1 && made.count <= MOST_PARTS);
    for (cl_uint i = 0; i < made.count; i++) {
      desk_open(&d, made.devices[i]);
      act(&d);
      desk_close(&d);
    }
    print_message("%u parts, made %s\n", made.count, made.how);
    release_parts(&made);
  }
}

/* ---- tests ---- */

TEST(a_part_moves) {
  on_every_part(move);
}

TEST(a_part_moves_batches) {
  on_every_part(batch);
}

TEST(a_part_reads_patterns) {
  on_every_part(pattern_in_a_buffer);
}

TEST(a_part_keeps_its_programs) {
  on_every_part(programs_as_bytes);
}

/* In the same context, the queue of another part, or of the whole device, does not belong to the
 * library. */
TEST(the_queue_of_another_part_is_refused) {
  static desk d;
  cl_int code;
  parts made = {.count = 0};
  const cl_device_id whole = first_device();
  if (!make_parts(whole, &ways[0], &made) || made.count < 2) {
    print_message("not partitioned into two\n");
    release_parts(&made);
    return;
  }
  desk_open(&d, made.devices[0]);
  sides s = open_sides(&d, d.library);
  const cl_device_id others[] = {made.devices[1], whole};
  for (size_t i = 0; i < 2; i++) {
    cl_command_queue other = clCreateCommandQueue(d.device.context, others[i], 0, &code);
    if (code != CL_SUCCESS)
      continue; /* the driver itself refuses the queue: the context is of the first part */
    CHECK_FAILS(clrs_enqueue_move(s.source, s.destination, ON(other), NULL, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, "the queue is of context");
    CL_OK(clReleaseCommandQueue(other));
  }
  close_sides(&s);
  desk_close(&d);
  release_parts(&made);
}

/* 77 if the first device cannot be partitioned in any way. */
static int parts_missing(void) {
  const cl_device_id whole = first_device();
  for (size_t way = 0; way < WAYS; way++) {
    parts made = {.count = 0};
    if (make_parts(whole, &ways[way], &made)) {
      release_parts(&made);
      return 0;
    }
  }
  (void)fprintf(stderr, "skipped: the device cannot be partitioned, equally or by counts\n");
  return 77;
}

int main(void) {
  int missing = device_missing();
  if (missing == 0)
    missing = parts_missing();
  if (missing)
    return missing;
  return RUN_TESTS(NULL, NULL);
}
