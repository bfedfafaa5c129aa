/*
 * oneDNN as a peer: the reorder primitive on the CPU, between two strided memories.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dnnl.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { MOST_SETS = 51 };

typedef struct onednn {
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  dnnl_memory_desc_t from, to;
  dnnl_primitive_t primitive;
  size_t sets, source_bytes, destination_bytes;
  dnnl_memory_t sources[MOST_SETS], destinations[MOST_SETS];
  unsigned char *source[MOST_SETS], *destination[MOST_SETS];
} onednn;

/* By width: all 16-bit elements go as bf16, as oneDNN 2.6 moved f16 tens of times slower. */
static dnnl_data_type_t type_of(clrs_dtype dtype) {
  switch (dtype) {
  case CLRS_F32:
    return dnnl_f32;
  case CLRS_F16:
  case CLRS_BF16:
  case CLRS_I16:
  case CLRS_U16:
    return dnnl_bf16;
  case CLRS_I32:
    return dnnl_s32;
  case CLRS_I8:
    return dnnl_s8;
  case CLRS_U8:
    return dnnl_u8;
  default:
    return dnnl_data_type_undef;
  }
}

/* Both sides have the result's dims. Element offsets go into the pointers. */
static const char *describe(onednn *peer, const bench_case *given) {
  const clrs_layout *destination = &given->destination;
  const dnnl_data_type_t type = type_of(given->dtype);
  dnnl_dims_t dims, from_strides, to_strides;
  if (type == dnnl_data_type_undef) {
    return "no such element type";
  }
  if (given->stage_count > 1 || destination->rank > DNNL_MAX_NDIMS) {
    return "a chain, or too many dims";
  }
  for (uint32_t i = 0; i < destination->rank; i++) {
    dims[i] = destination->dims[i];
    from_strides[i] = given->source.strides[given->stages[0].perm[i]];
    to_strides[i] = destination->strides[i];
    if (from_strides[i] <= 0 || to_strides[i] <= 0) {
      return "a stride of 0 or less";
    }
  }
  const int rank = (int)destination->rank;
  return dnnl_memory_desc_create_with_strides(&peer->from, rank, dims, type, from_strides) ==
                     dnnl_success &&
                 dnnl_memory_desc_create_with_strides(&peer->to, rank, dims, type, to_strides) ==
                     dnnl_success
             ? NULL
             : "no memory descriptor for these strides";
}

static const char *create_memories(onednn *peer, const bench_case *given) {
  const size_t width = clrs_dtype_bits(given->dtype) / 8;
  for (size_t i = 0; i < peer->sets; i++) {
    peer->source[i] = aligned_alloc(64, (peer->source_bytes + 63) / 64 * 64);
    peer->destination[i] = aligned_alloc(64, (peer->destination_bytes + 63) / 64 * 64);
    if (peer->source[i] == NULL || peer->destination[i] == NULL ||
        dnnl_memory_create(&peer->sources[i], peer->from, peer->engine,
                           peer->source[i] + (size_t)given->source.offset * width) !=
            dnnl_success ||
        dnnl_memory_create(&peer->destinations[i], peer->to, peer->engine,
                           peer->destination[i] + (size_t)given->destination.offset * width) !=
            dnnl_success) {
      return "no memory";
    }
  }
  return NULL;
}

static const char *open_peer(void *state, const peer_request *request) {
  onednn *peer = state;
  dnnl_primitive_desc_t description = NULL;
  memset(peer, 0, sizeof *peer);
  peer->sets = request->sets;
  peer->source_bytes = request->source_bytes;
  peer->destination_bytes = request->destination_bytes;
  const char *reason = describe(peer, request->given);
  if (reason != NULL) {
    return reason;
  }
  if (dnnl_engine_create(&peer->engine, dnnl_cpu, 0) != dnnl_success ||
      dnnl_stream_create(&peer->stream, peer->engine, dnnl_stream_default_flags) != dnnl_success ||
      dnnl_reorder_primitive_desc_create(&description, peer->from, peer->engine, peer->to,
                                         peer->engine, NULL) != dnnl_success) {
    return "no reorder for it";
  }
  const dnnl_status_t status = dnnl_primitive_create(&peer->primitive, description);
  dnnl_primitive_desc_destroy(description);
  return status == dnnl_success ? create_memories(peer, request->given) : "no primitive for it";
}

static void close_peer(void *state) {
  onednn *peer = state;
  for (size_t i = 0; i < peer->sets; i++) {
    dnnl_memory_destroy(peer->sources[i]);
    dnnl_memory_destroy(peer->destinations[i]);
    free(peer->source[i]);
    free(peer->destination[i]);
  }
  dnnl_memory_desc_destroy(peer->from);
  dnnl_memory_desc_destroy(peer->to);
  dnnl_primitive_destroy(peer->primitive);
  dnnl_stream_destroy(peer->stream);
  dnnl_engine_destroy(peer->engine);
}

static const char *write_source(void *state, size_t set, const void *bytes) {
  onednn *peer = state;
  memcpy(peer->source[set], bytes, peer->source_bytes);
  return NULL;
}

static const char *write_destination(void *state, size_t set, const void *bytes) {
  onednn *peer = state;
  memcpy(peer->destination[set], bytes, peer->destination_bytes);
  return NULL;
}

static const char *read_destination(void *state, size_t set, void *bytes) {
  onednn *peer = state;
  memcpy(bytes, peer->destination[set], peer->destination_bytes);
  return NULL;
}

static const char *run(void *state, size_t set) {
  onednn *peer = state;
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, peer->sources[set]},
                                       {DNNL_ARG_TO, peer->destinations[set]}};
  return dnnl_primitive_execute(peer->primitive, peer->stream, 2, arguments) == dnnl_success &&
                 dnnl_stream_wait(peer->stream) == dnnl_success
             ? NULL
             : "the reorder failed";
}

int main(int argc, char **argv) {
  static onednn state;
  const peer peer = {"onednn",          &state,           open_peer, close_peer, write_source,
                     write_destination, read_destination, run};
  return peer_main(&peer, argc, argv);
}
