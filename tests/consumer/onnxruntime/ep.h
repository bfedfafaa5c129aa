/*
 * A plugin execution provider for ONNX Runtime that runs movement operators, Cast, QuantizeLinear
 * and DequantizeLinear with clreshape. All other nodes stay with the CPU. Nodes in a row become a
 * single fused node, which is a single pass over the data. The provider is an example. It takes
 * ONNX Runtime's tensors from host memory and returns results there, so each fused node copies to
 * the device and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EP_H
#define EP_H

#include <clreshape/clreshape.h>
#include <onnxruntime_c_api.h>
#include <stdatomic.h>

/* The first ONNX Runtime with plugin providers is 1.23. Headers of later versions work too. */
enum { EP_ORT_VERSION = 23 };

/* Maximum number of nodes in a fused node, as many as a view can stack walks. */
enum { EP_MAX_NODES = CLRS_MAX_DEPTH, EP_MAX_INPUTS = EP_MAX_NODES + 1 };

#define EP_TRY(call)                                                                               \
  do {                                                                                             \
    OrtStatus *ep_status_ = (call);                                                                \
    if (ep_status_ != NULL) {                                                                      \
      return ep_status_;                                                                           \
    }                                                                                              \
  } while (0)

/* ONNX Runtime's struct is the first field of our struct, so that both have the same address. */
typedef struct ep_factory {
  OrtEpFactory base;
  const OrtApi *ort;
  const OrtEpApi *ep_api;
  const OrtLogger *logger;
  /* the first device, or NULL if no device exists, and then no device is offered */
  cl_device_id device;
  cl_context opencl;
  clrs_context *context; /* with the programs of all sessions */
  atomic_size_t runs, launches;
} ep_factory;

/* Of a session. Any number of concurrent runs may use the queue: each run waits for the run's
 * event. */
typedef struct ep_provider {
  OrtEp base;
  ep_factory *factory;
  cl_command_queue queue;
} ep_provider;

/* A node as an operation of a chain. */
typedef struct ep_operation {
  char node[128];    /* for messages: Reshape 'name' */
  char text[512];    /* "permute=0,2,1", or "" if the node is left to the CPU */
  char numbers[256]; /* not "": the value that holds, at run time, the numbers behind the text */
  size_t input;      /* which input of the fused node that is */
  clrs_rules rules;
  bool moves; /* false: a dense tensor is unchanged, which ONNX Runtime also does without a copy */
} ep_operation;

/* operator.c: converts a node to an operation. */
OrtStatus *ep_operation_read(const ep_factory *factory, const OrtNode *node,
                             ep_operation *operation);

/* capability.c: the nodes that the provider takes, and the groups that are fused. */
OrtStatus *ORT_API_CALL ep_get_capability(OrtEp *provider, const OrtGraph *graph,
                                          OrtEpGraphSupportInfo *support) NO_EXCEPTION;

/* fused.c: execution of a fused node. */
OrtStatus *ORT_API_CALL ep_compile(OrtEp *provider, const OrtGraph **graphs, const OrtNode **fused,
                                   size_t count, OrtNodeComputeInfo **infos,
                                   OrtNode **contexts) NO_EXCEPTION;
void ORT_API_CALL ep_release_infos(OrtEp *provider, OrtNodeComputeInfo **infos,
                                   size_t count) NO_EXCEPTION;

/* The library's sentence as an ONNX Runtime status, behind the name of the failed step. */
OrtStatus *ep_fail(const ep_factory *factory, const char *what, const clrs_error *error);

#endif /* EP_H */
