/*
 * Chains with a pad: the pieces write each element of the result once, with the element that the
 * same chain finds in a padded tensor. The padded tensor is made here, element by element, by
 * numpy.pad's rule of each mode.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/chain.h"
#include "harness/check.h"
#include "padded_border.h"

enum { CASES = 4000, MOST = 20000, BORDER = -7 };

/* Measures a chain that begins with a pad. */
static clrs_status measure(const char *text, const clrs_view *front, clrs__padded *made,
                           clrs_error *failure) {
  clrs_chain chain;
  clrs__pad_widths pad;
  uint32_t at = 1;
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  assert_true(clrs__chain_find_pad(&chain, &at));
  assert_int_equal(at, 0);
  CLRS_TRY(clrs__chain_pad(&chain, at, front, &pad, failure));
  return clrs__padded_init(&(clrs__padded_ask){&pad, &chain, at + 1, NULL}, front, made, failure);
}

static const char *const mode_names[] = {"constant", "edge", "reflect", "symmetric", "wrap"};

typedef struct numbers {
  clrs_shape shape;
  int64_t list[MOST];
} numbers;

static int64_t count_of(const clrs_shape *shape) {
  int64_t count;
  CHECK_OK(clrs_shape_count(shape, &count, &error), error);
  return count;
}

static clrs_view dense(const clrs_shape *shape) {
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_I64, shape, &view, &error), error);
  return view;
}

static void show(const clrs_view *view, const numbers *from, int64_t *to) {
  CHECK_OK(clrs_view_copy_host(view, from->list, sizeof from->list, to, MOST * sizeof *to, &error),
           error);
}

/* ---- numpy.pad, element by element ---- */

/* The index of the source that index `at` of a padded dim shows, or -1 for the border's value. */
static int64_t shown_index(clrs_pad_mode mode, int64_t at, int64_t extent) {
  const int64_t last = extent - 1;
  while (at < 0 || at > last) {
    switch (mode) {
    case CLRS_PAD_CONSTANT:
      return -1;
    case CLRS_PAD_EDGE:
      at = at < 0 ? 0 : last;
      break;
    case CLRS_PAD_REFLECT:
      at = last == 0 ? 0 : at < 0 ? -at : 2 * last - at;
      break;
    case CLRS_PAD_SYMMETRIC:
      at = at < 0 ? -at - 1 : 2 * last + 1 - at;
      break;
    case CLRS_PAD_WRAP:
      at += at < 0 ? extent : -extent;
      break;
    }
  }
  return at;
}

static void pad_slowly(const numbers *from, const clrs__pad_widths *by, numbers *to) {
  to->shape = from->shape;
  for (uint32_t d = 0; d < to->shape.rank; d++) {
    to->shape.dims[d] += by->before[d] + by->behind[d];
  }
  const int64_t count = count_of(&to->shape);
  assert_true(count <= MOST);
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = i, stride = 1, source = 0;
    bool is_border = false;
    for (uint32_t d = to->shape.rank; d-- > 0;) {
      const int64_t at =
          shown_index(by->mode, rest % to->shape.dims[d] - by->before[d], from->shape.dims[d]);
      is_border = is_border || at < 0;
      source += at * stride;
      stride *= from->shape.dims[d];
      rest /= to->shape.dims[d];
    }
    to->list[i] = is_border ? BORDER : from->list[source];
  }
}

/* ---- the pieces ---- */

typedef struct assembly {
  const clrs__padded *padded;
  const numbers *from;
  numbers made;
  int64_t times[MOST]; /* how often each element was written */
} assembly;

static void put(assembly *all, const clrs_slice *slices, const int64_t *elements, int64_t step) {
  static numbers places;
  static int64_t at[MOST];
  clrs_view view = dense(&all->padded->axes);
  for (int64_t i = 0; i < MOST; i++) {
    places.list[i] = i;
  }
  CHECK_OK(clrs_view_slice(&view, view.shape.rank, slices, &error), error);
  show(&view, &places, at);
  for (int64_t i = 0; i < count_of(&view.shape); i++) {
    all->made.list[at[i]] = elements[i * step];
    all->times[at[i]]++;
  }
}

static clrs_status put_value(void *context, const clrs_slice *slices, const uint8_t *element,
                             clrs_error *failure) {
  int64_t value;
  (void)failure;
  memcpy(&value, element, sizeof value);
  put(context, slices, &value, 0);
  return CLRS_OK;
}

