/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "poison.h"
#include "program_binary.h"
#include "table.h"

/* ---- life ---- */

static clrs_status check_options(const clrs_context_options *options, cl_device_id *listed,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(options, "options", error));
  if (options->struct_size != sizeof *options) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "options->struct_size is %zu; it must be %zu (CLRS_CONTEXT_OPTIONS_INIT)",
                      options->struct_size, sizeof *options);
  }
  CLRS_TRY(clrs__limits_check(&options->limits, error));
  if (options->allocator.allocate == NULL && options->allocator.release != NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "options->allocator has a release and no allocate; what is its own to take "
                      "back?");
  }
  if (options->pool_bytes < CLRS_POOL_AUTO) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "options->pool_bytes is %" PRId64 "; it must be bytes, or CLRS_POOL_AUTO",
                      options->pool_bytes);
  }
  return clrs__check_device(options->context, options->device, listed, error);
}

static clrs_status choose_pool(const clrs_context_options *options, const clrs__quirks *quirks,
                               clrs__pool *pool, clrs_error *error) {
  cl_ulong bytes = 0;
  pool->may_mark = !quirks->markers_wait_for_one;
  pool->limit = (uint64_t)options->pool_bytes;
  if (options->pool_bytes == CLRS_POOL_AUTO) {
    CLRS_TRY_OPENCL(
        "clGetDeviceInfo",
        clGetDeviceInfo(options->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL),
        error);
    pool->limit = bytes / 8;
  }
  return CLRS_OK;
}

/* Asks the driver for everything that is needed, before any object is retained. */
static clrs_status choose_settings(const clrs_context_options *options, clrs_context *made,
                                   clrs_error *error) {
  cl_device_id listed = NULL;
  CLRS_TRY(check_options(options, &listed, error));
  CLRS_TRY(clrs__check_profile(options->device, &made->has_few_arguments, error));
  CLRS_TRY(clrs__quirks_of(options->device, &made->quirks, error));
  made->limits = options->limits;
  if (options->limits.required_class != NULL) { /* the name that is static */
    made->limits.required_class =
        clrs_class_name(clrs__class_named(options->limits.required_class));
  }
  CLRS_TRY(clrs__choose_execution(options->device, options->limits.execution,
                                  &made->limits.execution, error));
  CLRS_TRY(clrs__limit_groups(options->device, &made->limits, error));
  atomic_init(&made->group_items, made->limits.max_group_items);
  CLRS_TRY(clrs__device_arithmetic(options->device, made->quirks.keeps_excess, &made->arithmetic,
                                   error));
  made->kernels.target = (clrs__program_target){.context = options->context,
                                                .device = listed,
                                                .compile_path = made->quirks.compile_path,
                                                .never_inlines = made->quirks.never_inlines,
                                                .inlines_first = made->quirks.inlines_first,
                                                .loses_static = made->quirks.loses_static,
                                                .lacks_keywords = made->quirks.lacks_keywords,
                                                .copies_words = made->quirks.copies_words,
                                                .words_in_buffer = made->quirks.copies_words ||
                                                                   made->has_few_arguments,
                                                .processor = made->quirks.processor};
  made->opencl = options->context;
  made->device = options->device;
  made->memory.context = options->context;
  made->memory.buffer_flags = made->quirks.buffer_flags;
  made->memory.allocator = options->allocator;
  made->observer = options->observer;
  return choose_pool(options, &made->quirks, &made->memory.pool, error);
}

static clrs_status start(clrs_context *made, clrs_error *error) {
  CLRS_TRY_OPENCL("clRetainContext", clRetainContext(made->opencl), error);
  if (!clrs__lock_start(&made->lock)) {
    clReleaseContext(made->opencl);
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a lock");
  }
  const clrs_status status = clrs__pool_start(&made->memory.pool, error);
  if (status != CLRS_OK) {
    clrs__lock_end(&made->lock);
    clReleaseContext(made->opencl);
    return status;
  }
  atomic_init(&made->references, 1);
  return CLRS_OK;
}

clrs_status clrs_context_create(const clrs_context_options *options, clrs_context **context,
                                clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  clrs_context *made = calloc(1, sizeof *made);
  CLRS_TRY_MEMORY(made, error, "no memory for a context");
  clrs_status status = choose_settings(options, made, error);
  if (status == CLRS_OK) {
    status = start(made, error);
  }
  if (status != CLRS_OK) {
    free(made);
    return status;
  }
  *context = made;
  return CLRS_OK;
}

void clrs_context_retain(clrs_context *context) {
  if (context != NULL) {
    atomic_fetch_add(&context->references, 1);
  }
}

/* If a read may still write into the context's memory, the memory is never freed, because a driver
 * may use the memory at any time. */
void clrs_context_release(clrs_context *context) {
  if (context == NULL || atomic_fetch_sub(&context->references, 1) > 1) {
    return;
  }
  clrs__pool_destroy(&context->memory.pool);
  clrs__kernel_store_destroy(&context->kernels);
  clrs__held_events_destroy(&context->held);
  clrs__lock_end(&context->lock);
  clReleaseContext(context->opencl);
  if (clrs__read_slots_end(&context->reads)) {
    free(context);
  } else {
    CLRS__ABANDON(context);
  }
}

clrs_device_limits clrs_context_limits(const clrs_context *context) {
  clrs_device_limits limits = {0};
  if (context != NULL) {
    limits = context->limits;
    limits.max_group_items = clrs__context_groups(context);
  }
  return limits;
}

