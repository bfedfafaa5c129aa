/*
 * GGUF's Q4_0 weights to f32 on the device, for users who load llama.cpp's files. A block of 18
 * bytes is an f16 scale and 32 elements of 4 bits. The cost is one pass: scales and elements are
 * views of the file's bytes, and nothing is unpacked beforehand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setup.h"

#include <math.h>

enum { ROWS = 64, COLUMNS = 256, BLOCKS = ROWS * COLUMNS / 32, BLOCK_BYTES = 18 };

/* Blocks of a matrix [64,256], as in the file, to a new f32 [64,256]: (element - 8) * scale. */
static clrs_tensor *dequantized(const setup *s, cl_mem file) {
  const int64_t dims[] = {BLOCKS, BLOCK_BYTES};
  const double zero_point = 8;
  /* The scales are a tensor, with a scale for each index of axis 0. The zero point is a number. */
  const clrs_numbers scale = {0, NULL, {CLRS_SPREAD_AXIS, 0, 0}};
  const clrs_numbers zero = {1, &zero_point, {CLRS_SPREAD_BROADCAST, 0, 0}};
  const clrs_on on = {s->queue, 0, NULL};
  clrs_tensor *bytes = NULL, *mapped = NULL, *matrix = NULL;
  clrs_map map;
  ok(clrs_tensor_wrap_dense(s->library, file, CLRS_U8, 2, dims, &bytes, &error));
  clrs_tensor *scales = view_of(bytes, "slice=:,:2 bitcast=f16 reshape=-1");
  /* Byte i has element i in the low half and element i + 16 in the high half. */
  clrs_tensor *halves = view_of(bytes, "slice=:,2: bitcast=u4 reshape=0,16,2 permute=0,2,1");
  ok(clrs_map_dequantize(CLRS_U4, CLRS_F32, &scale, &zero, &map, &error));
  const clrs_parameter_tensors tensors = {{NULL, scales}}; /* step 1 multiplies by the scale */
  ok(clrs_tensor_with_map(halves, &map, &tensors, &mapped, &error));
  ok(clrs_enqueue_chain(mapped, "reshape=64,256", CLRS_COPY_IF_NEEDED, NULL, &matrix, &on, NULL,
                        &error));
  clrs_tensor_release(bytes);
  clrs_tensor_release(scales);
  clrs_tensor_release(halves);
  clrs_tensor_release(mapped);
  return matrix;
}

static unsigned char file[BLOCKS][BLOCK_BYTES];
static float matrix[BLOCKS][32];

int main(void) {
  const setup s = set_up();
  for (int b = 0; b < BLOCKS; b++) {
    for (int i = 2; i < BLOCK_BYTES; i++) {
      file[b][i] = (unsigned char)((unsigned)(b * BLOCK_BYTES + i) * 2654435761u >> 21);
    }
    file[b][1] = (unsigned char)((15 - b % 8) << 2); /* f16 of 2^-(b % 8), the low byte first */
  }
  cl_mem buffer = upload(&s, sizeof file, file);
  read_back(&s, dequantized(&s, buffer), sizeof matrix, matrix);
  for (int b = 0; b < BLOCKS; b++) {
    for (int i = 0; i < 32; i++) {
      const int element = file[b][2 + i % 16] >> i / 16 * 4 & 15;
      require(matrix[b][i] == ldexpf((float)(element - 8), -(b % 8)), "every element is right");
    }
  }
  clReleaseMemObject(buffer);
  tear_down(&s);
  return 0;
}