static clrs_status put_piece(void *context, const clrs__padded_piece *piece, clrs_error *failure) {
  static int64_t shown[MOST];
  assembly *all = context;
  if (piece->is_border) {
    return clrs__padded_border(all->padded, piece->slices, put_value, context, failure);
  }
  show(&piece->seen, all->from, shown);
  put(all, piece->slices, shown, 1);
  return CLRS_OK;
}

/* ---- random chains ---- */

static void print_random(test_rng *rng, const numbers *padded, char *text, size_t size) {
  clrs_view view = dense(&padded->shape);
  const int64_t count = rng_between(rng, 0, 3);
  for (int64_t i = 0; i < count; i++) {
    char op[256];
    const clrs_shape *shape = &view.shape;
    if (shape->rank > 0 && shape->rank < 6 && rng_percent(rng, 50)) {
      const int64_t axis = rng_between(rng, 0, shape->rank - 1), extent = shape->dims[axis];
      snprintf(op, sizeof op, "window=%d,%d,%d", (int)axis,
               (int)rng_between(rng, 1, extent < 5 ? extent : 5), (int)rng_between(rng, 1, 4));
    } else if (shape->rank > 1 && rng_percent(rng, 20)) {
      snprintf(op, sizeof op, "flip=%d diagonal=%d,0,1", (int)rng_between(rng, 0, 1),
               (int)rng_between(rng, -1, 1));
    } else {
      const move step = move_random(rng, shape, 4000);
      move_print(&step, op, sizeof op);
    }
    clrs_view next = view;
    if (clrs_view_apply(&next, op, NULL) == CLRS_OK && count_of(&next.shape) < MOST) {
      view = next;
      snprintf(text + strlen(text), size - strlen(text), " %s", op);
    }
  }
}

static void fill_random(test_rng *rng, numbers *from, clrs__pad_widths *by) {
  from->shape.rank = (uint32_t)rng_between(rng, 0, 3);
  *by = (clrs__pad_widths){.mode = (clrs_pad_mode)rng_between(rng, 0, 4)};
  for (uint32_t d = 0; d < from->shape.rank; d++) {
    from->shape.dims[d] = rng_between(rng, 1, 6);
    by->before[d] = rng_percent(rng, 30) ? 0 : rng_between(rng, 0, 9);
    by->behind[d] = rng_percent(rng, 30) ? 0 : rng_between(rng, 0, 5);
  }
  for (int64_t i = 0; i < MOST; i++) {
    from->list[i] = i;
  }
}

static void print_pad(const clrs__pad_widths *by, uint32_t rank, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "pad=");
  for (uint32_t d = 0; d < rank; d++) {
    used += (size_t)snprintf(text + used, size - used, "%d:%d,", (int)by->before[d],
                             (int)by->behind[d]);
  }
  used += (size_t)snprintf(text + used, size - used, "%smode=%s", rank == 0 ? "0," : "",
                           mode_names[by->mode]);
  if (by->mode == CLRS_PAD_CONSTANT) {
    snprintf(text + used, size - used, ",value=%d", BORDER);
  }
}

/* ---- comparisons ---- */

/* The cases that were tried, and the cases that were refused because a reshape does not factor. */
typedef struct tally {
  int tried, refused, pieces;
} tally;

static void require_written(const assembly *all, const numbers *padded, const char *behind,
                            uint64_t seed) {
  static int64_t expected[MOST];
  clrs_view view = dense(&padded->shape);
  CHECK_OK(clrs_view_apply(&view, behind, &error), error);
  show(&view, padded, expected);
  assert_true(clrs_shape_equal(&view.shape, &all->padded->after.views.source.shape));
  for (int64_t i = 0; i < count_of(&view.shape); i++) {
    if (all->times[i] != 1 || all->made.list[i] != expected[i]) {
      fail_msg("seed %llu: element %d is %d and must be %d, written %d times, behind '%s'",
               (unsigned long long)seed, (int)i, (int)all->made.list[i], (int)expected[i],
               (int)all->times[i], behind);
    }
  }
}

