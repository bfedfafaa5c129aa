/*
 * clreshape/device.h - a device, the context that holds the programs for the device, and the memory
 * of results. Results lie in the context's pool or in memory of the caller's allocator. clreshape.h
 * states the rules that apply to all headers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_DEVICE_H
#define CLRESHAPE_DEVICE_H

/* The value that OpenCL's headers assume by default, but with a message at each compilation. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The place of a tensor's bytes. For a sub-buffer the library uses the parent, and keeps the bounds
 * of the sub-buffer. The parent, or a buffer without a parent, is the root. */
typedef struct clrs_storage {
  cl_mem buffer;        /* NULL only for tensors without elements */
  uint64_t byte_offset; /* byte of element 0 of the storage, any value */
} clrs_storage;

/* The buffers of a plan. A tensor that is a parameter of a map has its buffer in `steps`, at the
 * step that reads the tensor. A gather or a scatter has indices, and a flag if the plan was made
 * with a flag. All other buffers are NULL. */
typedef struct clrs_plan_buffers {
  cl_mem source, destination;   /* both sides of the move */
  cl_mem steps[CLRS_MAP_STEPS]; /* tensor parameters of the map */
  cl_mem indices, flag;         /* for a gather or scatter */
} clrs_plan_buffers;

/* Memory of clSVMAlloc, or unified shared memory of Intel's extension. */
typedef struct clrs_shared_memory {
  void *pointer;        /* first byte */
  size_t bytes;         /* at most the size of the allocation */
  uint64_t byte_offset; /* byte of element 0 of the storage, any value */
} clrs_shared_memory;

/* -------------------------------------------------------------------------------- allocators
 * An allocator of the caller's gives the memory of every result and of clrs_tensor_allocate. The
 * callbacks may be called from any thread that enqueues or releases. A callback must not call the
 * library. If `allocate` is NULL the library uses clCreateBuffer and the pool below.
 */

/* The memory that a call needs. */
typedef struct clrs_memory_request {
  cl_context context;     /* the context of the buffer */
  cl_command_queue queue; /* queue of the first write, NULL from clrs_tensor_allocate */
  size_t bytes;           /* over 0 */
  size_t alignment;       /* wish for the first byte, in bytes. A smaller alignment is slower */
} clrs_memory_request;

/* Sets *storage to memory that kernels may read and write, anywhere in a buffer of the context.
 * Returns CL_SUCCESS, or an error code, which the call that needs the memory reports. */
typedef cl_int (*clrs_allocate_fn)(void *user_data, const clrs_memory_request *request,
                                   clrs_storage *storage);
/* Takes back the memory when the last tensor of the memory is released. Commands may still use the
 * memory. The memory is free when all events have ended. The events live until the callback
 * returns. The events cover all commands enqueued so far on each queue on which the library used
 * the memory, and on each queue that clrs_tensor_use_on named. The events of
 * clrs_tensor_release_after are included. */
typedef void (*clrs_release_fn)(void *user_data, const clrs_storage *storage, cl_uint event_count,
                                const cl_event *events);

/* An allocator. The callbacks get user_data. */
typedef struct clrs_allocator {
  void *user_data;           /* any value */
  clrs_allocate_fn allocate; /* NULL: the pool */
  clrs_release_fn release;   /* NULL: the tensor owns and releases the buffer */
} clrs_allocator;

/* -------------------------------------------------------------------------------------- pool
 * Results without an allocator of the caller's come from a pool. The bytes of a released result
 * become the bytes of a later result. The pool saves the cost of clCreateBuffer and of page faults
 * in new memory, which together take longer than most moves.
 *
 * On the in-order queue of the result, the bytes are reused at once, because commands there run one
 * after the other. For other queues the bytes wait in the pool. The wait ends when all commands
 * have ended that were enqueued before the release, on all queues that used the result.
 *
 * The library knows the queues of its own calls. The caller reports commands of its own on every
 * other queue. Either clrs_tensor_use_on names the queue, or clrs_tensor_release_after releases the
 * result with the events of the commands. Without a report, such commands may read the bytes of a
 * later result. A caller that keeps the cl_mem of a result must keep the tensor too. A reference to
 * the buffer does not keep the bytes.
 */

