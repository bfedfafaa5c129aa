/*
 * Requests to the library as data: the request, the tensor, and the expected destination, worked
 * out one element at a time. The fault loops run each request again and again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SCENARIO_H
#define CLRS_TEST_SCENARIO_H

#include "harness/chain.h"
#include "opencl/api.h"

typedef enum request_kind {
  REQUEST_MATERIALIZE, /* with `policy`, into a new tensor */
  REQUEST_RESHAPE,     /* to `pattern`, with `policy` */
  REQUEST_CHAIN,       /* the same, said as a chain */
  REQUEST_MOVE,        /* into the destination, dense */
  REQUEST_CHAIN_INTO,  /* the same, said as a chain that changes nothing */
  REQUEST_PLAN,        /* the same in two calls */
  REQUEST_FILL,
  REQUEST_PAD,     /* by an element on either side of each dim, in `mode` */
  REQUEST_CONCAT,  /* `copies` of the source, along axis 0 */
  REQUEST_STACK,   /* `copies` copies, each with a border behind the last dim */
  REQUEST_MOVES,   /* two copies as two moves in a single call */
  REQUEST_BATCH,   /* the same, prepared */
  REQUEST_GATHER,  /* gathers the rows named by `pattern`, in a buffer */
  REQUEST_SCATTER, /* scatters rows to the named places */
  /* a copy, padded if in a `mode`, and then a copy of the copy, as a prepared work */
  REQUEST_SEQUENCE,
  REQUEST_STRINGS,        /* materialize, with character buffers */
  REQUEST_DEVICE_PATTERN, /* read `pattern` from a buffer, then as REQUEST_RESHAPE */
  REQUEST_READ,           /* into memory of the attempt's */
  REQUEST_ALLOCATE,       /* a new tensor, and a move into this tensor */
  REQUEST_DLPACK,         /* out and in by DLPack, in both forms, and a move of that */
  REQUEST_WARM_UP,
  REQUEST_BLOB /* warm up, export, and import into another context: damaged, then whole */
} request_kind;

typedef enum scenario_way { BY_CALL, IN_BATCH, IN_SEQUENCE } scenario_way;

typedef struct scenario {
  const char *name;
  request_kind kind;
  clrs_dtype dtype;
  clrs_shape shape;
  int64_t strides[4]; /* all 0: dense */
  size_t step_count;
  move steps[3];
  clrs_copy_policy policy;
  clrs_pad_mode mode;
  bool has_chain; /* REQUEST_PAD: operations that change nothing are behind the pad */
  clrs_pattern pattern;
  clrs_execution execution;
  const char *warmed; /* REQUEST_WARM_UP, REQUEST_BLOB */
  int64_t copies;     /* REQUEST_CONCAT and STACK, if not 2 */
  bool is_from_host;  /* the source's buffer is the host's memory */
  bool is_behind;     /* waits for an event that has ended */
  bool is_pooled;     /* a copy is made and released before it, for the pool */
  bool is_mapped;     /* the source, of u8: scenario_map.h */
  scenario_way way;   /* REQUEST_GATHER, REQUEST_SCATTER */
} scenario;

extern const scenario scenarios[];
extern const size_t scenario_count;

/* One try. All objects of an attempt are released, except the library context and the results. */
typedef struct attempt {
  const api *a;
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *wait_list;
  clrs_context *library; /* made if NULL */
  clrs_tensor *result;   /* for kinds with a result */
  cl_event event;
  unsigned char read[API_BYTES]; /* of REQUEST_READ */
  clrs_error error;
} attempt;

clrs_status scenario_run(const scenario *s, attempt *try);
/* A library context of the scenario's execution. */
clrs_status scenario_library(const scenario *s, attempt *try, clrs_context **library);
/* Releases the results of the attempt, but not the library context. */
void attempt_drop(attempt *try);

/* Returns the same request without effect: the destination already holds the elements that the
 * request would write. */
scenario scenario_without_effect(const scenario *s);
/* Writes the contents of the destination before and, by the oracle, after success, API_BYTES
 * each. */
void scenario_expected(const scenario *s, const api *a, unsigned char *destination);
/* Writes the contents before the request into the destination. */
void scenario_reset(const scenario *s, const api *a);
/* Requires the right contents of destination and result after success. */
void scenario_verify(const scenario *s, const attempt *try);
/* Requires that every byte of the destination is as before, or, if `may_be_written`, as before or
 * as after success. */
void scenario_verify_unwritten(const scenario *s, const attempt *try, bool may_be_written);
/* Does success come with an event? */
bool scenario_has_event(const scenario *s);

#endif