static void random_case(uint64_t seed, tally *all) {
  static numbers from, padded;
  static clrs__padded made;
  static assembly built;
  char text[1000], behind[800] = "";
  clrs__pad_widths by;
  size_t count;
  test_rng rng = rng_start(seed);
  fill_random(&rng, &from, &by);
  pad_slowly(&from, &by, &padded);
  print_random(&rng, &padded, behind, sizeof behind);
  print_pad(&by, from.shape.rank, text, sizeof text);
  strncat(text, behind, sizeof text - strlen(text) - 1);
  const clrs_view front = dense(&from.shape);
  const clrs_status status = measure(text, &front, &made, &error);
  all->tried++;
  if (status == CLRS_UNSUPPORTED) {
    CHECK_SAYS(error, "behind a pad");
    all->refused++;
    return;
  }
  check_status(status, CLRS_OK, &error, text, __FILE__, __LINE__);
  memset(&built, 0, sizeof built);
  built.padded = &made;
  built.from = &from;
  CHECK_OK(clrs__padded_each(&made, put_piece, &built, &count, &error), error);
  all->pieces += (int)count;
  require_written(&built, &padded, behind, seed);
}

TEST(pieces_write_each_element_once) {
  tally all = {0, 0, 0};
  const uint64_t first = test_seed(1);
  for (uint64_t seed = first; seed < first + (uint64_t)test_cases(CASES); seed++) {
    random_case(seed, &all);
  }
  print_message("  %d chains, %d refused, %d pieces\n", all.tried, all.refused, all.pieces);
  assert_true(all.refused * 4 < all.tried || all.tried < CASES);
}

/* ---- counts ---- */

static size_t pieces_of(const char *text, const clrs_shape *shape) {
  static clrs__padded made;
  const clrs_view front = dense(shape);
  size_t count = 0;
  CHECK_OK(measure(text, &front, &made, &error), error);
  CHECK_OK(clrs__padded_each(&made, NULL, NULL, &count, &error), error);
  return count;
}

TEST(whole_windows_are_one_piece) {
  const clrs_shape line = {1, {5}}, sound = {1, {480000}}, image = {4, {1, 64, 56, 56}};
  /* The example of padded.h. */
  assert_int_equal(pieces_of("pad=1 window=0,3,2", &line), 5);
  /* Frames of 400 samples, one every 160: two frames at either end touch the border. */
  assert_int_equal(pieces_of("pad=200,mode=reflect window=0,400,160", &sound), 1 + 2 * 2 + 2 * 2);
  /* A 3x3 convolution's windows. Along a dim: whole windows, and a border and a rest at both ends.
   * The border of the rows spans all columns. */
  assert_int_equal(
      pieces_of("pad=0,0,1,1 window=2,3,1 window=3,3,1 rearrange=n c h w a b -> n (c a "
                "b) (h w)",
                &image),
      2 + 3 * 5);
}

/* ---- refusals ---- */

static void refuse(const char *text, clrs_status expected, const char *says) {
  static clrs__padded made;
  const clrs_shape shape = {2, {4, 6}};
  const clrs_view front = dense(&shape);
  CHECK_FAILS(measure(text, &front, &made, &error), expected, error);
  CHECK_SAYS(error, says);
}

TEST(a_pad_that_cannot_be_is_refused_by_name) {
  refuse("pad=1,2,3", CLRS_INVALID_ARGUMENT,
         "operation 1 (pad=1,2,3) at column 1: 3 widths, and there are 2 dims");
  refuse("pad=1 pad=1", CLRS_UNSUPPORTED, "operation 2 (pad=1) at column 7: a chain pads once");
  refuse("pad=1 permute=1,0 reshape=6,8 slice=1:", CLRS_UNSUPPORTED,
         "operation 4 (slice=1:) at column 31: behind a pad");
  refuse("pad=1 roll=0,1", CLRS_UNSUPPORTED, "operation 2 (roll=0,1) at column 7: behind a pad");
  refuse("pad=9223372036854775807", CLRS_OVERFLOW,
         "operation 1 (pad=9223372036854775807) at column 1: padded dimension 0");
  refuse("pad=4611686018427387900,0", CLRS_OVERFLOW, "operation 1 (pad=4611686018427387900,0)");
  refuse("pad=1000000000", CLRS_OVERFLOW,
         "operation 1 (pad=1000000000) at column 1: the padded tensor has too many elements");
  refuse("pad=1,mode=wrap window=0,9,1", CLRS_INVALID_ARGUMENT, "operation 2");
  refuse("pad=1 color=rgb,grey,opencv", CLRS_UNSUPPORTED,
         "operation 2 (color=rgb,grey,opencv) at column 7: it has to stand in front of the pad");
}