enum { CLRS_POOL_AUTO = -1 }; /* an eighth of the device's memory */

/* The state of a pool. */
typedef struct clrs_pool_statistics {
  uint64_t used_bytes;      /* bytes of live results */
  uint64_t idle_bytes;      /* bytes kept for later results, at most the limit */
  uint64_t most_bytes;      /* peak of used_bytes + idle_bytes */
  uint64_t created, reused; /* results in new buffers, and in buffers of the pool */
} clrs_pool_statistics;

/* ------------------------------------------------------------------------------------ device
 * The library's view of a device, for choosing a device and for reports of defects. Nothing is
 * created or changed.
 */

/* How kernels are written for the driver's compiler. The results are the same. */
typedef enum clrs_compile_path {
  CLRS_COMPILE_PATH_PORTABLE, /* OpenCL C 1.2 that also passes through SPIR-V */
  CLRS_COMPILE_PATH_NATIVE    /* for clang that makes machine code: longer vectors, prefetch */
} clrs_compile_path;

enum { CLRS_MAX_DEVICE_NOTES = 8 };

/* Filled by clrs_device_describe. */
typedef struct clrs_device_report {
  clrs_execution execution;       /* the meaning of CLRS_EXECUTION_AUTO on the device, never AUTO */
  clrs_compile_path compile_path; /* the form of the kernels */
  cl_mem_flags buffer_flags; /* flags of a buffer that gets its memory, or fails, at creation */
  cl_ulong max_buffer_bytes; /* bytes of one buffer, 2^64-1 if the driver gives no limit */
  cl_uint most_queues;       /* queues of one context in use at once, 0 for any number */
  size_t note_count;         /* notes in use */
  const char *notes[CLRS_MAX_DEVICE_NOTES]; /* sentences on this driver, static, not to be freed */
} clrs_device_report;

/* Queries the device's driver and the environment variables CLRS_COMPILE_PATH (native or portable)
 * and CLRS_SELF_TEST (0 or 1). CLRS_INVALID_ARGUMENT if a variable has any other value. Creates
 * nothing. Callable from any thread. */
CLRS_CHECKED clrs_status clrs_device_describe(cl_device_id device, clrs_device_report *report,
                                              clrs_error *error);

/* ----------------------------------------------------------------------------------- context
 * The only object with state: the programs and kernels for one (cl_context, device), built at first
 * use, and a lock. One context is enough for a program. Creating a context queries the driver,
 * builds nothing and takes some hundred KB. A context retains the OpenCL objects that it is given.
 * A context is reference-counted, and the last release frees the context. Commands in flight then
 * still finish correctly. Any number of threads may use a context at once, with one queue or
 * several.
 */
typedef struct clrs_context clrs_context;

/* A launch that a call has enqueued. */
typedef struct clrs_launched {
  clrs_launch launch;     /* as in the plan */
  cl_command_queue queue; /* queue of the call */
  cl_event event;         /* event of this launch alone, retain to keep */
  uint64_t bytes_written; /* bytes read are equal, except for fills and maps */
  size_t moves;           /* moves of the launch, over 1 only for works and batches */
  size_t number, count;   /* index of the launch in the call, from 0, and launches of the call */
} clrs_launched;

/* Called after each launch has been enqueued, on the enqueuing thread. The callback must not call
 * the library. The event that a call returns is the event of the launch if there is only one
 * launch. For several launches the returned event is a marker's, or the last launch's if each
 * launch waits for the launch before. Only the events of the launches give the time of each launch.
 */
typedef void (*clrs_observe_fn)(void *user_data, const clrs_launched *launched);

/* A callback for launches. */
typedef struct clrs_observer {
  void *user_data;         /* given to the callback */
  clrs_observe_fn observe; /* NULL: no callback, and no events for the callback */
} clrs_observer;

