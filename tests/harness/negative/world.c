/*
 * The objects, right and wrong, that rows of the negative matrix give. See runtime.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>

#include "opencl/usm.h"

world w;

/* ---- buffers ---- */

static cl_mem part_of(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size) {
  const cl_buffer_region region = {origin, size};
  cl_int code;
  cl_mem part = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  return code == CL_SUCCESS ? part : NULL;
}

static cl_mem make_image(void) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
  cl_int code;
  cl_mem image = clCreateImage(w.device.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
  return code == CL_SUCCESS ? image : NULL;
}

static cl_mem make_misaligned(void) {
  unsigned char *begin = w.memory;
  cl_int code;
  while ((uintptr_t)begin % 128 != 1)
    begin++;
  cl_mem buffer = clCreateBuffer(w.device.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                 WORLD_BYTES - 128, begin, &code);
  CL_OK(code);
  return buffer;
}

static void make_buffers(void) {
  static const int64_t numbers[2] = {8, -1};
  const cl_mem_flags both = CL_MEM_READ_WRITE;
  w.source = device_buffer(&w.device, both, WORLD_BYTES);
  w.destination = device_buffer(&w.device, both, WORLD_BYTES);
  w.numbers = device_buffer(&w.device, both, sizeof numbers);
  w.small = device_buffer(&w.device, both, ELEMENT_BYTES - 1);
  w.read_only = device_buffer(&w.device, CL_MEM_READ_ONLY, WORLD_BYTES);
  w.write_only = device_buffer(&w.device, CL_MEM_WRITE_ONLY, WORLD_BYTES);
  w.foreign_buffer = device_buffer(&w.foreign, both, WORLD_BYTES);
  w.hidden_read_only = part_of(w.read_only, both, 0, WORLD_BYTES);
  w.wrapping = part_of(w.source, both, (size_t)-128, 256);
  w.misaligned = make_misaligned();
  w.second_half = part_of(w.source, both, WORLD_BYTES / 2, WORLD_BYTES / 2);
  assert_non_null(w.second_half);
  w.image = make_image();
  /* the driver refuses an object that the library would have to refuse */
  if (!w.hidden_read_only) {
    w.hidden_read_only = w.read_only;
    CL_OK(clRetainMemObject(w.read_only));
  }
  for (int i = 0; i < WORLD_BYTES; i++)
    w.poison[i] = (unsigned char)(0xC3 ^ (i * 7));
  device_write(&w.device, w.source, WORLD_BYTES, w.poison);
  device_write(&w.device, w.destination, WORLD_BYTES, w.poison);
  device_write(&w.device, w.numbers, sizeof numbers, numbers);
}

/* ---- events ---- */

static cl_event make_event(cl_context context, cl_int status) {
  cl_int code;
  cl_event event = clCreateUserEvent(context, &code);
  CL_OK(code);
  CL_OK(clSetUserEventStatus(event, status));
  return event;
}

/* ---- tensors ---- */

/* The world releases the tensor. */
static clrs_tensor *kept(clrs_tensor *tensor) {
  assert_true(w.tensor_count < sizeof w.tensors / sizeof *w.tensors);
  w.tensors[w.tensor_count++] = tensor;
  return tensor;
}

static clrs_tensor *tensor_of(clrs_context *library, cl_mem buffer, const clrs_layout *layout) {
  const clrs_storage storage = {buffer, 0};
  clrs_tensor *tensor = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_wrap(library, &storage, layout, &tensor, &error), error);
  return kept(tensor);
}

#define TURN "reshape=6,4 permute=1,0 "
const char world_turns[] = TURN TURN TURN TURN TURN TURN TURN TURN "reshape=24";

static clrs_tensor *turned(clrs_tensor *line) {
  clrs_tensor *tensor = NULL;
  clrs_chain chain;
  clrs_error error;
  CHECK_OK(clrs_chain_parse(world_turns, &chain, &error), error);
  CHECK_OK(clrs_tensor_with_chain(line, &chain, NULL, &tensor, &error), error);
  assert_int_equal(clrs_tensor_view(tensor)->depth, CLRS_MAX_DEPTH);
  return kept(tensor);
}

static void make_long_tensors(void) {
  const clrs_layout line = {CLRS_F32, 1, {24}, {1}, 0}, longer = {CLRS_F32, 1, {48}, {1}, 0},
                    sheet = {CLRS_F32, 2, {6, 24}, {24, 1}, 0};
  w.longer = tensor_of(w.library, w.destination, &longer);
  w.sheet = tensor_of(w.library, w.destination, &sheet);
  w.deep = turned(w.other_rank);
  w.deep_of_source = turned(tensor_of(w.library, w.source, &line));
}

