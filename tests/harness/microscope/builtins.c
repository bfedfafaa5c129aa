/*
 * OpenCL's built-in functions that the kernels here call, under clang's mangled names. A kernel
 * that needs a missing function cannot be loaded, and the message names the function.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run.h"

#include <immintrin.h>

#define BUILTIN(result, name, mangled, ...)                                                        \
  __attribute__((visibility("default"))) result name(__VA_ARGS__) __asm__(mangled);                \
  result name(__VA_ARGS__)

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* ---- who am I ---- */

BUILTIN(size_t, global_id, "_Z13get_global_idj", uint32_t d) {
  return d < 3 ? microscope_item.global[d] : 0;
}

BUILTIN(size_t, local_id, "_Z12get_local_idj", uint32_t d) {
  return d < 3 ? microscope_item.local[d] : 0;
}

BUILTIN(size_t, group_id, "_Z12get_group_idj", uint32_t d) {
  return d < 3 ? microscope_item.group[d] : 0;
}

BUILTIN(size_t, global_offset, "_Z17get_global_offsetj", uint32_t d) {
  return d < 3 ? microscope_item.range->offset[d] : 0;
}

BUILTIN(size_t, global_size, "_Z15get_global_sizej", uint32_t d) {
  return d < 3 ? microscope_item.range->global[d] : 1;
}

BUILTIN(size_t, local_size, "_Z14get_local_sizej", uint32_t d) {
  return d < 3 ? microscope_item.range->local[d] : 1;
}

BUILTIN(size_t, num_groups, "_Z14get_num_groupsj", uint32_t d) {
  return d < 3 ? microscope_item.range->global[d] / microscope_item.range->local[d] : 1;
}

BUILTIN(void, group_barrier, "_Z7barrierj", uint32_t flags) {
  (void)flags;
  microscope_barrier();
}

BUILTIN(void, memory_fence, "_Z9mem_fencej", uint32_t flags) {
  (void)flags;
}

/* Items run in sequence, so no atomic instruction is needed. */
BUILTIN(uint32_t, atomic_or_j, "_Z9atomic_orPU8CLglobalVjj", volatile uint32_t *at, uint32_t bits) {
  const uint32_t before = *at;
  *at = before | bits;
  return before;
}

/* ---- arithmetic ---- */

#define MIN_AND_MAX(type, suffix)                                                                  \
  BUILTIN(type, min_##suffix, "_Z3min" #suffix #suffix, type a, type b) {                          \
    return a < b ? a : b;                                                                          \
  }                                                                                                \
  BUILTIN(type, max_##suffix, "_Z3max" #suffix #suffix, type a, type b) {                          \
    return a > b ? a : b;                                                                          \
  }

MIN_AND_MAX(int32_t, i)
MIN_AND_MAX(uint32_t, j)
MIN_AND_MAX(int64_t, l)
MIN_AND_MAX(uint64_t, m)

BUILTIN(int32_t, clamp_i, "_Z5clampiii", int32_t x, int32_t low, int32_t high) {
  return min_i(max_i(x, low), high);
}

BUILTIN(float, clamp_f, "_Z5clampfff", float x, float low, float high) {
  return x < low ? low : x > high ? high : x;
}

typedef int32_t four_ints __attribute__((vector_size(16)));
BUILTIN(four_ints, clamp_4i, "_Z5clampDv4_iii", four_ints x, int32_t low, int32_t high) {
  return (four_ints){clamp_i(x[0], low, high), clamp_i(x[1], low, high), clamp_i(x[2], low, high),
                     clamp_i(x[3], low, high)};
}

typedef float four_floats __attribute__((vector_size(16)));
BUILTIN(four_floats, clamp_4f, "_Z5clampDv4_fff", four_floats x, float low, float high) {
  return (four_floats){clamp_f(x[0], low, high), clamp_f(x[1], low, high), clamp_f(x[2], low, high),
                       clamp_f(x[3], low, high)};
}

BUILTIN(int32_t, mul_hi_i, "_Z6mul_hiii", int32_t a, int32_t b) {
  return (int32_t)(((int64_t)a * b) >> 32);
}

BUILTIN(uint32_t, mul_hi_j, "_Z6mul_hijj", uint32_t a, uint32_t b) {
  return (uint32_t)(((uint64_t)a * b) >> 32);
}

BUILTIN(int64_t, mul_hi_l, "_Z6mul_hill", int64_t a, int64_t b) {
  return (int64_t)(((wide)a * b) >> 64);
}

BUILTIN(uint64_t, mul_hi_m, "_Z6mul_himm", uint64_t a, uint64_t b) {
  return (uint64_t)(((unsigned_wide)a * b) >> 64);
}

BUILTIN(int32_t, popcount_i, "_Z8popcounti", int32_t a) {
  return __builtin_popcount((uint32_t)a);
}

BUILTIN(uint32_t, popcount_j, "_Z8popcountj", uint32_t a) {
  return (uint32_t)__builtin_popcount(a);
}

BUILTIN(int64_t, popcount_l, "_Z8popcountl", int64_t a) {
  return __builtin_popcountll((uint64_t)a);
}

BUILTIN(uint64_t, popcount_m, "_Z8popcountm", uint64_t a) {
  return (uint64_t)__builtin_popcountll(a);
}

BUILTIN(uint64_t, clz_m, "_Z3clzm", uint64_t a) {
  return a == 0 ? 64 : (uint64_t)__builtin_clzll(a);
}

/* ---- floats ---- */

/* By the mangled name, which contains the length of the name. */
#define ROUND(name, mangled)                                                                       \
  BUILTIN(float, round_##name, mangled, float a) {                                                 \
    return __builtin_##name##f(a);                                                                 \
  }

ROUND(ceil, "_Z4ceilf")
ROUND(floor, "_Z5floorf")
ROUND(rint, "_Z4rintf")
ROUND(round, "_Z5roundf")
ROUND(trunc, "_Z5truncf")

BUILTIN(float, fma_f, "_Z3fmafff", float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

/* By the processor, because clang 14 has no _Float16 for x86. */
#define BY_F16C __attribute__((target("f16c")))

BY_F16C BUILTIN(float, vload_half, "_Z10vload_halfmPU9CLprivateKDh", size_t i,
                const uint16_t *from) {
  return _cvtsh_ss(from[i]);
}

BY_F16C BUILTIN(void, vstore_half_rte, "_Z15vstore_half_rtefmPU9CLprivateDh", float a, size_t i,
                uint16_t *to) {
  to[i] = _cvtss_sh(a, _MM_FROUND_TO_NEAREST_INT);
}
