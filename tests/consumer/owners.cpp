/*
 * clreshape.hpp as its user would: heads split and joined in C++, a cache written by kept work, an
 * exception caught, and every object given back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "checks.hpp"

#include <numeric>

namespace {

struct opencl {
  cl_device_id device = find_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);

  cl_mem buffer(const std::vector<float> &values) const {
    return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                          values.size() * sizeof(float), const_cast<float *>(values.data()),
                          nullptr);
  }
  std::vector<float> read(const clreshape::tensor &from) const {
    size_t count = 1;
    for (const int64_t extent : from.dims()) {
      count *= static_cast<size_t>(extent);
    }
    std::vector<float> values(count);
    const clreshape::event done = clreshape::read(from, values, {queue});
    cl_event event = done.get();
    require(clWaitForEvents(1, &event) == CL_SUCCESS, "the result can be read");
    return values;
  }
};

std::vector<float> counting(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

cl_uint references(cl_mem buffer) {
  cl_uint count = 0;
  clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr);
  return count;
}

/* [2,3,8] to two heads of 4, and back. */
void split_and_join(const opencl &cl, const clreshape::context &library, cl_mem buffer) {
  const clreshape::tensor hidden(library, buffer, CLRS_F32, {2, 3, 8});
  clreshape::event done, rejoined;
  clreshape::tensor heads = clreshape::enqueue(hidden, "rearrange=b t (h d) -> (b h) t d, h=2",
                                               {cl.queue}, CLRS_COPY_ALWAYS, &done);
  require(heads.dims() == std::vector<int64_t>{4, 3, 4}, "four heads of [3,4]");
  const std::vector<float> split = cl.read(heads);
  for (int i = 0; i < 48; i++) {
    const int b = i / 24, h = i / 12 % 2, t = i / 4 % 3, d = i % 4;
    require(split[static_cast<size_t>(i)] == static_cast<float>(((b * 3 + t) * 2 + h) * 4 + d),
            "every element is where it belongs");
  }
  const clreshape::tensor joined =
      clreshape::enqueue(heads, "rearrange=(b h) t d -> b t (h d), h=2", {cl.queue, {done.get()}},
                         CLRS_COPY_ALWAYS, &rejoined);
  heads.release_after({rejoined.get()});
  require(!heads, "a tensor that was released is none");
  require(cl.read(joined) == counting(48), "joined again as they were");
}

/* A view costs nothing and holds the buffer; a copy of an owner is one more. */
void views_and_copies(const clreshape::context &library, cl_mem buffer) {
  const cl_uint before = references(buffer);
  clreshape::tensor kept;
  {
    const clreshape::tensor whole(library, buffer, CLRS_F32, {6, 8});
    const clreshape::tensor columns = whole.apply("permute=1,0 slice=2:6");
    require(columns.dims() == std::vector<int64_t>{4, 6}, "four columns");
    require(columns.storage().buffer == buffer, "of the same buffer");
    kept = columns;
  }
  require(references(buffer) > before, "a view holds the buffer");
  kept = clreshape::tensor();
  require(references(buffer) == before, "and gives it back");
}

void errors_are_exceptions(const clreshape::context &library, cl_mem buffer) {
  try {
    const clreshape::tensor whole(library, buffer, CLRS_F32, {6, 8});
    (void)whole.apply("reshape=5,5");
    require(false, "a wrong shape throws");
  } catch (const clreshape::error &error) {
    require(error.status == CLRS_COUNT_MISMATCH, "with its status");
    require(std::strstr(error.what(), "reshape=5,5") != nullptr, "and the sentence");
  }
}

/* The tensor twice, and the tensor in a frame. */
void new_results(const opencl &cl, const clreshape::context &library, cl_mem buffer) {
  const clreshape::tensor whole(library, buffer, CLRS_F32, {6, 8});
  const clreshape::tensor twice = clreshape::concat({whole, whole}, 0, {cl.queue});
  require(twice.dims() == std::vector<int64_t>{12, 8}, "twice as many rows");
  const std::vector<float> both = cl.read(twice);
  for (size_t i = 0; i < 96; i++) {
    require(both[i] == static_cast<float>(i % 48), "one behind the other");
  }
  const float nothing = -1;
  const int64_t begins[] = {1, 0};
  const int64_t ends[] = {0, 2};
  const clrs_padding around = {begins, &nothing, CLRS_PAD_CONSTANT, ends, nullptr, nullptr};
  const clreshape::tensor framed = clreshape::pad(whole, around, {cl.queue});
  require(framed.dims() == std::vector<int64_t>{7, 10}, "a row before and two columns behind");
  const std::vector<float> got = cl.read(framed);
  for (size_t i = 0; i < 70; i++) {
    const bool inside = i >= 10 && i % 10 < 8;
    require(got[i] == (inside ? static_cast<float>((i / 10 - 1) * 8 + i % 10) : nothing),
            "the element around the tensor");
  }
}

