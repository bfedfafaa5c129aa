/*
 * Text written piece by piece, against snprintf of the whole text. For every size of the memory:
 * the total length, the part that fits and the terminator, and no byte behind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "base/writer.h"

enum { POISON = 0x5a, ROOM = 32 };

TEST(text_is_cut_as_by_snprintf_and_counted_on) {
  for (size_t size = 0; size <= ROOM; size++) {
    char text[ROOM + 1], expected[ROOM + 1];
    memset(text, POISON, sizeof text);
    memset(expected, POISON, sizeof expected);
    clrs__writer writer = {size > 0 ? text : NULL, size, 0};
    clrs__write(&writer, "%d", 12345);
    clrs__write(&writer, "%s", "");
    clrs__write(&writer, "[%s]", "seven..");
    clrs__write(&writer, ", %c", 'z');
    const int length = snprintf(size > 0 ? expected : NULL, size, "%s", "12345[seven..], z");
    assert_int_equal(writer.length, length);
    assert_memory_equal(text, expected, size); /* behind the end snprintf leaves the old bytes */
    assert_memory_equal(text + size, expected + size, sizeof text - size);
  }
}

TESTS(NULL, NULL)