static void make_tensors(void) {
  const clrs_layout rows = {CLRS_F32, 2, {6, 4}, {4, 1}, 0},
                    columns = {CLRS_F32, 2, {6, 4}, {1, 6}, 0},
                    half = {CLRS_F32, 2, {3, 4}, {4, 1}, 0},
                    wide = {CLRS_F32, 2, {4, 6}, {6, 1}, 0}, line = {CLRS_F32, 1, {24}, {1}, 0},
                    integers = {CLRS_I32, 2, {6, 4}, {4, 1}, 0},
                    repeated = {CLRS_F32, 2, {6, 4}, {0, 1}, 0},
                    straddling = {CLRS_U3, 2, {6, 4}, {4, 1}, 0},
                    strings = {CLRS_STRING, 1, {4}, {1}, 0}, row = {CLRS_F32, 1, {4}, {1}, 0},
                    short_row = {CLRS_F32, 1, {3}, {1}, 0},
                    nothing = {CLRS_F32, 2, {0, 4}, {4, 1}, 0},
                    corner = {CLRS_F32, 2, {2, 2}, {4, 1}, 0},
                    behind = {CLRS_F32, 2, {6, 4}, {4, 1}, 24};
  w.transposed = tensor_of(w.library, w.source, &columns);
  w.target = tensor_of(w.library, w.destination, &rows);
  w.half = tensor_of(w.library, w.source, &half);
  w.strings = tensor_of(w.library, w.source, &strings);
  w.row = tensor_of(w.library, w.source, &row);
  w.short_row = tensor_of(w.library, w.source, &short_row);
  w.foreign_tensor = tensor_of(w.foreign_library, w.foreign_buffer, &rows);
  w.other_shape = tensor_of(w.library, w.destination, &wide);
  w.other_rank = tensor_of(w.library, w.destination, &line);
  w.other_dtype = tensor_of(w.library, w.destination, &integers);
  w.over_source = tensor_of(w.library, w.source, &rows);
  w.repeated = tensor_of(w.library, w.destination, &repeated);
  w.straddling = tensor_of(w.library, w.destination, &straddling);
  w.into_read_only = tensor_of(w.library, w.read_only, &rows);
  w.of_write_only = tensor_of(w.library, w.write_only, &columns);
  w.nothing = tensor_of(w.library, NULL, &nothing);
  w.nothing_write_only = tensor_of(w.library, w.write_only, &nothing);
  w.corner = tensor_of(w.library, w.source, &corner);
  w.behind = tensor_of(w.library, w.source, &behind);
  make_long_tensors();
}

static clrs_tensor *one_number(cl_mem buffer, clrs_dtype dtype, int64_t offset) {
  const clrs_layout one = {dtype, 0, {0}, {0}, offset};
  return tensor_of(w.library, buffer, &one);
}

static void make_indices(void) {
  enum { BEHIND_ALL = 200 };
  const clrs_layout pair = {CLRS_F32, 2, {2, 4}, {4, 1}, 0}, two = {CLRS_I64, 1, {2}, {1}, 0},
                    flags = {CLRS_U32, 1, {2}, {1}, BEHIND_ALL};
  clrs_layout deep = {CLRS_I64, CLRS_MAX_RANK, {2}, {1}, 0};
  for (uint32_t d = 1; d < CLRS_MAX_RANK; d++)
    deep.dims[d] = 1;
  w.pair = tensor_of(w.library, w.destination, &pair);
  w.pair_of_source = tensor_of(w.library, w.source, &pair);
  w.index = tensor_of(w.library, w.numbers, &two);
  w.deep_index = tensor_of(w.library, w.numbers, &deep);
  w.index_in_destination = tensor_of(w.library, w.destination, &two);
  w.write_only_index = tensor_of(w.library, w.write_only, &two);
  w.two_flags = tensor_of(w.library, w.destination, &flags);
  w.flag = one_number(w.destination, CLRS_U32, BEHIND_ALL);
  w.flag_to_read = one_number(w.read_only, CLRS_U32, BEHIND_ALL);
  w.flag_at_odd_byte = one_number(w.misaligned, CLRS_U32, 0);
  w.flag_in_source = one_number(w.source, CLRS_U32, 0);
  w.flag_in_index = one_number(w.numbers, CLRS_U32, 0);
  w.flag_in_destination = one_number(w.destination, CLRS_U32, 0);
}

clrs_map world_map(void) {
  const clrs_numbers two = {2, (const double[]){1, 2}, {CLRS_SPREAD_AXIS, 0, 3}};
  clrs_map map;
  clrs_error error;
  memset(&map, 0, sizeof map);
  CHECK_OK(clrs_map_quantize(CLRS_F32, CLRS_U8, &two, &two, &map, &error), error);
  return map;
}

