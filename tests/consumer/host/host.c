/*
 * A library of the host's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
int host_answer(void);

int host_answer(void) {
  return 42;
}
