/*
 * clreshape/plan.h - chains of operations as text, and plans: the decision how a move is done,
 * before anything is enqueued. core.h states the rules that apply to all headers.
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
 * An operation is a name, '=' and values. A text is parsed once into a value without pointers, and
 * applied to any number of views. Neither step allocates. An operation costs O(rank), whatever the
 * element count. An operation ends at a blank (space, tab, line end) or at a ';'. Blanks may stand
 * in front of the ';'. A negative axis counts from the end. If an operation adds axes, the end is
 * the end of the result. In the list, the text in front of the colon is the result: the shape for a
 * source [2,3,4], or the elements for the source 0 1 2 3 4 5.
 *
 *   reshape=0,-1       [2,12]: 0 and -1 as in clrs_rules. `reshape=` makes a scalar
 *   permute=2,0,1      [4,2,3]: numpy.transpose
 *   squeeze=0,2        [1,3,1] becomes [3]: ONNX Squeeze-13. `squeeze` removes every dim of 1
 *   unsqueeze=0,-1     [1,2,3,4,1]: ONNX Unsqueeze-13, axes of the result
 *   flatten=1          [2,12]: ONNX Flatten-13, always 2-D. The axis may equal the rank
 *   expand=5,1,1,1     [5,2,3,4]: ONNX Expand-13, multidirectional broadcast
 *   flip=0             5 4 3 2 1 0: numpy.flip
 *   tile=2             0 1 2 3 4 5 0 1 2 3 4 5: ONNX Tile-13, repeats of each whole dim
 *   slice=1:,::-1,0:4:2                [1,3,2]: Python's start:end:step for dims 0, 1, 2. A number
 *                      outside the dim, of up to 64 bits, counts as in Python. An index, as in
 *                      slice=1,...,-1 for [3], removes the dim. `...` stands for the other dims
 *   roll=0,2           4 5 0 1 2 3: axis, distance towards the end, as numpy.roll
 *   split=0,3,1        2 3: axis, parts, number of the part, as ONNX Split-18. The last part may be
 *                      smaller
 *   depth_to_space=2   [1,8,2,2] becomes [1,2,4,4]: of [N, C, D1, ...] with 1 to 14 spatial dims.
 *                      In the channels the place in the block comes first (2,DCR, ONNX's default)
 *                      or the depth (2,CRD). The same for space_to_depth
 *   channel_shuffle=2,0                0 3 1 4 2 5: OpenVINO's, groups, axis. The default axis is 1
 *   batch_to_space=1,2,2               [4,1,2] becomes [1,2,4]: OpenVINO's, block sizes of
 *                      [batch, D1, ...]. For crops, let a slice follow
 *   space_to_batch=1,2,2               the reverse. For pads, put a pad in front
 *   repeat=0,2         0 0 1 1 2 2 3 3 4 4 5 5: axis, repeats, as numpy.repeat
 *   window=0,3,2       [[0 1 2] [2 3 4]]: axis, size, step, as torch.Tensor.unfold. The axis counts
 *                      the windows, and a new last dim holds the elements of a window
 *   pad=1:2            0 0 1 2 3 4 5 0 0: numpy.pad, before:behind of each dim, or one number for
 *                      both. One width, as in pad=1, is for every dim. mode=edge, reflect,
 *                      symmetric or wrap may follow, or value=-1. Maps behind a pad also map the
 *                      border. Only clrs_enqueue_chain takes a pad, once
 *   diagonal=0,1,2     [2,3]: offset, two axes, as numpy.diagonal. The diagonal is the last dim
 *   move_axis=0,-1     [3,4,2]: from, to, as numpy.moveaxis
 *   swap_axes=0,2      [4,3,2]: numpy.swapaxes
 *
 * Other operations map elements, as the functions of map.h do:
 *
 *   color=nv12,rgb,opencv              frames of u8 to pixels of u8, in front of other maps:
 *                      [..,H*3/2,W]    nv12 nv21 i420 yv12, H and W even
 *                      [..,H,W,2]      yuyv uyvy, W even
 *                      to rgb or bgr [..,H,W,3], with every bit of cvtColor (opencv) or of
 *                      NV12toRGB (openvino). Pixels rgb or bgr become grey [..,H,W], with every bit
 *                      of opencv or pillow. The planes of U and V are not copied
 *   resize=480,640,opencv_linear_exact rows and columns of a picture [..,H,W,C], or of [H,W], in
 *                                      front of maps other than color and one cast=f32 of u8, i8,
 *                                      u16, i16, f16 or bf16. axis=-2 behind the reference names
 *                                      the dim of the rows, as in
 *                                      resize=480,640,torch_bilinear,axis=-2 of [N,C,H,W].
 *                                      clrs_resampling has the references. For onnx_linear
 *                                      and onnx_nearest, attributes of ONNX's Resize may follow:
 *                                      coordinate_transformation_mode=asymmetric,nearest_mode=ceil.
 *                                      scales=2:0.6 are for rows and columns. Slices may stand
 *                                      between color and resize. The frame then has less than 2^31
 *                                      elements
 *   cast=u8            2.7 becomes 2, 300.7 becomes 44: as the dialect casts. A rounding (even,
 *                      zero, away, down, up) and an overflow (saturate, wrap, ieee) may follow in
 *                      any order: cast=u8,even,saturate makes 3 and 255 of the two
 *   round=i8           -2.5 becomes -2, 300.7 becomes 127: to the nearest number of that type,
 *                      saturated. The elements keep their type. A rounding and an overflow may
 *                      follow as for a cast
 *   bitcast=bf16       the same bits, as numpy.ndarray.view. For another width, as in bitcast=i4
 *                      for bytes, the last axis gets more or fewer elements: bytes [2,3] become i4
 *                      [2,6]. CLRS_WOULD_COPY if the last axis is not dense and has more than one
 *                      element, and behind a map that computes
 *   mean=0.5           x - 0.5         std=0.25           x / 0.25
 *   scale=2            x * 2           bias=1             x + 1
 *   add= sub= mul= div=                the same four by other names: mul=2 is scale=2
 *   min=6              the smaller of x and 6             max=0   the larger of x and 0
 *   shl=4              x * 2^4, of i32: 3 becomes 48      shr=4   x / 2^4 rounded down, of i32: -1
 *                      stays -1
 *   mean=1,2,3         one number for each index of the last axis. mean=1,2,axis=0: of axis 0
 *   clamp=0,6          7 becomes 6. Either end may be inf or -inf
 *   quantize=u8,0.5,128                1.3 becomes 131: type, scale, zero point
 *   dequantize=f16,0.1:0.2:0.3,,0,64   type, scales, zero points (here none), axis (default 1),
 *                      block. ':' separates numbers. As in ONNX, D elements have ceil(D / block)
 *                      blocks, and the last block may be shorter. Another count is refused
 *
 * The operations from mean to clamp compute in the elements' current type, which must be f16, bf16,
 * f32, f64 or i32. In i32 a result is taken modulo 2^32 and there is no division. Put a cast in
 * front for other types. quantize and dequantize compute as clrs_map_quantize and
 * clrs_map_dequantize. All maps of a chain, also with movement in between, become one map, as with
 * clrs_map_then. So quantize=i8,0.1 dequantize=f32,0.1 is one pass, and a cast to f16 and back is
 * one pass. Numbers are decimal, such as -0.5 or 1e-3, of at most 19 digits. A tensor cannot be a
 * parameter in text.
 *
 * rearrange and repeat take a pattern in the notation of einops 0.8 with ASCII names. Lengths that
 * the shape does not give follow, each behind a comma: `repeat=h w -> (h a) (w 2), a=2`. A name
 * stands once on each side. `...` is any number of dims, in parentheses on the right only. 1 and ()
 * are dims of 1. Each dim of the left has at most one unknown length. Only repeat may add axes,
 * with a name and a length or just a number. Blanks inside a pattern do not end the operation. A
 * pattern ends at a ';', at the end of the text, or at the name of an operation with '=', such as
 * `permute=`, without a comma in front. (`squeeze` without '=' would be an axis there. Put a ';' in
 * front of `squeeze`.)
 */
