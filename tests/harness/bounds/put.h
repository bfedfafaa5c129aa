/*
 * Writing an input: bytes, numbers and messages of protobuf, one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_PUT_H
#define CLRS_TEST_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inputs.h"

/* What was put, and a zero byte behind it. */
extern uint8_t input[INPUT_BYTES + 1];
extern size_t size;

void put(const void *bytes, size_t count);
void put_byte(unsigned byte);
void put_number(uint64_t number); /* as a varint */
void put_hex(const char *hex);
/* Again and again, until there is no room for another. */
void put_all(const char *hex);

/* Versions, and a graph with one output, "o". What is put between begin and end is in the graph. */
size_t graph_begin(void);
void graph_end(size_t begin);

/* What the parser counts for what was put, roughly: beyond a limit it would read no further. */
extern size_t parsed;
/* Is there room for another part, in the input and for the parser? */
bool has_room(size_t bytes);

/* A field of text; one for each of the names, which blanks divide; a node of at most 127 bytes, its
 * attributes in hexadecimal. */
void put_text(unsigned tag, const char *text, size_t length);
void put_names(unsigned tag, const char *names);
void put_node(const char *op, const char *inputs, const char *outputs, const char *attributes);

#endif
