/*
 * Definitions that OpenCL compilers for AMD and NVIDIA GPUs have and plain clang lacks: the
 * built-in functions that the kernels call, one instruction each if the device has the instruction.
 * A vendor's compiler includes its own definitions. Only the GPU gate includes these definitions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define BUILT_IN __attribute__((overloadable, always_inline))

#if defined(__AMDGCN__)
/* The start of the packet of every launch: the width of groups and of the range. */
typedef struct packet_t {
  ushort header, setup, group_x, group_y, group_z, reserved;
  uint items_x, items_y, items_z;
} packet_t;
#define PACKET ((constant packet_t *)__builtin_amdgcn_dispatch_ptr())
#define LOCAL_X __builtin_amdgcn_workitem_id_x()
#define LOCAL_Y __builtin_amdgcn_workitem_id_y()
#define GROUP_X __builtin_amdgcn_workgroup_id_x()
#define GROUP_Y __builtin_amdgcn_workgroup_id_y()
#define ITEMS_X PACKET->group_x
#define ITEMS_Y PACKET->group_y
#define GROUPS_X (PACKET->items_x / PACKET->group_x)
#define GROUPS_Y (PACKET->items_y / PACKET->group_y)
#define GLOBAL_X PACKET->items_x
#define GLOBAL_Y PACKET->items_y
#define WAIT_FOR_GROUP()                                                                           \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");                                           \
  __builtin_amdgcn_s_barrier();                                                                    \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
#else
#define LOCAL_X __nvvm_read_ptx_sreg_tid_x()
#define LOCAL_Y __nvvm_read_ptx_sreg_tid_y()
#define GROUP_X __nvvm_read_ptx_sreg_ctaid_x()
#define GROUP_Y __nvvm_read_ptx_sreg_ctaid_y()
#define ITEMS_X __nvvm_read_ptx_sreg_ntid_x()
#define ITEMS_Y __nvvm_read_ptx_sreg_ntid_y()
#define GROUPS_X __nvvm_read_ptx_sreg_nctaid_x()
#define GROUPS_Y __nvvm_read_ptx_sreg_nctaid_y()
#define GLOBAL_X ((uint)GROUPS_X * (uint)ITEMS_X)
#define GLOBAL_Y ((uint)GROUPS_Y * (uint)ITEMS_Y)
#define WAIT_FOR_GROUP() __nvvm_bar_sync(0)
#endif

BUILT_IN size_t get_local_id(uint axis) {
  return (uint)(axis == 0 ? LOCAL_X : LOCAL_Y);
}
BUILT_IN size_t get_group_id(uint axis) {
  return (uint)(axis == 0 ? GROUP_X : GROUP_Y);
}
BUILT_IN size_t get_local_size(uint axis) {
  return (uint)(axis == 0 ? ITEMS_X : ITEMS_Y);
}
BUILT_IN size_t get_num_groups(uint axis) {
  return (uint)(axis == 0 ? GROUPS_X : GROUPS_Y);
}
BUILT_IN size_t get_global_size(uint axis) {
  return (uint)(axis == 0 ? GLOBAL_X : GLOBAL_Y);
}
BUILT_IN size_t get_global_id(uint axis) {
  return (uint)get_group_id(axis) * (uint)get_local_size(axis) + (uint)get_local_id(axis);
}

__attribute__((overloadable, always_inline, convergent)) void barrier(cl_mem_fence_flags flags) {
  (void)flags;
  WAIT_FOR_GROUP();
}

BUILT_IN uint atomic_or(volatile global uint *at, uint bits) {
  return __sync_fetch_and_or(at, bits);
}

BUILT_IN uint mul_hi(uint a, uint b) {
  return (uint)(((ulong)a * b) >> 32);
}
BUILT_IN ulong mul_hi(ulong a, ulong b) {
  return (ulong)(((unsigned __int128)a * b) >> 64);
}

BUILT_IN ulong clz(ulong a) {
  return a == 0 ? 64 : (ulong)__builtin_clzl(a);
}

BUILT_IN int clamp(int a, int least, int most) {
  return a < least ? least : a > most ? most : a;
}
BUILT_IN float clamp(float a, float least, float most) {
  return a < least ? least : a > most ? most : a;
}
BUILT_IN float fma(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

BUILT_IN float vload_half(size_t i, const private half *from) {
  return __builtin_load_halff(from + i);
}
BUILT_IN void vstore_half_rte(float a, size_t i, private half *to) {
  __builtin_store_halff(a, to + i);
}

#define FOR_EACH_TYPE(DO) DO(int) DO(uint) DO(long) DO(ulong)
#define SMALLER_AND_LARGER(type)                                                                   \
  BUILT_IN type min(type a, type b) {                                                              \
    return a < b ? a : b;                                                                          \
  }                                                                                                \
  BUILT_IN type max(type a, type b) {                                                              \
    return a > b ? a : b;                                                                          \
  }
#define COUNT_BITS(type)                                                                           \
  BUILT_IN type popcount(type a) {                                                                 \
    return (type)(sizeof(type) == 4 ? __builtin_popcount((uint)a)                                  \
                                    : __builtin_popcountll((ulong)a));                             \
  }
FOR_EACH_TYPE(SMALLER_AND_LARGER)
FOR_EACH_TYPE(COUNT_BITS)