#define CLRS_MAX_OPS 32      /* operations of a chain */
#define CLRS_CHAIN_TEXT 1024 /* bytes of the text, with its end */

/* A chain holds at most 256 numbers. A value counts 1 and a slice 3. A pattern counts at most 4,
 * and 3 more for each axis and dim of the pattern. A map counts at most 4 more than the numbers in
 * the text. */

/* Bytes in a chain for the library's own use. */
enum { CLRS_CHAIN_PRIVATE_BYTES = 4096 };

/* A value without pointers. A chain of zeros has no operations. Its bytes are trusted as
 * clrs_chain_parse made them. */
typedef struct clrs_chain {
  uint32_t op_count; /* read-only */
  /* The library's own. */
  union {
    uint64_t alignment;
    unsigned char bytes[CLRS_CHAIN_PRIVATE_BYTES];
  } private_;
} clrs_chain;

/* Parses a chain. CLRS_INVALID_ARGUMENT for an error that no shape could fix: an unknown name,
 * values that are not integers, a wrong number of values, or a pattern that breaks a rule.
 * CLRS_OVERFLOW for numbers beyond 64 bits. CLRS_LIMIT_EXCEEDED beyond the limits above. Messages
 * of this function and of the functions below name the operation's number and text, the column of
 * its beginning (both counted from 1), the value, and the rule. An empty text is a chain without
 * operations. */