/* Begin with CLRS_CONTEXT_OPTIONS_INIT, and set context and device. */
typedef struct clrs_context_options {
  size_t struct_size;  /* sizeof(clrs_context_options), so that later versions can add fields */
  cl_context context;  /* the caller's, retained */
  cl_device_id device; /* a device of the context, or a sub-device of such a device */
  clrs_allocator allocator;  /* as above */
  int64_t pool_bytes;        /* most bytes that the pool keeps, 0 for no pool, or CLRS_POOL_AUTO */
  clrs_device_limits limits; /* for all plans of the context */
  clrs_observer observer;    /* called for every launch */
} clrs_context_options;

/* An initializer for clrs_context_options. */
#define CLRS_CONTEXT_OPTIONS_INIT                                                                  \
  {                                                                                                \
    sizeof(clrs_context_options), NULL, NULL, {NULL, NULL, NULL}, CLRS_POOL_AUTO,                  \
        CLRS_DEVICE_LIMITS_INIT, {                                                                 \
      NULL, NULL                                                                                   \
    }                                                                                              \
  }

/* Creates a context. CLRS_INVALID_ARGUMENT if the device is neither in options->context nor a
 * sub-device of such a device. (PoCL lists the whole device in a context that was made for a part.)
 * CLRS_INVALID_ARGUMENT also if clrs_plan_move would refuse the limits. */
CLRS_CHECKED clrs_status clrs_context_create(const clrs_context_options *options,
                                             clrs_context **context, clrs_error *error);
CLRS_API void clrs_context_retain(clrs_context *context);  /* NULL is allowed */
CLRS_API void clrs_context_release(clrs_context *context); /* NULL is allowed */
/* The limits that the context's plans are made for. Pass the limits to clrs_plan_move on the host.
 * max_group_items becomes smaller if a driver allows a kernel smaller groups. A plan that was made
 * before may then fail with CLRS_UNSUPPORTED, and a new plan succeeds. Zeros for NULL. */
CLRS_API clrs_device_limits clrs_context_limits(const clrs_context *context);
/* The state of the pool. Zeros for NULL. */
CLRS_API clrs_pool_statistics clrs_context_pool(clrs_context *context);
/* The self-tests of the context's kernels so far. On a device that is no CPU, and whose driver no
 * test of this library has run on, each kernel is tried before the first use. The kernel moves a
 * small pattern of odd extents, which costs one launch, and the host compares every byte. The
 * environment variable CLRS_SELF_TEST, 1 or 0, turns self-tests on or off for every device. Kernels
 * that map in a gather or a scatter, or resize, are not tried.
 *
 * A wrong kernel is not used. Plans of the context then have a kernel that needs no work-groups. If
 * no such kernel is right, the call fails with CLRS_UNSUPPORTED. A self-test that cannot be made,
 * as for lack of memory, stops no call.
 */
typedef struct clrs_self_test {
  int is_on;                      /* 0 or 1 */
  size_t passed, wrong, untested; /* kernels that the driver does not refuse for their groups */
  char sentence[240];             /* names a wrong kernel, the driver and the byte, or "" */
} clrs_self_test;
/* Zeros for NULL. */
CLRS_API clrs_self_test clrs_context_self_test(clrs_context *context);
/* Gives idle memory back to the driver until the pool keeps at most `bytes` bytes. Memory that has
 * been idle longest goes first. If commands still use the memory, OpenCL frees the memory when the
 * commands end. NULL is allowed. */
CLRS_API void clrs_context_trim_pool(clrs_context *context, uint64_t bytes);

/* ---------------------------------------------------------------------------------- programs
 * A kernel is built when a move first needs the kernel, once per context and for all shapes. A
 * build takes the driver up to some seconds. The functions of this section build ahead of time or
 * avoid the build. The functions block. CLRS_BUILD_FAILURE if a kernel cannot be built, and the
 * message ends with the driver's log. After any failure the context has the earlier programs or
 * more, and still builds on demand.
 *
 * A context holds at most CLRS_MOST_PROGRAMS programs. Moves have at most some 600 kernels on a
 * device, and these kernels stay. Maps, gathers and scatters have a kernel for each pair of types,
 * list of steps and geometry. In a full context a new kernel replaces an imported program that
 * nothing has needed. If there is no such program, the new kernel replaces the least recently used
 * kernel of a map, gather or scatter. A replaced kernel is built again when needed. A kernel that a
 * work holds is never replaced. CLRS_LIMIT_EXCEEDED if such kernels fill the context.
 *
 * The driver decides how much memory a program takes. The memory of a replaced program, or of a
 * released context, returns as far as the driver frees the memory. PoCL 3.1 keeps about 3 MB for
 * each compiled program until the process ends.
 */

