/*
 * The parameters of the public functions with a device, and the valid and invalid objects for rows.
 * matrix.h says how to read rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_NEGATIVE_RUNTIME_H
#define CLRS_TEST_NEGATIVE_RUNTIME_H

#include "dlpack_abi.h"
#include "harness/device.h"
#include "harness/works.h"
#include "matrix.h"
#include "rows.h"

enum { WORLD_BYTES = 1024, ELEMENT_BYTES = 96 }; /* bytes of a buffer, and of f32 [6, 4] */

/* Made once. Fields without a comment are valid objects. */
typedef struct world {
  test_device device, foreign; /* two cl_contexts on the same device */
  clrs_context *library, *foreign_library;
  cl_mem source, destination, numbers;
  cl_mem small; /* a byte less than the elements need */
  cl_mem read_only, write_only;
  cl_mem hidden_read_only; /* a writable part of the former, if the driver makes such a part */
  /* a part with begin and size that wrap around, if the driver makes such a part */
  cl_mem wrapping;
  cl_mem misaligned;  /* memory of the host's that begins at an odd byte */
  cl_mem second_half; /* of the source */
  cl_mem foreign_buffer;
  cl_mem image; /* NULL if the device has no images */
  cl_event complete, foreign_event, failed_event;
  clrs_tensor *transposed, *target, *half, *strings; /* f32 [6,4], [6,4], [3,4]; strings [4] */
  clrs_tensor *foreign_tensor, *other_shape, *other_rank, *other_dtype, *over_source, *repeated;
  clrs_tensor *straddling, *into_read_only, *of_write_only, *nothing, *nothing_write_only;
  clrs_tensor *mapped;          /* f32 [6,4] to u8 */
  clrs_tensor *slot;            /* of number 0, f32 [6,4] */
  clrs_tensor *mapped_slot;     /* the same, to u8 */
  clrs_tensor *row, *short_row; /* f32 [4], [3] */
  clrs_tensor *corner, *behind; /* f32 [2,2] of [6,4], and [6,4] behind that */
  /* f32 [24], where many slices would need a walk more than a stack has, [48] and [6,24] */
  clrs_tensor *deep, *deep_of_source, *longer, *sheet;
  clrs_tensor *pair, *pair_of_source; /* f32 [2,4] */
  clrs_tensor *index, *deep_index,
      *index_in_destination; /* i64 of 2 elements, the second of 32 dims */
  clrs_tensor *write_only_index;
  clrs_tensor *flag, *two_flags, *flag_to_read, *flag_at_odd_byte; /* u32, except one of [] */
  clrs_tensor *flag_in_source, *flag_in_index, *flag_in_destination;
  clrs_tensor *tensors[64]; /* all of them */
  size_t tensor_count;
  clrs_work *work;        /* prepared, of world_tasks */
  clrs_work *open;        /* which takes tasks */
  clrs_work *refused[64]; /* which cannot be prepared */
  size_t refused_count;
  clrs_plan plan;
  size_t blob_size, character_count, deletions; /* of tensors that DLPack lends */
  unsigned char *blob;
  bool has_shared, has_usm; /* shared memory, on the device */
  void *usm;                /* WORLD_BYTES bytes on the device, or a stand-in */
  _Alignas(128) unsigned char shared[WORLD_BYTES];
  unsigned char poison[WORLD_BYTES], read[WORLD_BYTES], memory[WORLD_BYTES + 128];
} world;

extern world w;

/* A move from slot 0 to slot 1, and a pad within that. */
void world_tasks(test_task tasks[2]);
/* A work of this task, not prepared. */
clrs_work *world_work(const test_task *task);
/* To u8, divided and shifted by two numbers along the first dim. */
clrs_map world_map(void);
/* A chain that reshapes and permutes 24 elements until the stack of walks is full. */
extern const char world_turns[];
void world_open(void);
void world_close(void);

