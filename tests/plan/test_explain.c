/*
 * clrs_plan_explain and clrs_plan_explain_json: the snprintf contract, and JSON that a reader can
 * take apart, for every outcome.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <ctype.h>

#include "harness/tensors.h"
#include "plan.h"

typedef struct named_plan {
  const char *outcome, *kernel_class; /* in the spelling of JSON */
  clrs_plan plan;
} named_plan;

enum { PLANS = 5 };

static clrs_plan plan_of(const clrs_view *view, clrs_copy_policy policy) {
  const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  const clrs_move move = {{view, 0, 128}, {NULL, 0, 1}, policy};
  clrs_plan plan;
  CHECK_OK(clrs_plan_move(&move, &limits, &plan, &error), error);
  return plan;
}

static int make_plans(void **state) {
  static named_plan plans[PLANS];
  const clrs_view dense = view_strided(CLRS_F32, 2, LIST(6, 4), NULL, 0);
  const clrs_view packed = view_strided(CLRS_U4, 2, LIST(5, 3), LIST(1, 5), 0);
  const clrs_view none = view_strided(CLRS_F32, 2, LIST(0, 4), NULL, 0);
  clrs_view stack = view_strided(CLRS_F32, 2, LIST(6, 4), LIST(1, 6), 0);
  const clrs_shape shape = {2, {8, 3}};
  CHECK_OK(clrs_view_reshape(&stack, &shape, &error), error);
  CHECK_OK(clrs_view_permute(&stack, 2, LIST(1, 0), &error), error);
  plans[0] = (named_plan){"alias", "null", plan_of(&dense, CLRS_COPY_NEVER)};
  plans[1] = (named_plan){"empty", "null", plan_of(&none, CLRS_COPY_ALWAYS)};
  plans[2] = (named_plan){"affine", "\"gpu_any\"", plan_of(&dense, CLRS_COPY_ALWAYS)};
  plans[3] = (named_plan){"affine", "\"subbyte\"", plan_of(&packed, CLRS_COPY_ALWAYS)};
  plans[4] = (named_plan){"composed", "\"composed\"", plan_of(&stack, CLRS_COPY_IF_NEEDED)};
  *state = plans;
  return 0;
}

/* A reader of JSON that only checks that the text is JSON, and returns the end. */
static const char *json_value(const char *at);

static const char *json_space(const char *at) {
  while (*at == ' ' || *at == '\n')
    at++;
  return at;
}

static const char *json_string(const char *at) {
  if (*at++ != '"')
    return NULL;
  for (; *at != '"'; at++) {
    if ((unsigned char)*at < 0x20)
      return NULL; /* the end of the text too */
    if (*at == '\\' && !strchr("\"\\/bfnrtu", *++at))
      return NULL;
  }
  return at + 1;
}

static const char *json_list(const char *at, char close) {
  at = json_space(at + 1);
  if (*at == close)
    return at + 1;
  for (;;) {
    if (close == '}') {
      at = json_string(json_space(at));
      if (!at || *(at = json_space(at)) != ':')
        return NULL;
      at++;
    }
    at = json_value(json_space(at));
    if (!at)
      return NULL;
    at = json_space(at);
    if (*at == close)
      return at + 1;
    if (*at++ != ',')
      return NULL;
  }
}

static const char *json_value(const char *at) {
  static const char *const words[] = {"null", "true", "false"};
  if (*at == '{')
    return json_list(at, '}');
  if (*at == '[')
    return json_list(at, ']');
  if (*at == '"')
    return json_string(at);
  for (int i = 0; i < 3; i++)
    if (strncmp(at, words[i], strlen(words[i])) == 0)
      return at + strlen(words[i]);
  char *end = NULL;
  (void)strtod(at, &end);
  return end != at && (isdigit((unsigned char)*at) || *at == '-') ? end : NULL;
}

TEST(the_reader_of_json_itself_works) {
  static const char *const good[] = {"{}", "[1,-2,[]]", "{\"a\":null,\"b\":[\"x\\n\"]}"};
  static const char *const bad[] = {"{", "[1,]", "{\"a\"}", "\"", "{a:1}", "nul", ""};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
    assert_true(json_value(good[i]) && *json_value(good[i]) == '\0');
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_null(json_value(bad[i]));
}

TEST(json_has_every_member) {
  static const char *const members[] = {
      "\"outcome\":",    "\"launches\":", "\"class\":",        "\"nest\":",
      "\"bytes_read\":", "\"reasons\":",  "\"bytes_written\":"};
  const named_plan *plans = *state;
  for (int i = 0; i < PLANS; i++) {
    char text[8000], member[100];
    const size_t length = clrs_plan_explain_json(&plans[i].plan, text, sizeof text);
    assert_int_equal(length, strlen(text));
    const char *end = json_value(text);
    if (!end || *end)
      fail_msg("not JSON: %s", text);
    for (size_t m = 0; m < sizeof members / sizeof members[0]; m++)
      if (!strstr(text, members[m]))
        fail_msg("no %s in %s", members[m], text);
    (void)snprintf(member, sizeof member, "\"outcome\":\"%s\"", plans[i].outcome);
    assert_non_null(strstr(text, member));
    (void)snprintf(member, sizeof member, "\"launches\":%u", plans[i].plan.launch_count);
    assert_non_null(strstr(text, member));
    (void)snprintf(member, sizeof member, "\"class\":%s", plans[i].kernel_class);
    assert_non_null(strstr(text, member));
    if (strcmp(plans[i].outcome, "composed") == 0)
      assert_non_null(strstr(text, "\"nest\":null"));
  }
}

TEST(text_is_one_line_with_the_outcome_and_the_reason) {
  const named_plan *plans = *state;
  for (int i = 0; i < PLANS; i++) {
    char text[8000];
    const size_t length = clrs_plan_explain(&plans[i].plan, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_null(strchr(text, '\n'));
    assert_non_null(strstr(text, plans[i].outcome));
    if (plans[i].plan.launch_count > 0)
      assert_non_null(strstr(text, "because"));
  }
}

TEST(a_copy_of_a_plan_says_the_same) {
  const named_plan *plans = *state;
  for (int i = 0; i < PLANS; i++) {
    clrs_plan copy;
    char text[8000], copied[8000];
    memset(&copy, 0xab, sizeof copy);
    clrs__plan_copy(&copy, &plans[i].plan);
    (void)clrs_plan_explain_json(&plans[i].plan, text, sizeof text);
    (void)clrs_plan_explain_json(&copy, copied, sizeof copied);
    assert_string_equal(copied, text);
  }
}

typedef size_t (*explain_fn)(const clrs_plan *, char *, size_t);

TEST(texts_are_cut_like_snprintf_cuts) {
  static const explain_fn functions[] = {clrs_plan_explain, clrs_plan_explain_json};
  const named_plan *plans = *state;
  for (int i = 0; i < PLANS * 2; i++) {
    char whole[8000], part[8000];
    const clrs_plan *plan = &plans[i / 2].plan;
    const size_t length = functions[i % 2](plan, whole, sizeof whole);
    assert_int_equal(functions[i % 2](plan, NULL, 0), length);
    for (size_t size = 1; size <= length + 2; size++) {
      memset(part, '#', sizeof part);
      const size_t kept = size - 1 < length ? size - 1 : length;
      assert_int_equal(functions[i % 2](plan, part, size), length);
      assert_memory_equal(part, whole, kept);
      assert_int_equal(part[kept], '\0');
      assert_int_equal(part[size], '#');
    }
  }
}

TESTS(make_plans, NULL)
