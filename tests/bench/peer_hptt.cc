/*
 * HPTT as a peer: tensor transpositions on the CPU, by the better of HPTT's two planners. No Linux
 * distribution packages HPTT. Build HPTT and name the folders in CPATH, LIBRARY_PATH and
 * LD_LIBRARY_PATH.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <hptt.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
#include "peer.h"
}

namespace {

using Plan = std::shared_ptr<hptt::Transpose<float>>;

struct Buffer {
  explicit Buffer(size_t bytes)
      : data(static_cast<float *>(std::aligned_alloc(64, (bytes + 63) / 64 * 64))) {}
  ~Buffer() {
    std::free(data);
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  float *data;
};

struct Hptt {
  size_t source_bytes, destination_bytes;
  std::vector<std::unique_ptr<Buffer>> sources, destinations;
  Plan plan;
};

bool is_dense(const clrs_layout &layout) {
  int64_t stride = 1;
  for (uint32_t i = layout.rank; i-- > 0;) {
    if (layout.dims[i] != 1 && layout.strides[i] != stride) {
      return false;
    }
    stride *= layout.dims[i];
  }
  return layout.offset == 0;
}

int thread_count() {
  const char *text = std::getenv("PEER_THREADS");
  return text != nullptr ? std::atoi(text) : 1;
}

Plan make_plan(const Hptt &hptt, const bench_case &given, hptt::SelectionMethod method) {
  std::vector<int> permutation, sizes;
  for (uint32_t i = 0; i < given.source.rank; i++) {
    permutation.push_back(static_cast<int>(given.stages[0].perm[i]));
    sizes.push_back(static_cast<int>(given.source.dims[i]));
  }
  return hptt::create_plan(permutation.data(), static_cast<int>(given.source.rank), 1.0f,
                           hptt.sources[0]->data, sizes.data(), nullptr, 0.0f,
                           hptt.destinations[0]->data, nullptr, method, thread_count(), nullptr,
                           true);
}

double seconds_of(const Plan &plan) {
  const auto start = std::chrono::steady_clock::now();
  plan->execute();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double best_seconds_of(const Plan &plan) {
  double best = seconds_of(plan);
  for (int i = 0; i < 4; i++) {
    best = std::min(best, seconds_of(plan));
  }
  return best;
}

const char *open_peer(void *state, const peer_request *request) {
  Hptt &hptt = *static_cast<Hptt *>(state);
  const bench_case &given = *request->given;
  hptt.source_bytes = request->source_bytes;
  hptt.destination_bytes = request->destination_bytes;
  if (given.dtype != CLRS_F32 || given.stage_count != 1 || !is_dense(given.source) ||
      !is_dense(given.destination)) {
    return "no transposition of dense f32";
  }
  for (size_t i = 0; i < request->sets; i++) {
    hptt.sources.push_back(std::make_unique<Buffer>(request->source_bytes));
    hptt.destinations.push_back(std::make_unique<Buffer>(request->destination_bytes));
    if (hptt.sources[i]->data == nullptr || hptt.destinations[i]->data == nullptr) {
      return "no memory";
    }
    std::memset(hptt.sources[i]->data, 0, request->source_bytes);
    std::memset(hptt.destinations[i]->data, 0, request->destination_bytes);
  }
  const Plan estimated = make_plan(hptt, given, hptt::ESTIMATE);
  const Plan measured = make_plan(hptt, given, hptt::MEASURE);
  hptt.plan = best_seconds_of(estimated) < best_seconds_of(measured) ? estimated : measured;
  return nullptr;
}

void close_peer(void *state) {
  Hptt &hptt = *static_cast<Hptt *>(state);
  hptt.plan.reset();
  hptt.sources.clear();
  hptt.destinations.clear();
}

const char *write_source(void *state, size_t set, const void *bytes) {
  const Hptt &hptt = *static_cast<Hptt *>(state);
  std::memcpy(hptt.sources[set]->data, bytes, hptt.source_bytes);
  return nullptr;
}

const char *write_destination(void *state, size_t set, const void *bytes) {
  const Hptt &hptt = *static_cast<Hptt *>(state);
  std::memcpy(hptt.destinations[set]->data, bytes, hptt.destination_bytes);
  return nullptr;
}

const char *read_destination(void *state, size_t set, void *bytes) {
  const Hptt &hptt = *static_cast<Hptt *>(state);
  std::memcpy(bytes, hptt.destinations[set]->data, hptt.destination_bytes);
  return nullptr;
}

const char *run(void *state, size_t set) {
  const Hptt &hptt = *static_cast<Hptt *>(state);
  hptt.plan->setInputPtr(hptt.sources[set]->data);
  hptt.plan->setOutputPtr(hptt.destinations[set]->data);
  hptt.plan->execute();
  return nullptr;
}

} // namespace

int main(int argc, char **argv) {
  Hptt state;
  const peer peer = {"hptt",           &state,       open_peer,
                     close_peer,       write_source, write_destination,
                     read_destination, run};
  return peer_main(&peer, argc, argv);
}