enum { CLRS_MOST_PROGRAMS = 800 };

/* The number of programs in the context, built or imported. A program depends on the class, the
 * width of units and of indices, and few or many axes, and never on a shape. 0 for NULL. */
CLRS_API size_t clrs_context_program_count(clrs_context *context);
/* Builds the kernels of a class for units of `unit_bits`, and runs each kernel once on a few units
 * of temporary memory, because drivers compile at the first launch too. Kernels for the following
 * moves are not built here, but at first use: many moves in one launch, positions of 64 bits, a
 * stack of more than 12 axes. On a GPU also more than 8 axes, and 64 GiB and more, for which one
 * launch has too few work-items.
 *
 * An export after the first warm-up or move of each class is complete. Creates a queue for the
 * launch, waits for the launch, and releases the queue. If clrs_device_report allows only one queue
 * in use at once, no other thread may use a queue during the call. CLRS_INVALID_ARGUMENT if the
 * class has no kernel for such units, and for "any". */
CLRS_CHECKED clrs_status clrs_context_warm_up(clrs_context *context, const char *kernel_class,
                                              uint32_t unit_bits, clrs_error *error);
/* Builds the kernels of any plan, and runs one work-group of each launch on temporary memory,
 * because drivers compile at the first launch too. For each operand the memory spans the bytes from
 * the beginning of the buffer to the last element. A queue is created and released as by
 * clrs_context_warm_up.
 *
 * clrs_tensor_plan, clrs_tensor_plan_gather and clrs_tensor_plan_scatter make plans of tensors.
 * clrs_work_warm_up does the same for a work. clrs_context_export_programs can then keep the
 * programs for the next process. */
CLRS_CHECKED clrs_status clrs_context_warm_up_plan(clrs_context *context, const clrs_plan *plan,
                                                   clrs_error *error);
/* Exports the programs of the context as bytes, for a start without compiling. *size is the size in
 * bytes. If `blob` is NULL only *size is set. CLRS_OUT_OF_BOUNDS, and nothing is written, if the
 * programs take more than `capacity` bytes. */
CLRS_CHECKED clrs_status clrs_context_export_programs(clrs_context *context, void *blob,
                                                      size_t capacity, size_t *size,
                                                      clrs_error *error);
/* Makes a name for such a blob from everything that the blob depends on. The name differs for
 * another version of the library, another device, another driver or another compile path. For a CPU
 * device the name also differs for a processor with other abilities, even if the driver reports the
 * same name. The name has digits and letters only, for a file in a cache. */
enum { CLRS_PROGRAMS_NAME_BYTES = 17 };
CLRS_CHECKED clrs_status clrs_context_programs_name(clrs_context *context,
                                                    char name[CLRS_PROGRAMS_NAME_BYTES],
                                                    clrs_error *error);
/* Imports the programs of such a blob. The library copies the blob. Imported programs are not built
 * again. Either all of the blob is imported or nothing. CLRS_LIMIT_EXCEEDED if the context has no
 * room for the programs. CLRS_UNSUPPORTED, with the origin of the blob, if the blob is for another
 * version of the library, device or driver, or, on a CPU, for a processor with other abilities.
 * CLRS_INVALID_ARGUMENT if a byte differs from what was exported.
 *
 * The checksum finds damage, not malice. A blob is code that the driver will run, so import blobs
 * only from sources that you would accept a library from. An import costs a checksum and a copy,
 * which the context keeps. The driver gets a program when the program is first needed. A program
 * that the driver then finds invalid is built from source. */
CLRS_CHECKED clrs_status clrs_context_import_programs(clrs_context *context, const void *blob,
                                                      size_t size, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_DEVICE_H */