CLRS_CHECKED clrs_status clrs_chain_parse(const char *text, clrs_chain *chain, clrs_error *error);

/* Applies all operations in place. On failure the view is unchanged. `rules` are the rules of
 * reshapes for 0 and -1, and of casts. NULL means ONNX, with zeros that copy. A map that keeps
 * every bit, such as a bitcast, changes the view's type. Other maps are CLRS_UNSUPPORTED here.
 * CLRS_COUNT_MISMATCH if the shape does not fit a pattern. CLRS_INVALID_ARGUMENT for other
 * arguments that an operation refuses, except for limits and overflows. */
CLRS_CHECKED clrs_status clrs_chain_apply(const clrs_chain *chain, const clrs_rules *rules,
                                          clrs_view *view, clrs_error *error);

/* As clrs_chain_apply, for a mapped view. A movement operation also applies to the views of the
 * parameters. clrs_chain_map_one applies only operation number `index`, counted from 0, for callers
 * that inspect each step. */
CLRS_CHECKED clrs_status clrs_chain_map(const clrs_chain *chain, const clrs_rules *rules,
                                        clrs_mapped *mapped, clrs_error *error);
CLRS_CHECKED clrs_status clrs_chain_map_one(const clrs_chain *chain, size_t index,
                                            const clrs_rules *rules, clrs_mapped *mapped,
                                            clrs_error *error);

/* The text of operation number `index`, counted from 0. Parsing the text gives the same operation.
 * The text lies in the chain's memory. Returns "" if there is no such operation, never NULL. */
CLRS_API const char *clrs_chain_op_text(const clrs_chain *chain, size_t index);

/* Parses a chain and applies the chain under ONNX's rules. */
CLRS_CHECKED clrs_status clrs_view_apply(clrs_view *view, const char *text, clrs_error *error);

/* ------------------------------------------------------------------------------------- plans
 * A plan is the decision for one move, made before anything is enqueued. A plan contains no handle.
 * Plans may be kept, copied and used with any buffers that satisfy the request. Planning costs some
 * microseconds for any element count. Treat the fields as read-only. A plan that was changed by
 * hand is not checked, and may make a kernel leave its buffers.
 */

/* Whether a result may be a new copy, as the array API's copy=False, None, True. */
typedef enum clrs_copy_policy {
  CLRS_COPY_NEVER,     /* alias or CLRS_WOULD_COPY */
  CLRS_COPY_IF_NEEDED, /* alias if a strided layout allows an alias, else one pass */
  CLRS_COPY_ALWAYS     /* a dense copy, whatever the layout */
} clrs_copy_policy;

