/*
 * A plugin execution provider for ONNX Runtime that runs movement operators, Cast, QuantizeLinear
 * and DequantizeLinear with clreshape; all else stays with the CPU. Nodes in a row become one fused
 * node, and that one pass over the data. An example: it takes ONNX Runtime's tensors from host
 * memory and gives them back there, so that each fused node copies to the device and from it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EP_H
#define EP_H

#include <clreshape/clreshape.h>
#include <onnxruntime_c_api.h>
#include <stdatomic.h>

/* The first ONNX Runtime whose providers may be plugins is 1.23; headers of later ones do too. */
enum { EP_ORT_VERSION = 23 };

/* Nodes of one fused node at most, as many as a view can stack walks. */
enum { EP_MAX_NODES = CLRS_MAX_DEPTH, EP_MAX_INPUTS = EP_MAX_NODES + 1 };

#define EP_TRY(call)                                                                               \
  do {                                                                                             \
    OrtStatus *ep_status_ = (call);                                                                \
    if (ep_status_ != NULL) {                                                                      \
      return ep_status_;                                                                           \
    }                                                                                              \
  } while (0)

/* What ONNX Runtime calls is the first field of what we make of it, so that both have one address.
 */
typedef struct ep_factory {
  OrtEpFactory base;
  const OrtApi *ort;
  const OrtEpApi *ep_api;
  const OrtLogger *logger;
  cl_device_id device; /* the first there is; NULL: none, and then none is offered */
  cl_context opencl;
  clrs_context *context; /* with the programs of all sessions */
  atomic_size_t runs, launches;
} ep_factory;

/* Of a session. Any number of its runs may use the queue at once: each waits for its own event. */
typedef struct ep_provider {
  OrtEp base;
  ep_factory *factory;
  cl_command_queue queue;
} ep_provider;

/* A node as an operation of a chain. */
typedef struct ep_operation {
  char node[128];    /* for messages: Reshape 'name' */
  char text[512];    /* "permute=0,2,1"; "" if we leave the node to the CPU */
  char numbers[256]; /* not "": the value that has, when it runs, the numbers behind the text */
  size_t input;      /* which input of the fused node that is */
  clrs_rules rules;
  bool moves; /* false: a dense tensor stays as it is, which ONNX Runtime does without a copy too */
} ep_operation;

/* operator.c: what a node is as an operation. */
OrtStatus *ep_operation_read(const ep_factory *factory, const OrtNode *node,
                             ep_operation *operation);

/* capability.c: which nodes we take, and which of them become one. */
OrtStatus *ORT_API_CALL ep_get_capability(OrtEp *provider, const OrtGraph *graph,
                                          OrtEpGraphSupportInfo *support) NO_EXCEPTION;

/* fused.c: what a fused node does. */
OrtStatus *ORT_API_CALL ep_compile(OrtEp *provider, const OrtGraph **graphs, const OrtNode **fused,
                                   size_t count, OrtNodeComputeInfo **infos,
                                   OrtNode **contexts) NO_EXCEPTION;
void ORT_API_CALL ep_release_infos(OrtEp *provider, OrtNodeComputeInfo **infos,
                                   size_t count) NO_EXCEPTION;

/* The library's sentence as a status of ONNX Runtime's, behind what failed. */
OrtStatus *ep_fail(const ep_factory *factory, const char *what, const clrs_error *error);

#endif /* EP_H */
