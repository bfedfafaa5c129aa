/*
 * clreshape/plan.h - what a move would do, decided before anything is enqueued.
 * Included by clreshape/core.h, which says what holds for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_PLAN_H
#define CLRESHAPE_PLAN_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- plans
 * A plan is the decision for one move, made before anything is enqueued and free of any handle:
 * it may be kept, copied and used with any buffers that satisfy its request. Treat its fields as
 * read-only: one that was changed by hand is not checked, and may make a kernel leave its buffers.
 */

/* May a result be a new copy? The array API's copy=False, None, True. */
typedef enum clrs_copy_policy {
  CLRS_COPY_NEVER,     /* alias or CLRS_WOULD_COPY */
  CLRS_COPY_IF_NEEDED, /* alias if some strided layout allows it, else one pass */
  CLRS_COPY_ALWAYS     /* a dense copy, whatever the layout */
} clrs_copy_policy;

/* One side of a move. */
typedef struct clrs_operand {
  const clrs_view *view;
  uint64_t byte_offset; /* of the view's element 0 from the start of the buffer; any value */
  uint32_t alignment;   /* bytes that the start of the buffer is known to be aligned to, >= 1 */
} clrs_operand;

typedef struct clrs_move {
  clrs_operand source;
  clrs_operand destination; /* view == NULL: an alias or a new dense buffer */
  clrs_copy_policy policy;  /* used only if there is no destination view */
} clrs_move;

/* Two ways to carry out a move. */
typedef enum clrs_execution {
  CLRS_EXECUTION_AUTO, /* a context takes CPU for a CPU, GPU for all else; a plan alone GPU */
  CLRS_EXECUTION_CPU,  /* few work-items, each moves a chunk through registers */
  CLRS_EXECUTION_GPU   /* a unit per work-item, neighbours write neighbours */
} clrs_execution;

/* How the bytes are moved: one kernel each. What a class needs of a move is its own choice, not the
 * caller's; the planner takes the best that fits. */
typedef enum clrs_class {
  CLRS_CLASS_ANY,         /* no class, but the wish for the best one */
  CLRS_CLASS_CPU_ROWS,    /* one fastest axis on both sides */
  CLRS_CLASS_GPU_ROWS,    /* long rows of any strides, a work-group at a time */
  CLRS_CLASS_CPU_TILE,    /* each side is contiguous along another axis */
  CLRS_CLASS_GPU_TILE,    /* the same, through local memory */
  CLRS_CLASS_CPU_SHORT,   /* short axes that together fill runs of the destination */
  CLRS_CLASS_GPU_SHORT,   /* short axes, several at once through local memory */
  CLRS_CLASS_CPU_ANY,     /* any strides on both sides */
  CLRS_CLASS_GPU_ANY,     /* the same, a unit per work-item; the reference for all others */
  CLRS_CLASS_COMPOSED,    /* through a stack of walks; CPU: any units that fill whole bytes */
  CLRS_CLASS_FILL,        /* one value into every unit of the destination */
  CLRS_CLASS_SUBBYTE,     /* units under a byte: one work-item owns each destination byte */
  CLRS_CLASS_CPU_SUBBYTE, /* the same, many at once, a byte for each in the cache */
  CLRS_CLASS_COUNT        /* no class: how many names there are */
} clrs_class;

/* "any", "cpu_rows", "gpu_rows", ...: also the name of the kernel and of its file. Never NULL. */
CLRS_API const char *clrs_class_name(clrs_class kernel_class);

/* What a plan must know of the device. CLRS_DEVICE_LIMITS_INIT suits every device. */
typedef struct clrs_device_limits {
  uint32_t min_index_bits; /* 32, or 64 to forbid 32-bit index arithmetic */
  uint64_t max_work_items; /* of one launch; beyond it each moves more */
  clrs_execution execution;
  /* Work-items that a work-group may have, bytes of local memory that it may use: a class that
   * needs more is not taken. 0: not known. A context asks its device, and takes the smaller value;
   * a plan alone takes no such class. */
  uint32_t max_group_items;
  uint64_t local_bytes;
  /* Every launch of a plan is of this class, or the planner fails with CLRS_UNSUPPORTED and says
   * what the class needs: for tests and measurements. A class of the other way of execution may be
   * required too. */
  clrs_class required_class;
  /* What one more launch costs, in bytes that a composed kernel could move in that time. A move
   * that would take several launches is one composed launch instead if the bytes written for each
   * launch after the first are fewer than launch_bytes. With 8192, three launches that write 12000
   * bytes become one, as 12000 / 2 < 8192; three that write 20000 bytes stay three. 0: never. */
  uint64_t launch_bytes;
} clrs_device_limits;

#define CLRS_DEVICE_LIMITS_INIT                                                                    \
  { 32, 1u << 30, CLRS_EXECUTION_AUTO, 0, 0, CLRS_CLASS_ANY, 8192 }

typedef enum clrs_outcome {
  CLRS_OUTCOME_EMPTY,    /* no elements: nothing to do */
  CLRS_OUTCOME_ALIAS,    /* the result is a layout over the source's bytes */
  CLRS_OUTCOME_AFFINE,   /* one loop nest with constant strides on both sides */
  CLRS_OUTCOME_COMPOSED, /* a gather that follows the stack of walks for each element */
  CLRS_OUTCOME_MAPPED,   /* each element is taken through a map, on loops as of an affine move */
  CLRS_OUTCOME_INDEXED   /* a gather or a scatter by indices on the device */
} clrs_outcome;

