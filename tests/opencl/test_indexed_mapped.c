/*
 * Gathers and scatters of mapped elements: the values of clrs_map_apply on the host, at the places
 * of a loop over the indices. Draws random maps, layouts, parameters, axes and rules for indices
 * outside, by both ways of execution. Every byte of the destination and of the flag's buffer is
 * compared.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "enqueue_indexed.h"
#include "harness/bits.h"
#include "harness/tensors.h"
#include "mapped_tensors.h"

enum {
  MOST_INDICES = 64,
  MOST_EXTENT = 200,
  PLACES_PER_CASE = 40,
  INDEX_OFFSETS = 9,
  FEW_PROGRAMS = 1000 /* seeds below draw few maps */
};

/* Elements of the named side are before, extent, behind. Elements of the listed side are before,
 * middle, behind. */
typedef struct named_case {
  bool scatters;
  uint32_t axis;
  clrs_shape named, indices, listed;
  int64_t before, extent, middle, behind;
  clrs_dtype index_type;
  uint64_t index_offset;
  clrs_indices given;
  int64_t values[MOST_INDICES], places[MOST_INDICES]; /* -1: skipped */
  bool is_any_outside;
  unsigned char element[8];
} named_case;

typedef struct tally {
  int64_t gathered, scattered, skipped, packed, refused; /* packed: into a packed destination */
} tally;

/* ---- a case ---- */

static int64_t count_dims(const clrs_shape *shape, uint32_t first, uint32_t end) {
  int64_t count = 1;
  for (; first < end; first++)
    count *= shape->dims[first];
  return count;
}

static clrs_shape replaced(const clrs_shape *shape, uint32_t axis, const clrs_shape *by) {
  clrs_shape made = {.rank = 0};
  for (uint32_t d = 0; d < shape->rank; d++) {
    for (uint32_t i = 0; d == axis && i < by->rank; i++)
      made.dims[made.rank++] = by->dims[i];
    if (d != axis)
      made.dims[made.rank++] = shape->dims[d];
  }
  return made;
}

/* The mapped tensor is the named side of a gather, and the listed side of a scatter. */
static bool draw_shapes(test_rng *rng, const clrs_shape *mapped, named_case *c) {
  if (mapped->rank == 0)
    return false;
  c->axis = (uint32_t)rng_between(rng, 0, mapped->rank - 1);
  if (c->scatters) {
    c->indices = (clrs_shape){1, {mapped->dims[c->axis]}};
    c->listed = *mapped;
    c->named = *mapped;
    c->named.dims[c->axis] += rng_between(rng, 0, 5);
  } else {
    c->indices = (clrs_shape){(uint32_t)rng_between(rng, 0, 2),
                              {rng_between(rng, 1, 5), rng_between(rng, 1, 5)}};
    c->named = *mapped;
    c->listed = replaced(mapped, c->axis, &c->indices);
  }
  c->extent = c->named.dims[c->axis];
  c->before = count_dims(&c->named, 0, c->axis);
  c->behind = count_dims(&c->named, c->axis + 1, c->named.rank);
  c->middle = count_dims(&c->indices, 0, c->indices.rank);
  return c->middle <= MOST_INDICES && c->extent <= MOST_EXTENT;
}

/* No two indices of a scatter name the same place. An index without a free place is skipped. */
static void draw_indices(test_rng *rng, named_case *c) {
  bool taken[MOST_EXTENT] = {false};
  for (int64_t i = 0; i < c->middle; i++) {
    int64_t index = rng_between(rng, -c->extent - 2, c->extent + 1),
            place = indexed_place(&c->given, c->extent, index);
    if (c->scatters && place >= 0 && taken[place]) {
      index = place = -1;
      for (int64_t k = 0; k < c->extent && place < 0; k++) {
        if (!taken[k])
          index = place = k;
      }
    }
    if (place >= 0)
      taken[place] = true;
    c->values[i] = index;
    c->places[i] = place;
    c->is_any_outside |= index >= c->extent || index < (c->given.from_end ? -c->extent : 0);
  }
}

