/*
 * clreshape/clreshape.hpp - the C interface for C++17: owners, exceptions, chains. Every class and
 * function wraps calls of the C interface. The C headers say what each call does, costs and
 * refuses.
 *
 *   clreshape::context library(opencl_context, device);
 *   clreshape::tensor hidden(library, buffer, CLRS_F32, {8, 128, 768});
 *   clreshape::tensor heads = clreshape::enqueue(
 *       hidden, "rearrange=b t (h d) -> (b h) t d, h=12", {queue, {ready}});
 *
 * A call that fails throws clreshape::error and makes nothing. The error's what() is the message of
 * the C call. Owners are reference-counted: a copy is one more owner of the same object. An owner
 * is empty by default and after a move, and an empty owner is NULL to C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLRESHAPE_HPP
#define CLRESHAPE_CLRESHAPE_HPP

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "clreshape.h"

namespace clreshape {

/* A failed call. what() is the message of the C call. */
class error : public std::runtime_error {
public:
  /* From the error of a C call. */
  explicit error(const clrs_error &said)
      : std::runtime_error(said.message), status(said.status), opencl_code(said.opencl_code) {}
  /* From a status and a sentence. */
  error(clrs_status failed, const std::string &sentence)
      : std::runtime_error(sentence), status(failed), opencl_code(0) {}
  clrs_status status;  /* never CLRS_OK */
  int32_t opencl_code; /* as in clrs_error */
};

/* Calls a function of the C interface whose last parameter is a clrs_error. Throws the error on
 * failure. */
template <class Function, class... Arguments>
void call(Function *function, Arguments... arguments) {
  clrs_error said;
  if (function(arguments..., &said) != CLRS_OK) {
    throw error(said);
  }
}

