/*
 * The nodes that the provider takes: rows of nodes, each with the previous node as the only source.
 * A row that is a view of dense data from the first node to the last stays with the CPU, which has
 * the view without a copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "ep.h"

typedef struct row {
  const OrtNode *nodes[EP_MAX_NODES];
  size_t count;
  bool moves;
} row;

/* The only node that takes this value, as data and nothing else, or NULL. */
static OrtStatus *only_consumer(const OrtApi *ort, const OrtValueInfo *value,
                                const OrtNode **consumer) {
  bool is_output = false;
  size_t count = 0;
  int64_t input = -1;
  *consumer = NULL;
  EP_TRY(ort->ValueInfo_IsGraphOutput(value, &is_output));
  EP_TRY(ort->ValueInfo_GetValueNumConsumers(value, &count));
  if (is_output || count != 1) {
    return NULL;
  }
  EP_TRY(ort->ValueInfo_GetValueConsumers(value, consumer, &input, 1));
  *consumer = input == 0 ? *consumer : NULL; /* -1: in the body of a loop or a branch */
  return NULL;
}

/* The longest row from `node` on. */
static OrtStatus *find_row(const ep_factory *factory, const OrtNode *node, row *found) {
  *found = (row){.count = 0};
  while (node != NULL && found->count < EP_MAX_NODES) {
    ep_operation operation;
    const OrtValueInfo *value;
    EP_TRY(ep_operation_read(factory, node, &operation));
    if (operation.text[0] == '\0') {
      break;
    }
    found->nodes[found->count++] = node;
    found->moves = found->moves || operation.moves;
    EP_TRY(factory->ort->Node_GetOutputs(node, &value, 1));
    EP_TRY(only_consumer(factory->ort, value, &node));
  }
  return NULL;
}

/* Nodes come before the nodes that take the results, so that a row begins with the first node. */
static OrtStatus *take_rows(const ep_factory *factory, const OrtNode *const *nodes, size_t count,
                            bool *taken, OrtEpGraphSupportInfo *support) {
  const OrtNodeFusionOptions options = {.ort_version_supported = EP_ORT_VERSION,
                                        .drop_constant_initializers = true};
  for (size_t i = 0; i < count; i++) {
    row found;
    if (taken[i]) {
      continue;
    }
    EP_TRY(find_row(factory, nodes[i], &found));
    if (!found.moves) {
      continue;
    }
    EP_TRY(factory->ep_api->EpGraphSupportInfo_AddNodesToFuse(support, found.nodes, found.count,
                                                              &options));
    for (size_t k = i, n = 0; k < count && n < found.count; k++) {
      if (nodes[k] == found.nodes[n]) {
        taken[k] = true;
        n++;
      }
    }
  }
  return NULL;
}

OrtStatus *ORT_API_CALL ep_get_capability(OrtEp *provider, const OrtGraph *graph,
                                          OrtEpGraphSupportInfo *support) NO_EXCEPTION {
  const ep_factory *factory = ((ep_provider *)provider)->factory;
  size_t count = 0;
  EP_TRY(factory->ort->Graph_GetNumNodes(graph, &count));
  const OrtNode **nodes = calloc(count + 1, sizeof *nodes);
  bool *taken = calloc(count + 1, sizeof *taken);
  OrtStatus *status = nodes != NULL && taken != NULL
                          ? factory->ort->Graph_GetNodes(graph, nodes, count)
                          : factory->ort->CreateStatus(ORT_FAIL, "clreshape: no memory for nodes");
  if (status == NULL) {
    status = take_rows(factory, nodes, count, taken, support);
  }
  free(taken);
  free(nodes);
  return status;
}