/* One side of a move. */
typedef struct clrs_operand {
  const clrs_view *view; /* the elements, in the order of the move */
  uint64_t byte_offset;  /* byte of the view's element 0 from the start of the buffer, any value */
  uint32_t alignment;    /* known alignment of the start of the buffer, in bytes, >= 1 */
} clrs_operand;

/* The request for a plan. */
typedef struct clrs_move {
  clrs_operand source;      /* the elements that are read */
  clrs_operand destination; /* view == NULL: an alias or a new dense buffer */
  clrs_copy_policy policy;  /* used only if there is no destination view */
} clrs_move;

/* The two ways to carry out a move. */
typedef enum clrs_execution {
  CLRS_EXECUTION_AUTO, /* a context takes CPU for a CPU, GPU for all else. A plan alone takes GPU */
  CLRS_EXECUTION_CPU,  /* few work-items, each of which moves a large part */
  CLRS_EXECUTION_GPU   /* many work-items, whose neighbours write neighbouring bytes */
} clrs_execution;

/* Name of a class. Each class is one kernel with conditions on a move, and the planner takes the
 * best class whose conditions hold. The name is the name of the kernel and of the kernel's file,
 * such as "cpu_rows". Use names for reports, tests and measurements only, because later versions
 * may have other classes. Number 0 is "any", the request for the best class. NULL behind the last
 * class. */
CLRS_API const char *clrs_class_name(size_t number);

/* The planner's facts about a device. CLRS_DEVICE_LIMITS_INIT suits every device. */
typedef struct clrs_device_limits {
  uint32_t min_index_bits;  /* 32, or 64 to forbid 32-bit index arithmetic */
  uint64_t max_work_items;  /* limit of one launch. Beyond the limit each work-item moves more */
  clrs_execution execution; /* AUTO or one of the two ways */
  /* Most work-items of a work-group, and most bytes of local memory. A class that needs more is not
   * taken. 0 means unknown. A context queries the device and takes the smaller value. A plan alone
   * takes no class with such a need. Kernels have groups of 256 work-items, or of 128 or 64 if the
   * limit is lower. Some drivers allow a kernel smaller groups than the device. A context then
   * lowers max_group_items, and its calls take smaller groups or another class. */
  uint32_t max_group_items;
  uint64_t local_bytes; /* most bytes of local memory, as above */
  /* For tests and measurements: every launch of a plan must be of the class with this name.
   * Otherwise planning fails with CLRS_UNSUPPORTED, and the message names the condition. The other
   * execution's classes are allowed. NULL or "any": the best class. Read during the call only. */
  const char *required_class;
  /* Cost of one more launch, in bytes that a composed kernel could move in that time. A move that
   * would take several launches is one composed launch instead if the bytes written for each
   * launch after the first are fewer than launch_bytes. Example with 8192: three launches that
   * write 12000 bytes become one, as 12000 / 2 < 8192. Three launches that write 20000 bytes stay
   * three. 0: never. */
  uint64_t launch_bytes;
} clrs_device_limits;

/* An initializer for clrs_device_limits. */
#define CLRS_DEVICE_LIMITS_INIT                                                                    \
  { 32, 1u << 30, CLRS_EXECUTION_AUTO, 0, 0, NULL, 8192 }

/* The kinds of plans. */
typedef enum clrs_outcome {
  CLRS_OUTCOME_EMPTY,    /* no elements: nothing to do */
  CLRS_OUTCOME_ALIAS,    /* the result is a layout over the source's bytes */
  CLRS_OUTCOME_AFFINE,   /* one loop nest with constant strides on both sides */
  CLRS_OUTCOME_COMPOSED, /* follows the stack of walks for each element */
  CLRS_OUTCOME_MAPPED,   /* each element goes through a map, on loops as of an affine move */
  CLRS_OUTCOME_INDEXED   /* a gather or a scatter by indices on the device */
} clrs_outcome;