/* Rows of four to the places of a cache, one after the other. */
void appends(const opencl &cl, const clreshape::context &library, cl_mem rows, cl_mem cache) {
  const clrs_layout four = {CLRS_F32, 1, {4}, {1}, 0};
  const clreshape::work append(library);
  append.move(clreshape::tensor::slot(library, 0, four), clreshape::tensor::slot(library, 1, four));
  for (int64_t at = 0; at < 12; at++) {
    (void)append.enqueue(
        {cl.queue}, {{{rows, 0}, nullptr, 4 * at, 0}, {{cache, 0}, nullptr, 4 * (11 - at), 0}});
  }
  const std::vector<float> got = cl.read(clreshape::tensor{library, cache, CLRS_F32, {12, 4}});
  for (size_t i = 0; i < 48; i++) {
    require(got[i] == static_cast<float>((11 - i / 4) * 4 + i % 4), "every row is in its place");
  }
  try {
    (void)append.enqueue({cl.queue}, {{{rows, 0}, nullptr, 0, 0}});
    require(false, "a slot too few throws");
  } catch (const clreshape::error &error) {
    require(error.status == CLRS_INVALID_ARGUMENT, "before anything reads past the slots");
  }
}

/* Six rows that the last six of the indices in slot 0 name. */
void rows_by_kept_work(const opencl &cl, const clreshape::context &library,
                       const clreshape::tensor &from, cl_mem numbers, cl_mem cache) {
  const clreshape::tensor to(library, cache, CLRS_F32, {6, 4});
  const clreshape::tensor six =
      clreshape::tensor::slot(library, 0, clrs_layout{CLRS_I32, 1, {6}, {1}, 0});
  clrs_indices rules = {};
  rules.tensor = six.get();
  const clreshape::work work(library);
  work.gather(from, rules, to);
  (void)work.enqueue({cl.queue}, {{{numbers, 0}, nullptr, 6, 0}});
  const std::vector<float> got = cl.read(to);
  for (size_t i = 0; i < 24; i++) {
    require(got[i] == static_cast<float>((5 - i / 4) * 4 + i % 4), "six rows, the sixth first");
  }
}

/* Rows of four, last first; and each to where it comes from. */
void rows_by_index(const opencl &cl, const clreshape::context &library, cl_mem rows, cl_mem cache) {
  int32_t numbers[12];
  std::vector<float> bits(12), got;
  for (int32_t i = 0; i < 12; i++) {
    numbers[i] = 11 - i;
  }
  std::memcpy(bits.data(), numbers, sizeof numbers);
  cl_mem buffer = cl.buffer(bits);
  {
    const clreshape::tensor index(library, buffer, CLRS_I32, {12});
    const clreshape::tensor from(library, rows, CLRS_F32, {12, 4}),
        to(library, cache, CLRS_F32, {12, 4});
    clrs_indices given = {};
    given.tensor = index.get();
    const clreshape::event first = clreshape::gather(from, given, to, {cl.queue});
    got = cl.read(to);
    for (size_t i = 0; i < 48; i++) {
      require(got[i] == static_cast<float>((11 - i / 4) * 4 + i % 4), "the last row is first");
    }
    given.from_end = true;
    (void)clreshape::scatter(from, given, to, {cl.queue, {first.get()}});
    require(cl.read(to) == got, "each row is where it was");
    rows_by_kept_work(cl, library, from, buffer, cache);
  }
  clReleaseMemObject(buffer);
}

} // namespace

int main() {
  const opencl cl;
  require(cl.context != nullptr && cl.queue != nullptr, "there are a context and a queue");
  cl_mem buffer = cl.buffer(counting(48)), cache = cl.buffer(std::vector<float>(48));
  {
    const clreshape::context library(cl.context, cl.device);
    split_and_join(cl, library, buffer);
    views_and_copies(library, buffer);
    errors_are_exceptions(library, buffer);
    new_results(cl, library, buffer);
    appends(cl, library, buffer, cache);
    rows_by_index(cl, library, buffer, cache);
    require(!library.programs().empty(), "its programs can be kept");
    const clreshape::context other(cl.context, cl.device);
    other.take_programs(library.programs());
  }
  require(references(buffer) == 1 && references(cache) == 1, "nothing is left over");
  clReleaseMemObject(buffer);
  clReleaseMemObject(cache);
  clReleaseCommandQueue(cl.queue);
  clReleaseContext(cl.context);
  std::puts("as expected");
  return 0;
}