static void make_mapped(void) {
  clrs_map map;
  clrs_layout layout;
  clrs_error error;
  memset(&map, 0, sizeof map);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_F32, CLRS_U8, &map, &error), error);
  CHECK_OK(clrs_tensor_with_map(w.transposed, &map, NULL, &w.mapped, &error), error);
  CHECK_OK(clrs_layout_init(CLRS_F32, &(clrs_shape){2, {6, 4}}, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_tensor_slot(w.library, 0, &layout, &w.slot, &error), error);
  CHECK_OK(clrs_tensor_with_map(w.slot, &map, NULL, &w.mapped_slot, &error), error);
  kept(w.mapped), kept(w.slot), kept(w.mapped_slot);
}

void world_tasks(test_task tasks[2]) {
  static const int64_t begins[2] = {1, 2};
  tasks[0] = (test_task){.source = 0,
                         .destination = 1,
                         .from = clrs_tensor_view(w.transposed),
                         .to = clrs_tensor_view(w.target)};
  tasks[1] = (test_task){.source = 1,
                         .destination = 1,
                         .from = clrs_tensor_view(w.corner),
                         .to = clrs_tensor_view(w.behind),
                         .element = w.poison,
                         .begins = begins};
}

clrs_work *world_work(const test_task *task) {
  clrs_work **made = &w.refused[w.refused_count++];
  clrs_error error;
  assert_true(w.refused_count <= sizeof w.refused / sizeof *w.refused);
  CHECK_OK(clrs_work_create(w.library, made, &error), error);
  CHECK_OK(test_work_add(w.library, *made, task, &error), error);
  return *made;
}

static void make_programs(void) {
  test_task tasks[2];
  const test_tasks two = {2, 2, tasks};
  clrs_error error;
  CHECK_OK(clrs_tensor_plan(w.transposed, w.target, CLRS_COPY_ALWAYS, &w.plan, &error), error);
  world_tasks(tasks);
  CHECK_OK(test_work_of_tasks(w.library, &two, &w.work, &error), error);
  CHECK_OK(clrs_work_create(w.library, &w.open, &error), error);
  CHECK_OK(clrs_context_export_programs(w.library, NULL, 0, &w.blob_size, &error), error);
  w.blob = malloc(w.blob_size);
  assert_non_null(w.blob);
  CHECK_OK(clrs_context_export_programs(w.library, w.blob, w.blob_size, &w.blob_size, &error),
           error);
}

static bool has_shared_memory(cl_device_id device) {
  enum { DEVICE_SVM_CAPABILITIES = 0x1053 }; /* OpenCL 2.0 */
  cl_bitfield kinds = 0;
  return clGetDeviceInfo(device, DEVICE_SVM_CAPABILITIES, sizeof kinds, &kinds, NULL) ==
             CL_SUCCESS &&
         kinds != 0;
}

void world_open(void) {
  char name[256];
  device_open(&w.device);
  w.has_shared = has_shared_memory(w.device.device);
  (void)usm_open(&w.device);
  w.has_usm = usm_answers();
  w.usm = usm_allocate(&w.device, USM_SHARED, WORLD_BYTES);
  device_open(&w.foreign);
  w.library = device_library(&w.device, NULL);
  w.foreign_library = device_library(&w.foreign, NULL);
  make_buffers();
  w.complete = make_event(w.device.context, CL_COMPLETE);
  w.foreign_event = make_event(w.foreign.context, CL_COMPLETE);
  w.failed_event = make_event(w.device.context, CL_OUT_OF_RESOURCES);
  make_tensors();
  make_indices();
  make_mapped();
  make_programs();
  CL_OK(clGetDeviceInfo(w.device.device, CL_DEVICE_NAME, sizeof name, name, NULL));
  printf("device: %s\n", name);
}

static void release_works(void) {
  clrs_work_release(w.work);
  clrs_work_release(w.open);
  for (size_t i = 0; i < w.refused_count; i++)
    clrs_work_release(w.refused[i]);
}

void world_close(void) {
  cl_mem buffers[] = {w.source,     w.destination, w.numbers,        w.small,
                      w.wrapping,   w.misaligned,  w.foreign_buffer, w.hidden_read_only,
                      w.write_only, w.read_only,   w.image,          w.second_half};
  const cl_event events[] = {w.complete, w.foreign_event, w.failed_event};
  for (size_t i = 0; i < w.tensor_count; i++)
    clrs_tensor_release(w.tensors[i]);
  release_works();
  clrs_context_release(w.library);
  clrs_context_release(w.foreign_library);
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    if (buffers[i])
      CL_OK(clReleaseMemObject(buffers[i]));
  for (size_t i = 0; i < sizeof events / sizeof *events; i++)
    CL_OK(clReleaseEvent(events[i]));
  free(w.blob);
  usm_free(&w.device, w.usm);
  usm_close(&w.device);
  device_close(&w.device);
  device_close(&w.foreign);
}
