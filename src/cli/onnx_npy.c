/* SPDX-License-Identifier: Apache-2.0 */
#include "onnx_npy.h"

#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "fail.h"
#include "npy.h"
#include "runs.h"
#include "text.h"

bool onnx_is_npy(const char *path) {
  cli_archive_name archive;
  const size_t length = strlen(path);
  return (length > 4 && strcmp(path + length - 4, ".npy") == 0) || cli_archive_find(path, &archive);
}

clrs_status onnx_message_begin(clrs_dtype dtype, const clrs_shape *shape, const char *name,
                               cli_contents *header, clrs_error *error) {
  size_t size = 0;
  CLRS_TRY(clrs_onnx_tensor_header(dtype, shape, name, NULL, 0, &size, error));
  uint8_t *bytes = malloc(size);
  CLRS_TRY_MEMORY(bytes, error, "out of memory");
  const clrs_status status = clrs_onnx_tensor_header(dtype, shape, name, bytes, size, &size, error);
  if (status != CLRS_OK) {
    free(bytes);
    return status;
  }
  *header = (cli_contents){bytes, size};
  return CLRS_OK;
}

/* ---- inputs ---- */

/* Reads all elements in the order of the file, as a single run. */
static clrs_status read_elements(const cli_npy_file *file, const clrs_view *view, uint8_t *bytes,
                                 clrs_view *dense, clrs_error *error) {
  const cli_run_file from = {file->fd, file->name, file->header.data_offset, NULL};
  cli_runs runs;
  CLRS_TRY(cli_runs_of(view, 0, &runs, dense, error));
  return cli_runs_read(&runs, &from, bytes, error);
}

static clrs_status read_in_order(const cli_npy_file *file, const clrs_view *view, uint8_t *bytes,
                                 clrs_error *error) {
  const size_t size = (size_t)file->header.data_bytes;
  clrs_view dense;
  if (!file->header.fortran_order) {
    return read_elements(file, view, bytes, &dense, error);
  }
  uint8_t *columns = malloc(size > 0 ? size : 1);
  if (columns == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "%s: no memory for %zu bytes", file->name, size);
  }
  clrs_status status = read_elements(file, view, columns, &dense, error);
  if (status == CLRS_OK) {
    status = clrs_view_copy_host(&dense, columns, size, bytes, size, error);
  }
  free(columns);
  return status;
}

static clrs_status read_behind(const cli_npy_file *file, const cli_contents *header,
                               cli_contents *message, clrs_error *error) {
  const size_t size = header->size + (size_t)file->header.data_bytes;
  clrs_layout layout;
  clrs_view view;
  CLRS_TRY(cli_npy_layout(&file->header, &layout, error));
  CLRS_TRY(clrs_view_from_layout(&layout, &view, error));
  uint8_t *bytes = malloc(size);
  if (bytes == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "%s: no memory for %zu bytes", file->name, size);
  }
  memcpy(bytes, header->bytes, header->size);
  const clrs_status status = read_in_order(file, &view, bytes + header->size, error);
  if (status != CLRS_OK) {
    free(bytes);
    return status;
  }
  *message = (cli_contents){bytes, size};
  return CLRS_OK;
}

static clrs_status read_message(const cli_npy_file *file, cli_contents *message,
                                clrs_error *error) {
  const cli_npy_type *type = &file->header.type;
  cli_contents header;
  clrs_error inner;
  if (type->units > 1 || clrs_dtype_to_onnx(type->dtype) == 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "%s: ONNX has no type for elements of type %s",
                      file->name, clrs__show(type->descr).text);
  }
  if (onnx_message_begin(type->dtype, &file->header.shape, "", &header, &inner) != CLRS_OK) {
    return clrs__fail(error, inner.status, "%s: %s", file->name, inner.message);
  }
  const clrs_status status = read_behind(file, &header, message, error);
  free(header.bytes);
  return status;
}

clrs_status onnx_read_npy(const char *path, cli_contents *message, clrs_error *error) {
  cli_npy_file *file = malloc(sizeof *file);
  if (file == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  clrs_status status = cli_npy_open(path, file, error);
  if (status == CLRS_OK) {
    cli_npy_note(path, &file->header);
    status = read_message(file, message, error);
    cli_npy_close(file);
  }
  free(file);
  return status;
}

/* ---- outputs ---- */

clrs_status onnx_write_npy_header(const clrs_onnx_output *output, cli_output *file,
                                  clrs_error *error) {
  char text[CLI_NPY_WRITTEN];
  cli_npy_type type;
  if (cli_npy_type_of(output->dtype, &type, NULL) != CLRS_OK) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "a .npy file has no type for %s; without --npy it is a TensorProto",
                      clrs_dtype_name(output->dtype, CLRS_TYPES_ONNX));
  }
  return cli_output_write(file, text, cli_npy_format(&type, &output->shape, text), error);
}
