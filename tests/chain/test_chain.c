/*
 * Chains as text: the parsed form of each operation, the borders between operations, and the
 * refused texts with messages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "chain/op.h"
#include "harness/check.h"
#include "op.h"
#include "view/cells.h"

/* ---- values ---- */

typedef struct value_row {
  const char *text; /* one operation */
  size_t count;
  int64_t values[9];
} value_row;

#define END_OF_AXIS INT64_MAX
#define START_OF_AXIS INT64_MIN

static void check_values(const value_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    clrs_chain chain;
    clrs_error error;
    print_message("  %s\n", rows[i].text);
    CHECK_OK(clrs_chain_parse(rows[i].text, &chain, &error), error);
    assert_int_equal(chain.op_count, 1);
    assert_int_equal(clrs__chain_data_in(&chain)->ops[0].value_count, rows[i].count);
    assert_memory_equal(clrs__chain_data_in(&chain)->values +
                            clrs__chain_data_in(&chain)->ops[0].first_value,
                        rows[i].values, rows[i].count * sizeof(int64_t));
    assert_string_equal(clrs_chain_op_text(&chain, 0), rows[i].text);
  }
}

TEST(every_operation_parses_to_its_values) {
  static const value_row rows[] = {
      {"reshape=0,-1", 2, {0, -1}},
      {"reshape=", 0, {0}},
      {"reshape=-9223372036854775808,9223372036854775807", 2, {INT64_MIN, INT64_MAX}},
      {"reshape=-0,+7,007", 3, {0, 7, 7}},
      {"permute=0,2,1,3", 4, {0, 2, 1, 3}},
      {"permute=", 0, {0}},
      {"squeeze", 0, {0}},
      {"squeeze=0,-2", 2, {0, -2}},
      {"unsqueeze=0", 1, {0}},
      {"flatten=1", 1, {1}},
      {"expand=8,3,4", 3, {8, 3, 4}},
      {"flip=0", 1, {0}},
      {"split=1,3,0", 3, {1, 3, 0}},
      {"depth_to_space=2", 2, {2, CLRS__BLOCKS_FIRST}},
      {"depth_to_space=2,DCR", 2, {2, CLRS__BLOCKS_FIRST}},
      {"depth_to_space=3,CRD", 2, {3, CLRS__DEPTH_FIRST}},
      {"space_to_depth=4,CRD", 2, {4, CLRS__DEPTH_FIRST}},
      {"channel_shuffle=3", 1, {3}},
      {"channel_shuffle=3,-1", 2, {3, -1}},
      {"batch_to_space=1,2,3", 3, {1, 2, 3}},
      {"space_to_batch=1,2,3", 3, {1, 2, 3}},
      {"tile=2,1,3", 3, {2, 1, 3}},
      {"tile=", 0, {0}},
      {"repeat=1,4", 2, {1, 4}},
      {"window=-1,20,10", 3, {-1, 20, 10}},
      {"diagonal=-1,0,2", 3, {-1, 0, 2}},
      {"move_axis=0,-1", 2, {0, -1}},
      {"swap_axes=1,2", 2, {1, 2}},
      {"roll=1,-3", 2, {1, -3}},
  };
  check_values(rows, COUNT(rows));
}

