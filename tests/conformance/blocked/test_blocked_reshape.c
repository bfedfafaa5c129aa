/*
 * Blocked descriptors without a device: the names mean the same as oneDNN's tags. If oneDNN can
 * reshape a blocked descriptor, the library's view has the same blocking, so that not a byte moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "descriptors.h"
#include "harness/chain.h"
#include "harness/tensors.h"

TEST(names_are_onednns) {
  for (size_t i = 0; i < descriptor_count; i++) {
    const descriptor_row *row = &descriptor_rows[i];
    const dnnl_memory_desc_t descriptor = descriptor_of(row, dnnl_f32);
    const clrs_blocked_layout expected = descriptor_as_blocked(&descriptor, CLRS_F32);
    clrs_blocked_layout got;
    print_message("  %s\n", row->name);
    CHECK_OK(clrs_blocked_from_name(row->name, CLRS_F32, &expected.shape, &got, &error), error);
    assert_int_equal(got.block_count, expected.block_count);
    for (uint32_t b = 0; b < got.block_count; b++) {
      assert_int_equal(got.blocks[b].dim, expected.blocks[b].dim);
      assert_int_equal(got.blocks[b].size, expected.blocks[b].size);
    }
    for (int d = 0; d < row->rank; d++) {
      assert_int_equal(got.padded_dims[d], expected.padded_dims[d]);
      assert_int_equal(got.outer_strides[d], expected.outer_strides[d]);
    }
    assert_int_equal(got.offset, 0);
  }
}

/* The views hold exactly the elements that oneDNN's definition finds, of dims and of padded dims.
 */
static void require_positions(const clrs_view *view, const dnnl_memory_desc_t *descriptor,
                              const dnnl_dims_t dims) {
  int64_t *expected = descriptor_positions(descriptor, dims);
  oracle tensor = {.count = product_of(descriptor->ndims, dims), .positions = expected};
  const char *why = "";
  tensor.shape.rank = (uint32_t)descriptor->ndims;
  for (int d = 0; d < descriptor->ndims; d++)
    tensor.shape.dims[d] = dims[d];
  if (!view_matches(view, &tensor, &why))
    fail_msg("the view differs: %s", why);
  free(expected);
}

TEST(views_find_onednns_elements) {
  for (size_t i = 0; i < descriptor_count; i++) {
    const dnnl_memory_desc_t descriptor = descriptor_of(&descriptor_rows[i], dnnl_f32);
    clrs_blocked_layout blocked = descriptor_as_blocked(&descriptor, CLRS_F32);
    clrs_view view;
    print_message("  %s\n", descriptor_rows[i].name);
    CHECK_OK(clrs_blocked_view(&blocked, &view, &error), error);
    require_positions(&view, &descriptor, descriptor.dims);
    memcpy(blocked.shape.dims, blocked.padded_dims, sizeof blocked.padded_dims);
    CHECK_OK(clrs_blocked_view(&blocked, &view, &error), error);
    require_positions(&view, &descriptor, descriptor.padded_dims);
  }
}

/* ---- reshape ---- */

/* The walks are the same, axis for axis: a normal form has equal fields. */
static bool walks_are_equal(const clrs_view *a, const clrs_view *b) {
  uint32_t axes = 0;
  bool equal = a->depth == b->depth;
  for (uint32_t l = 0; equal && l < a->depth; l++) {
    equal = a->levels[l].offset == b->levels[l].offset &&
            a->levels[l].axis_count == b->levels[l].axis_count;
    axes += a->levels[l].axis_count;
  }
  for (uint32_t i = 0; equal && i < axes; i++)
    equal = a->axes[i].extent == b->axes[i].extent && a->axes[i].stride == b->axes[i].stride;
  return equal;
}

typedef struct reshape_tally {
  int tried, accepted, blocked;
} reshape_tally;

/* One request. If oneDNN refuses there is nothing to compare: the library then has a pass. */
static void try_reshape(const dnnl_memory_desc_t *from, const clrs_shape *shape,
                        reshape_tally *tally) {
  const clrs_blocked_layout blocked = descriptor_as_blocked(from, CLRS_F32);
  dnnl_memory_desc_t to;
  clrs_view ours, theirs;
  clrs_error error;
  tally->tried++;
  if (shape->rank == 0 || shape->rank > DNNL_MAX_NDIMS ||
      dnnl_memory_desc_reshape(&to, from, (int)shape->rank, shape->dims) != dnnl_success)
    return;
  const clrs_blocked_layout reshaped = descriptor_as_blocked(&to, CLRS_F32);
  CHECK_OK(clrs_blocked_view(&blocked, &ours, &error), error);
  CHECK_OK(clrs_view_reshape(&ours, shape, &error), error);
  CHECK_OK(clrs_blocked_view(&reshaped, &theirs, &error), error);
  require_positions(&ours, &to, to.dims);
  assert_true(walks_are_equal(&ours, &theirs));
  tally->accepted++;
  tally->blocked += to.format_desc.blocking.inner_nblks > 0;
}

TEST(reshapes_keep_onednns_blocking) {
  test_rng rng = rng_start(test_seed(31));
  reshape_tally tally = {0};
  for (size_t i = 0; i < descriptor_count; i++) {
    const dnnl_memory_desc_t from = descriptor_of(&descriptor_rows[i], dnnl_f32);
    const clrs_shape shape = descriptor_shape(&from);
    const int accepted = tally.accepted;
    for (int64_t n = 0; n < test_cases(400); n++) {
      const clrs_shape wish = shape_random_of_count(&rng, oracle_count(&shape));
      try_reshape(&from, &wish, &tally);
    }
    /* A dim at a time: dims of 1 around, two neighbours merged, a dim split in two. */
    for (uint32_t at = 0; at <= shape.rank; at++) {
      clrs_shape wish = shape;
      memmove(&wish.dims[at + 1], &wish.dims[at], (shape.rank - at) * sizeof wish.dims[0]);
      wish.dims[at] = 1;
      wish.rank++;
      try_reshape(&from, &wish, &tally);
      for (int64_t factor = 2; at < shape.rank && factor <= shape.dims[at]; factor++) {
        wish.dims[at] = factor;
        wish.dims[at + 1] = shape.dims[at] / factor;
        if (shape.dims[at] % factor == 0)
          try_reshape(&from, &wish, &tally);
      }
      if (at + 1 < shape.rank) {
        wish = shape;
        wish.dims[at] *= wish.dims[at + 1];
        memmove(&wish.dims[at + 1], &wish.dims[at + 2],
                (shape.rank - at - 2) * sizeof wish.dims[0]);
        wish.rank--;
        try_reshape(&from, &wish, &tally);
      }
    }
    print_message("  %-14s %d accepted\n", descriptor_rows[i].name, tally.accepted - accepted);
  }
  print_message("  %d tried, oneDNN accepts %d, %d of them blocked\n", tally.tried, tally.accepted,
                tally.blocked);
  assert_true(tally.blocked >= 100);
}

TESTS(NULL, NULL)
