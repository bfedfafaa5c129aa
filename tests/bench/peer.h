/*
 * What the peers written in C share: the cases, buffers in rotation, timing and the comparison of
 * every element, all as in `clreshape bench`, with whose code they are built.
 *
 * A peer is called with a case file and prints one row for each case, with the columns of
 * `clreshape bench --tsv`; copy_gbps and fraction are nan, for compare.py to fill in. What a peer
 * cannot do has the outcome `unsupported`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_TESTS_BENCH_PEER_H
#define CLRESHAPE_TESTS_BENCH_PEER_H

#include "case_list.h"

typedef struct peer_request {
  const bench_case *given;
  uint64_t source_bytes, destination_bytes;
  size_t sets;
} peer_request;

/* How a peer does it. Functions that return a sentence return NULL if all is well. */
typedef struct peer {
  const char *name;
  void *state;
  /* Makes buffers and whatever is planned; a sentence if this case is not for the peer. close is
   * called in either case. */
  const char *(*open)(void *state, const peer_request *request);
  void (*close)(void *state);
  const char *(*write_source)(void *state, size_t set, const void *bytes);
  const char *(*write_destination)(void *state, size_t set, const void *bytes);
  const char *(*read_destination)(void *state, size_t set, void *bytes);
  const char *(*run)(void *state, size_t set); /* returns when the elements are there */
} peer;

/* For main: does it for the file that the command line names. */
int peer_main(const peer *peer, int argc, char **argv);

#endif /* CLRESHAPE_TESTS_BENCH_PEER_H */
