/*
 * CLBlast as a peer: omatcopy, the out-of-place transpose of matrices, on clreshape's OpenCL
 * device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clblast_c.h>
#include <string.h>

#include "host.h"
#include "peer.h"

enum { MOST_SETS = 51 };

typedef struct matrix {
  size_t rows, columns, source_pitch, destination_pitch, source_offset, destination_offset;
  clrs_dtype dtype;
} matrix;

typedef struct clblast {
  cli_host host;
  matrix matrix;
  size_t sets, source_bytes, destination_bytes;
  cl_mem sources[MOST_SETS], destinations[MOST_SETS];
} clblast;

/* The two axes longer than 1, if there are two and the result exchanges the two. */
static const char *find_matrix(const bench_case *given, matrix *found) {
  const clrs_layout *source = &given->source, *destination = &given->destination;
  const bench_stage *stage = &given->stages[0];
  uint32_t axes[2], places[2], count = 0;
  if (given->stage_count > 1) {
    return "a chain";
  }
  for (uint32_t i = 0; i < destination->rank; i++) {
    if (destination->dims[i] > 1) {
      if (count == 2) {
        return "more than two axes";
      }
      places[count] = i;
      axes[count++] = (uint32_t)stage->perm[i];
    }
  }
  if (count < 2 || axes[0] < axes[1] || source->strides[axes[0]] != 1 ||
      destination->strides[places[1]] != 1 || source->strides[axes[1]] < source->dims[axes[0]] ||
      destination->strides[places[0]] < destination->dims[places[1]]) {
    return "no transpose of a matrix";
  }
  *found = (matrix){(size_t)source->dims[axes[1]],
                    (size_t)source->dims[axes[0]],
                    (size_t)source->strides[axes[1]],
                    (size_t)destination->strides[places[0]],
                    (size_t)source->offset,
                    (size_t)destination->offset,
                    given->dtype};
  return found->dtype == CLRS_F32 || found->dtype == CLRS_F64 ? NULL : "no such element type here";
}

static const char *open_peer(void *state, const peer_request *request) {
  clblast *peer = state;
  clrs_error error;
  memset(peer, 0, sizeof *peer);
  peer->source_bytes = request->source_bytes;
  peer->destination_bytes = request->destination_bytes;
  const char *reason = find_matrix(request->given, &peer->matrix);
  if (reason != NULL) {
    return reason;
  }
  if (cli_host_open(NULL, &peer->host, &error) != CLRS_OK) {
    return "no OpenCL device";
  }
  for (peer->sets = 0; peer->sets < request->sets; peer->sets++) {
    cl_mem *const source = &peer->sources[peer->sets];
    *source = clCreateBuffer(peer->host.context, CL_MEM_READ_WRITE, peer->source_bytes, NULL, NULL);
    peer->destinations[peer->sets] =
        clCreateBuffer(peer->host.context, CL_MEM_READ_WRITE, peer->destination_bytes, NULL, NULL);
    if (*source == NULL || peer->destinations[peer->sets] == NULL) {
      return "no device memory";
    }
  }
  return NULL;
}

static void close_peer(void *state) {
  clblast *peer = state;
  for (size_t i = 0; i < MOST_SETS; i++) {
    if (peer->sources[i] != NULL) {
      clReleaseMemObject(peer->sources[i]);
    }
    if (peer->destinations[i] != NULL) {
      clReleaseMemObject(peer->destinations[i]);
    }
  }
  if (peer->host.context != NULL) {
    CLBlastClearCache();
    cli_host_close(&peer->host);
  }
}

/* The return of a blocking write says only that the host's memory is free again. The event says
 * that the bytes are in the buffer. */
static bool write_all(const clblast *peer, cl_mem to, size_t size, const void *bytes) {
  cl_event written = NULL;
  return clEnqueueWriteBuffer(peer->host.queue, to, CL_FALSE, 0, size, bytes, 0, NULL, &written) ==
             CL_SUCCESS &&
         cli_host_wait(written, "clEnqueueWriteBuffer", NULL) == CLRS_OK;
}

static const char *write_source(void *state, size_t set, const void *bytes) {
  const clblast *peer = state;
  return write_all(peer, peer->sources[set], peer->source_bytes, bytes)
             ? NULL
             : "the source cannot be written";
}

static const char *write_destination(void *state, size_t set, const void *bytes) {
  const clblast *peer = state;
  return write_all(peer, peer->destinations[set], peer->destination_bytes, bytes)
             ? NULL
             : "the destination cannot be written";
}

static const char *read_destination(void *state, size_t set, void *bytes) {
  clblast *peer = state;
  return clEnqueueReadBuffer(peer->host.queue, peer->destinations[set], CL_TRUE, 0,
                             peer->destination_bytes, bytes, 0, NULL, NULL) == CL_SUCCESS
             ? NULL
             : "the destination cannot be read";
}

static CLBlastStatusCode enqueue(clblast *peer, size_t set, cl_event *event) {
  const matrix *m = &peer->matrix;
  cl_mem from = peer->sources[set], to = peer->destinations[set];
  cl_command_queue *queue = &peer->host.queue;
  return m->dtype == CLRS_F32
             ? CLBlastSomatcopy(CLBlastLayoutRowMajor, CLBlastTransposeYes, m->rows, m->columns,
                                1.0f, from, m->source_offset, m->source_pitch, to,
                                m->destination_offset, m->destination_pitch, queue, event)
             : CLBlastDomatcopy(CLBlastLayoutRowMajor, CLBlastTransposeYes, m->rows, m->columns,
                                1.0, from, m->source_offset, m->source_pitch, to,
                                m->destination_offset, m->destination_pitch, queue, event);
}

static const char *run(void *state, size_t set) {
  cl_event event = NULL;
  if (enqueue(state, set, &event) != CLBlastSuccess || event == NULL) {
    return "omatcopy failed";
  }
  return cli_host_wait(event, "omatcopy", NULL) == CLRS_OK ? NULL : "omatcopy failed";
}

int main(int argc, char **argv) {
  static clblast state;
  const peer peer = {"clblast",         &state,           open_peer, close_peer, write_source,
                     write_destination, read_destination, run};
  return peer_main(&peer, argc, argv);
}
