/*
 * Against NumPy: the verdict of clrs_view_layout after a reshape, with the strides, and where every
 * element is after a chain of operations. The oracle of the other tests is checked as well.
 *
 * The arguments are the two files that generate.py wrote.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cases.h"

#include "harness/chain.h"
#include "harness/tensors.h"

static void open_file(case_reader *reader, const char *path) {
  *reader = (case_reader){fopen(path, "r"), 0};
  if (!reader->file)
    fail_msg("cannot read %s", path);
}

/* NumPy's strides of dims of 1, and of tensors without elements, mean nothing. */
static void compare_strides(const case_reader *reader, const clrs_layout *answer,
                            const int64_t *strides) {
  for (uint32_t d = 0; d < answer->rank; d++)
    if (answer->dims[d] != 1 && answer->strides[d] != strides[d])
      fail_msg("line %lld: stride %u is %lld, NumPy has %lld", (long long)reader->line, d,
               (long long)answer->strides[d], (long long)strides[d]);
}

static bool run_reshape(case_reader *reader) {
  clrs_error error = {0};
  clrs_view view;
  clrs_layout answer;
  char word[32];
  int64_t strides[CLRS_MAX_RANK];
  const clrs_layout layout = read_layout(reader);
  const clrs_shape target = read_shape(reader);
  read_word(reader, word);
  const bool is_view = strcmp(word, "view") == 0;
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &target, &error), error);
  const clrs_status status = clrs_view_layout(&view, &answer, &error);
  if (status != (is_view ? CLRS_OK : CLRS_WOULD_COPY))
    fail_msg("line %lld: NumPy says %s, clreshape %s", (long long)reader->line, word,
             clrs_status_name(status));
  if (!is_view)
    return false;
  read_numbers(reader, target.rank, strides);
  assert_true(clrs_shape_equal(&view.shape, &target));
  if (oracle_count(&target) > 0) {
    compare_strides(reader, &answer, strides);
    assert_int_equal(answer.offset, layout.offset);
  }
  return true;
}

static void reshape_is_a_view_where_numpy_makes_one(void **state) {
  case_reader reader;
  int64_t cases = 0, views = 0;
  open_file(&reader, ((char **)*state)[1]);
  for (; read_next(&reader); cases++)
    views += run_reshape(&reader);
  (void)fclose(reader.file);
  print_message("%lld reshapes, %lld of them views\n", (long long)cases, (long long)views);
  assert_true(cases >= 20000 && views * 5 > cases && views * 5 < cases * 4);
}

static void read_slices(case_reader *reader, move *step) {
  step->count = (size_t)read_number(reader);
  for (size_t i = 0; i < step->count; i++) {
    int64_t values[4];
    read_numbers(reader, 4, values);
    step->slices[i] = (clrs_slice){values[0], values[1], values[2], values[3]};
  }
}

static move read_move(case_reader *reader) {
  static const struct {
    const char *name;
    move_kind kind;
  } names[] = {{"reshape", MOVE_RESHAPE},     {"permute", MOVE_PERMUTE}, {"squeeze", MOVE_SQUEEZE},
               {"unsqueeze", MOVE_UNSQUEEZE}, {"flatten", MOVE_FLATTEN}, {"expand", MOVE_EXPAND},
               {"slice", MOVE_SLICE},         {"flip", MOVE_FLIP},       {"split", MOVE_SPLIT}};
  char word[32];
  move step = {.kind = MOVE_KIND_COUNT};
  read_word(reader, word);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(word, names[i].name) == 0)
      step.kind = names[i].kind;
  if (step.kind == MOVE_KIND_COUNT)
    fail_msg("line %lld: unknown operation %s", (long long)reader->line, word);
  if (step.kind == MOVE_SLICE)
    read_slices(reader, &step);
  else if (step.kind == MOVE_RESHAPE || step.kind == MOVE_EXPAND)
    step.shape = read_shape(reader);
  else
    step.count = read_list(reader, step.axes);
  return step;
}

static uint64_t hash_positions(const int64_t *positions, int64_t count) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (int64_t k = 0; k < count; k++)
    hash = (hash ^ (uint64_t)positions[k]) * 0x100000001B3u;
  return hash;
}

static uint64_t hash_of_view(const clrs_view *view, const case_reader *reader) {
  const int64_t count = oracle_count(&view->shape);
  const char *why = NULL;
  int64_t *positions = calloc((size_t)count + 1, sizeof *positions);
  assert_non_null(positions);
  if (!view_positions(view, positions, &why))
    fail_msg("line %lld: %s", (long long)reader->line, why);
  const uint64_t hash = hash_positions(positions, count);
  free(positions);
  return hash;
}

static void run_chain(case_reader *reader) {
  clrs_view view;
  uint64_t expected;
  const clrs_layout layout = read_layout(reader);
  oracle tensor = oracle_from_layout(&layout);
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  const int64_t steps = read_number(reader);
  for (int64_t i = 0; i < steps; i++) {
    const move step = read_move(reader);
    CHECK_OK(move_apply_view(&step, &view, &error), error);
    move_apply_oracle(&step, &tensor);
  }
  const clrs_shape shape = read_shape(reader);
  assert_int_equal(fscanf(reader->file, "%" SCNu64, &expected), 1);
  if (!clrs_shape_equal(&view.shape, &shape) || !clrs_shape_equal(&tensor.shape, &shape))
    fail_msg("line %lld: another shape than NumPy's", (long long)reader->line);
  if (hash_positions(tensor.positions, tensor.count) != expected)
    fail_msg("line %lld: the oracle of the tests is not NumPy", (long long)reader->line);
  if (hash_of_view(&view, reader) != expected)
    fail_msg("line %lld: elements are elsewhere than in NumPy", (long long)reader->line);
  oracle_free(&tensor);
}

static void chains_end_where_numpy_ends(void **state) {
  case_reader reader;
  int64_t cases = 0;
  open_file(&reader, ((char **)*state)[2]);
  for (; read_next(&reader); cases++)
    run_chain(&reader);
  (void)fclose(reader.file);
  print_message("%lld chains\n", (long long)cases);
  assert_true(cases >= 5000);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(reshape_is_a_view_where_numpy_makes_one, argv),
      cmocka_unit_test_prestate(chains_end_where_numpy_ends, argv),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