/* The name of an outcome: "empty", "alias", "affine", "composed", "mapped" or "indexed". Never
 * NULL. */
CLRS_API const char *clrs_outcome_name(clrs_outcome outcome);

/* One kernel launch: the class, the width of units and the width of index arithmetic. A unit is the
 * portion that a kernel moves at once: an element, a part of an element, or several elements. */
typedef struct clrs_launch {
  const char *kernel_class; /* static, "any" for a map, see clrs_plan_explain */
  uint32_t unit_bits;       /* 1 to 128: the widest that alignment and strides allow */
  uint32_t index_bits;      /* 32, or 64 if the positions need 64 bits */
} clrs_launch;

/* The bytes of a buffer that a plan may touch. */
typedef struct clrs_footprint {
  uint64_t begin, end; /* first byte, and byte behind the last */
  uint32_t alignment;  /* alignment of the buffer's start that the plan relies on, in bytes */
} clrs_footprint;

/* Bytes in a plan for the library's own use. */
enum { CLRS_PLAN_PRIVATE_BYTES = 40960 };

/* Made by the functions below. */
typedef struct clrs_plan {
  clrs_outcome outcome; /* the effect of an enqueue */
  clrs_layout result;   /* without a destination view: the layout of the alias or the new buffer */
  clrs_footprint source, destination;      /* the parts of both buffers that are used */
  uint64_t bytes_read, bytes_written;      /* by all launches together */
  uint32_t launch_count;                   /* launches write disjoint elements */
  clrs_launch launches[CLRS_MAX_LAUNCHES]; /* the first launch_count are used */
  /* The library's own. */
  union {
    uint64_t alignment;
    unsigned char bytes[CLRS_PLAN_PRIVATE_BYTES];
  } private_;
} clrs_plan;

/* Plans a move. CLRS_WOULD_COPY if the policy forbids a copy. CLRS_COUNT_MISMATCH if the views'
 * shapes differ. CLRS_INVALID_ARGUMENT for another dtype or an unaligned packed type. CLRS_OVERLAP
 * if the destination touches an element twice, or if bounded work cannot exclude that.
 * CLRS_UNSUPPORTED as the message says. After a failure *plan is undefined. */
CLRS_CHECKED clrs_status clrs_plan_move(const clrs_move *move, const clrs_device_limits *limits,
                                        clrs_plan *plan, clrs_error *error);

/* Plans the move of a mapped view. The view of move->source is ignored, and mapped->views.source is
 * moved. Tensor parameters of the map begin at the start of their buffers, with the alignment of a
 * new buffer. The plan holds the map and the numbers. The device's arithmetic is checked when the
 * plan is enqueued. A map that keeps every bit has the plan of clrs_plan_move. Errors are as in
 * clrs_plan_move and clrs_mapped_check. */
CLRS_CHECKED clrs_status clrs_plan_mapped(const clrs_mapped *mapped, const clrs_move *move,
                                          const clrs_device_limits *limits, clrs_plan *plan,
                                          clrs_error *error);

/* Plans a write of one value into every element of the destination. Errors are as in
 * clrs_plan_move. */
CLRS_CHECKED clrs_status clrs_plan_fill(const clrs_operand *destination,
                                        const clrs_device_limits *limits, clrs_plan *plan,
                                        clrs_error *error);

/* Describes a plan as one line of text, or as one JSON object with `outcome`, `launches`, `class`,
 * `nest`, `bytes_read`, `bytes_written` and `reasons`. The nest has the loops of the first launch.
 * Each loop has an extent, a source stride and a destination stride in elements. A composed plan,
 * and a plan by indices, has no nest. If the device allows a kernel only smaller work-groups than
 * other devices, the line has the size of the groups. Writes at most `size` bytes with the final
 * NUL, like snprintf, and returns the length of the whole text. With a NULL text nothing is
 * written. A NULL plan gives "no plan" and null. */
CLRS_API size_t clrs_plan_explain(const clrs_plan *plan, char *text, size_t size);
CLRS_API size_t clrs_plan_explain_json(const clrs_plan *plan, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_PLAN_H */
