/*
 * From the device, or from the host, to a file: raw_data, or string_data for strings.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_write.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "onnx_characters.h"
#include "onnx_explain.h"
#include "onnx_file.h"
#include "onnx_known.h"
#include "print.h"
#include "transfer.h"

/* The data of one output on its way to the file. */
typedef struct writing {
  cli_output *file;
  uint64_t left;        /* bytes */
  unsigned unused_bits; /* high bits of the last byte that belong to no element */
  const cli_strings *strings;
  uint64_t written; /* of strings */
} writing;

static clrs_status write_bytes(void *user_data, void *bytes, size_t size, clrs_error *error) {
  writing *to = user_data;
  to->left -= size;
  if (to->left == 0 && size > 0)
    ((uint8_t *)bytes)[size - 1] &= (uint8_t)(0xff >> to->unused_bits);
  return cli_output_write(to->file, bytes, size, error);
}

static clrs_status write_string(writing *to, const uint8_t *view, clrs_error *error) {
  uint8_t header[CLI_TENSOR_PROTO_STRING];
  cli_text text;
  CLRS_TRY(cli_strings_get(to->strings, view, &text, error));
  const size_t header_size = cli_tensor_proto_string(text.size, header);
  to->written += header_size + text.size;
  if (to->written > ONNX_MAX_FILE)
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "a TensorProto has fewer than 2 GiB of strings");
  CLRS_TRY(cli_output_write(to->file, header, header_size, error));
  return cli_output_write(to->file, text.bytes, text.size, error);
}

/* A chunk holds whole strings: its size is a multiple of theirs. */
static clrs_status write_strings(void *user_data, void *bytes, size_t size, clrs_error *error) {
  for (size_t at = 0; at < size; at += CLI_STRING_BYTES)
    CLRS_TRY(write_string(user_data, (const uint8_t *)bytes + at, error));
  return CLRS_OK;
}

/* Everything before the data. Refuses what no file can hold before any memory is taken for it. */
static clrs_status write_header(const model_value *value, cli_output *file, clrs_error *error) {
  cli_tensor_proto_header header;
  CLRS_TRY(cli_tensor_proto_encode(onnx_graph_dtype(value), onnx_graph_shape(value), value->name,
                                   &header, error));
  clrs_status status = cli_output_write(file, header.bytes, header.size, error);
  free(header.bytes);
  return status;
}

static clrs_status download_bytes(onnx_graph *graph, clrs_tensor *dense, cli_output *file,
                                  clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(dense);
  uint64_t size = 0;
  int64_t count = 0;
  CLRS_TRY(cli_dense_size(view->dtype, &view->shape, &size, error));
  CLRS_TRY(clrs_shape_count(&view->shape, &count, error));
  const uint64_t bits = (uint64_t)(count % 8) * clrs_dtype_bits(view->dtype);
  writing to = {file, size, (unsigned)((8 - bits % 8) % 8), NULL, 0};
  cli_stream stream = {write_bytes, &to, size};
  return size == 0 ? CLRS_OK : cli_host_download_stream(graph->host, dense, &stream, error);
}

static clrs_status download_strings(onnx_graph *graph, clrs_tensor *dense, cli_output *file,
                                    clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(dense);
  cli_strings strings;
  uint64_t size = 0;
  CLRS_TRY(cli_dense_size(view->dtype, &view->shape, &size, error));
  CLRS_TRY(onnx_characters_download(graph, dense, &strings, error));
  writing to = {file, size, 0, &strings, 0};
  cli_stream stream = {write_strings, &to, size};
  clrs_status status =
      size == 0 ? CLRS_OK : cli_host_download_stream(graph->host, dense, &stream, error);
  cli_strings_free(&strings);
  return status;
}

static void explain_output(FILE *to, size_t index, const model_value *value) {
  if (to == NULL)
    return;
  fprintf(to, "output %zu ", index);
  cli_print_string(to, value->name);
  fputs(": ", to);
}

/* --------------------------------------------------------------------------- where the bytes are
 */

static clrs_status write_data(onnx_graph *graph, size_t index, model_value *value, cli_output *file,
                              clrs_error *error) {
  clrs_tensor *tensor, *dense;
  clrs_plan plan;
  CLRS_TRY(onnx_graph_tensor(graph, value, &tensor, error));
  CLRS_TRY(onnx_graph_materialize(graph, tensor, &dense, &plan, error));
  explain_output(graph->explain, index, value);
  onnx_explain_plan(graph->explain, clrs_tensor_view(tensor), &plan);
  clrs_status status = clrs_tensor_view(tensor)->dtype == CLRS_STRING
                           ? download_strings(graph, dense, file, error)
                           : download_bytes(graph, dense, file, error);
  clrs_tensor_release(dense);
  return status;
}

static clrs_status write_known(onnx_graph *graph, size_t index, const model_value *value,
                               cli_output *file, clrs_error *error) {
  const cli_dense *dense = &value->dense;
  writing to = {file, dense->size, 0, &graph->strings, 0};
  explain_output(graph->explain, index, value);
  if (graph->explain != NULL) {
    fprintf(graph->explain, "%s ", clrs_dtype_name(dense->dtype, CLRS_TYPES_ONNX));
    cli_print_list(graph->explain, dense->shape.rank, dense->shape.dims);
    fputs(": known on the host\n", graph->explain);
  }
  if (dense->dtype != CLRS_STRING)
    return cli_output_write(file, dense->bytes, dense->size, error);
  for (size_t at = 0; at < dense->size; at += CLI_STRING_BYTES)
    CLRS_TRY(write_string(&to, dense->bytes + at, error));
  return CLRS_OK;
}

clrs_status onnx_write(onnx_graph *graph, size_t index, model_value *value, cli_output *file,
                       clrs_error *error) {
  CLRS_TRY(write_header(value, file, error));
  if (value->known && onnx_known_fits(value->dense.dtype, &value->dense.shape))
    return write_known(graph, index, value, file, error);
  return write_data(graph, index, value, file, error);
}