static bool draw(test_rng *rng, const map_case *map, named_case *c) {
  *c = (named_case){.scatters = rng_percent(rng, 50)};
  if (!draw_shapes(rng, &map->seen.shape, c))
    return false;
  c->given.axis = (int64_t)c->axis - (rng_percent(rng, 50) ? (int64_t)c->named.rank : 0);
  c->given.from_end = rng_percent(rng, 50);
  c->given.outside =
      c->scatters || rng_percent(rng, 50) ? CLRS_OUTSIDE_SKIPPED : CLRS_OUTSIDE_CLAMPED;
  c->index_type = rng_percent(rng, 50) ? CLRS_I32 : CLRS_I64;
  c->index_offset = (uint64_t)(rng_percent(rng, 30) ? rng_between(rng, 0, INDEX_OFFSETS) : 0);
  rng_fill(rng, c->element, sizeof c->element);
  c->given.element = rng_percent(rng, 70) ? c->element : NULL;
  draw_indices(rng, c);
  return true;
}

/* ---- on the host ---- */

static void expect(const map_fixture *f, const map_case *map, const named_case *c,
                   const unsigned char *mapped, const clrs_layout *layout, uint64_t offset) {
  static const unsigned char zeros[8];
  const bit_span span = bits_of(map->map.to, 0), to_span = bits_of(map->map.to, offset);
  const unsigned char *element = c->given.element != NULL ? c->given.element : zeros;
  oracle to = oracle_from_layout(layout);
  for (int64_t k = 0; k < c->before * c->middle * c->behind; k++) {
    const int64_t b = k / c->behind / c->middle, i = k / c->behind % c->middle;
    const int64_t place = c->places[i];
    const int64_t named = (b * c->extent + place) * c->behind + k % c->behind;
    if (place >= 0)
      bits_copy(&span, mapped, c->scatters ? k : named, &to_span, f->poison,
                to.positions[c->scatters ? named : k]);
    else if (!c->scatters)
      bits_copy(&span, element, 0, &to_span, f->poison, to.positions[k]);
  }
  oracle_free(&to);
}

/* ---- on the device ---- */

static clrs_tensor *index_tensor(const map_fixture *f, clrs_context *library, const named_case *c,
                                 cl_mem *buffer) {
  unsigned char bytes[INDEX_OFFSETS + 8 * MOST_INDICES];
  const size_t size = clrs_dtype_bits(c->index_type) / 8;
  clrs_layout layout;
  for (int64_t i = 0; i < c->middle; i++) {
    const int32_t narrow = (int32_t)c->values[i];
    memcpy(bytes + c->index_offset + (size_t)i * size,
           size == 4 ? (const void *)&narrow : (const void *)&c->values[i], size);
  }
  *buffer = device_buffer(&f->device, CL_MEM_READ_ONLY, sizeof bytes);
  device_write(&f->device, *buffer, sizeof bytes, bytes);
  CHECK_OK(clrs_layout_init(c->index_type, &c->indices, NULL, 0, &layout, &error), error);
  return map_wrap(library, *buffer, c->index_offset, &layout);
}

static clrs_tensor *flag_tensor(const map_fixture *f, clrs_context *library, cl_mem *buffer) {
  const cl_uint zeros[2] = {0, 0};
  const clrs_layout second = {.dtype = CLRS_U32, .offset = 1};
  *buffer = device_buffer(&f->device, CL_MEM_READ_WRITE, sizeof zeros);
  device_write(&f->device, *buffer, sizeof zeros, zeros);
  return map_wrap(library, *buffer, 0, &second);
}

static clrs_status enqueue(const map_fixture *f, clrs_context *library, clrs_tensor *source,
                           named_case *c, clrs_tensor *destination, clrs_error *error) {
  cl_mem index_buffer, flag_buffer;
  cl_uint flags[2];
  c->given.tensor = index_tensor(f, library, c, &index_buffer);
  c->given.flag = flag_tensor(f, library, &flag_buffer);
  const clrs_status status = enqueue_indexed(c->scatters, source, &c->given, destination,
                                             ON(f->device.queue), NULL, error);
  device_read(&f->device, flag_buffer, sizeof flags, flags);
  if (status == CLRS_OK) {
    assert_int_equal(flags[0], 0);
    assert_int_equal(flags[1], c->is_any_outside && c->before * c->middle * c->behind > 0);
  }
  clrs_tensor_release(c->given.tensor);
  clrs_tensor_release(c->given.flag);
  CL_OK(clReleaseMemObject(index_buffer));
  CL_OK(clReleaseMemObject(flag_buffer));
  return status;
}