TEST(slices_parse_to_bounds_and_steps) {
  static const value_row rows[] = {
      /* The missing bounds are Python's defaults. ONNX clamps such bounds to the ends of the
       * axis. */
      {"slice=1:", 3, {1, END_OF_AXIS, 1}},
      {"slice=:3", 3, {0, 3, 1}},
      {"slice=:", 3, {0, END_OF_AXIS, 1}},
      {"slice=::", 3, {0, END_OF_AXIS, 1}},
      {"slice=::2", 3, {0, END_OF_AXIS, 2}},
      {"slice=0:4:2", 3, {0, 4, 2}},
      {"slice=-3:-1", 3, {-3, -1, 1}},
      {"slice=::-1", 3, {END_OF_AXIS, START_OF_AXIS, -1}},
      {"slice=5::-2", 3, {5, START_OF_AXIS, -2}},
      {"slice=:0:-1", 3, {END_OF_AXIS, 0, -1}},
      {"slice=1:2:", 3, {1, 2, 1}},
      {"slice=:9223372036854775808", 3, {0, INT64_MAX, 1}},
      {"slice=-99999999999999999999::-9223372036854775809", 3, {INT64_MIN, INT64_MIN, INT64_MIN}},
      {"slice=::0", 3, {0, END_OF_AXIS, 0}},
      {"slice=1:,::-1,0:4:2", 9, {1, END_OF_AXIS, 1, END_OF_AXIS, START_OF_AXIS, -1, 0, 4, 2}},
  };
  check_values(rows, COUNT(rows));
}

/* ---- where operations end ---- */

enum { MOST_OPS = 4 };

typedef struct cut_row {
  const char *text;
  const char *ops[MOST_OPS];
  uint32_t columns[MOST_OPS];
} cut_row;

TEST(operations_end_at_blanks_and_patterns_at_the_next_name) {
  static const cut_row rows[] = {
      {"", {NULL}, {0}},
      {" \t\n", {NULL}, {0}},
      {"  flip=0", {"flip=0"}, {3}},
      {"flip=0 flip=1", {"flip=0", "flip=1"}, {1, 8}},
      {"flip=0\n\t squeeze\r\n", {"flip=0", "squeeze"}, {1, 10}},
      {"flip=0;flip=1;", {"flip=0", "flip=1"}, {1, 8}},
      {"flip=0 ; flip=1 ;", {"flip=0", "flip=1"}, {1, 10}},
      {"reshape= flip=0", {"reshape=", "flip=0"}, {1, 10}},
      {"rearrange=a b -> b a", {"rearrange=a b -> b a"}, {1}},
      {"rearrange= a b -> b a  ", {"rearrange= a b -> b a"}, {1}},
      {"rearrange=a b -> b a flip=0", {"rearrange=a b -> b a", "flip=0"}, {1, 22}},
      {"rearrange=a b -> b a;squeeze", {"rearrange=a b -> b a", "squeeze"}, {1, 22}},
      {"rearrange=a squeeze -> squeeze a", {"rearrange=a squeeze -> squeeze a"}, {1}},
      {"rearrange=(h w) -> h w, h=2 tile=1,1",
       {"rearrange=(h w) -> h w, h=2", "tile=1,1"},
       {1, 29}},
      /* behind a comma, an axis may have the name of an operation */
      {"rearrange=(flip w) -> flip w, flip=2 flip=0",
       {"rearrange=(flip w) -> flip w, flip=2", "flip=0"},
       {1, 38}},
      {"rearrange=(flip w) -> flip w,flip=2", {"rearrange=(flip w) -> flip w,flip=2"}, {1}},
      {"repeat=0,2 repeat=a -> a 2 repeat=1,3 squeeze",
       {"repeat=0,2", "repeat=a -> a 2", "repeat=1,3", "squeeze"},
       {1, 12, 28, 39}},
      {"repeat=0,2 squeeze rearrange=a->a",
       {"repeat=0,2", "squeeze", "rearrange=a->a"},
       {1, 12, 20}},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_chain chain;
    uint32_t count = 0;
    print_message("  '%s'\n", rows[i].text);
    CHECK_OK(clrs_chain_parse(rows[i].text, &chain, &error), error);
    for (; count < MOST_OPS && rows[i].ops[count] != NULL; count++) {
      assert_string_equal(clrs_chain_op_text(&chain, count), rows[i].ops[count]);
      assert_int_equal(clrs__chain_data_in(&chain)->ops[count].column, rows[i].columns[count]);
    }
    assert_int_equal(chain.op_count, count);
    assert_string_equal(clrs_chain_op_text(&chain, count), "");
    assert_string_equal(clrs_chain_op_text(NULL, 0), "");
  }
}

