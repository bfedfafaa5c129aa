/* SPDX-License-Identifier: Apache-2.0 */
#include "processor.h"

#ifdef __linux__
#include <sys/auxv.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "checksum.h"

#if defined(__x86_64__) || defined(__i386__)
/* Registers of a leaf that report instructions. Leaf 1 is read without ebx, which holds the core's
 * own number, and without eax, which holds the model. Register ebx of leaf 13 holds the size of the
 * registers that the system saves. AVX-512 that the system does not enable is therefore not
 * counted. */
enum { EAX = 1, EBX = 2, ECX = 4, EDX = 8, LEAVES = 8 };

static const struct {
  unsigned leaf, subleaf, registers;
} leaves[LEAVES] = {{1, 0, ECX | EDX},
                    {7, 0, EBX | ECX | EDX},
                    {7, 1, EAX | EBX | ECX | EDX},
                    {7, 2, EDX},
                    {13, 0, EAX | EBX},
                    {13, 1, EAX},
                    {0x24, 0, EBX}, /* AVX10 */
                    {0x80000001, 0, ECX | EDX}};

/* A missing leaf reads as 0, which means no instructions. */
static uint64_t add_x86(uint64_t sum) {
  for (int i = 0; i < LEAVES; i++) {
    unsigned found[4] = {0};
    (void)__get_cpuid_count(leaves[i].leaf, leaves[i].subleaf, &found[0], &found[1], &found[2],
                            &found[3]);
    for (int at = 0; at < 4; at++) {
      sum = clrs__checksum_step(sum, (leaves[i].registers >> at & 1) != 0 ? found[at] : 0);
    }
  }
  return sum;
}
#endif

uint64_t clrs__processor_checksum(void) {
  uint64_t sum = CLRS__CHECKSUM_START;
#ifdef __linux__
  sum = clrs__checksum_step(sum, getauxval(AT_HWCAP));
  sum = clrs__checksum_step(sum, getauxval(AT_HWCAP2));
#endif
#if defined(__x86_64__) || defined(__i386__)
  sum = add_x86(sum);
#endif
  return sum;
}
