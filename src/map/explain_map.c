/*
 * Maps as text for people.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"
#include "dtype.h"
#include "held.h"
#include "writer.h"

enum { MOST_SHOWN = 4 }; /* numbers of a list */

static void write_parameter(clrs__writer *to, const clrs_map *map,
                            const clrs_parameter *parameter) {
  if (parameter->count == 0) {
    clrs__write(to, "a tensor");
  } else if (parameter->count > MOST_SHOWN) {
    clrs__write(to, "(%u numbers)", parameter->count);
  } else {
    for (uint32_t i = 0; i < parameter->count; i++) {
      const char *before = parameter->count == 1 ? "" : i == 0 ? "(" : " ";
      clrs__write(to, "%s%g", before, map->numbers[parameter->first + i]);
    }
    clrs__write(to, parameter->count == 1 ? "" : ")");
  }
}

static void write_steps(clrs__writer *to, const clrs_map *map) {
  static const char *const names[] = {"-", "+", "*", "/", "at least", "at most"};
  for (uint32_t i = 0; i < map->step_count; i++) {
    clrs__write(to, i == 0 ? "%s " : " %s ", names[map->steps[i].kind]);
    write_parameter(to, map, &map->steps[i].parameter);
  }
  clrs__write(to, " in %s", clrs__dtype_text(map->arithmetic));
}

/* Nothing, where the result holds all that can arrive. */
static void write_rounding(clrs__writer *to, const clrs_map *map, const char *between) {
  static const char *const roundings[] = {"half to even", "truncated", "half away from zero",
                                          "down", "up"};
  static const char *const overflows[] = {"saturated", "wrapped", "infinity beyond"};
  if (clrs__element_of(map->to).kind == CLRS__BOOL) {
    clrs__write(to, "%sis it not 0?", between);
  } else if (!clrs__map_is_exact(map)) {
    clrs__write(to, "%s%s, %s", between, roundings[map->rounding], overflows[map->overflow]);
  }
}

static void write_values(clrs__writer *to, const clrs_map *map) {
  const char *between = ": ";
  if (map->zero_place == CLRS_ZERO_SUBTRACTED) {
    clrs__write(to, "%s- zero point ", between);
    write_parameter(to, map, &map->zero);
    between = ", ";
  }
  if (map->step_count > 0) {
    clrs__write(to, "%s", between);
    write_steps(to, map);
    between = ", ";
  }
  write_rounding(to, map, between);
  if (map->zero_place == CLRS_ZERO_ADDED) {
    clrs__write(to, ", + zero point ");
    write_parameter(to, map, &map->zero);
  }
}

size_t clrs_map_explain(const clrs_map *map, char *text, size_t size) {
  clrs__writer to = {text, text != NULL ? size : 0, 0};
  clrs__write(&to, "%s", ""); /* an end, also of what is empty */
  if (map == NULL || clrs_map_check(map, NULL) != CLRS_OK) {
    return 0;
  }
  clrs__write(&to, "%s -> %s", clrs__dtype_text(map->from), clrs__dtype_text(map->to));
  if (clrs__map_is_copy(map)) {
    clrs__write(&to, ": every bit is kept");
  } else {
    write_values(&to, map);
  }
  return to.length;
}
