/* SPDX-License-Identifier: Apache-2.0 */
#include "index_key.h"

const char *clrs__index_key_name(const clrs__index_key *key) {
  static const char *const names[] = {[CLRS__INDEX_ROWS] = "index_rows",
                                      [CLRS__INDEX_UNITS] = "index_units",
                                      [CLRS__INDEX_ANY] = "index_any"};
  return names[key->geometry];
}
