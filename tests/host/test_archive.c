/*
 * Names of arrays in archives: valid names, the end of the archive's path, and the longest name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "host/archive.h"

TEST(names_are_cut_behind_the_first_ending) {
  static const struct {
    const char *name, *path, *member; /* path NULL: no archive's */
  } rows[] = {
      {"a.npz", "a.npz", NULL},
      {"a.npz:w", "a.npz", "w"},
      {"a.npz:", "a.npz", ""},
      {"./b c/a.npz:layer/0.npz", "./b c/a.npz", "layer/0.npz"},
      {"a.npz:x.npz:y", "a.npz", "x.npz:y"},
      {"a.safetensors", "a.safetensors", NULL},
      {"a.safetensors:w.npz", "a.safetensors", "w.npz"},
      {"a.npz:w.safetensors:x", "a.npz", "w.safetensors:x"},
      {"a.gguf:blk.0.attn_q.weight", "a.gguf", "blk.0.attn_q.weight"},
      {"a.npzx.npz:w", "a.npzx.npz", "w"},
      {"a.npy", NULL, NULL},
      {".npz", NULL, NULL},
      {"a.npz.npy", NULL, NULL},
      {"a:w", NULL, NULL},
      {"", NULL, NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    cli_archive_name found;
    if (cli_archive_find(rows[i].name, &found) != (rows[i].path != NULL))
      fail_msg("%s", rows[i].name);
    if (rows[i].path == NULL)
      continue;
    assert_string_equal(found.path, rows[i].path);
    if (rows[i].member == NULL)
      assert_null(found.member);
    else
      assert_string_equal(found.member, rows[i].member);
  }
}

TEST(a_path_has_room_or_is_none) {
  char name[CLI_PATH_BYTES + 8];
  cli_archive_name found;
  memset(name, 'a', sizeof name);
  memcpy(name + CLI_PATH_BYTES - 1 - 4, ".npz", 5); /* the longest path, and the end */
  assert_true(cli_archive_find(name, &found));
  assert_int_equal(strlen(found.path), CLI_PATH_BYTES - 1);
  memset(name, 'a', sizeof name);
  memcpy(name + CLI_PATH_BYTES - 4, ".npz", 5);
  assert_false(cli_archive_find(name, &found));
}

TESTS(NULL, NULL)
