/*
 * Mapped tensors: every wrong input with a sentence, operations refused on a device that does not
 * report support, and maps that exceed a stack of walks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "context.h"
#include "map_fixture.h"

#include "harness/fault_layer.h"
#include "harness/tensors.h"
#include "harness/works.h"

static clrs_map casting(clrs_dtype from, clrs_dtype to) {
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, from, to, &map, &error), error);
  return map;
}

static clrs_tensor *mapped_by(clrs_tensor *source, const clrs_map *map,
                              const clrs_parameter_tensors *tensors) {
  clrs_tensor *mapped = NULL;
  CHECK_OK(clrs_tensor_with_map(source, map, tensors, &mapped, &error), error);
  return mapped;
}

/* ---- wrong input ---- */

static void expect_views(clrs_tensor *mapped) {
  clrs_tensor *other = NULL;
  clrs_view beyond = view_strided(CLRS_F32, 1, LIST(25), NULL, 0);
  CHECK_FAILS(clrs_tensor_with_view(mapped, &beyond, &other, &error), CLRS_OUT_OF_BOUNDS, error);
  CHECK_SAYS(error, "elements 0 to 24 of a mapped tensor that has 24");
  beyond = view_strided(CLRS_F32, 1, LIST(24), LIST(-1), 0);
  CHECK_FAILS(clrs_tensor_with_view(mapped, &beyond, &other, &error), CLRS_OUT_OF_BOUNDS, error);
  CHECK_SAYS(error, "elements -23 to 0 of a mapped tensor that has 24");
  beyond = view_strided(CLRS_I32, 1, LIST(24), NULL, 0);
  CHECK_FAILS(clrs_tensor_with_view(mapped, &beyond, &other, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "a view of i32 of a tensor that is mapped to f32");
}

MAP_TEST(wrong_input_is_a_sentence) {
  clrs_context *library = f->libraries[0];
  const clrs_map map = casting(CLRS_U8, CLRS_F32);
  clrs_tensor *source = map_dense(library, f->source, CLRS_U8, 2, LIST(4, 6));
  clrs_tensor *same = map_dense(library, f->source, CLRS_F32, 2, LIST(4, 6));
  clrs_tensor *mapped = mapped_by(source, &map, NULL);
  assert_null(clrs_tensor_storage(mapped).buffer);
  CHECK_FAILS(clrs_enqueue_move(mapped, same, ON(f->device.queue), NULL, &error), CLRS_OVERLAP,
              error);
  expect_views(mapped);
  clrs_tensor_release(mapped);
  clrs_tensor_release(same);
  clrs_tensor_release(source);
}

/* ---- rights ---- */

static void refuse_move(const map_fixture *f, clrs_tensor *source, clrs_tensor *destination,
                        const char *says) {
  clrs_plan plan;
  cl_event event = NULL;
  CHECK_FAILS(clrs_enqueue_move(source, destination, ON(f->device.queue), &event, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, says);
  assert_null(event);
  CHECK_FAILS(clrs_tensor_plan(source, destination, CLRS_COPY_ALWAYS, &plan, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, says);
}

MAP_TEST(access_rights_are_kept) {
  const clrs_map map = casting(CLRS_U8, CLRS_F32);
  cl_mem written = device_buffer(&f->device, CL_MEM_WRITE_ONLY, 24);
  cl_mem read = device_buffer(&f->device, CL_MEM_READ_ONLY, 24 * sizeof(float));
  clrs_tensor *hidden = map_dense(f->libraries[0], written, CLRS_U8, 1, LIST(24));
  clrs_tensor *bytes = map_dense(f->libraries[0], f->source, CLRS_U8, 1, LIST(24));
  clrs_tensor *constant = map_dense(f->libraries[0], read, CLRS_F32, 1, LIST(24));
  clrs_tensor *floats = map_dense(f->libraries[0], f->destination, CLRS_F32, 1, LIST(24));
  clrs_tensor *of_hidden = mapped_by(hidden, &map, NULL), *of_bytes = mapped_by(bytes, &map, NULL);
  refuse_move(f, of_hidden, floats, "the source's buffer is CL_MEM_WRITE_ONLY");
  refuse_move(f, of_bytes, constant, "the destination's buffer is CL_MEM_READ_ONLY");
  clrs_tensor *const all[] = {hidden, bytes, constant, floats, of_hidden, of_bytes};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    clrs_tensor_release(all[i]);
  CL_OK(clReleaseMemObject(written));
  CL_OK(clReleaseMemObject(read));
}

/* ---- bits ---- */

MAP_TEST(bits_do_not_change_their_places_in_a_byte) {
  static const clrs_dtype types[] = {CLRS_U1, CLRS_BITS1};
  for (int i = 0; i < 2; i++) {
    clrs_tensor *source = map_dense(f->libraries[0], f->source, types[i], 1, LIST(24));
    clrs_tensor *renamed = NULL;
    clrs_map map;
    CHECK_OK(clrs_map_bitcast(types[i], types[1 - i], &map, &error), error);
    CHECK_FAILS(clrs_tensor_with_map(source, &map, NULL, &renamed, &error), CLRS_UNSUPPORTED,
                error);
    CHECK_SAYS(error, i == 0 ? "the bits of u1 and bits1 lie the other way round in a byte"
                             : "the bits of bits1 and u1 lie the other way round in a byte");
    assert_null(renamed);
    clrs_tensor_release(source);
  }
}

/* The steps of a bitcast that was made by hand are ignored, whatever the steps are. */
MAP_TEST(a_bitcast_has_no_steps) {
  const clrs_view view = view_strided(CLRS_F16, 1, LIST(24), NULL, 0);
  clrs_mapped mapped;
  clrs_tensor *source = map_dense(f->libraries[0], f->source, CLRS_F16, 1, LIST(24)), *made = NULL;
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  CHECK_OK(clrs_map_bitcast(CLRS_F16, CLRS_I16, &mapped.map, &error), error);
  mapped.dtype = CLRS_I16;
  mapped.map.step_count = 2;
  mapped.map.steps[0] = (clrs_step){.kind = CLRS_STEP_ADD, .parameter = {.count = 0}};
  CHECK_OK(clrs_tensor_with_mapped(source, &mapped, &made, &error), error);
  assert_int_equal(clrs_tensor_view(made)->dtype, CLRS_I16);
  assert_ptr_equal(clrs_tensor_storage(made).buffer, f->source);
  clrs_tensor_release(made);
  clrs_tensor_release(source);
}

/* ---- what a device cannot do ---- */

static clrs_map adding_one(clrs_dtype to) {
  const double one = 1;
  clrs_map map = casting(CLRS_U8, CLRS_U8);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, to == CLRS_F64 ? to : CLRS_F32,
                         &(clrs_numbers){1, &one, {0}}, &error),
           error);
  CHECK_OK(clrs_map_round(&map, to, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE, &error), error);
  return map;
}

/* Does the device accept a map with steps of that type? If not, the message says what the device
 * lacks. */
static bool takes_steps(const map_fixture *f, clrs_context *library, clrs_dtype to,
                        const char *lacks) {
  const clrs_map map = adding_one(to);
  clrs_tensor *source = map_dense(library, f->source, CLRS_U8, 1, LIST(10)), *mapped = NULL;
  clrs_error error = {0};
  const clrs_status status = clrs_tensor_with_map(source, &map, NULL, &mapped, &error);
  if (status != CLRS_OK) {
    assert_int_equal(status, CLRS_UNSUPPORTED);
    CHECK_SAYS(error, lacks);
  }
  clrs_tensor_release(mapped);
  clrs_tensor_release(source);
  return status == CLRS_OK;
}

/* The device may fail to report the support of floats and doubles. All other queries must
 * succeed. */
MAP_TEST(what_a_device_does_not_answer_is_not_relied_on) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  fault refused = {1, CL_INVALID_VALUE, false, FAULT_BEFORE};
  fault_layer layer;
  int without_floats = 0, without_doubles = 0;
  bool failed = true;
  if (!fault_layer_find(&layer) || !takes_steps(f, f->libraries[0], CLRS_F64, "cl_khr_fp64"))
    skip();
  options.context = f->device.context;
  options.device = f->device.device;
  for (; failed && refused.nth < 100; refused.nth++) {
    clrs_context *library = NULL;
    clrs_error error = {0};
    layer.arm(&refused);
    const clrs_status status = clrs_context_create(&options, &library, &error);
    failed = layer.failed() != NULL;
    layer.arm(NULL);
    if (status != CLRS_OK) {
      assert_int_equal(error.opencl_code, CL_INVALID_VALUE);
      continue;
    }
    without_floats += !library->arithmetic.has_denormals;
    assert_true(takes_steps(f, library, CLRS_F32, ""));
    without_doubles += !takes_steps(f, library, CLRS_F64, "cl_khr_fp64");
    clrs_context_release(library);
  }
  assert_false(failed);
  assert_int_equal(without_floats, 1);
  assert_int_equal(without_doubles, 1);
}

