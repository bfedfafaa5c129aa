/* SPDX-License-Identifier: Apache-2.0 */
#include "onnx_write.h"

#include <stdlib.h>

#include "fail.h"
#include "onnx_npy.h"
#include "transfer.h"

/* The state of writing the data of one output. */
typedef struct writing {
  cli_output *file;
  uint64_t left;        /* bytes */
  unsigned unused_bits; /* unused high bits of the last byte */
  const clrs_onnx_strings *strings;
  uint64_t written; /* strings so far */
} writing;

static clrs_status write_bytes(void *user_data, void *bytes, size_t size, clrs_error *error) {
  writing *to = user_data;
  to->left -= size;
  if (to->left == 0 && size > 0) {
    ((uint8_t *)bytes)[size - 1] &= (uint8_t)(0xff >> to->unused_bits);
  }
  return cli_output_write(to->file, bytes, size, error);
}

static clrs_status write_string(writing *to, const uint8_t *view, clrs_error *error) {
  uint8_t header[CLRS_ONNX_STRING_HEADER];
  clrs_onnx_text text;
  CLRS_TRY(clrs_onnx_strings_get(to->strings, view, &text, error));
  const size_t header_size = clrs_onnx_string_header(text.size, header);
  to->written += header_size + text.size;
  if (to->written > CLRS_ONNX_MOST_BYTES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "a TensorProto has fewer than 2 GiB of strings");
  }
  CLRS_TRY(cli_output_write(to->file, header, header_size, error));
  return cli_output_write(to->file, text.bytes, text.size, error);
}

/* Writes a chunk of strings. A chunk holds whole strings, because the chunk size is a multiple of a
 * string's size. */
static clrs_status write_strings(writing *to, const uint8_t *bytes, size_t size,
                                 clrs_error *error) {
  for (size_t at = 0; at < size; at += CLRS_ONNX_STRING_BYTES) {
    CLRS_TRY(write_string(to, bytes + at, error));
  }
  return CLRS_OK;
}

static clrs_status write_string_chunk(void *user_data, void *bytes, size_t size,
                                      clrs_error *error) {
  return write_strings(user_data, bytes, size, error);
}

/* Writes the bytes before the data. Types that the file cannot hold are refused before any memory
 * is allocated for data. */
static clrs_status write_header(const onnx_writing *what, cli_output *file, clrs_error *error) {
  const clrs_onnx_output *output = what->output;
  cli_contents header;
  if (what->as_npy) {
    return onnx_write_npy_header(output, file, error);
  }
  CLRS_TRY(onnx_message_begin(output->dtype, &output->shape, output->name, &header, error));
  const clrs_status status = cli_output_write(file, header.bytes, header.size, error);
  free(header.bytes);
  return status;
}

static clrs_status write_known(const clrs_onnx_output *output, cli_output *file,
                               clrs_error *error) {
  writing to = {.file = file, .strings = &output->strings};
  return output->dtype == CLRS_STRING ? write_strings(&to, output->bytes, output->size, error)
                                      : cli_output_write(file, output->bytes, output->size, error);
}

/* ---- from the device ---- */

/* Reads the character buffer of a string tensor as bytes. */
static clrs_status read_characters(cli_host *host, cl_mem buffer, clrs_onnx_strings *strings,
                                   clrs_error *error) {
  const int64_t count = (int64_t)strings->size;
  clrs_tensor *bytes;
  void *characters = NULL;
  CLRS_TRY(clrs_tensor_wrap_dense(host->clreshape, buffer, CLRS_U8, 1, &count, &bytes, error));
  const clrs_status status = cli_host_fetch(host, bytes, strings->size, &characters, error);
  strings->characters = characters;
  clrs_tensor_release(bytes);
  return status;
}

static clrs_status find_characters(cli_host *host, const clrs_tensor *tensor,
                                   clrs_onnx_strings *strings, clrs_error *error) {
  size_t count;
  const cl_mem *buffers = clrs_tensor_characters(tensor, &count);
  if (count != 1) {
    return CLRS_OK;
  }
  const cl_int code =
      clGetMemObjectInfo(buffers[0], CL_MEM_SIZE, sizeof strings->size, &strings->size, NULL);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clGetMemObjectInfo");
  }
  return read_characters(host, buffers[0], strings, error);
}

static clrs_status download_strings(cli_host *host, clrs_tensor *dense, uint64_t size,
                                    cli_output *file, clrs_error *error) {
  clrs_onnx_strings strings = {NULL, 0};
  writing to = {.file = file, .strings = &strings};
  const cli_stream stream = {write_string_chunk, &to, size};
  clrs_status status = find_characters(host, dense, &strings, error);
  if (status == CLRS_OK) {
    status = cli_host_download_stream(host, dense, &stream, error);
  }
  free((void *)(uintptr_t)strings.characters);
  return status;
}

static clrs_status download(cli_host *host, clrs_tensor *dense, const clrs_onnx_output *output,
                            cli_output *file, clrs_error *error) {
  clrs_byte_range range;
  int64_t count = 0;
  CLRS_TRY(clrs_tensor_bytes(dense, &range, error));
  CLRS_TRY(clrs_shape_count(&output->shape, &count, error));
  if (range.size == 0) {
    return CLRS_OK;
  }
  if (output->dtype == CLRS_STRING) {
    return download_strings(host, dense, range.size, file, error);
  }
  const uint64_t bits = (uint64_t)(count % 8) * clrs_dtype_bits(output->dtype);
  writing to = {.file = file, .left = range.size, .unused_bits = (unsigned)((8 - bits % 8) % 8)};
  const cli_stream stream = {write_bytes, &to, range.size};
  return cli_host_download_stream(host, dense, &stream, error);
}

clrs_status onnx_write(cli_host *host, clrs_onnx_graph *graph, const onnx_writing *what,
                       cli_output *file, clrs_error *error) {
  const clrs_onnx_output *output = what->output;
  clrs_tensor *dense;
  cl_event event;
  CLRS_TRY(write_header(what, file, error));
  if (output->is_known) {
    return write_known(output, file, error);
  }
  CLRS_TRY(clrs_onnx_graph_fetch(graph, what->index, &dense, &event, error));
  clrs_status status = cli_host_wait(event, "the move", error);
  if (status == CLRS_OK) {
    status = download(host, dense, output, file, error);
  }
  clrs_tensor_release(dense);
  return status;
}
