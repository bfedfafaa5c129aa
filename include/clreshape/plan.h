/*
 * clreshape/plan.h - chains of operations as text, and what a move would do, decided before
 * anything is enqueued. The whole pure half of clreshape. core.h says what holds for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_PLAN_H
#define CLRESHAPE_PLAN_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ chains */

/* A chain is a list of operations, applied left to right:
 *
 *   reshape=0,0,12,64 permute=0,2,1,3 reshape=-1,128,64
 *   rearrange=b t (h d) -> (b h) t d, h=12
 *   cast=f32 mean=123.7,116.3,103.5 std=58.4,57.1,57.4 permute=2,0,1 cast=f16
 *
 * Each is a name, '=' and values. A text is parsed once into a value without pointers and applied
 * to any number of views; neither allocates. An operation costs O(rank), whatever the element
 * count, and ends at a blank (space, tab, line end) or a ';', which may stand behind blanks. Axes
 * may be negative and then count from the end, of the result where an operation adds some.
 *
 *   reshape=0,-1       as the rules say; `reshape=` makes a scalar
 *   permute=0,2,1,3    numpy.transpose
 *   squeeze=0,2        ONNX Squeeze-13; `squeeze` removes every dim of 1
 *   unsqueeze=0        ONNX Unsqueeze-13: axes of the result
 *   flatten=1          ONNX Flatten-13: always 2-D; the axis may be the rank
 *   expand=8,3,4       ONNX Expand-13: multidirectional broadcast
 *   flip=0             numpy.flip
 *   tile=2,1,3         ONNX Tile-13: the whole of each dim, so many times
 *   slice=1:,::-1,0:4:2                Python's start:end:step for dims 0, 1, 2, with Python's rule
 *                      where a number lies outside the dim, also of 64 bits; an index, as in
 *                      slice=...,-1, removes its dim; `...` stands for the dims that are not named
 *   roll=1,3           axis, by how many towards its end: what leaves there comes in at 0
 *   split=1,3,0        axis, parts, which: ONNX Split-18, the last part may be smaller
 *   depth_to_space=2   of [N, C, D1, ...] with 1 to 14 spatial dims, or 2,DCR (ONNX; the place in
 *                      the block comes first in the channels), or 2,CRD (the depth does); the same
 *                      for space_to_depth
 *   channel_shuffle=3  OpenVINO's, groups of axis 1; 3,2 names the axis
 *   batch_to_space=1,2,2               OpenVINO's, block sizes of [batch, D1, ...]; a slice crops
 *   space_to_batch=1,2,2               the same back; clrs_enqueue_pad pads before
 *   repeat=1,4         axis, repeats: numpy.repeat
 *   window=1,20,10     axis, size, step: torch.Tensor.unfold. The windows may overlap, the axis
 *                      counts them, and a new last dim has the elements of one
 *   diagonal=0,1,2     offset, two axes: numpy.diagonal, the new last dim
 *   move_axis=0,-1     from, to: numpy.moveaxis
 *   swap_axes=1,2      numpy.swapaxes
 *
 * Others map elements, as the functions of map.h do:
 *
 *   cast=f32           as the dialect says; a rounding (even, zero, away, down, up) and an overflow
 *                      (saturate, wrap, ieee) may follow in any order: cast=u8,even,saturate
 *   round=i8           to the nearest number of that type, saturated, in the elements' own type; as
 *                      for a cast a rounding and an overflow may follow: round=i8,even,saturate
 *   bitcast=bf16       the same bits, as numpy.ndarray.view: to another width, as bitcast=i4 of
 *                      bytes, the last axis has more or fewer elements. It must be dense, or of
 *                      one element, else CLRS_WOULD_COPY, as behind a map that computes
 *   mean=0.5           x - 0.5         std=0.25           x / 0.25
 *   scale=2            x * 2           bias=1             x + 1
 *   add= sub= mul= div=                the same four by their operators: mul=2 is scale=2
 *   min=6              the smaller of x and 6             max=0   the larger of x and 0
 *   shl=4              x * 2^4, of i32    shr=4           x / 2^4 rounded down, of i32
 *   mean=1,2,3         a number for each index of the last axis; mean=1,2,3,axis=0 of another
 *   clamp=0,6          either end may be inf or -inf
 *   quantize=u8,0.02,128               type, scale, zero point
 *   dequantize=f16,0.1:0.2:0.3,,0,64   lists have ':' between their numbers: scales, zero points
 *                                      (here none), the axis (1, if there is none) and the block.
 *                                      ONNX's rule: of D elements there are ceil(D / block) blocks,
 *                                      the last may be shorter, and another count is refused
 *
 * mean to clamp compute in the type that the elements have there, which must be f16, bf16, f32, f64
 * or i32, where a result is taken modulo 2^32 and nothing divides: a cast has to stand before them.
 * quantize and dequantize compute as clrs_map_quantize and clrs_map_dequantize. Maps with movement
 * between them or not become one, as clrs_map_then has it: quantize=i8,0.1 dequantize=f32,0.1 is
 * one pass, and so is a cast to f16 and back. Numbers are decimal, such as -0.5 or 1e-3, of at most
 * 19 digits. A parameter that is a tensor has no text.
 *
 * rearrange and repeat take a pattern in the notation of einops, and after it, each behind a comma,
 * the lengths that the shape does not tell: `repeat=h w -> (h a) (w 2), a=2`. Its rules are those
 * of einops 0.8, names being of ASCII: a name stands once on each side; `...` is any number of
 * dims, in parentheses on the right only; 1 and () are dims of 1; each dim of the left has at most
 * one unknown length; new axes, with a name and a length or just a number, are repeat's alone.
 * Blanks inside of a pattern do not end the operation: that takes a ';', the end of the text, or a
 * word such as `permute=`, the name of an operation with its '=', that no comma stands before.
 * (`squeeze` without '=' would be an axis there, so a ';' has to stand before it.)
 */
