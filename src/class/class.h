/*
 * Kernel classes: the question to a class and its answer.
 *
 * A class moves a nest of units with one kernel, kernels/NAME.cl. The question is a job. The answer
 * is a cut: the nest's axes in the order of the kernel, how the work is cut into pieces for
 * work-items, and a merit. The planner takes the answer with the most merit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_CLASS_H
#define CLRS_CLASS_CLASS_H

#include "address.h"
#include "class_number.h"
#include "nest.h"
#include "words.h"

/* Where the units of a job come from. A class accepts a sum of these values. */
enum {
  CLRS__FROM_SOURCE = 1, /* read at the nest's source strides */
  CLRS__FROM_STACK = 2,  /* source strides count positions of the top walk of a stack */
  CLRS__FROM_VALUE = 4,  /* one value: source strides are 0, or count the parts of an element */
  CLRS__BY_INDEX = 8     /* gather or scatter: the named side has the strides of place 0 */
};

/* The question to a class: the canonical nest of a move, in units from the start of each buffer. */
typedef struct clrs__job {
  uint32_t unit_bits;  /* 1 to 128: the widest that alignment and strides allow */
  uint32_t index_bits; /* 32 or 64, by span */
  uint32_t from;
  bool msb_first; /* units under a byte: element 0 is in the high bits of its byte */
  const clrs_device_limits *limits;
  const clrs_view *stack;                           /* CLRS__FROM_STACK */
  clrs__address address;                            /* CLRS__BY_INDEX, in units */
  uint32_t source_alignment, destination_alignment; /* bytes, of the buffers */
  clrs__nest nest;
} clrs__job;

/* The piece that one work-item, or work-group, takes at a time. The kind selects the member of
 * `as`. */
typedef enum clrs__cut_kind {
  CLRS__CUT_UNITS,   /* a unit, or a few neighbours in the destination */
  CLRS__CUT_CHUNKS,  /* a rectangle of the last two axes, rows and columns */
  CLRS__CUT_SHORT,   /* all inner axes: rows of the destination by columns of the source */
  CLRS__CUT_VOLUMES, /* all inner axes, through local memory */
  CLRS__CUT_DECODED, /* CLRS_DECODED_UNITS neighbours in the destination by rows of the first axis
                      */
  CLRS__CUT_LATTICE, /* a tile of a lattice, as kernels/lattice.cl says */
  CLRS__CUT_BOXES,   /* all of the inner axes, or a part of some: as bytes, through stages */
  CLRS__CUT_BYTES    /* a byte of the destination */
} clrs__cut_kind;

/* An axis that volumes cut at no divisor: `axis` is the axis inside the volume, `back` the number
 * of steps that the last two volumes share. Example: 311 steps in parts of 80 are volumes from 0,
 * 80, 160 and 231 on, and `back` is 9. */
enum { CLRS__RAGGED_AXES = 2 };
typedef struct clrs__ragged {
  uint32_t axis;
  int64_t back;
} clrs__ragged;

/* The answer of a class. */
typedef struct clrs__cut {
  clrs__class_number kernel_class;
  uint32_t unit_bits, index_bits, from;
  uint32_t aligned_bits; /* required alignment of both buffers, at least unit_bits */
  uint32_t level_axes;   /* axes of the stack's levels if elements come from a stack, else 0 */
  uint32_t halvings;     /* of the groups of a class that takes groups, else 0 */
  bool msb_first;
  clrs__address address;
  clrs__cut_kind kind;
  union {
    struct {
      int64_t width;      /* gpu_any: neighbours in the destination that a work-item moves */
      int64_t run, lanes; /* fill: units of a row or 0, and lanes that a row touches */
    } units;
    struct {
      int64_t extents[2];   /* rows and columns of a chunk, fewer in the last chunk */
      int64_t column_parts; /* chunks side by side. 0: as many as the columns fill */
    } chunks;
    struct {
      uint32_t outer_axis_count; /* axes that number chunks, without the axes of parts */
      int32_t rows, columns;     /* in a chunk, fewer in the last chunk */
      int32_t run;               /* units in a row on both sides. 1 if columns are transposed */
      bool turns;                /* rows follow each other in the source, unit by unit */
      int64_t row_extent, column_extent; /* all inner axes: larger if a chunk is a part */
    } short_axes;
    struct {
      uint32_t outer_axis_count; /* axes that number volumes */
      uint32_t more_axes;        /* axes in the words beyond the axes of the nest */
      int64_t units;             /* of a volume */
      int read_kind, write_kind; /* CLRS_ACCESS_UNIT, ... */
      /* The last axis that numbers volumes, and the axis before. 0 steps: not ragged. */
      clrs__ragged ragged[CLRS__RAGGED_AXES];
    } volumes;
    struct {
      uint32_t outer_axis_count, axis_count; /* axes that number boxes, then axes of a box */
      uint32_t first_run_axis, image_axes;   /* in a box. A bit for each image axis */
      int32_t fast_cut, slow_cut;            /* axes that boxes cut into parts. -1: no such axis */
      int32_t image_pitch;                   /* units from image to image */
      bool is_copied; /* the box is part of a run of both sides: units stay packed */
      int32_t extents[CLRS_BOX_AXES];
    } boxes;
    struct {
      int64_t rows;   /* in one chunk. 0: the first axis is not an axis of rows */
      int64_t period; /* rows r and r + period read the same lines */
    } decoded;
    struct {
      uint32_t outer_axis_count; /* axes that number blocks. The next axis has the runs */
      int64_t run;               /* units */
      int64_t rows, columns;     /* of one tile */
    } lattice;
    struct {
      uint32_t outer_axis_count; /* axes that number spans: each leaves a byte between its steps */
      bool interleaves; /* the kernel searches for an inner position's digits instead of dividing */
      int64_t span;     /* units from the first to the last that the inner axes reach */
    } bytes;
  } as;
  int64_t work;  /* number of pieces */
  int64_t share; /* neighbouring pieces of a work-item. 0: every N-th piece, N = number of items */
  bool wide_source, wide_destination; /* in vectors or blocks of 16 bytes: the buffer is aligned */
  bool loops;                         /* the kernel always loops over pieces */
  int64_t merit;                      /* bytes per time, per mille of a plain copy */
  clrs__nest nest;
} clrs__cut;