/* ---- what is refused ---- */

typedef struct refused_row {
  const char *text;
  clrs_status status;
  const char *says;
} refused_row;

static const refused_row refused[] = {
    {"=1", CLRS_INVALID_ARGUMENT, "operation 1 (=1) at column 1: unknown operation '=1'"},
    {";", CLRS_INVALID_ARGUMENT, "operation 1 () at column 1: unknown operation ''"},
    {"flip=0;;", CLRS_INVALID_ARGUMENT, "operation 2 () at column 8: unknown operation ''"},
    {"transpose=0,1", CLRS_INVALID_ARGUMENT, "unknown operation 'transpose=0,1'"},
    {"Reshape=1", CLRS_INVALID_ARGUMENT, "unknown operation"},
    {"reshap=1", CLRS_INVALID_ARGUMENT, "unknown operation"},
    {"reshapes=1", CLRS_INVALID_ARGUMENT, "unknown operation"},
    {"pixel_shuffle=2", CLRS_INVALID_ARGUMENT, "known are reshape, permute, "},
    {"pixel_shuffle=2", CLRS_INVALID_ARGUMENT, ", tile, repeat, window, "},
    {"pixel_shuffle=2", CLRS_INVALID_ARGUMENT, ", swap_axes"},
    {"reshape", CLRS_INVALID_ARGUMENT, "needs '='"},
    {"permute", CLRS_INVALID_ARGUMENT, "permute needs '=' and values, as in permute=0,2,1,3"},
    {"rearrange", CLRS_INVALID_ARGUMENT, "needs '='"},
    {"repeat", CLRS_INVALID_ARGUMENT, "needs '=' and values, as in repeat=1,4 (axis, count), or"},
    {"flip=0 reshape=2,x", CLRS_INVALID_ARGUMENT, "operation 2 (reshape=2,x) at column 8: 'x'"},
    {"reshape=2,", CLRS_INVALID_ARGUMENT, "'' is not a decimal integer"},
    {"reshape=,", CLRS_INVALID_ARGUMENT, "'' is not a decimal integer"},
    {"reshape=1,,2", CLRS_INVALID_ARGUMENT, "'' is not a decimal integer"},
    {"reshape= 2", CLRS_INVALID_ARGUMENT, "operation 2 (2) at column 10: unknown operation '2'"},
    {"reshape==2", CLRS_INVALID_ARGUMENT, "'=2'"},
    {"reshape=-", CLRS_INVALID_ARGUMENT, "'-'"},
    {"reshape=+-1", CLRS_INVALID_ARGUMENT, "'+-1'"},
    {"reshape=0x1", CLRS_INVALID_ARGUMENT, "'0x1'"},
    {"reshape=1.0", CLRS_INVALID_ARGUMENT, "'1.0'"},
    {"reshape=9223372036854775808", CLRS_OVERFLOW, "'9223372036854775808' does not fit in 64"},
    {"reshape=-9223372036854775809", CLRS_OVERFLOW, "64 bits"},
    {"reshape=99999999999999999999999999999", CLRS_OVERFLOW, "64 bits"},
    {"reshape=99999999999999999999999999999x", CLRS_INVALID_ARGUMENT, "not a decimal integer"},
    {"squeeze=", CLRS_INVALID_ARGUMENT, "0 values"},
    {"unsqueeze=", CLRS_INVALID_ARGUMENT, "0 values"},
    {"flip=", CLRS_INVALID_ARGUMENT, "0 values"},
    {"flatten=", CLRS_INVALID_ARGUMENT, "0 values"},
    {"flatten=1,2", CLRS_INVALID_ARGUMENT, "2 values"},
    {"split=1,3", CLRS_INVALID_ARGUMENT, "2 values"},
    {"split=1,3,0,0", CLRS_INVALID_ARGUMENT, "4 values"},
    {"slice=", CLRS_INVALID_ARGUMENT, "'' is not a slice"},
    {"slice=a", CLRS_INVALID_ARGUMENT, "'a' is not a slice start:end:step, an index or '...'"},
    {"slice=.", CLRS_INVALID_ARGUMENT, "'.' is not a slice"},
    {"slice=....", CLRS_INVALID_ARGUMENT, "'....' is not a slice"},
    {"slice=...,1,...", CLRS_INVALID_ARGUMENT, "'...' stands twice"},
    {"slice=9223372036854775808", CLRS_OVERFLOW, "64 bits"},
    {"roll=1", CLRS_INVALID_ARGUMENT, "roll does not take 1 values"},
    {"roll=1,2,3", CLRS_INVALID_ARGUMENT, "roll does not take 3 values"},
    {"slice=1:,", CLRS_INVALID_ARGUMENT, "'' is not a slice"},
    {"slice=,1:", CLRS_INVALID_ARGUMENT, "'' is not a slice"},
    {"slice=1:2:3:4", CLRS_INVALID_ARGUMENT, "more than start:end:step"},
    {"slice=1:2:3:", CLRS_INVALID_ARGUMENT, "more than start:end:step"},
    {"slice=a:", CLRS_INVALID_ARGUMENT, "'a'"},
    {"slice=1:b", CLRS_INVALID_ARGUMENT, "'b'"},
    {"slice=::c", CLRS_INVALID_ARGUMENT, "'c'"},
    {"depth_to_space", CLRS_INVALID_ARGUMENT, "needs '='"},
    {"depth_to_space=", CLRS_INVALID_ARGUMENT, "''"},
    {"depth_to_space=DCR", CLRS_INVALID_ARGUMENT, "'DCR'"},
    {"depth_to_space=2,", CLRS_INVALID_ARGUMENT, "DCR or CRD"},
    {"depth_to_space=2,dcr", CLRS_INVALID_ARGUMENT, "'dcr'"},
    {"depth_to_space=2,DCR,1", CLRS_INVALID_ARGUMENT, "'DCR,1'"},
    {"space_to_depth=9223372036854775808", CLRS_OVERFLOW, "64 bits"},
    {"channel_shuffle=", CLRS_INVALID_ARGUMENT, "0 values"},
    {"channel_shuffle=1,2,3", CLRS_INVALID_ARGUMENT, "3 values"},
    {"space_to_batch=", CLRS_INVALID_ARGUMENT, "0 values"},
    {"repeat=1", CLRS_INVALID_ARGUMENT, "1 values; write repeat=1,4"},
    {"window=1,2", CLRS_INVALID_ARGUMENT, "2 values"},
    {"diagonal=0,1", CLRS_INVALID_ARGUMENT, "2 values"},
    {"move_axis=0", CLRS_INVALID_ARGUMENT, "1 values"},
    {"swap_axes=0,1,2", CLRS_INVALID_ARGUMENT, "3 values"},
};

