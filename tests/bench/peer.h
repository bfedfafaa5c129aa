/*
 * Shared by the peers written in C: the cases, buffers in rotation, timing and the comparison of
 * every element. All follow `clreshape bench`, and are built with the same code.
 *
 * A peer takes a case file and prints a row for each case, with the columns of `clreshape bench
 * --tsv`. copy_gbps and fraction are nan, for compare.py to fill in. A case that a peer cannot do
 * has the outcome `unsupported`.
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

/* The functions of a peer. Functions that return a sentence return NULL if all is well. */
typedef struct peer {
  const char *name;
  void *state;
  /* Makes buffers and plans. Returns a sentence if this case is not for the peer. close is called
   * in either case. */
  const char *(*open)(void *state, const peer_request *request);
  void (*close)(void *state);
  const char *(*write_source)(void *state, size_t set, const void *bytes);
  const char *(*write_destination)(void *state, size_t set, const void *bytes);
  const char *(*read_destination)(void *state, size_t set, void *bytes);
  const char *(*run)(void *state, size_t set); /* returns when the elements are there */
} peer;

/* For main: runs the peer on the file that the command line names. */
int peer_main(const peer *peer, int argc, char **argv);

#endif /* CLRESHAPE_TESTS_BENCH_PEER_H */
