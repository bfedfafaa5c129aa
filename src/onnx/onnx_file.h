/*
 * Protobuf messages in files: strict reading of ModelProto and TensorProto.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_ONNX_FILE_H
#define CLRESHAPE_CLI_ONNX_FILE_H

#include <protobuf-c/protobuf-c.h>

#include <clreshape/core.h>

#define ONNX_MAX_FILE INT32_MAX /* bytes: protobuf's own limit on a message */

/* What a message may take in memory: as much as real models need, several times over, but not what
 * a file of empty fields asks for. */
#define ONNX_MEMORY (15U << 20)  /* bytes, for a file of up to 1 MiB */
#define ONNX_MEMORY_PER_BYTE 48U /* for each byte that a file has more */

/* Reads a regular file as one message of that type, to be freed with the type's free_unpacked.
 * *left, if asked for, is the memory that is left for what is made of the message. Messages begin
 * with the path. */
clrs_status onnx_file_read(const char *path, const ProtobufCMessageDescriptor *type,
                           ProtobufCMessage **message, size_t *left, clrs_error *error);

#endif /* CLRESHAPE_CLI_ONNX_FILE_H */