TEST(every_bad_text_is_refused_with_its_rule) {
  for (size_t i = 0; i < COUNT(refused); i++) {
    clrs_chain chain, before;
    memset(&chain, 0x5a, sizeof chain);
    before = chain;
    print_message("  '%s'\n", refused[i].text);
    CHECK_FAILS(clrs_chain_parse(refused[i].text, &chain, &error), refused[i].status, error);
    CHECK_SAYS(error, refused[i].says);
    CHECK_SAYS(error, ") at column ");
    assert_memory_equal(&chain, &before, sizeof chain);
  }
}

TEST(a_long_operation_is_cut_in_the_message) {
  char text[300] = "foo";
  clrs_chain chain;
  memset(text + 3, 'x', sizeof text - 4);
  CHECK_FAILS(clrs_chain_parse(text, &chain, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "xxx...) at column 1: unknown operation 'fooxxx");
  CHECK_SAYS(error, ", swap_axes");
}

/* ---- limits ---- */

/* `count` times `word`. May exceed the longest chain. */
static const char *many(const char *start, const char *word, size_t count) {
  static char text[2 * CLRS_CHAIN_TEXT];
  size_t used = (size_t)snprintf(text, sizeof text, "%s", start);
  for (size_t i = 0; i < count && used < sizeof text; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s", word);
  }
  return text;
}

TEST(chains_have_limits_and_reach_them) {
  clrs_chain chain;
  CHECK_OK(clrs_chain_parse(many("", "flip=0 ", CLRS_MAX_OPS), &chain, &error), error);
  assert_int_equal(chain.op_count, CLRS_MAX_OPS);
  assert_string_equal(clrs_chain_op_text(&chain, CLRS_MAX_OPS - 1), "flip=0");
  CHECK_FAILS(clrs_chain_parse(many("", "flip=0 ", CLRS_MAX_OPS + 1), &chain, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 32 operations");
  CHECK_OK(clrs_chain_parse(many("flip=0", ",0", CLRS_MAX_RANK - 1), &chain, &error), error);
  assert_int_equal(clrs__chain_data_in(&chain)->ops[0].value_count, CLRS_MAX_RANK);
  CHECK_FAILS(clrs_chain_parse(many("flip=0", ",0", CLRS_MAX_RANK), &chain, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 32 values");
  CHECK_OK(clrs_chain_parse(many("slice=:", ",:", CLRS_MAX_RANK - 1), &chain, &error), error);
  CHECK_FAILS(clrs_chain_parse(many("slice=:", ",:", CLRS_MAX_RANK), &chain, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 32 slices");
  /* 12 values at a time: 21 times and 4 more */
  CHECK_OK(clrs_chain_parse(many("flip=0,1,2,3 ", "slice=:,:,:,: ", 21), &chain, &error), error);
  CHECK_FAILS(clrs_chain_parse(many("flip=0,1,2,3,4 ", "slice=:,:,:,: ", 21), &chain, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "operation 22 (slice=:,:,:,:) at column 296: the chain has more than 256");
  CHECK_OK(clrs_chain_parse(many("flip=0", " ", CLRS_CHAIN_TEXT - 7), &chain, &error), error);
  CHECK_FAILS(clrs_chain_parse(many("flip=0", " ", CLRS_CHAIN_TEXT - 6), &chain, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 1023 bytes");
}

/* A text without gaps fills the chain's copy to the last byte. */
TEST(the_longest_text_is_kept_whole) {
  char text[CLRS_CHAIN_TEXT];
  clrs_chain chain;
  memset(text, '0', sizeof text);
  memcpy(text, "flip=", 5);
  memcpy(text + 500, ";flatten=", 9);
  text[sizeof text - 1] = '\0';
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  assert_int_equal(strlen(clrs_chain_op_text(&chain, 0)), 500);
  assert_string_equal(clrs_chain_op_text(&chain, 1), text + 501);
}

/* `run` and clrs_enqueue_chain make a single pass of a mapping chain. Without a map a chain may be
 * a view. */
TEST(a_chain_knows_whether_it_maps) {
  static const struct {
    const char *text;
    bool maps;
  } rows[] = {
      {"", false},        {"flip=0", false},         {"permute=1,0 reshape=-1 flip=0", false},
      {"cast=f16", true}, {"flip=0 cast=f16", true}, {"scale=2 flip=0", true}};
  clrs_chain chain;
  for (size_t i = 0; i < COUNT(rows); i++) {
    CHECK_OK(clrs_chain_parse(rows[i].text, &chain, &error), error);
    assert_int_equal(clrs__chain_has_maps(&chain), rows[i].maps);
  }
}

TESTS(NULL, NULL)
