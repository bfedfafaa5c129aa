/*
 * Writing an input: bytes, numbers and protobuf messages, in order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_PUT_H
#define CLRS_TEST_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inputs.h"

/* The bytes put so far, and a zero byte. */
extern uint8_t input[INPUT_BYTES + 1];
extern size_t size;

void put(const void *bytes, size_t count);
void put_byte(unsigned byte);
void put_number(uint64_t number); /* as a varint */
void put_hex(const char *hex);
/* Again and again, until there is no room for another. */
void put_all(const char *hex);

/* Versions, and a graph with one output, "o". Everything put between begin and end is in the
 * graph. */
size_t graph_begin(void);
void graph_end(size_t begin);

/* The parser's approximate count for the bytes put so far. The parser stops beyond a limit. */
extern size_t parsed;
/* Is there room for another part, in the input and for the parser? */
bool has_room(size_t bytes);

/* put_text puts a field of text. The next function puts a field for each name of a list with
 * blanks. The last function puts a node of at most 127 bytes with attributes in hexadecimal. */
void put_text(unsigned tag, const char *text, size_t length);
void put_names(unsigned tag, const char *names);
void put_node(const char *op, const char *inputs, const char *outputs, const char *attributes);

#endif
