/* SPDX-License-Identifier: Apache-2.0 */
#include "common.h"

#include <inttypes.h>
#include <stdlib.h>

#include "dtype.h"
#include "view.h"

/* ---- mappings ---- */

static void release_mapping(clrs__mapping *mapping) {
  if (mapping != NULL) {
    clrs_tensor_release(mapping->source);
    for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
      clrs_tensor_release(mapping->tensors[i]);
    }
    free(mapping);
  }
}

clrs_status clrs__mapping_check_view(const clrs__mapping *mapping, const clrs_view *view,
                                     clrs_error *error) {
  const clrs_bounds bounds = clrs__view_bounds(view);
  const int64_t count = clrs__shape_count(&mapping->mapped.views.source.shape);
  if (view->dtype != mapping->mapped.dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a view of %s of a tensor that is mapped to %s; its type is the map's",
                      clrs__dtype_text(view->dtype), clrs__dtype_text(mapping->mapped.dtype));
  }
  if (!bounds.empty && (bounds.lowest < 0 || bounds.highest >= count)) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the view reads elements %" PRId64 " to %" PRId64
                      " of a mapped tensor that has %" PRId64,
                      bounds.lowest, bounds.highest, count);
  }
  return CLRS_OK;
}

/* ---- common parts ---- */

clrs_status clrs__common_create(const clrs__common *draft, clrs__common **result,
                                clrs_error *error) {
  clrs__common *created = malloc(sizeof *created);
  CLRS_TRY_MEMORY(created, error, "no memory for a tensor");
  if (draft->buffer.given != NULL && draft->allocation == NULL) {
    const cl_int code = clRetainMemObject(draft->buffer.given);
    if (code != CL_SUCCESS) {
      free(created);
      (void)clrs__fail_opencl(error, code, "clRetainMemObject");
      return CLRS_OPENCL_ERROR; /* for analysers: never CLRS_OK */
    }
  }
  *created = *draft;
  atomic_init(&created->references, 1);
  atomic_init(&created->spare, NULL);
  clrs_context_retain(created->context);
  clrs__characters_retain(created->characters);
  if (created->origin != NULL) {
    atomic_fetch_add(&created->origin->references, 1);
  }
  *result = created;
  return CLRS_OK;
}

static void give_bytes_back(clrs__common *common) {
  if (common->allocation != NULL) {
    clrs__allocation_end(&common->context->memory, common->allocation);
  } else if (common->buffer.given != NULL) {
    clReleaseMemObject(common->buffer.given);
  }
  if (common->lender.take_back != NULL) {
    common->lender.take_back(common->lender.lent);
  }
}

static void end(clrs__common *common) {
  give_bytes_back(common);
  clrs__characters_release(common->characters);
  release_mapping(common->mapping);
  clrs_context_release(common->context);
  free(atomic_load(&common->spare));
  free(common);
}

void clrs__common_release(clrs__common *common) {
  if (!clrs__drop_reference(&common->references)) {
    return;
  }
  clrs__common *origin = common->origin; /* the origin has no origin itself */
  end(common);
  if (origin != NULL && clrs__drop_reference(&origin->references)) {
    end(origin);
  }
}

void clrs__common_disown(clrs__common *common) {
  common->lender = (clrs__lender){NULL, NULL};
  common->mapping = NULL;
  if (common->allocation != NULL) {
    common->allocation = NULL;
    common->buffer.given = NULL; /* the allocation's reference */
  }
}

clrs__common *clrs__common_origin(clrs__common *common) {
  return common->origin != NULL ? common->origin : common;
}

clrs_status clrs__common_use(clrs__common *common, cl_command_queue queue, clrs_error *error) {
  clrs__allocation *allocation = clrs__common_origin(common)->allocation;
  return allocation != NULL
             ? clrs__allocation_use(&common->context->memory, allocation, queue, error)
             : CLRS_OK;
}

clrs_status clrs__common_use_until(clrs__common *common, cl_uint count, const cl_event *events,
                                   clrs_error *error) {
  clrs__allocation *allocation = clrs__common_origin(common)->allocation;
  return allocation != NULL ? clrs__allocation_use_until(&common->context->memory, allocation,
                                                         count, events, error)
                            : CLRS_OK;
}
