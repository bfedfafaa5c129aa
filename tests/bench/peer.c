/*
 * The measurement that the peers written in C share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "peer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "stats.h"

enum { LEAST_REPETITIONS = 7, MOST_SETS = 51, POISON = 0xa5 };

typedef struct measurement {
  const peer *peer;
  peer_request request;
  unsigned char *source, *poison, *expected, *found;
  size_t repetitions, done;
  double seconds[MOST_SETS + LEAST_REPETITIONS], plan;
  bool right;
} measurement;

static uint64_t rotation_bytes(void) {
  const char *given = getenv("PEER_ROTATION_BYTES");
  return given != NULL ? strtoull(given, NULL, 10) : (uint64_t)600 << 20;
}

/* Makes every floating-point element a normal number, because a peer that multiplies by 1 may
 * change the bits of other values. The poison is already normal. */
static void tame(clrs_dtype dtype, unsigned char *image, uint64_t bytes) {
  for (uint64_t i = 0; dtype == CLRS_F32 && i + 4 <= bytes; i += 4) {
    image[i + 3] &= 0xbf;
    image[i + 2] |= 0x80;
  }
  for (uint64_t i = 0; dtype == CLRS_F16 && i + 2 <= bytes; i += 2) {
    image[i + 1] = (unsigned char)((image[i + 1] & 0xbf) | 0x04);
  }
  for (uint64_t i = 0; dtype == CLRS_F64 && i + 8 <= bytes; i += 8) {
    image[i + 7] &= 0xbf;
    image[i + 6] |= 0x20;
  }
}

static const char *make_images(measurement *run) {
  const peer_request *request = &run->request;
  const clrs_dtype dtype = request->given->dtype;
  run->source = malloc(request->source_bytes);
  run->poison = malloc(request->destination_bytes);
  run->expected = malloc(request->destination_bytes);
  run->found = malloc(request->destination_bytes);
  if (!run->source || !run->poison || !run->expected || !run->found) {
    return "out of memory";
  }
  bench_fill_source(dtype, run->source, request->source_bytes);
  memset(run->poison, POISON, request->destination_bytes);
  memcpy(run->expected, run->poison, request->destination_bytes);
  bench_write_expected(request->given, run->expected);
  tame(dtype, run->source, request->source_bytes);
  tame(dtype, run->expected, request->destination_bytes);
  return NULL;
}

static const char *prepare(measurement *run) {
  const peer *peer = run->peer;
  const double begin = bench_now();
  const char *reason =
      run->request.given->is_batch ? "no batches" : peer->open(peer->state, &run->request);
  run->plan = bench_now() - begin;
  for (size_t i = 0; i < run->request.sets && reason == NULL; i++) {
    reason = peer->write_source(peer->state, i, run->source);
    reason = reason == NULL ? peer->write_destination(peer->state, i, run->poison) : reason;
  }
  return reason == NULL ? peer->run(peer->state, 0) : reason;
}

static const char *run_round(measurement *run) {
  const peer *peer = run->peer;
  const size_t left = run->repetitions - run->done;
  const size_t sets = left < run->request.sets ? left : run->request.sets;
  const char *reason = NULL;
  for (size_t i = 0; i < sets && reason == NULL; i++) {
    reason = peer->write_destination(peer->state, i, run->poison);
  }
  for (size_t i = 0; i < sets && reason == NULL; i++) {
    const double begin = bench_now();
    reason = peer->run(peer->state, i);
    run->seconds[run->done++] = bench_now() - begin;
  }
  for (size_t i = 0; i < sets && reason == NULL; i++) {
    reason = peer->read_destination(peer->state, i, run->found);
    run->right =
        run->right && memcmp(run->found, run->expected, run->request.destination_bytes) == 0;
  }
  return reason;
}

static const char *run_all(measurement *run) {
  const char *reason = make_images(run);
  const size_t sets = run->request.sets;
  run->repetitions = sets < LEAST_REPETITIONS ? LEAST_REPETITIONS : sets;
  run->right = true;
  if (reason == NULL) {
    reason = prepare(run);
    while (reason == NULL && run->done < run->repetitions) {
      reason = run_round(run);
    }
    run->peer->close(run->peer->state);
  }
  return reason;
}

static uint64_t bytes_moved(const bench_case *given) {
  uint64_t bits = clrs_dtype_bits(given->dtype);
  for (uint32_t i = 0; i < given->source.rank; i++) {
    bits *= (uint64_t)given->source.dims[i];
  }
  return 2 * ((bits + 7) / 8);
}

static void print_row(measurement *run, const char *reason) {
  const bench_case *given = run->request.given;
  if (reason != NULL) {
    fprintf(stderr, "# %s: %s: %s\n", given->id, run->peer->name, reason);
    printf("%s\t%s\tunsupported\t0\t0\tnan\tnan\tnan\tnan\tnan\t0\tno\n", given->id,
           run->peer->name);
    return;
  }
  const bench_spread spread = bench_spread_of(run->repetitions, run->seconds);
  const uint64_t bytes = bytes_moved(given);
  printf("%s\t%s\tcopy\t1\t%" PRIu64 "\t%.6f\t%.6f\t%.6g\tnan\tnan\t%.0f\t%s\n", given->id,
         run->peer->name, bytes, spread.median * 1e3, spread.least * 1e3,
         (double)bytes / spread.median * 1e-9, run->plan * 1e9, run->right ? "yes" : "no");
}

static clrs_status run_case(const peer *peer, const bench_case *given, clrs_error *error) {
  measurement run = {.peer = peer, .request = {.given = given}};
  peer_request *request = &run.request;
  clrs_status status = bench_storage_bytes(&given->source, &request->source_bytes, error);
  if (status == CLRS_OK) {
    status = bench_storage_bytes(&given->destination, &request->destination_bytes, error);
  }
  if (status != CLRS_OK) {
    return status;
  }
  const uint64_t bytes = request->source_bytes + request->destination_bytes;
  const uint64_t sets = (rotation_bytes() + bytes - 1) / bytes;
  request->sets = sets > MOST_SETS ? MOST_SETS : (size_t)sets;
  print_row(&run, run_all(&run));
  free(run.source);
  free(run.poison);
  free(run.expected);
  free(run.found);
  return CLRS_OK;
}

int peer_main(const peer *peer, int argc, char **argv) {
  bench_list list;
  clrs_error error;
  if (argc != 2) {
    fprintf(stderr, "usage: %s CASES.tsv\n", argv[0]);
    return 2;
  }
  clrs_status status = bench_list_read(argv[1], &list, &error);
  for (size_t i = 0; status == CLRS_OK && i < list.count; i++) {
    status = run_case(peer, &list.cases[i], &error);
    fflush(stdout);
  }
  if (status != CLRS_OK) {
    fprintf(stderr, "%s: %s\n", argv[0], error.message);
    return 1;
  }
  bench_list_free(&list);
  return 0;
}
