/*
 * clreshape/chain.h - chains of operations as text: movement, and maps of elements.
 * Included by clreshape/core.h, which says what holds for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CHAIN_H
#define CLRESHAPE_CHAIN_H

#include "map.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A chain is a list of operations, applied left to right:
 *
 *   reshape=0,0,12,64 permute=0,2,1,3 reshape=-1,128,64
 *   rearrange=b t (h d) -> (b h) t d, h=12
 *   cast=f32 mean=123.7,116.3,103.5 std=58.4,57.1,57.4 permute=2,0,1 cast=f16
 *
 * Each is a name, '=' and values. A text is parsed once into a value without pointers and applied
 * to any number of views; neither allocates. Applying costs what the calls of view.h cost that the
 * operations stand for: O(rank) each, whatever the element count.
 *
 * An operation ends at a blank (space, tab, line end) or a ';', which may stand behind blanks. Each
 * takes its values as the function of its name in view.h does, the axis first:
 *
 *   reshape=0,-1       as the rules say; `reshape=` makes a scalar
 *   permute=0,2,1,3    squeeze=0,2     squeeze (every dim of 1)      unsqueeze=0
 *   flatten=1          expand=8,3,4    flip=0                        tile=2,1,3
 *   slice=1:,::-1,0:4:2                Python's start:end:step for dims 0, 1, 2, with Python's rule
 *                      where a number lies outside the dim, also of 64 bits; an index, as in
 *                      slice=...,-1, removes its dim; `...` stands for the dims that are not named
 *   roll=1,3           axis, by how many towards its end: what leaves there comes in at 0
 *   split=1,3,0        axis, parts, which
 *   depth_to_space=2   or 2,DCR, or 2,CRD; the same for space_to_depth
 *   channel_shuffle=3  groups, of axis 1; 3,2 names the axis
 *   batch_to_space=1,2,2               space_to_batch=1,2,2
 *   repeat=1,4         axis, repeats   window=1,20,10                axis, size, step
 *   diagonal=0,1,2     offset, two axes
 *   move_axis=0,-1     from, to        swap_axes=1,2
 *
 * Others map elements, as the functions of map.h do:
 *
 *   cast=f32           as the dialect says; a rounding (even, zero, away, down, up) and an overflow
 *                      (saturate, wrap, ieee) may follow in any order: cast=u8,even,saturate
 *   round=i8           to the nearest number of that type, saturated, in the elements' own type; as
 *                      for a cast a rounding and an overflow may follow: round=i8,even,saturate
 *   bitcast=bf16       the same bits
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
#define CLRS_MAX_OPS 32 /* operations of a chain */
#define CLRS_CHAIN_VALUES                                                                          \
  256 /* numbers in all: one for each value, 3 for each slice; a pattern takes                     \
         4, and 3 for each of its axes and dims, at most; a map at most 4 more than it says */
#define CLRS_CHAIN_TEXT 1024 /* bytes of the text, with its end */

/* One operation: where its values and its text begin in the chain's arrays. */
typedef struct clrs_chain_op {
  uint16_t form, first_value, value_count, first_byte, column;
} clrs_chain_op;

/* Read-only. Of its fields op_count is for callers; the rest is trusted as clrs_chain_parse made
 * it. A chain of zeros has no operations. */
typedef struct clrs_chain {
  uint32_t op_count;
  clrs_chain_op ops[CLRS_MAX_OPS];
  int64_t values[CLRS_CHAIN_VALUES];
  char text[CLRS_CHAIN_TEXT];
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
 * refuses has the status that its function in view.h gives; a shape that a pattern does not fit is
 * CLRS_COUNT_MISMATCH. */
CLRS_CHECKED clrs_status clrs_chain_apply(const clrs_chain *chain, const clrs_rules *rules,
                                          clrs_view *view, clrs_error *error);

/* The same for operation number `index`, counted from 0, for those who look at each step. */
CLRS_CHECKED clrs_status clrs_chain_apply_one(const clrs_chain *chain, size_t index,
                                              const clrs_rules *rules, clrs_view *view,
                                              clrs_error *error);

/* The same for a mapped view, and for all operations. What moves moves the parameters' views too.
 */
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

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_CHAIN_H */
