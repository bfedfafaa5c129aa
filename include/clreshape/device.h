/*
 * clreshape/device.h - a device, the context that has the programs for it, and where results lie:
 * in a pool of the context's, or where an allocator of the caller's says. clreshape.h says what
 * holds for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_DEVICE_H
#define CLRESHAPE_DEVICE_H

/* What OpenCL's headers take by themselves, with a message at each compilation. */
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

/* Where a tensor's bytes are. A sub-buffer is resolved to its root and its own bounds kept. */
typedef struct clrs_storage {
  cl_mem buffer;        /* NULL only for tensors without elements */
  uint64_t byte_offset; /* of element 0 of the storage, any value */
} clrs_storage;

/* The buffers of a plan. Tensors among the parameters of a map have buffers of their own, at the
 * step that reads the tensor. A gather or a scatter has indices, and a flag if its plan was made
 * with a flag. All others are NULL. */
typedef struct clrs_plan_buffers {
  cl_mem source, destination;
  cl_mem steps[CLRS_MAP_STEPS];
  cl_mem indices, flag;
} clrs_plan_buffers;

/* Shared virtual memory: what clSVMAlloc returned, and how much of it; or unified shared memory. */
typedef struct clrs_shared_memory {
  void *pointer;
  size_t bytes;         /* at most those that were asked for */
  uint64_t byte_offset; /* of element 0 of the storage, any value */
} clrs_shared_memory;

/* -------------------------------------------------------------------------------- allocators
 * An allocator of the caller's gives the memory of every result, and of clrs_tensor_allocate. Its
 * functions may be called from any thread that enqueues or releases, and call nothing of the
 * library. A NULL `allocate` is the library's own: clCreateBuffer, and the pool below.
 */
typedef struct clrs_memory_request {
  cl_context context;
  cl_command_queue queue; /* where it is written first; NULL from clrs_tensor_allocate */
  size_t bytes;           /* over 0 */
  size_t alignment;       /* of the first byte; less works too, and is slower */
} clrs_memory_request;

/* Gives memory that kernels may read and write, anywhere in a buffer of the context. What is not
 * CL_SUCCESS fails the call that needs it, with this code. */
typedef cl_int (*clrs_allocate_fn)(void *user_data, const clrs_memory_request *request,
                                   clrs_storage *storage);
/* Takes the memory back when the last tensor of it is released. Commands may still use it: it is
 * free when all of the events, which live as long as the call, have ended. They cover what has been
 * enqueued so far on each queue that the library used it on, or that clrs_tensor_use_on named, and
 * those that clrs_tensor_release_after was given. */
typedef void (*clrs_release_fn)(void *user_data, const clrs_storage *storage, cl_uint event_count,
                                const cl_event *events);

typedef struct clrs_allocator {
  void *user_data;
  clrs_allocate_fn allocate;
  clrs_release_fn release; /* NULL: the buffer's reference is the tensor's, which releases it */
} clrs_allocator;

/* -------------------------------------------------------------------------------------- pool
 * Results of the library's own come from a pool: the bytes of a result that is released become
 * those of a later one. That spares clCreateBuffer, and the page faults of new memory, which take
 * longer than most moves. On the ordered queue that a result was made on its bytes are handed out
 * again at once, because commands there run one after the other. For any other queue they wait in
 * the pool until all commands have ended that were enqueued when the result was released, on all
 * queues that it was used on. The library knows the queues of its own calls. The caller tells of
 * its own commands on every other queue. Either clrs_tensor_use_on names the queue, or the result
 * is released by clrs_tensor_release_after with the events of the commands. Without either, these
 * commands read the bytes of a later result. Whoever keeps the cl_mem of a result must keep the
 * tensor too: a reference to the buffer does not keep its bytes.
 */

enum { CLRS_POOL_AUTO = -1 }; /* an eighth of the device's memory */

typedef struct clrs_pool_statistics {
  uint64_t used_bytes;      /* of results that live */
  uint64_t idle_bytes;      /* kept for later results; at most the limit */
  uint64_t most_bytes;      /* of both, the most that there ever were */
  uint64_t created, reused; /* results from new buffers, and from those of the pool */
} clrs_pool_statistics;

/* ------------------------------------------------------------------------------------ device
 * What the library makes of a device: for those who choose one, and for reports of defects.
 */

/* How kernels are written for the driver's compiler. Results are the same. */
typedef enum clrs_compile_path {
  CLRS_COMPILE_PATH_PORTABLE, /* OpenCL C 1.2 that also passes through SPIR-V */
  CLRS_COMPILE_PATH_NATIVE    /* for clang where it makes machine code: longer vectors, prefetch */
} clrs_compile_path;