#define CLRS_MAX_OPS 32      /* operations of a chain */
#define CLRS_CHAIN_TEXT 1024 /* bytes of the text, with its end */

/* Numbers in all are at most 256: one for each value, 3 for each slice; a pattern takes 4, and 3
 * for each of its axes and dims, at most; a map at most 4 more than it says. */

/* What the library keeps in a chain for itself. */
enum { CLRS_CHAIN_PRIVATE_BYTES = 4096 };

/* A value without pointers. A chain of zeros has no operations. Its bytes are trusted as
 * clrs_chain_parse made them. */
typedef struct clrs_chain {
  uint32_t op_count; /* read-only */
  union {
    uint64_t alignment;
    unsigned char bytes[CLRS_CHAIN_PRIVATE_BYTES];
  } private_;
} clrs_chain;

/* Fails with CLRS_INVALID_ARGUMENT on what no shape could make right (an unknown name, values that
 * are no integers or of a wrong number, a pattern that breaks a rule), with CLRS_OVERFLOW on
 * numbers beyond 64 bits and CLRS_LIMIT_EXCEEDED beyond the limits above. A message of this
 * function and of those below names the operation by its number and text, the column where it
 * begins (both counted from 1), the value, and the rule. An empty text is a chain without
 * operations. */
CLRS_CHECKED clrs_status clrs_chain_parse(const char *text, clrs_chain *chain, clrs_error *error);

/* Applies all operations in place; on failure the view is as it was. `rules` say how reshapes read
 * 0 and -1, and whose casts they are; NULL is ONNX, where zeros copy. A map that keeps every bit,
 * such as a bitcast, changes the view's type; others are CLRS_UNSUPPORTED here. What an operation
 * refuses is CLRS_INVALID_ARGUMENT but for limits and overflows; a shape that a pattern does not
 * fit is CLRS_COUNT_MISMATCH. */
CLRS_CHECKED clrs_status clrs_chain_apply(const clrs_chain *chain, const clrs_rules *rules,
                                          clrs_view *view, clrs_error *error);

/* The same for a mapped view, and for its operation number `index`, counted from 0, for those who
 * look at each step. What moves moves the parameters' views too. */
CLRS_CHECKED clrs_status clrs_chain_map(const clrs_chain *chain, const clrs_rules *rules,
                                        clrs_mapped *mapped, clrs_error *error);
CLRS_CHECKED clrs_status clrs_chain_map_one(const clrs_chain *chain, size_t index,
                                            const clrs_rules *rules, clrs_mapped *mapped,
                                            clrs_error *error);

/* The text of operation number `index`, counted from 0, as it was parsed: it parses again to the
 * same. In the chain's memory. "" where there is no such operation, never NULL. */
CLRS_API const char *clrs_chain_op_text(const clrs_chain *chain, size_t index);

/* Parses a chain and applies it under ONNX's rules. */
CLRS_CHECKED clrs_status clrs_view_apply(clrs_view *view, const char *text, clrs_error *error);

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

/* How the bytes are moved: by classes, of one kernel each. What a class needs of a move is its own
 * choice, not the caller's; the planner takes the best that fits. Names are those of the kernels
 * and of their files, such as "cpu_rows", for reports, tests and measurements: later versions may
 * have others. Number 0 is "any", no class but the wish for the best one; behind the last is NULL.
 */
CLRS_API const char *clrs_class_name(size_t number);

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
  /* Every launch of a plan is of the class of this name, or the planner fails with CLRS_UNSUPPORTED
   * and says what the class needs: for tests and measurements. A class of the other way of
   * execution may be required too. NULL, or "any": the best. Read during the call alone. */
  const char *required_class;
  /* What one more launch costs, in bytes that a composed kernel could move in that time. A move
   * that would take several launches is one composed launch instead if the bytes written for each
   * launch after the first are fewer than launch_bytes. With 8192, three launches that write 12000
   * bytes become one, as 12000 / 2 < 8192; three that write 20000 bytes stay three. 0: never. */
  uint64_t launch_bytes;
} clrs_device_limits;

#define CLRS_DEVICE_LIMITS_INIT                                                                    \
  { 32, 1u << 30, CLRS_EXECUTION_AUTO, 0, 0, NULL, 8192 }

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
  const char *kernel_class; /* static; "any": none, of a map; see clrs_plan_explain */
  uint32_t unit_bits;       /* 1 to 128: the widest that alignment and strides allow */
  uint32_t index_bits;      /* 32 or 64, by span */
} clrs_launch;

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

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_PLAN_H */