clrs_pool_statistics clrs_context_pool(clrs_context *context) {
  clrs_pool_statistics statistics = {0};
  if (context != NULL) {
    clrs__lock_take(&context->memory.pool.lock);
    statistics = context->memory.pool.statistics;
    clrs__lock_leave(&context->memory.pool.lock);
  }
  return statistics;
}

void clrs_context_trim_pool(clrs_context *context, uint64_t bytes) {
  if (context != NULL) {
    (void)clrs__pool_trim(&context->memory.pool, bytes);
  }
}

/* ---- its programs ---- */

size_t clrs_context_program_count(clrs_context *context) {
  if (context == NULL) {
    return 0;
  }
  clrs__lock_take(&context->lock);
  const size_t count = context->kernels.count + context->kernels.kept_count;
  clrs__lock_leave(&context->lock);
  return count;
}

clrs_status clrs_context_programs_name(clrs_context *context, char name[CLRS_PROGRAMS_NAME_BYTES],
                                       clrs_error *error) {
  char identity[CLRS__IDENTITY_BYTES];
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(name, "name", error));
  CLRS_TRY(clrs__programs_identity(&context->kernels.target, identity, sizeof identity, error));
  const uint64_t sum =
      clrs__checksum_add(CLRS__CHECKSUM_START, (const unsigned char *)identity, strlen(identity));
  snprintf(name, CLRS_PROGRAMS_NAME_BYTES, "%016" PRIx64, sum);
  return CLRS_OK;
}

clrs_status clrs_context_export_programs(clrs_context *context, void *blob, size_t capacity,
                                         size_t *size, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(size, "size", error));
  size_t needed = 0;
  clrs__lock_take(&context->lock);
  const clrs_status status =
      clrs__kernel_store_export(&context->kernels, blob, capacity, &needed, error);
  clrs__lock_leave(&context->lock);
  CLRS_TRY(status);
  *size = needed;
  if (blob != NULL && needed > capacity) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the programs take %zu bytes; the blob has room for %zu", needed, capacity);
  }
  return CLRS_OK;
}

clrs_status clrs_context_import_programs(clrs_context *context, const void *blob, size_t size,
                                         clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(blob, "blob", error));
  clrs__lock_take(&context->lock);
  const clrs_status status =
      clrs__kernel_store_import(&context->kernels, (clrs__bytes){blob, size}, error);
  clrs__lock_leave(&context->lock);
  return status;
}

/* ---- what the other modules ask ---- */

static clrs_status find_kernel(clrs_context *context, clrs__variant variant,
                               clrs__held_kernel *held, clrs_error *error) {
  clrs__lock_take(&context->lock);
  const clrs_status status = clrs__kernel_store_find(&context->kernels, variant, held, error);
  clrs__lock_leave(&context->lock);
  return status;
}

/* Some drivers of phones now and then say that a build has no resources, and the next build
 * succeeds. */
static bool is_short(const clrs_error *said) {
  return said->status == CLRS_BUILD_FAILURE &&
         (said->opencl_code == CL_OUT_OF_RESOURCES || said->opencl_code == CL_OUT_OF_HOST_MEMORY);
}

clrs_status clrs__context_kernel(clrs_context *context, clrs__variant variant,
                                 clrs__held_kernel *held, clrs_error *error) {
  clrs_error said, again; /* written only by a failure. The first failure is reported */
  clrs_status status = find_kernel(context, variant, held, &said);
  if (status != CLRS_OK && is_short(&said)) {
    (void)clrs__pool_trim(&context->memory.pool, 0);
    status = find_kernel(context, variant, held, &again) == CLRS_OK ? CLRS_OK : said.status;
  }
  if (status != CLRS_OK && error != NULL) {
    *error = said;
  }
  return status;
}

void clrs__context_limit_groups(clrs_context *context, size_t items) {
  clrs__lock_take(&context->lock);
  if (items < clrs__context_groups(context)) {
    atomic_store(&context->group_items, (unsigned)items);
    clrs__plan_cache_forget(&context->plans);
  }
  clrs__lock_leave(&context->lock);
}

uint32_t clrs__context_groups(const clrs_context *context) {
  return atomic_load(&context->group_items);
}

bool clrs__context_plans_again(const clrs_context *context, clrs_status status, uint32_t *groups,
                               clrs_error *error) {
  const uint32_t before = *groups;
  *groups = clrs__context_groups(context);
  if (status != CLRS_UNSUPPORTED || *groups >= before) {
    return false;
  }
  if (error != NULL) {
    *error = (clrs_error){.status = CLRS_OK};
  }
  return true;
}

void clrs__context_hold_events(clrs_context *context, size_t count, const cl_event *events) {
  if (!context->quirks.loses_events) {
    for (size_t i = 0; i < count; i++) {
      clReleaseEvent(events[i]);
    }
    return;
  }
  clrs__lock_take(&context->lock);
  clrs__held_events_add(&context->held, count, events);
  clrs__lock_leave(&context->lock);
}

clrs_status clrs__context_plan(clrs_context *context, const clrs_move *move, clrs_plan *plan,
                               clrs_error *error) {
  clrs__lock_take(&context->lock);
  const bool found = clrs__plan_cache_find(&context->plans, move, plan);
  clrs__lock_leave(&context->lock);
  if (found) {
    return CLRS_OK;
  }
  const clrs_device_limits limits = clrs_context_limits(context);
  CLRS_TRY(clrs__plan_move(move, &limits, plan, error));
  if (plan->launch_count > 0) { /* planning an alias is faster than searching the cache */
    clrs__lock_take(&context->lock);
    if (limits.max_group_items == clrs__context_groups(context)) {
      clrs__plan_cache_keep(&context->plans, move, plan);
    }
    clrs__lock_leave(&context->lock);
  }
  return CLRS_OK;
}
