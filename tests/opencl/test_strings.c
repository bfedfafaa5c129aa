/*
 * String tensors: Arrow's utf8 views, inline and out of line, through transpose and reshape on a
 * device. The character buffers are shared, never copied, and released exactly once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdatomic.h>
#include <time.h>

#include "api.h"

enum { ROWS = 5, COLUMNS = 7, STRINGS = ROWS * COLUMNS, MOST_BYTES = 64, BUFFERS = 2 };

/* Arrow's layout of a single element. */
typedef struct utf8_view {
  int32_t length;
  union {
    char inlined[12];
    struct {
      char prefix[4];
      int32_t buffer, offset;
    } outside;
  } u;
} utf8_view;

typedef struct strings {
  api a;
  char texts[STRINGS][MOST_BYTES];
  utf8_view views[STRINGS];
  cl_mem elements, characters[BUFFERS];
  size_t character_bytes[BUFFERS];
  clrs_tensor *tensor; /* [ROWS, COLUMNS] with the characters */
} strings;

/* 0 to 40 bytes: empty, 12 (the longest inline), 13, with several bytes per letter and with NUL. */
static void compose_text(int which, char *text, int32_t *length) {
  static const char *const letters[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\x89"};
  *length = 0;
  memset(text, 0, MOST_BYTES);
  for (int want = which % 5 * 10 + which % 3; *length < want;) {
    const char *letter = letters[(which + *length) % 4];
    memcpy(text + *length, letter, strlen(letter));
    *length += (int32_t)strlen(letter);
  }
  if (which == 9 || which == 10)
    *length = which + 3; /* 12 and 13, whatever the letters */
  if (*length > 2 && which % 7 == 3)
    text[1] = '\0';
}

static void lay_out(strings *s, char pools[BUFFERS][STRINGS * MOST_BYTES]) {
  for (int i = 0; i < STRINGS; i++) {
    utf8_view *view = &s->views[i];
    const int pool = i % BUFFERS;
    memset(view, 0, sizeof *view);
    compose_text(i, s->texts[i], &view->length);
    if (view->length <= 12) {
      memcpy(view->u.inlined, s->texts[i], (size_t)view->length);
      continue;
    }
    memcpy(view->u.outside.prefix, s->texts[i], 4);
    view->u.outside.buffer = pool;
    view->u.outside.offset = (int32_t)s->character_bytes[pool];
    memcpy(pools[pool] + s->character_bytes[pool], s->texts[i], (size_t)view->length);
    s->character_bytes[pool] += (size_t)view->length;
  }
}

static int strings_open(void **state) {
  static char pools[BUFFERS][STRINGS * MOST_BYTES];
  strings *s = calloc(1, sizeof *s);
  void *opened = NULL;
  assert_non_null(s);
  assert_int_equal(api_open(&opened), 0);
  memcpy(&s->a, opened, sizeof s->a);
  free(opened);
  lay_out(s, pools);
  s->elements = device_buffer(&s->a.device, CL_MEM_READ_WRITE, sizeof s->views);
  device_write(&s->a.device, s->elements, sizeof s->views, s->views);
  for (int i = 0; i < BUFFERS; i++) {
    assert_true(s->character_bytes[i] > 0);
    s->characters[i] = device_buffer(&s->a.device, CL_MEM_READ_ONLY, s->character_bytes[i]);
    device_write(&s->a.device, s->characters[i], s->character_bytes[i], pools[i]);
  }
  const clrs_layout layout = api_layout(CLRS_STRING, 2, LIST(ROWS, COLUMNS), NULL);
  clrs_tensor *bare = api_wrap(s->a.library, s->elements, 0, &layout);
  CHECK_OK(clrs_tensor_with_characters(bare, BUFFERS, s->characters, &s->tensor, &error), error);
  clrs_tensor_release(bare);
  *state = s;
  return 0;
}

static int strings_close(void **state) {
  strings *s = *state;
  api *a = malloc(sizeof *a);
  void *opened = a;
  assert_non_null(a);
  clrs_tensor_release(s->tensor);
  device_require_references(s->elements, 1);
  CL_OK(clReleaseMemObject(s->elements));
  for (int i = 0; i < BUFFERS; i++) {
    device_require_references(s->characters[i], 1);
    CL_OK(clReleaseMemObject(s->characters[i]));
  }
  memcpy(a, &s->a, sizeof *a);
  free(s);
  return api_close(&opened);
}

/* Reads a dense result back, resolves every view through the result's own character buffers, and
 * compares with the text that belongs at each place. */
static void require_texts(const strings *s, const clrs_tensor *result, const int *order) {
  utf8_view views[STRINGS];
  char pools[BUFFERS][STRINGS * MOST_BYTES];
  size_t count = 0;
  const cl_mem *characters = clrs_tensor_characters(result, &count);
  assert_int_equal(count, BUFFERS);
  device_read(&s->a.device, clrs_tensor_storage(result).buffer, sizeof views, views);
  for (int i = 0; i < BUFFERS; i++) {
    assert_ptr_equal(characters[i], s->characters[i]); /* shared, not copied */
    device_read(&s->a.device, characters[i], s->character_bytes[i], pools[i]);
  }
  for (int k = 0; k < STRINGS; k++) {
    const utf8_view *view = &views[k];
    const char *bytes = view->length <= 12 ? view->u.inlined
                                           : pools[view->u.outside.buffer] + view->u.outside.offset;
    assert_int_equal(view->length, s->views[order[k]].length);
    assert_memory_equal(bytes, s->texts[order[k]], (size_t)view->length);
  }
}

static clrs_tensor *materialized(const strings *s, clrs_tensor *source, const clrs_view *view,
                                 clrs_copy_policy policy) {
  clrs_tensor *seen = NULL, *result = NULL;
  cl_event event = NULL;
  CHECK_OK(clrs_tensor_with_view(source, view, &seen, &error), error);
  CHECK_OK(
      clrs_enqueue_chain(seen, "", policy, NULL, &result, ON(s->a.device.queue), &event, &error),
      error);
  device_finish_event(event);
  clrs_tensor_release(seen);
  return result;
}

static void transposed_order(int *order) {
  for (int k = 0; k < STRINGS; k++)
    order[k] = k % ROWS * COLUMNS + k / ROWS;
}

static clrs_view transposed_and_flat(const strings *s) {
  static const clrs_shape flat = {1, {STRINGS}};
  clrs_view view = *clrs_tensor_view(s->tensor);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  return view;
}

#define FIXTURE_TEST(name) TEST_OF(strings, s, name, strings_open, strings_close)

FIXTURE_TEST(texts_are_of_both_kinds) {
  int inlined = 0, outside = 0, twelve = 0, thirteen = 0, empty = 0;
  for (int i = 0; i < STRINGS; i++) {
    inlined += s->views[i].length <= 12;
    outside += s->views[i].length > 12;
    twelve += s->views[i].length == 12;
    thirteen += s->views[i].length == 13;
    empty += s->views[i].length == 0;
  }
  assert_int_equal(sizeof(utf8_view), 16);
  assert_true(inlined > 5 && outside > 5 && twelve && thirteen && empty);
}

FIXTURE_TEST(strings_survive_a_transpose_and_a_reshape) {
  const clrs_view view = transposed_and_flat(s);
  int order[STRINGS];
  transposed_order(order);
  clrs_tensor *result = materialized(s, s->tensor, &view, CLRS_COPY_IF_NEEDED);
  assert_ptr_not_equal(clrs_tensor_storage(result).buffer, s->elements);
  require_texts(s, result, order);
  clrs_tensor_release(result);
}

FIXTURE_TEST(an_alias_shares_elements_and_characters) {
  const clrs_shape flat = {1, {STRINGS}};
  clrs_view view = *clrs_tensor_view(s->tensor);
  int order[STRINGS];
  for (int k = 0; k < STRINGS; k++)
    order[k] = k;
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  clrs_tensor *result = materialized(s, s->tensor, &view, CLRS_COPY_NEVER);
  assert_ptr_equal(clrs_tensor_storage(result).buffer, s->elements);
  require_texts(s, result, order);
  clrs_tensor_release(result);
}

FIXTURE_TEST(moves_keep_to_one_set_of_characters) {
  const clrs_layout layout = api_layout(CLRS_STRING, 1, LIST(STRINGS), NULL);
  const clrs_view view = transposed_and_flat(s);
  int order[STRINGS];
  cl_event event = NULL;
  clrs_tensor *source = NULL, *target = NULL, *swapped = NULL;
  const cl_mem other[BUFFERS] = {s->characters[1], s->characters[0]};
  clrs_tensor *bare = api_wrap(s->a.library, s->a.destination, 0, &layout);
  transposed_order(order);
  CHECK_OK(clrs_tensor_with_view(s->tensor, &view, &source, &error), error);
  CHECK_OK(clrs_tensor_with_characters(bare, BUFFERS, s->characters, &target, &error), error);
  CHECK_OK(clrs_tensor_with_characters(bare, BUFFERS, other, &swapped, &error), error);
  api_poison(&s->a);
  CHECK_FAILS(clrs_enqueue_move(source, bare, ON(s->a.device.queue), NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "character buffers");
  CHECK_FAILS(clrs_enqueue_move(source, swapped, ON(s->a.device.queue), NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CL_OK(clFinish(s->a.device.queue));
  api_expect_untouched(&s->a);
  CHECK_OK(clrs_enqueue_move(source, target, ON(s->a.device.queue), &event, &error), error);
  device_finish_event(event);
  require_texts(s, target, order);
  clrs_tensor_release(swapped);
  clrs_tensor_release(target);
  clrs_tensor_release(source);
  clrs_tensor_release(bare);
}

/* ---- lifetimes ---- */

static void CL_CALLBACK count_destruction(cl_mem buffer, void *counter) {
  (void)buffer;
  atomic_fetch_add((atomic_int *)counter, 1);
}

/* A driver may hold a buffer a little longer than the last command. */
static void expect_destroyed(atomic_int *counter) {
  const struct timespec pause = {0, 1000000};
  for (int tries = 0; atomic_load(counter) == 0 && tries < 10000; tries++)
    (void)nanosleep(&pause, NULL);
  assert_int_equal(atomic_load(counter), 1);
}

/* Releases in every order: the buffer lives as long as any tensor, and no longer. */
FIXTURE_TEST(characters_are_released_exactly_once) {
  atomic_int destroyed = 0;
  const clrs_layout layout = api_layout(CLRS_STRING, 2, LIST(2, 3), NULL);
  cl_mem characters = device_buffer(&s->a.device, CL_MEM_READ_ONLY, 100);
  CL_OK(clSetMemObjectDestructorCallback(characters, count_destruction, &destroyed));
  clrs_tensor *bare = api_wrap(s->a.library, s->a.destination, 0, &layout), *owner = NULL;
  const cl_mem twice[] = {characters, characters};
  CHECK_OK(clrs_tensor_with_characters(bare, 2, twice, &owner, &error), error);
  CL_OK(clReleaseMemObject(characters));
  clrs_tensor_release(bare);
  clrs_view view = *clrs_tensor_view(owner);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  clrs_tensor *alias = materialized(s, owner, &view, CLRS_COPY_NEVER);
  clrs_tensor *copy = materialized(s, owner, &view, CLRS_COPY_ALWAYS);
  clrs_tensor_retain(copy);
  clrs_tensor_release(owner);
  clrs_tensor_release(alias);
  clrs_tensor_release(copy);
  CL_OK(clFinish(s->a.device.queue));
  assert_int_equal(atomic_load(&destroyed), 0);
  size_t count = 0;
  assert_ptr_equal(clrs_tensor_characters(copy, &count)[1], characters);
  assert_int_equal(count, 2);
  clrs_tensor_release(copy);
  expect_destroyed(&destroyed);
}

/* A second set replaces the first set in the result. The original tensor keeps the first set. */
FIXTURE_TEST(characters_can_be_replaced) {
  const cl_uint before = device_references(s->characters[0]);
  clrs_tensor *one = NULL, *none = NULL;
  size_t count = 99;
  CHECK_OK(clrs_tensor_with_characters(s->tensor, 1, &s->characters[1], &one, &error), error);
  CHECK_OK(clrs_tensor_with_characters(one, 0, NULL, &none, &error), error);
  device_require_references(s->characters[0], before);
  assert_ptr_equal(clrs_tensor_characters(one, &count)[0], s->characters[1]);
  assert_int_equal(count, 1);
  (void)clrs_tensor_characters(none, &count);
  assert_int_equal(count, 0);
  (void)clrs_tensor_characters(s->tensor, &count);
  assert_int_equal(count, BUFFERS);
  clrs_tensor_release(one);
  clrs_tensor_release(none);
}

FIXTURE_TEST(bad_characters_are_refused_and_nothing_is_kept) {
  const cl_uint before = device_references(s->characters[0]);
  cl_mem foreign = device_buffer(&s->a.foreign, CL_MEM_READ_ONLY, 100);
  const cl_mem with_null[] = {s->characters[0], NULL};
  const cl_mem with_foreign[] = {s->characters[0], foreign};
  clrs_tensor *numbers = api_target(&s->a), *result = NULL;
  size_t count = 99;
#define BAD(tensor, count, buffers)                                                                \
  CHECK_FAILS(clrs_tensor_with_characters(tensor, count, buffers, &result, &error),                \
              CLRS_INVALID_ARGUMENT, error)
  BAD(numbers, 1, s->characters);
  BAD(s->tensor, 2, with_null);
  BAD(s->tensor, 2, with_foreign);
  BAD(s->tensor, 2, NULL);
  BAD(NULL, 1, s->characters);
#undef BAD
  assert_null(result);
  device_require_references(s->characters[0], before);
  device_require_references(foreign, 1);
  assert_null(clrs_tensor_characters(numbers, &count));
  assert_int_equal(count, 0);
  clrs_tensor_release(numbers);
  CL_OK(clReleaseMemObject(foreign));
}

TESTS_UNLESS(device_missing(), NULL, NULL)