static void compare(const map_fixture *f, const map_case *map, const named_case *c) {
  device_read(&f->device, f->destination, CASE_BYTES, f->got);
  for (size_t i = 0; i < CASE_BYTES; i++) {
    CHECK_SEEDED(f->got[i] == f->poison[i], map->seed,
                 "byte %zu is %02x, expected %02x: a %s of %s to %s, axis %u of rank %u, %d "
                 "indices of %d places",
                 i, f->got[i], f->poison[i], c->scatters ? "scatter" : "gather",
                 clrs_dtype_name(map->map.from, CLRS_TYPES_CLRESHAPE),
                 clrs_dtype_name(map->map.to, CLRS_TYPES_CLRESHAPE), c->axis, c->named.rank,
                 (int)c->middle, (int)c->extent);
  }
}

/* Gathers from the tensor, or scatters the tensor. */
static void move_named(const map_fixture *f, map_case *map, clrs_tensor *source,
                       clrs_context *library, const unsigned char *mapped, tally *t) {
  named_case c;
  if (!draw(&map->rng, map, &c))
    return;
  const clrs_layout layout =
      layout_random_of_shape(&map->rng, map->map.to, c.scatters ? &c.named : &c.listed, false,
                             rng_between(&map->rng, 0, 9));
  const uint64_t offset = map_case_offset(&map->rng, map->map.to);
  if (!map_case_fits(&layout))
    return;
  clrs_tensor *destination = map_wrap(library, f->destination, offset, &layout);
  rng_fill(&map->rng, f->poison, CASE_BYTES);
  device_write(&f->device, f->destination, CASE_BYTES, f->poison);
  const clrs_status status = enqueue(f, library, source, &c, destination, &error);
  const bool is_packed = clrs_dtype_bits(map->map.to) < 8;
  const bool is_many_ways = status == CLRS_LIMIT_EXCEEDED && map->view_count == CLRS_MAP_VIEWS;
  CHECK_SEEDED(status == CLRS_UNSUPPORTED || is_many_ways || (status == CLRS_OK && !is_packed),
               map->seed, "%s", error.message);
  if (status == CLRS_OK)
    expect(f, map, &c, mapped, &layout, offset);
  compare(f, map, &c);
  *(is_packed           ? &t->packed
    : status != CLRS_OK ? &t->refused
    : c.scatters        ? &t->scattered
                        : &t->gathered) += 1;
  t->skipped += status == CLRS_OK && c.is_any_outside;
  clrs_tensor_release(destination);
}

static void run_case(map_fixture *f, map_case *map, tally *t) {
  map_case_bytes(map, f->bytes, f->numbers);
  device_write(&f->device, f->source, CASE_BYTES, f->bytes);
  device_write(&f->device, f->parameters, CASE_BYTES, f->numbers);
  unsigned char *mapped = map_case_apply(f, map);
  for (int which = 0; which < 2; which++) {
    if (!map_runs(which, map->seed))
      continue;
    clrs_context *library = f->libraries[which];
    clrs_tensor *whole = map_wrap(library, f->source, map->source_offset, &map->source), *seen;
    CHECK_OK(clrs_tensor_with_view(whole, &map->seen, &seen, &error), error);
    clrs_tensor *source = map_case_tensor(f, map, library, seen);
    if (source != NULL)
      move_named(f, map, source, library, mapped, t);
    clrs_tensor_release(source);
    clrs_tensor_release(seen);
    clrs_tensor_release(whole);
  }
  free(mapped);
}