/* Owns one reference to an object. Retain and Release count the references. */
template <class Object, auto Retain, auto Release> class owner {
public:
  /* An empty owner. */
  owner() = default;
  /* Takes the reference of the caller. */
  explicit owner(Object *taken) : object(taken) {}
  /* One more reference. */
  owner(const owner &other) : object(other.object) {
    if (object != nullptr) {
      Retain(object);
    }
  }
  /* Leaves the other owner empty. */
  owner(owner &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  /* Releases the own reference, and takes the other. */
  owner &operator=(owner other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~owner() {
    if (object != nullptr) {
      Release(object);
    }
  }
  /* The object for calls of C, or NULL. The reference stays with the owner. */
  Object *get() const {
    return object;
  }
  /* False if the owner is empty. */
  explicit operator bool() const {
    return object != nullptr;
  }

protected:
  Object *object = nullptr; /* the reference */
};

/* Owns an event. */
using event = owner<std::remove_pointer_t<cl_event>, clRetainEvent, clReleaseEvent>;

/* The queue of a call, and the events that the call waits for. */
struct on {
  cl_command_queue queue;           /* as in clrs_on */
  std::vector<cl_event> after = {}; /* events to wait for */
};

/* Owns a context. */
class context : public owner<clrs_context, clrs_context_retain, clrs_context_release> {
public:
  context() = default;
  /* clrs_context_create. */
  explicit context(const clrs_context_options &options) {
    call(clrs_context_create, &options, &object);
  }
  /* The same, with the options of CLRS_CONTEXT_OPTIONS_INIT. */
  context(cl_context opencl, cl_device_id device) : context(options_of(opencl, device)) {}
  /* clrs_context_warm_up. */
  void warm_up(const std::string &kernel_class, uint32_t unit_bits) const {
    call(clrs_context_warm_up, object, kernel_class.c_str(), unit_bits);
  }
  /* clrs_context_export_programs. */
  std::vector<unsigned char> programs() const {
    size_t size = 0;
    call(clrs_context_export_programs, object, nullptr, size_t{0}, &size);
    std::vector<unsigned char> blob(size);
    call(clrs_context_export_programs, object, blob.data(), blob.size(), &size);
    blob.resize(size);
    return blob;
  }
  /* clrs_context_import_programs. */
  void take_programs(const std::vector<unsigned char> &blob) const {
    call(clrs_context_import_programs, object, blob.data(), blob.size());
  }

private:
  static clrs_context_options options_of(cl_context opencl, cl_device_id device) {
    clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
    options.context = opencl;
    options.device = device;
    return options;
  }
};

/* Owns a tensor. */
class tensor : public owner<clrs_tensor, clrs_tensor_retain, clrs_tensor_release> {
public:
  using owner::owner;
  /* A dense tensor from the first byte of the buffer on. */
  tensor(const context &library, cl_mem buffer, clrs_dtype dtype,
         const std::vector<int64_t> &dims) {
    call(clrs_tensor_wrap_dense, library.get(), buffer, dtype, dims.size(), dims.data(), &object);
  }
  /* Any layout: clrs_tensor_wrap. */
  tensor(const context &library, clrs_storage storage, const clrs_layout &layout) {
    call(clrs_tensor_wrap, library.get(), &storage, &layout, &object);
  }
  /* A slot tensor, for bytes that each enqueue of a work names: clrs_slot. */
  static tensor slot(const context &library, uint32_t number, const clrs_layout &layout) {
    tensor result;
    call(clrs_tensor_slot, library.get(), number, &layout, &result.object);
    return result;
  }
  /* The tensor that a chain makes, such as "permute=0,2,1". No byte moves. */
  tensor apply(const std::string &chain) const {
    clrs_chain parsed;
    call(clrs_chain_parse, chain.c_str(), &parsed);
    tensor result;
    call(clrs_tensor_with_chain, object, &parsed, nullptr, &result.object);
    return result;
  }
  /* Another view of the same bytes. */
  tensor with(const clrs_view &view) const {
    tensor result;
    call(clrs_tensor_with_view, object, &view, &result.object);
    return result;
  }
  /* The view. The tensor must not be empty, here and below. */
  const clrs_view &view() const {
    return *clrs_tensor_view(object);
  }
  /* The element type. */
  clrs_dtype dtype() const {
    return view().dtype;
  }
  /* The shape. */
  std::vector<int64_t> dims() const {
    return {view().shape.dims, view().shape.dims + view().shape.rank};
  }
  /* The place of the bytes. */
  clrs_storage storage() const {
    return clrs_tensor_storage(object);
  }
  /* Reports that commands of the caller's on another queue use the bytes: clrs_tensor_use_on. */
  void use_on(cl_command_queue queue) const {
    call(clrs_tensor_use_on, object, queue);
  }
  /* Releases the reference, while commands with these events may still use the bytes. */
  void release_after(const std::vector<cl_event> &events) {
    call(clrs_tensor_release_after, object, static_cast<cl_uint>(events.size()),
         events.empty() ? nullptr : events.data());
    object = nullptr;
  }
  /* clrs_tensor_bytes. */
  clrs_byte_range bytes() const {
    clrs_byte_range range;
    call(clrs_tensor_bytes, object, &range);
    return range;
  }
};

/* Calls a function that ends in a clrs_on and an event. */
template <class Function, class... Arguments>
event call_on(const on &where, Function *function, Arguments... arguments) {
  const clrs_on told = {where.queue, static_cast<cl_uint>(where.after.size()),
                        where.after.empty() ? nullptr : where.after.data()};
  cl_event done = nullptr;
  call(function, arguments..., &told, &done);
  return event(done);
}
/* As above, for a function that makes a result. `*done`, if asked for, completes when the result
 * may be read. */
template <class Function, class... Arguments>
tensor make_on(const on &where, event *done, Function *function, Arguments... arguments) {
  clrs_tensor *made = nullptr;
  clrs_tensor *const into = nullptr;
  event moved = call_on(where, function, arguments..., into, &made);
  if (done != nullptr) {
    *done = std::move(moved);
  }
  return tensor(made);
}
inline std::vector<clrs_tensor *> handles_of(const std::vector<tensor> &tensors) {
  std::vector<clrs_tensor *> all;
  for (const tensor &one : tensors) {
    all.push_back(one.get());
  }
  return all;
}

/* Results of the library's own. `*done`, if asked for, completes when the result may be read.
 *
 * Applies a chain to the source. The result is a view of the source if the policy and the layout
 * allow a view, and otherwise a moved copy. */
inline tensor enqueue(const tensor &source, const std::string &chain, const on &where,
                      clrs_copy_policy policy = CLRS_COPY_IF_NEEDED, event *done = nullptr) {
  return make_on(where, done, clrs_enqueue_chain, source.get(), chain.c_str(), policy);
}
inline tensor pad(const tensor &source, const clrs_padding &padding, const on &where,
                  event *done = nullptr) {
  return make_on(where, done, clrs_enqueue_pad, source.get(), &padding);
}
inline tensor concat(const std::vector<tensor> &sources, int64_t axis, const on &where,
                     event *done = nullptr) {
  const std::vector<clrs_tensor *> all = handles_of(sources);
  return make_on(where, done, clrs_enqueue_concat, all.size(), all.data(), axis);
}
inline tensor gather(const tensor &source, const clrs_indices &indices, const on &where,
                     event *done = nullptr) {
  return make_on(where, done, clrs_enqueue_gather, source.get(), &indices);
}

/* Moves into a tensor of the caller's, or reads into host memory. The event completes when all is
 * written. */
inline event move(const tensor &source, const tensor &destination, const on &where) {
  return call_on(where, clrs_enqueue_move, source.get(), destination.get());
}
inline event move(const tensor &source, const std::string &chain, const tensor &destination,
                  const on &where) {
  return call_on(where, clrs_enqueue_chain, source.get(), chain.c_str(), CLRS_COPY_ALWAYS,
                 destination.get(), static_cast<clrs_tensor **>(nullptr));
}
template <class Element>
event read(const tensor &source, std::vector<Element> &into, const on &where) {
  return call_on(where, clrs_enqueue_read, source.get(), static_cast<void *>(into.data()),
                 into.size() * sizeof(Element));
}
inline event fill(const tensor &destination, const void *element, const on &where) {
  return call_on(where, clrs_enqueue_fill, destination.get(), element);
}
inline event pad(const tensor &source, const clrs_padding &padding, const tensor &destination,
                 const on &where) {
  return call_on(where, clrs_enqueue_pad, source.get(), &padding, destination.get(),
                 static_cast<clrs_tensor **>(nullptr));
}
inline event concat(const std::vector<tensor> &sources, int64_t axis, const tensor &destination,
                    const on &where) {
  const std::vector<clrs_tensor *> all = handles_of(sources);
  return call_on(where, clrs_enqueue_concat, all.size(), all.data(), axis, destination.get(),
                 static_cast<clrs_tensor **>(nullptr));
}
inline event gather(const tensor &source, const clrs_indices &indices, const tensor &destination,
                    const on &where) {
  return call_on(where, clrs_enqueue_gather, source.get(), &indices, destination.get(),
                 static_cast<clrs_tensor **>(nullptr));
}
inline event scatter(const tensor &source, const clrs_indices &indices, const tensor &destination,
                     const on &where) {
  return call_on(where, clrs_enqueue_scatter, source.get(), &indices, destination.get());
}

/* Many tasks at once, which a work keeps for later enqueues: clrs_work. */
class work : public owner<clrs_work, clrs_work_retain, clrs_work_release> {
public:
  work() = default;
  /* clrs_work_create. */
  explicit work(const context &library) {
    call(clrs_work_create, library.get(), &object);
  }
  /* clrs_work_move. */
  void move(const tensor &source, const tensor &destination) const {
    call(clrs_work_move, object, source.get(), destination.get());
  }
  /* clrs_work_fill. */
  void fill(const tensor &destination, const void *element) const {
    call(clrs_work_fill, object, destination.get(), element);
  }
  /* clrs_work_pad. */
  void pad(const tensor &source, const clrs_padding &padding, const tensor &destination) const {
    call(clrs_work_pad, object, source.get(), &padding, destination.get());
  }
  /* clrs_work_concat. */
  void concat(const std::vector<tensor> &sources, int64_t axis, const tensor &destination) const {
    const std::vector<clrs_tensor *> all = handles_of(sources);
    call(clrs_work_concat, object, all.size(), all.data(), axis, destination.get());
  }
  /* clrs_work_stack. */
  void stack(const clrs_stack &stack, const tensor &destination) const {
    call(clrs_work_stack, object, &stack, destination.get());
  }
  /* clrs_work_gather. */
  void gather(const tensor &source, const clrs_indices &indices, const tensor &destination) const {
    call(clrs_work_gather, object, source.get(), &indices, destination.get());
  }
  /* clrs_work_scatter. */
  void scatter(const tensor &source, const clrs_indices &indices, const tensor &destination) const {
    call(clrs_work_scatter, object, source.get(), &indices, destination.get());
  }
  /* clrs_work_prepare. */
  void prepare() const {
    call(clrs_work_prepare, object);
  }
  /* clrs_enqueue_work. */
  event enqueue(const on &where, const std::vector<clrs_slot> &slots = {}) const {
    return call_on(where, clrs_enqueue_work, object, slots.size(), slots.data());
  }
};

} // namespace clreshape

#endif /* CLRESHAPE_CLRESHAPE_HPP */
