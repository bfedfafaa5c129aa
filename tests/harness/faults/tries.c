/* SPDX-License-Identifier: Apache-2.0 */
#include "tries.h"

#include <pthread.h>
#include <string.h>

#include "harness/check.h"
#include "status.h"

try_site try_sites[MOST_SITES];
size_t try_site_count;

static struct {
  pthread_t thread;
  size_t site;
  int nth;
  bool has_failed;
} armed;

static size_t find_site(const try_place *place) {
  size_t at = 0;
  while (at < try_site_count && (try_sites[at].place.line != place->line ||
                                 strcmp(try_sites[at].place.file, place->file) != 0))
    at++;
  if (at == try_site_count) {
    assert_true(try_site_count < MOST_SITES);
    try_sites[try_site_count++] = (try_site){.place = *place};
  }
  return at;
}

/* A callee that releases an argument also if it fails has an effect. */
static bool has_effect(const char *call) {
  static const char *const callees[] = {"cli_host_wait(", "onnx_graph_attach(", "onnx_arena_hold("};
  bool has = false;
  for (size_t i = 0; i < COUNT(callees); i++)
    has = has || strncmp(call, callees[i], strlen(callees[i])) == 0;
  return has;
}

/* The tests themselves make layouts, and require success. A caller without an error asks a
 * question, such as clrs_map_keeps_bits does, and the failure is one of the answers. */
static bool is_left_out(const try_place *place, const void *failure) {
  const char *name = strrchr(place->file, '/');
  return failure == NULL || !pthread_equal(pthread_self(), armed.thread) ||
         has_effect(place->call) ||
         (name && (strcmp(name, "/shape.c") == 0 || strcmp(name, "/layout.c") == 0));
}

static bool fails(const try_place *place, void *failure) {
  if (is_left_out(place, failure))
    return false;
  const size_t at = find_site(place);
  const bool is_due = ++try_sites[at].calls == armed.nth && at == armed.site;
  if (is_due) {
    armed.has_failed = true;
    clrs__describe(failure, CLRS_OUT_OF_MEMORY, "the test lets line %d fail", place->line);
  }
  return is_due;
}

void tries_arm(size_t site, int nth) {
  for (size_t i = 0; i < try_site_count; i++)
    try_sites[i].calls = 0;
  armed.thread = pthread_self();
  armed.site = site;
  armed.nth = nth;
  armed.has_failed = false;
  clrs_try_hook = fails;
}

bool tries_disarm(void) {
  clrs_try_hook = NULL;
  return armed.has_failed;
}
