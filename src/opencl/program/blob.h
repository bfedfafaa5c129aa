/*
 * A blob: built programs as bytes. A context exports and imports blobs, and the program clreshape
 * keeps blobs in its cache and writes a blob for a warm start. The whole blob is checked before any
 * part of the blob reaches a driver. Drivers trust binaries, and some drivers end the process over
 * a damaged binary.
 *
 * A blob starts with a magic word of 8 bytes, the blob's size, and a checksum of all other bytes.
 * Pieces follow, each behind its length. The first piece is the identity, which names the library
 * and the device that the programs were built with. Two pieces follow for each program: the title
 * (the kernel's name and the build options) and the binary. Each number has 8 bytes, least
 * significant byte first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

/* Bytes of a blob, or of a part of a blob. */
typedef struct clrs__bytes {
  const unsigned char *bytes;
  size_t length;
} clrs__bytes;

clrs__bytes clrs__bytes_of_text(const char *text);
bool clrs__bytes_equal(clrs__bytes a, clrs__bytes b);

typedef struct clrs__blob_program {
  clrs__bytes title, binary;
} clrs__blob_program;

/* Writes pieces one after the other. Only counts the bytes if `bytes` is NULL or the room is used
 * up. */
typedef struct clrs__blob_writer {
  unsigned char *bytes;
  size_t capacity, size;
} clrs__blob_writer;

void clrs__blob_begin(clrs__blob_writer *writer, clrs__bytes identity);
/* Returns the address of the piece, or NULL if there is no room. If the piece's bytes are NULL, the
 * room is reserved and not written. */
unsigned char *clrs__blob_put(clrs__blob_writer *writer, clrs__bytes piece);
/* Writes the size and the checksum, if everything had room. */
void clrs__blob_end(clrs__blob_writer *writer);

/* The unread rest of a blob. */
typedef clrs__bytes clrs__blob_reader;

/* CLRS_INVALID_ARGUMENT if any byte differs from what was written. */
clrs_status clrs__blob_check(clrs__bytes blob, clrs_error *error);
/* Opens a checked blob. CLRS_UNSUPPORTED if the identity differs, CLRS_INVALID_ARGUMENT if a piece
 * is truncated. Reads the whole blob. */
clrs_status clrs__blob_open(clrs__bytes blob, clrs__bytes identity, clrs__blob_reader *reader,
                            clrs_error *error);
/* Reads the next program of an opened blob. Returns false after the last program. *program points
 * into the blob. */
bool clrs__blob_next(clrs__blob_reader *reader, clrs__blob_program *program);
