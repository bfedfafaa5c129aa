/*
 * Strict reading of protobuf messages: ModelProto and TensorProto.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_ONNX_MESSAGE_H
#define CLRESHAPE_ONNX_MESSAGE_H

#include <protobuf-c/protobuf-c.h>

#include <clreshape/core.h>

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

#endif /* CLRESHAPE_ONNX_MESSAGE_H */
