/*
 * Kernel classes: what one is asked and what it answers.
 *
 * A class moves a nest of units with one kernel, kernels/NAME.cl. It is asked with a job, and
 * answers with a cut: the nest's axes in the order in which its kernel takes them, how the work is
 * cut into pieces for work-items, and how good that is. The planner takes the best answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_CLASS_H
#define CLRS_CLASS_CLASS_H

#include "address.h"
#include "class_number.h"
#include "nest.h"
#include "words.h"

/* Where the units of a job come from; a class takes a sum of these. */
enum {
  CLRS__FROM_SOURCE = 1, /* at the nest's source strides */
  CLRS__FROM_STACK = 2,  /* these count positions of the top walk of a stack */
  CLRS__FROM_VALUE = 4,  /* one value; these are 0, or count the parts of an element */
  CLRS__BY_INDEX = 8     /* a gather or a scatter: on one side these are those of place 0 */
};

/* What a class is asked: the canonical nest of a move, in units from the start of each buffer. */
typedef struct clrs__job {
  uint32_t unit_bits;  /* 1 to 128: the widest that alignment and strides allow */
  uint32_t index_bits; /* 32 or 64, by span */
  uint32_t from;
  bool msb_first; /* units under a byte: element 0 of a byte is its high bits */
  const clrs_device_limits *limits;
  const clrs_view *stack;                           /* CLRS__FROM_STACK */
  clrs__address address;                            /* CLRS__BY_INDEX, in units */
  uint32_t source_alignment, destination_alignment; /* bytes, of the buffers */
  clrs__nest nest;
} clrs__job;

/* What one work-item, or work-group, takes at a time, and so what `as` holds. */
typedef enum clrs__cut_kind {
  CLRS__CUT_UNITS,   /* a unit, or a few of the destination's neighbours */
  CLRS__CUT_CHUNKS,  /* a rectangle of the last two axes, rows and columns */
  CLRS__CUT_SHORT,   /* all inner axes: rows of the destination by columns of the source */
  CLRS__CUT_VOLUMES, /* all inner axes, through local memory */
  CLRS__CUT_DECODED, /* CLRS_DECODED_UNITS neighbours of the destination by rows of the first axis
                      */
  CLRS__CUT_LATTICE, /* a tile of a lattice, as kernels/lattice.cl says */
  CLRS__CUT_BOXES,   /* all inner axes but for some of which a part: as bytes, through stages */
  CLRS__CUT_BYTES    /* a byte of the destination */
} clrs__cut_kind;

/* An axis of volumes that is cut at no divisor: the axis of a volume, and how many of its steps the
 * last two volumes share. 311 in parts of 80 is volumes from 0, 80, 160 and 231 on: 9 are shared.
 */
enum { CLRS__RAGGED_AXES = 2 };
typedef struct clrs__ragged {
  uint32_t axis;
  int64_t back;
} clrs__ragged;

/* What a class answers. */
typedef struct clrs__cut {
  clrs__class_number kernel_class;
  uint32_t unit_bits, index_bits, from;
  uint32_t aligned_bits; /* both buffers have to begin at a multiple of; unit_bits, or more */
  uint32_t level_axes;   /* of the stack, if that is where elements come from */
  bool msb_first;
  clrs__address address;
  clrs__cut_kind kind;
  union {
    struct {
      int64_t width;      /* gpu_any: neighbours of the destination that a work-item moves */
      bool in_blocks;     /* gpu_any by index: of 16 bytes, wherever in one a row begins */
      int64_t run, lanes; /* fill: units of a row, 0 if there are none, and lanes that it touches */
    } units;
    struct {
      int64_t extents[2];   /* rows and columns of one; the last one may be smaller */
      int64_t column_parts; /* chunks side by side; 0: as many as the columns fill */
      bool in_blocks;       /* gpu_rows: of 16 bytes, wherever in one a row begins */
    } chunks;
    struct {
      uint32_t outer_axis_count; /* axes that number chunks, beside those of parts */
      int32_t rows, columns;     /* of a chunk; the last one may have fewer */
      int32_t run; /* units that lie in a row on both sides; of columns that are turned 1 */
      bool turns;  /* rows follow each other in the source, unit by unit */
      int64_t row_extent, column_extent; /* of all inner axes: more where chunks are parts of one */
    } short_axes;
    struct {
      uint32_t outer_axis_count; /* axes that number volumes */
      uint32_t more_axes;        /* of its words, than the nest has */
      int64_t units;             /* of one */
      int read_kind, write_kind; /* CLRS_ACCESS_UNIT, ... */
      /* By the last of the axes that number volumes, and by the last but one; 0 steps: none. */
      clrs__ragged ragged[CLRS__RAGGED_AXES];
    } volumes;
    struct {
      uint32_t outer_axis_count, axis_count; /* axes that number boxes, those of one behind them */
      uint32_t first_run_axis, image_axes;   /* of a box; a bit for each in images of the source */
      int32_t fast_cut, slow_cut;            /* axes of which a box is a part; -1 */
      int32_t image_pitch;                   /* from image to image */
      bool is_copied; /* a part of a run that both sides have: units stay packed */
      int32_t extents[CLRS_BOX_AXES];
    } boxes;
    struct {
      int64_t rows;   /* in one chunk; 0: the first axis is none of rows */
      int64_t period; /* rows r and r + period read the same lines */
    } decoded;
    struct {
      uint32_t outer_axis_count; /* axes that number blocks; the next one has the runs */
      int64_t run;               /* units */
      int64_t rows, columns;     /* in one tile */
    } lattice;
    struct {
      uint32_t outer_axis_count; /* axes that leave a byte between their steps: they number spans */
      bool interleaves;          /* no division finds an inner position's digits: a search does */
      int64_t span;              /* units from the first to the last that the inner axes reach */
    } bytes;
  } as;
  int64_t work;  /* how many pieces of that kind there are */
  int64_t share; /* neighbouring pieces that a work-item takes; 0: one, then those further on */
  bool wide_source, wide_destination; /* in vectors of 16 bytes, as the buffer is aligned */
  bool loops;                         /* the kernel loops over pieces, even if it need not */
  int64_t merit;                      /* bytes per time, per mille of a plain copy */
  clrs__nest nest;
} clrs__cut;