enum { CLRS__CLASS_FILES = 5 };

typedef struct clrs__class {
  const char *name;
  const char *needs;        /* requirements, as the end of an error message */
  clrs_execution execution; /* execution that uses the class. AUTO: both */
  uint32_t unit_widths;     /* the sum of the widths with a kernel */
  uint32_t from;            /* a sum of CLRS__FROM_SOURCE and so on */
  bool takes_groups;        /* a piece is moved by a work-group */
  clrs__own_words own;      /* words that only this class's kernel reads */
  /* Files of kernels/ for the class's programs, beside the class's own file. `chunk_files` are
   * added, with lines.cl, if a work-item moves a chunk. NULL ends each list. */
  const char *files[CLRS__CLASS_FILES + 1];
  const char *chunk_files[CLRS__CLASS_FILES + 1];
  int64_t best; /* the most merit of any answer */
  /* Returns false if the class cannot do this job. Otherwise completes *cut, which starts with the
   * job's nest. A required class answers however low the merit is. Other classes may decline. */
  bool (*fit)(const clrs__job *job, bool is_required, clrs__cut *cut);
  /* Writes the words of the class's kernel, except the words of the stack. */
  void (*encode)(const clrs__cut *cut, clrs__words *words);
} clrs__class;

/* The alignment in bits that both buffers are known to have, at most 128, the widest unit. */
uint32_t clrs__job_aligned_bits(const clrs__job *job);

/* Moves in blocks (kernels/blocks.cl) if blocks begin where the buffers say: at multiples of 16 in
 * the destination and of 4 in the source. Returns false if the buffers are less aligned. */
bool clrs__cut_take_blocks(const clrs__job *job, clrs__cut *cut);

/* Both functions copy only the axes in use. */
void clrs__cut_start(const clrs__job *job, clrs__cut *cut);
void clrs__cut_copy(clrs__cut *to, const clrs__cut *from);

static inline bool clrs__is_for_cpu(const clrs__job *job) {
  return job->limits->execution == CLRS_EXECUTION_CPU;
}

/* Work-items of the groups of a cut whose class takes groups. */
static inline int64_t clrs__cut_group(const clrs__cut *cut) {
  return CLRS_GROUP_ITEMS >> cut->halvings;
}

/* 1 for a unit under a byte. */
static inline int64_t clrs__unit_bytes(uint32_t unit_bits) {
  return unit_bits < 8 ? 1 : unit_bits / 8;
}

/* Units of up to a byte in a block (kernels/blocks.cl). */
static inline int64_t clrs__block_units(uint32_t unit_bits) {
  return INT64_C(8) * CLRS_BLOCK_BYTES / unit_bits;
}

/* The most axes that the words of a move have room for: axes of the nest, and axes of all levels
 * together. */
uint32_t clrs__job_nest_room(const clrs__job *job);
uint32_t clrs__cut_nest_room(const clrs__cut *cut);
uint32_t clrs__cut_level_room(const clrs__cut *cut);
/* Axes of a cut in the words: twice the axes of a volume, and three times the axes of a box. */
uint32_t clrs__cut_axis_count(const clrs__cut *cut);
/* The number of chunks of a CLRS__CUT_CHUNKS cut along the rows (0) or columns (1). */
int64_t clrs__chunk_parts(const clrs__cut *cut, uint32_t which);

/* For encode. Pieces are units or chunks. Group pieces are chunks that a work-group moves.
 * clrs__encode_axes writes the head, without inner axes, and the axes of `nest`, with their extents
 * as divisors. */
void clrs__encode_pieces(const clrs__cut *cut, clrs__words *words);
void clrs__encode_group_pieces(const clrs__cut *cut, clrs__words *words);
void clrs__encode_axes(const clrs__cut *cut, const clrs__nest *nest, clrs__words *words);

#endif
