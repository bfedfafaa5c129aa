/*
 * Built programs as bytes. All of a blob is checked before any of it reaches a driver: drivers take
 * a binary on trust, and some end the process over a damaged one.
 *
 * A blob is, with every number as 8 bytes, the low ones first: a magic word; its size; a checksum
 * of all its other bytes; the length of the identity and the identity, which says by what and for
 * what device it was made; the number of programs; and for each the words of its variant, the
 * length of a text, its kernel's name and its build options, and the length of its binary and that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "program.h"

typedef struct clrs__blob_text {
  const unsigned char *bytes;
  size_t length;
} clrs__blob_text;

typedef struct clrs__blob_program {
  clrs__variant variant;
  clrs__blob_text binary;
} clrs__blob_program;

/* Writes one thing after the other. Without room, or without bytes at all, it only counts. */
typedef struct clrs__blob_writer {
  unsigned char *bytes;
  size_t capacity, size;
} clrs__blob_writer;

void clrs__blob_begin(clrs__blob_writer *writer, clrs__blob_text identity, size_t program_count);
void clrs__blob_put(clrs__blob_writer *writer, const clrs__blob_program *program);
/* Sets size and checksum, if everything found room. */
void clrs__blob_end(clrs__blob_writer *writer);

/* Where the next bytes of that length would be written; NULL without room. They count as written.
 */
unsigned char *clrs__blob_skip(clrs__blob_writer *writer, size_t length);

typedef struct clrs__blob_reader {
  const unsigned char *bytes;
  size_t size, at;
  uint64_t programs_left;
} clrs__blob_reader;

/* CLRS_INVALID_ARGUMENT if a byte is not as it was written. */
clrs_status clrs__blob_check(clrs__blob_text blob, clrs_error *error);
/* Of a blob that was checked. CLRS_UNSUPPORTED for another identity, CLRS_INVALID_ARGUMENT for what
 * is not a program of this library. Looks at all of the blob: what is read afterwards is whole. */
clrs_status clrs__blob_open(clrs__blob_text blob, clrs__blob_text identity,
                            clrs__blob_reader *reader, clrs_error *error);
/* False behind the last program. Texts point into the blob. */
bool clrs__blob_next(clrs__blob_reader *reader, clrs__blob_program *program);