enum { CLRS__CLASS_FILES = 5 };

typedef struct clrs__class {
  const char *name;
  const char *needs;        /* the end of a sentence */
  clrs_execution execution; /* whose choice it is; AUTO: everyone's */
  uint32_t unit_widths;     /* a sum of those that it has kernels for */
  uint32_t from;            /* a sum */
  bool takes_groups;        /* a piece is moved by a work-group */
  clrs__own_words own;      /* that its kernel alone reads */
  /* What its programs need of kernels/ beside its own file; and what beside lines.cl where a
   * work-item moves a chunk. NULL ends each. */
  const char *files[CLRS__CLASS_FILES + 1];
  const char *chunk_files[CLRS__CLASS_FILES + 1];
  int64_t best; /* no answer has more merit */
  /* Can the class do this job, and how? Completes *cut, which has the job's nest. A class that is
   * required answers however bad that is; another one may keep quiet. */
  bool (*fit)(const clrs__job *job, bool is_required, clrs__cut *cut);
  /* Writes the words that its kernel reads beside the stack's. */
  void (*encode)(const clrs__cut *cut, clrs__words *words);
} clrs__class;

/* Bits that both buffers are known to begin at a multiple of; no more than the widest unit has. */
uint32_t clrs__job_aligned_bits(const clrs__job *job);

/* Both copy only the axes in use. */
void clrs__cut_start(const clrs__job *job, clrs__cut *cut);
void clrs__cut_copy(clrs__cut *to, const clrs__cut *from);

static inline bool clrs__is_for_cpu(const clrs__job *job) {
  return job->limits->execution == CLRS_EXECUTION_CPU;
}

/* Of a unit that is under a byte, 1. */
static inline int64_t clrs__unit_bytes(uint32_t unit_bits) {
  return unit_bits < 8 ? 1 : unit_bits / 8;
}

/* Units of up to a byte in a block (kernels/blocks.cl). */
static inline int64_t clrs__block_units(uint32_t unit_bits) {
  return INT64_C(8) * CLRS_BLOCK_BYTES / unit_bits;
}

/* Axes that the words of a move have room for, of the nest, at most; and of all levels together. */
uint32_t clrs__job_nest_room(const clrs__job *job);
uint32_t clrs__cut_nest_room(const clrs__cut *cut);
uint32_t clrs__cut_level_room(const clrs__cut *cut);
/* Axes that a cut has there: those of a volume are there twice, those of a box three times. */
uint32_t clrs__cut_axis_count(const clrs__cut *cut);
/* Chunks of a cut of that kind, along the rows (0) or columns (1). */
int64_t clrs__chunk_parts(const clrs__cut *cut, uint32_t which);

/* For encode: pieces that are units or chunks; chunks that a work-group moves; the axes of `nest`,
 * by whose extents the kernel divides, after a head without inner axes. */
void clrs__encode_pieces(const clrs__cut *cut, clrs__words *words);
void clrs__encode_group_pieces(const clrs__cut *cut, clrs__words *words);
void clrs__encode_axes(const clrs__cut *cut, const clrs__nest *nest, clrs__words *words);

#endif