enum { CLRS_MAX_DEVICE_NOTES = 8 };

typedef struct clrs_device_report {
  clrs_execution execution; /* what CLRS_EXECUTION_AUTO means there; never AUTO */
  clrs_compile_path compile_path;
  cl_mem_flags buffer_flags; /* a buffer made with them has its memory at once, or fails at once */
  cl_ulong max_buffer_bytes; /* of one buffer; 2^64-1 if the driver does not tell */
  cl_uint most_queues;       /* of one context that may be used at once; 0 for any number */
  size_t note_count;
  const char *notes[CLRS_MAX_DEVICE_NOTES]; /* sentences on this driver; static, not to be freed */
} clrs_device_report;

/* Asks the device's driver, and the environment's CLRS_COMPILE_PATH (native or portable; any other
 * value is CLRS_INVALID_ARGUMENT). Creates nothing; callable from any thread. */
CLRS_CHECKED clrs_status clrs_device_describe(cl_device_id device, clrs_device_report *report,
                                              clrs_error *error);

/* ----------------------------------------------------------------------------------- context
 * The only object with state: programs and kernels for one (cl_context, device), built when first
 * needed, and a lock. One is enough for a program; making it asks the driver some questions, builds
 * nothing and takes some hundred KB. It retains what it is given. It is reference-counted: the last
 * release frees it, and commands in flight finish unharmed. Any number of threads may use one at
 * once, with one queue or several.
 */
typedef struct clrs_context clrs_context;

/* A launch that a call has enqueued. */
typedef struct clrs_launched {
  clrs_launch launch;
  cl_command_queue queue;
  cl_event event;         /* of this launch alone; retain it to keep it */
  uint64_t bytes_written; /* it reads as many, but where it fills or maps */
  size_t moves;           /* that it carries out: more than one only of a work and the like */
  size_t number, count;   /* which launch of how many of the call, from 0 */
} clrs_launched;

/* Is told of each launch right after it was enqueued, by the thread that enqueues; calls nothing of
 * the library. The event that a call gives to its caller is that of its launch, if there is one;
 * else of a marker behind all of them, or of the last where each waits for the one before it. Only
 * the launches' own events tell what each took. */
typedef void (*clrs_observe_fn)(void *user_data, const clrs_launched *launched);

typedef struct clrs_observer {
  void *user_data;
  clrs_observe_fn observe; /* NULL: nobody is told, and launches get no events for it */
} clrs_observer;

typedef struct clrs_context_options {
  size_t struct_size; /* sizeof(clrs_context_options): lets later versions add fields */
  cl_context context;
  cl_device_id device;      /* one of the context's devices, or a sub-device of one */
  clrs_allocator allocator; /* as above */
  int64_t pool_bytes;       /* that the pool may keep for later results; 0: none; CLRS_POOL_AUTO */
  clrs_device_limits limits;
  clrs_observer observer;
} clrs_context_options;

#define CLRS_CONTEXT_OPTIONS_INIT                                                                  \
  {                                                                                                \
    sizeof(clrs_context_options), NULL, NULL, {NULL, NULL, NULL}, CLRS_POOL_AUTO,                  \
        CLRS_DEVICE_LIMITS_INIT, {                                                                 \
      NULL, NULL                                                                                   \
    }                                                                                              \
  }

/* CLRS_INVALID_ARGUMENT if the device is neither one of the context's nor a sub-device of one (PoCL
 * lists the whole device in a context made for a part), or the limits are not such as
 * clrs_plan_move takes. */
CLRS_CHECKED clrs_status clrs_context_create(const clrs_context_options *options,
                                             clrs_context **context, clrs_error *error);
CLRS_API void clrs_context_retain(clrs_context *context);  /* NULL is allowed */
CLRS_API void clrs_context_release(clrs_context *context); /* NULL is allowed */
/* What the context's plans are made for: for clrs_plan_move on the host. Zeros for NULL. */
CLRS_API clrs_device_limits clrs_context_limits(const clrs_context *context);
/* How the pool of its results stands. Zeros for NULL. */
CLRS_API clrs_pool_statistics clrs_context_pool(clrs_context *context);
/* Gives idle memory back to the driver, what has been idle longest first, until the pool keeps at
 * most so many bytes. Memory that commands still use is freed by OpenCL when they end. NULL is
 * allowed. */
CLRS_API void clrs_context_trim_pool(clrs_context *context, uint64_t bytes);