struct arguments {
  struct said say;
  /* in, named as in the headers */
  clrs_context *context;
  cl_device_id device;
  clrs_context_options *options;
  const char *kernel_class;
  uint32_t unit_bits;
  uint64_t bytes;
  void *blob;
  size_t capacity, size, count;
  clrs_storage *storage;
  clrs_shared_memory *shared;
  clrs_layout *layout;
  clrs_dtype dtype;
  size_t rank;
  const int64_t *dims;
  clrs_shape *shape;
  clrs_view *view;
  clrs_tensor *tensor, *source, *destination;
  clrs_map *map;
  clrs_mapped *mapped;
  clrs_parameter_tensors *tensors;
  cl_mem buffer;
  const cl_mem *buffers;
  clrs_plan_buffers *buffers__plan;
  clrs_rules *rules;
  clrs_pattern *pattern;
  const char *chain;
  clrs_chain *chain__parsed;
  clrs_copy_policy policy;
  clrs_work *work;
  uint32_t slot;
  size_t slot_count;
  clrs_slot *slots;
  clrs_plan *plan;
  void *memory;
  const void *element;
  clrs_padding *padding;
  clrs_stack *stack;
  clrs_indices *indices;
  struct DLManagedTensor *managed;
  struct DLManagedTensorVersioned *managed__versioned;
  int32_t device_id;
  clrs_tensor *const *sources;
  int64_t axis;
  cl_command_queue queue;
  clrs_on *on;
  cl_uint wait_count;
  const cl_event *waits;
  /* out */
  clrs_device_report *report_out;
  clrs_context **context_out;
  clrs_tensor **tensor_out, **result_out;
  clrs_work **work_out;
  clrs_plan *plan_out;
  clrs_pattern *pattern_out;
  cl_event *event_out;
  size_t *size_out, *count_out;
  char *name_out;
  clrs_byte_range *bytes_out;
  struct DLManagedTensor **managed_out;
  struct DLManagedTensorVersioned **managed__versioned_out;
  /* targets of the pointers */
  clrs_context_options one_options;
  clrs_storage one_storage;
  clrs_plan_buffers plan_buffers;
  clrs_shared_memory one_shared;
  clrs_layout one_layout;
  clrs_shape one_shape;
  clrs_view one_view;
  clrs_map one_map;
  clrs_mapped one_mapped;
  clrs_parameter_tensors one_tensors;
  clrs_rules one_rules;
  clrs_chain one_chain;
  clrs_pattern one_pattern;
  clrs_slot given[2];
  clrs_padding one_padding;
  clrs_stack one_stack;
  clrs_on one_on;
  clrs_indices one_indices;
  struct DLManagedTensor one_managed;
  struct DLManagedTensorVersioned one_versioned;
  clrs_tensor *halves[2], *rows[6];
  int64_t one_list[4];
  unsigned char one_blob[8];
  struct {
    clrs_device_report report;
    clrs_context *context;
    clrs_tensor *tensor, *result;
    clrs_work *work;
    struct DLManagedTensor *managed;
    struct DLManagedTensorVersioned *versioned;
    clrs_pattern pattern;
    clrs_byte_range bytes;
    cl_event event;
  } made;
};

#define EVENTS(...) ((const cl_event[]){__VA_ARGS__})
#define BUFFERS(...) ((const cl_mem[]){__VA_ARGS__})
#define TENSORS(...) ((clrs_tensor *const[]){__VA_ARGS__})

#define NULL_OF(parameter, name) ROW(parameter, NULL, CLRS_INVALID_ARGUMENT, name " is NULL")

/* Rows that every call with a queue shares. */
#define QUEUE_ROWS                                                                                 \
  ROW(on, NULL, CLRS_INVALID_ARGUMENT, "on->queue is NULL")                                        \
  NULL_OF(on->queue, "on->queue")                                                                  \
  ROW(on->queue, w.foreign.queue, CLRS_INVALID_ARGUMENT, "the queue is of context")                \
  ROW(on->wait_count, 1, CLRS_INVALID_ARGUMENT, "wait_count is 1 and waits is NULL")               \
  ROW(on->wait_count, UINT32_MAX, CLRS_INVALID_ARGUMENT, "wait_count is 4294967295 and waits")     \
  ROW(on->waits, EVENTS(w.complete), CLRS_INVALID_ARGUMENT, "wait_count is 0 and waits is not")    \
  ROW_IF(a->one_on.wait_count = 1, on->waits, EVENTS(NULL), CLRS_INVALID_ARGUMENT,                 \
         "an event in the wait list is NULL")                                                      \
  ROW_IF(a->one_on.wait_count = 2, on->waits, EVENTS(w.complete, w.foreign_event),                 \
         CLRS_INVALID_ARGUMENT, "it is number 1 of 2")                                             \
  ROW_IF(a->one_on.wait_count = 1, on->waits, EVENTS(w.failed_event), CLRS_OPENCL_ERROR,           \
         "before this call, failed with OpenCL error -5")                                          \
  ROW_IF(a->one_on.wait_count = 1, on->waits, EVENTS(w.complete), CLRS_OK, "")

/* The last parameters of enqueuing functions. */
#define ON_QUEUE a->on, a->event_out

#define ENQUEUE_ROWS                                                                               \
  QUEUE_ROWS                                                                                       \
  TAKES(event_out, NULL)

/* For pads with operations behind. */
__attribute__((unused)) static const clrs_chain empty_chain;
__attribute__((unused)) static const clrs_rules wrong_rules = {(clrs_dialect)9, CLRS_ZERO_COPIES};

/* A call with a destination makes a result in place of that. */
#define NEW (a->destination = NULL, a->result_out = &a->made.result)
/* Rows that every call with a target shares. */
#define TARGET_ROWS                                                                                \
  ROW_IF(NEW, event_out, NULL, CLRS_OK, "")                                                        \
  ROW_IF(NEW, result_out, NULL, CLRS_INVALID_ARGUMENT, "destination and result are both NULL")     \
  ROW(destination, NULL, CLRS_INVALID_ARGUMENT, "destination and result are both NULL")            \
  ROW_IF((void)0, result_out, &a->made.result, CLRS_INVALID_ARGUMENT, "both given")

#endif