/* Twenty digits in reverse are one dim, and behind this dim are twenty others in reverse. */
TEST(a_padded_tensor_may_be_too_large) {
#define TWOS "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2"
  static const struct row {
    int64_t extent;
    const char *text, *says;
  } rows[] = {{(int64_t)1 << 62, "pad=1", "operation 1 (pad=1) at column 1: the padded tensor has"},
              {((int64_t)1 << 40) - 2,
               "pad=1 reshape=" TWOS ",1048576 "
               "permute=19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0,20 reshape=1048576," TWOS
               " permute=0,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1",
               "the result has 40 axes; a shape has at most 32"}};
  static clrs__padded made;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_view front;
    CHECK_OK(clrs_view_dense(CLRS_U8, &(clrs_shape){1, {rows[i].extent}}, &front, &error), error);
    assert_true(measure(rows[i].text, &front, &made, &error) != CLRS_OK);
    CHECK_SAYS(error, rows[i].says);
  }
}

static clrs_status count_value(void *context, const clrs_slice *slices, const uint8_t *element,
                               clrs_error *failure) {
  (void)slices, (void)element, (void)failure;
  ++*(int *)context;
  return CLRS_OK;
}

/* The border's values of a tensor [1,n,n,n] where each index of the last three axes has a number.
 */
static clrs_status count_values(int n, int *count) {
  static clrs__padded made;
  char text[500] = "pad=1,0,0,0", list[200] = "0";
  const clrs_slice all[] = {{0, 0, 1, 1}, {1, 0, n, 1}, {2, 0, n, 1}, {3, 0, n, 1}};
  clrs_view front;
  CHECK_OK(clrs_view_dense(CLRS_F32, &(clrs_shape){4, {1, n, n, n}}, &front, &error), error);
  for (int k = 1; k < n; k++)
    snprintf(list + strlen(list), sizeof list - strlen(list), ",%d", k);
  for (int axis = 1; axis < 4; axis++)
    snprintf(text + strlen(text), sizeof text - strlen(text), " add=%s,axis=%d", list, axis);
  CHECK_OK(measure(text, &front, &made, &error), error);
  *count = 0;
  return clrs__padded_border(&made, all, count_value, count, &error);
}

TEST(a_border_has_a_value_for_each_number) {
  int count;
  CHECK_OK(count_values(5, &count), error);
  assert_int_equal(count, 5 * 5 * 5);
  CHECK_FAILS(count_values(21, &count), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "over 8192 values after the operations behind the pad");
}

/* Most of the repeated pieces show no element of the result. */
TEST(a_far_border_does_not_take_long) {
  static clrs__padded made;
  const clrs_shape shape = {1, {1}};
  const clrs_view front = dense(&shape);
  size_t count;
  CHECK_OK(measure("pad=1000000000000,mode=wrap slice=:3", &front, &made, &error), error);
  CHECK_OK(clrs__padded_each(&made, NULL, NULL, &count, &error), error);
  assert_int_equal(count, 3);
  CHECK_OK(measure("pad=5000,mode=wrap", &front, &made, &error), error);
  CHECK_FAILS(clrs__padded_each(&made, NULL, NULL, &count, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_OK(measure("pad=1000000000000,mode=wrap slice=::1000000000", &front, &made, &error), error);
  CHECK_FAILS(clrs__padded_each(&made, NULL, NULL, &count, &error), CLRS_LIMIT_EXCEEDED, error);
}

/* The codes of IEEE 754. */
TEST(a_border_may_be_infinite_or_no_number) {
  static const struct row {
    const char *text;
    uint32_t code;
  } rows[] = {{"pad=1,value=inf", 0x7f800000},
              {"pad=1,value=-inf", 0xff800000},
              {"pad=1,value=nan", 0x7fc00000}};
  static clrs__padded made;
  clrs_view front;
  CHECK_OK(clrs_view_dense(CLRS_F32, &(clrs_shape){1, {3}}, &front, &error), error);
  for (size_t i = 0; i < COUNT(rows); i++) {
    CHECK_OK(measure(rows[i].text, &front, &made, &error), error);
    assert_memory_equal(made.pad.element, &rows[i].code, sizeof rows[i].code);
  }
}

TESTS(NULL, NULL)
