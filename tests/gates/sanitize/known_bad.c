/*
 * Faults on purpose, chosen by a word. A sanitizer must report each fault before a clean report
 * counts: known_bad heap | stack | leak | overflow | shift | wrap | truncation | race.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value that the compiler cannot know. */
static volatile int one = 1;
static void *(*volatile fill)(void *, int, size_t) = memset;

static int past_the_heap(void) {
  char *bytes = malloc(8);
  if (bytes)
    fill(bytes, 0, (size_t)(8 + one));
  free(bytes);
  return 0;
}

static int past_the_stack(void) {
  char bytes[8];
  fill(bytes, 0, (size_t)(8 + one));
  return bytes[0];
}

static int leak(void) {
  char *volatile bytes = malloc(100 + (size_t)one);
  bytes = NULL;
  return bytes != NULL;
}

static int overflow(void) {
  volatile int sum = INT_MAX;
  sum = sum + one;
  return 0;
}

static int shift(void) {
  volatile int result = one << (31 + one);
  (void)result;
  return 0;
}

static int wrap(void) {
  volatile uint64_t product = UINT64_C(1) << 40;
  product = product * (UINT64_C(1) << (29 + one));
  return 0;
}

static int truncation(void) {
  volatile uint64_t value = UINT64_MAX - (unsigned)one;
  volatile uint32_t low = (uint32_t)0;
  const uint64_t copy = value;
  /* The conversion is implicit. -Wconversion would refuse the conversion, but the build of this
   * file does not use -Wconversion. */
  low = copy;
  (void)low;
  return 0;
}

static int shared;

static void *count(void *unused) {
  for (int i = 0; i < 1000; i++)
    shared++;
  return unused;
}

static int race(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, count, NULL) != 0)
    return 1;
  (void)count(NULL);
  return pthread_join(other, NULL);
}

static int none(void) {
  return 0;
}

int main(int count_of_words, char **words) {
  static const struct {
    const char *word;
    int (*run)(void);
  } faults[] = {{"none", none}, {"heap", past_the_heap},    {"stack", past_the_stack},
                {"leak", leak}, {"overflow", overflow},     {"shift", shift},
                {"wrap", wrap}, {"truncation", truncation}, {"race", race}};
  for (size_t i = 0; i < sizeof faults / sizeof faults[0] && count_of_words == 2; i++)
    if (strcmp(words[1], faults[i].word) == 0)
      return faults[i].run();
  (void)fputs("known_bad: no such fault\n", stderr);
  return 0; /* so that a misspelled word counts as unreported */
}
