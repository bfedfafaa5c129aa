/*
 * Strict reading of protobuf messages: ModelProto and TensorProto.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <protobuf-c/protobuf-c.h>

#include <clreshape/onnx.h>

#define ONNX_WIRE_MAX_DEPTH 64          /* messages within messages */
#define ONNX_WIRE_MAX_MESSAGES 2000000U /* in one file */

/* A look at a message before protobuf-c parses it. protobuf-c follows nested messages on the C
 * stack, however deep, and allocates hundreds of bytes for an empty message. Every field must be
 * whole, nesting and number of messages within the limits above, and a field that holds one message
 * must not occur twice. No string but a doc_string may hold a NUL, where protobuf-c would cut it.
 * The message names the first byte that is wrong. */
clrs_status onnx_wire_check(const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
                            size_t size, clrs_error *error);

/* What a message may take in memory: as much as real models need, several times over, but not what
 * bytes full of empty fields ask for. */
#define ONNX_MEMORY (15U << 20)  /* bytes, for a message of up to 1 MiB */
#define ONNX_MEMORY_PER_BYTE 48U /* for each byte that a message has more */

/* Reads the bytes, which may go then, as one message of that type, to be freed with the type's
 * free_unpacked. *left, if asked for, is the memory that is left for what is made of the message.
 */
clrs_status onnx_message_read(const ProtobufCMessageDescriptor *type, const void *bytes,
                              size_t size, ProtobufCMessage **message, size_t *left,
                              clrs_error *error);