static void report(const tally *t) {
  print_message("  %d gathers, %d scatters, %d with indices outside, %d refused, %d packed\n",
                (int)t->gathered, (int)t->scattered, (int)t->skipped, (int)t->refused,
                (int)t->packed);
}

TEST(indices_name_elements_of_any_map) {
  const uint64_t base = test_seed(1);
  const int64_t cases = test_cases(4);
  tally t = {0};
  for (uint64_t seed = base; seed < base + (uint64_t)cases; seed++) {
    map_case map;
    if (map_case_draw(seed, &map))
      run_case(*state, &map, &t);
  }
  report(&t);
}

/* Few maps, so that few programs are built, from and to many places. */
TEST(indices_name_elements_anywhere) {
  static const clrs_dtype casts[][2] = {
      {CLRS_I16, CLRS_U8}, {CLRS_U4, CLRS_F16}, {CLRS_F32, CLRS_F16}, {CLRS_U8, CLRS_F32}};
  const uint64_t base = test_seed(1);
  const int64_t cases = PLACES_PER_CASE * test_cases(4);
  const uint64_t kinds = base < FEW_PROGRAMS ? 2 : sizeof casts / sizeof *casts;
  tally t = {0};
  for (uint64_t seed = base; seed < base + (uint64_t)cases; seed++) {
    map_case map;
    if (map_case_draw_cast(seed, casts[seed % kinds][0], casts[seed % kinds][1], &map))
      run_case(*state, &map, &t);
  }
  report(&t);
  assert_true(cases < PLACES_PER_CASE || (t.gathered > cases / 5 && t.scattered > cases / 5 &&
                                          t.skipped > cases / 5 && t.refused < cases / 10));
}

/* Dense rows, which a GPU moves in accesses of 16 bytes. Some indices are skipped, and the scatter
 * leaves rows of the destination alone. */
static void run_rows(map_fixture *f, clrs_context *library, bool scatters) {
  static const clrs_shape dims = {2, {6, 1024}};
  map_case map = {.seed = 7, .rng = rng_start(7)};
  named_case c = {.scatters = scatters,
                  .named = dims,
                  .indices = {1, {6}},
                  .listed = dims,
                  .before = 1,
                  .extent = 6,
                  .middle = 6,
                  .behind = 1024,
                  .index_type = CLRS_I32,
                  .values = {5, -1, 0, 9, 2, 4},
                  .places = {5, -1, 0, -1, 2, 4},
                  .is_any_outside = true,
                  .element = {1, 2, 3, 4}};
  clrs_layout layout;
  c.given.element = c.element;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_F32, &map.map, &error), error);
  CHECK_OK(clrs_layout_init(CLRS_U8, &dims, NULL, 0, &map.source, &error), error);
  CHECK_OK(clrs_view_from_layout(&map.source, &map.seen, &error), error);
  CHECK_OK(clrs_layout_init(CLRS_F32, &dims, NULL, 0, &layout, &error), error);
  map_case_bytes(&map, f->bytes, f->numbers);
  rng_fill(&map.rng, f->poison, CASE_BYTES);
  device_write(&f->device, f->source, CASE_BYTES, f->bytes);
  device_write(&f->device, f->destination, CASE_BYTES, f->poison);
  unsigned char *mapped = map_case_apply(f, &map);
  clrs_tensor *whole = map_wrap(library, f->source, 0, &map.source);
  clrs_tensor *tensor = map_case_tensor(f, &map, library, whole);
  clrs_tensor *destination = map_wrap(library, f->destination, 0, &layout);
  CHECK_OK(enqueue(f, library, tensor, &c, destination, &error), error);
  expect(f, &map, &c, mapped, &layout, 0);
  compare(f, &map, &c);
  clrs_tensor_release(destination);
  clrs_tensor_release(tensor);
  clrs_tensor_release(whole);
  free(mapped);
}

MAP_TEST(dense_rows_are_moved_whole) {
  for (int which = 0; which < 2; which++) {
    for (int scatters = 0; scatters < 2; scatters++)
      if (map_runs(which, (uint64_t)scatters))
        run_rows(f, f->libraries[which], scatters == 1);
  }
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
