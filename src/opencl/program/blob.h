/*
 * A blob: built programs as bytes. It is what a context exports and imports, what the program has
 * in its cache, and what it writes for a warm start. All of a blob is checked before any of it
 * reaches a driver: drivers take a binary on trust, and some end the process over a damaged one.
 *
 * A blob is a magic word of 8 bytes; its size; a checksum of all its other bytes; and then
 * pieces, each behind its length. The first piece is the identity, which says by what and for what
 * device the programs were made. Two follow for each program: its title, which is its kernel's name
 * and its build options, and its binary. Numbers have 8 bytes, the low ones first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

/* Of a blob, or a part of one. */
typedef struct clrs__bytes {
  const unsigned char *bytes;
  size_t length;
} clrs__bytes;

clrs__bytes clrs__bytes_of_text(const char *text);
bool clrs__bytes_equal(clrs__bytes a, clrs__bytes b);

typedef struct clrs__blob_program {
  clrs__bytes title, binary;
} clrs__blob_program;

/* Writes one thing after the other. Without room, or without bytes at all, it only counts. */
typedef struct clrs__blob_writer {
  unsigned char *bytes;
  size_t capacity, size;
} clrs__blob_writer;

void clrs__blob_begin(clrs__blob_writer *writer, clrs__bytes identity);
/* Gives where the piece is; NULL without room. A piece whose bytes are NULL is left open. */
unsigned char *clrs__blob_put(clrs__blob_writer *writer, clrs__bytes piece);
/* Sets size and checksum, if everything found room. */
void clrs__blob_end(clrs__blob_writer *writer);

/* What is left of a blob. */
typedef clrs__bytes clrs__blob_reader;

/* CLRS_INVALID_ARGUMENT if a byte is not as it was written. */
clrs_status clrs__blob_check(clrs__bytes blob, clrs_error *error);
/* Of a blob that was checked. CLRS_UNSUPPORTED for another identity, CLRS_INVALID_ARGUMENT for
 * pieces that are not whole. Looks at all of the blob. */
clrs_status clrs__blob_open(clrs__bytes blob, clrs__bytes identity, clrs__blob_reader *reader,
                            clrs_error *error);
/* The next program of a blob that was opened; false behind the last one. It points into it. */
bool clrs__blob_next(clrs__blob_reader *reader, clrs__blob_program *program);