/* ---- stacks ---- */

enum { DEEP = 5040 };

/* A list of the tensor's elements in an order that takes a stack of so many walks. */
static clrs_tensor *deepened(clrs_tensor *tensor, uint32_t depth) {
  static const int64_t divisors[] = {6, 16, 9, 10, 14, 15};
  clrs_view view = *clrs_tensor_view(tensor);
  clrs_tensor *made = NULL;
  for (int i = 0; view.depth < depth; i++) {
    const clrs_shape cut = {2, {divisors[i % 6], DEEP / divisors[i % 6]}};
    CHECK_OK(clrs_view_reshape(&view, &cut, &error), error);
    CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  }
  CHECK_OK(clrs_view_reshape(&view, &(clrs_shape){1, {DEEP}}, &error), error);
  CHECK_OK(clrs_tensor_with_view(tensor, &view, &made, &error), error);
  return made;
}

static void refuse_map(clrs_tensor *tensor) {
  const clrs_map map = casting(CLRS_F32, CLRS_F16);
  clrs_tensor *mapped = NULL;
  CHECK_FAILS(clrs_tensor_with_map(tensor, &map, NULL, &mapped, &error), CLRS_LIMIT_EXCEEDED,
              error);
  CHECK_SAYS(error, "the view needs a stack of more than 8 walks");
  assert_null(mapped);
}