/* ---------------------------------------------------------------------------------- programs
 * A kernel is built when a move first needs it, once for a context, whatever the shapes: that takes
 * the driver up to some seconds. These functions do it beforehand, or spare it. They block. What
 * cannot be built is CLRS_BUILD_FAILURE, whose message ends in the driver's log. After any failure
 * the context has the programs that it had, or more of them, and builds what it needs.
 *
 * A context holds at most CLRS_MOST_PROGRAMS. Moves have at most 342 kernels on a device, which
 * stay. Maps, gathers and scatters have a kernel for each pair of types, list of steps and
 * geometry. Where one more finds no room, an imported program that nothing has needed is given up
 * for it. If there is none, the kernel of a map, gather or scatter that was used longest ago is
 * given up, and is built again when it is needed. A kernel that a work has is never
 * given up. CLRS_LIMIT_EXCEEDED says that these fill the context. The driver decides how
 * much memory a program takes. Memory of a program that was given up, or of a released context,
 * comes back as far as the driver frees it. PoCL 3.1 keeps about 3 MB for each program that it
 * compiled until the process ends.
 */

enum { CLRS_MOST_PROGRAMS = 800 };

/* How many programs the context has, built or imported: they are for a class, a width of units and
 * of indices, few axes or many, never for a shape. 0 for NULL. */
CLRS_API size_t clrs_context_program_count(clrs_context *context);
/* Builds, and runs once on a few units of its own, what a move by this class in units of
 * `unit_bits` would otherwise build at its first use: drivers compile at the first launch too. Many
 * moves in one launch, a move whose positions need 64 bits, one of more than 8 axes on a GPU, or
 * through a stack of more than 12, and one for which a GPU launch has too few work-items (64 GiB
 * and more) have kernels of their own, which are built at their first use. Programs exported after
 * the first warm-up or move of each class are complete. Creates a queue for its launch, waits for
 * the launch, and releases both: where clrs_device_report says that only one queue may be used at
 * once, no other thread may use its own meanwhile. A class that has no kernel for such units, and
 * "any", are CLRS_INVALID_ARGUMENT. */
CLRS_CHECKED clrs_status clrs_context_warm_up(clrs_context *context, const char *kernel_class,
                                              uint32_t unit_bits, clrs_error *error);
/* Builds the kernels of a plan of clrs_plan_move or clrs_plan_fill, and runs one work-group of each
 * launch on memory of the library's: drivers compile at the first launch too. The memory has, for
 * each operand, as many bytes as lie between the beginning of the buffer and the last element. A
 * queue is made and released as by clrs_context_warm_up. clrs_tensor_plan, _plan_gather and
 * _plan_scatter make plans of tensors, also through a map. clrs_work_warm_up does the same for a
 * work. Then clrs_context_export_programs keeps the programs for the next process. */
CLRS_CHECKED clrs_status clrs_context_warm_up_plan(clrs_context *context, const clrs_plan *plan,
                                                   clrs_error *error);
/* The programs of the context, as bytes to be kept, for a start without compiling. *size is what
 * they take. With blob NULL that is all; else they are written to it, and if they take more than
 * `capacity` bytes nothing is and the answer is CLRS_OUT_OF_BOUNDS. */
CLRS_CHECKED clrs_status clrs_context_export_programs(clrs_context *context, void *blob,
                                                      size_t capacity, size_t *size,
                                                      clrs_error *error);
/* A name for such a blob that tells what it is good for: it differs for another version of the
 * library, device, driver or way of compiling, and for a CPU device on a processor that can do
 * other things, also if the driver calls it the same. Digits and letters, for a file of a cache. */
enum { CLRS_PROGRAMS_NAME_BYTES = 17 };
CLRS_CHECKED clrs_status clrs_context_programs_name(clrs_context *context,
                                                    char name[CLRS_PROGRAMS_NAME_BYTES],
                                                    clrs_error *error);
/* Takes the programs of such a blob, which may then go; what they are for is not built again. More
 * programs than the context has room for are CLRS_LIMIT_EXCEEDED. The blob must be of this version
 * of the library, this device, for a CPU a processor that can do the same, and this version of its
 * driver (CLRS_UNSUPPORTED says whose it is), and as it was written (else CLRS_INVALID_ARGUMENT):
 * all of it is checked, and all of it is taken or nothing. The checksum finds damage, not malice: a
 * blob is code that the driver will run, so take it only from where you would take a library. It
 * costs a checksum and a copy, which the context keeps: the driver is given a program when it is
 * first needed, and one that it then does not take for valid is built from source. */
CLRS_CHECKED clrs_status clrs_context_import_programs(clrs_context *context, const void *blob,
                                                      size_t size, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_DEVICE_H */