/* "empty", "alias", "affine", "composed", "mapped" or "indexed". Never NULL. */
CLRS_API const char *clrs_outcome_name(clrs_outcome outcome);

/* One kernel launch: its class, and the width of its units and of its index arithmetic. */
typedef struct clrs_launch {
  clrs_class kernel_class; /* CLRS_CLASS_ANY: none, of a map; see clrs_plan_explain */
  uint32_t unit_bits;      /* 1 to 128: the widest that alignment and strides allow */
  uint32_t index_bits;     /* 32 or 64, by span */
} clrs_launch;

/* Why a cheaper outcome was refused; clrs_plan_explain makes a sentence of it. */
typedef enum clrs_reason_kind {
  CLRS_REASON_DIM_HAS_NO_STRIDE,  /* values: dim, its extent */
  CLRS_REASON_STACKED_WALKS,      /* values: depth */
  CLRS_REASON_DESTINATION_GIVEN,  /* the caller chose the destination */
  CLRS_REASON_COPY_REQUESTED,     /* CLRS_COPY_ALWAYS */
  CLRS_REASON_AXES_DO_NOT_FACTOR, /* values: the two extents that do not divide */
  CLRS_REASON_TOO_MANY_PIECES,    /* values: the most pieces that one move is cut into */
  CLRS_REASON_FEW_BYTES,          /* values: bytes to move, launches that they would take */
  CLRS_REASON_MAPPED,             /* elements are computed when they are moved */
  CLRS_REASON_INDEXED             /* places are known on the device only */
} clrs_reason_kind;

typedef struct clrs_reason {
  clrs_reason_kind kind;
  int64_t values[2];
} clrs_reason;

/* Bytes of a buffer, [begin, end), that a plan may touch, and the alignment it relies on. */
typedef struct clrs_footprint {
  uint64_t begin, end;
  uint32_t alignment;
} clrs_footprint;

/* What the library keeps in a plan for itself. */
enum { CLRS_PLAN_PRIVATE_BYTES = 40960 };

typedef struct clrs_plan {
  clrs_outcome outcome;
  clrs_layout result; /* without a destination view: the layout of the alias or the new buffer */
  clrs_footprint source, destination;
  uint64_t bytes_read, bytes_written;
  uint32_t reason_count;
  clrs_reason reasons[CLRS_MAX_REASONS];
  uint32_t launch_count; /* they write disjoint elements */
  clrs_launch launches[CLRS_MAX_LAUNCHES];
  union {
    uint64_t alignment;
    unsigned char bytes[CLRS_PLAN_PRIVATE_BYTES];
  } private_;
} clrs_plan;

/* Decides. Fails with CLRS_WOULD_COPY (policy), CLRS_COUNT_MISMATCH (the views' shapes differ),
 * CLRS_INVALID_ARGUMENT (other dtype, unaligned packed type), CLRS_OVERLAP (the destination
 * touches an element twice, or this cannot be ruled out in bounded work), CLRS_UNSUPPORTED.
 * After a failure *plan is undefined. */
CLRS_CHECKED clrs_status clrs_plan_move(const clrs_move *move, const clrs_device_limits *limits,
                                        clrs_plan *plan, clrs_error *error);

/* The plan of a mapped view's move. The view of move->source is not read: mapped->views.source is
 * what is moved. Tensors among the parameters of the map begin at the start of their buffers, with
 * the alignment of a new buffer. The plan holds the map and its numbers. Whether a device has the
 * arithmetic is asked when the plan is enqueued. A map that keeps every bit has the plan of
 * clrs_plan_move. Fails as clrs_plan_move and clrs_mapped_check do. */
CLRS_CHECKED clrs_status clrs_plan_mapped(const clrs_mapped *mapped, const clrs_move *move,
                                          const clrs_device_limits *limits, clrs_plan *plan,
                                          clrs_error *error);

/* The plan that writes one value into every element of the destination. Its nest has source strides
 * of 0. Fails as clrs_plan_move does. */
CLRS_CHECKED clrs_status clrs_plan_fill(const clrs_operand *destination,
                                        const clrs_device_limits *limits, clrs_plan *plan,
                                        clrs_error *error);

/* One line of text, or one JSON object with `outcome`, `launches`, `class`, `nest`, `bytes_read`,
 * `bytes_written` and `reasons`. The nest has the loops of the first launch, each with extent,
 * source stride and destination stride in elements. A composed plan, and a plan by indices, has
 * none. Like snprintf: writes at most `size` bytes with the final NUL and returns the length of the
 * whole text. With text NULL nothing is written. A plan that is NULL is "no plan" and null. */
CLRS_API size_t clrs_plan_explain(const clrs_plan *plan, char *text, size_t size);
CLRS_API size_t clrs_plan_explain_json(const clrs_plan *plan, char *text, size_t size);

/* Do the two views, over the same storage, share a byte? Exact for whole-byte types within bounded
 * work, which is enough for nearly all strided views, and for stacks of some thousand elements or
 * of some thousand strided parts; where the bound is reached, for packed elements in neighbouring
 * bytes, and where an operand is NULL or no valid view, the answer may be true without need, never
 * false. Offsets are those of the operands, whose alignment does not matter. */
CLRS_API bool clrs_operands_overlap(const clrs_operand *a, const clrs_operand *b);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_PLAN_H */
