/*
 * Reads protobuf messages strictly: ModelProto and TensorProto.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <protobuf-c/protobuf-c.h>

#include <clreshape/onnx.h>

#define ONNX_WIRE_MAX_DEPTH 64          /* messages within messages */
#define ONNX_WIRE_MAX_MESSAGES 2000000U /* in one file */

/* Checks a message before protobuf-c parses the message. protobuf-c follows nested messages on the
 * C stack to any depth, and allocates hundreds of bytes for an empty message. Every field must be
 * whole. Nesting and the number of messages must be within the limits above. A field that holds one
 * message must not occur twice. No string except doc_string may hold a NUL, where protobuf-c would
 * cut the string. The error message names the first wrong byte. */
clrs_status onnx_wire_check(const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
                            size_t size, clrs_error *error);

/* Memory limit of a message: several times more than real models need, but less than many empty
 * fields would need. */
#define ONNX_MEMORY (15U << 20)  /* bytes, for a message of up to 1 MiB */
#define ONNX_MEMORY_PER_BYTE 48U /* for each byte beyond 1 MiB */

/* Reads the bytes as a message of that type. The caller may then free the bytes, and frees the
 * message with the type's free_unpacked. *left, unless NULL, is the memory left for data made from
 * the message. */
clrs_status onnx_message_read(const ProtobufCMessageDescriptor *type, const void *bytes,
                              size_t size, ProtobufCMessage **message, size_t *left,
                              clrs_error *error);