/* A map of a mapped tensor sees the source through both stacks. */
MAP_TEST(a_source_has_no_more_walks_than_a_view) {
  const clrs_map map = casting(CLRS_U8, CLRS_F32);
  clrs_tensor *whole = map_dense(f->libraries[0], f->source, CLRS_U8, 1, LIST(DEEP));
  clrs_tensor *source = deepened(whole, 5), *mapped = mapped_by(source, &map, NULL);
  clrs_tensor *seen = deepened(mapped, 5);
  refuse_map(seen);
  clrs_tensor *const all[] = {whole, source, mapped, seen};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    clrs_tensor_release(all[i]);
}

MAP_TEST(a_parameter_has_no_more_walks_than_a_view) {
  const clrs_numbers tensor = {0, NULL, {.kind = CLRS_SPREAD_BROADCAST}};
  clrs_map map = casting(CLRS_U8, CLRS_F32);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &tensor, &error), error);
  clrs_tensor *source = map_dense(f->libraries[0], f->source, CLRS_U8, 1, LIST(DEEP));
  clrs_tensor *whole = map_dense(f->libraries[0], f->parameters, CLRS_F32, 1, LIST(DEEP));
  clrs_tensor *parameter = deepened(whole, 5);
  clrs_tensor *mapped = mapped_by(source, &map, &(clrs_parameter_tensors){{parameter}});
  clrs_tensor *seen = deepened(mapped, 5);
  refuse_map(seen);
  clrs_tensor *const all[] = {source, whole, parameter, mapped, seen};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    clrs_tensor_release(all[i]);
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
