/*
 * Attention's scores by CLBlast: the heads of Q and K are views of one buffer, and what a batched
 * GEMM takes of a view are the view's offset and strides. Nothing is copied before the GEMM.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clblast_c.h>
#include <clreshape/clreshape.hpp>
#include <cmath>

/* Of f32 [batch, tokens, 3 * heads * channels] Q (0) or K (1), as [batch, heads, tokens, channels].
 */
clreshape::tensor heads_of(const clreshape::tensor &qkv, int heads, int part) {
  return qkv.apply("rearrange=b t (p h d) -> p b h t d, p=3, h=" + std::to_string(heads) +
                   " slice=" + std::to_string(part));
}

/* Where each head's matrix begins in the buffer, and how far its rows are apart, in elements. */
struct matrices {
  explicit matrices(const clreshape::tensor &heads) {
    clreshape::call(clrs_view_layout, &heads.view(), &layout);
    const int64_t origin =
        layout.offset + static_cast<int64_t>(heads.storage().byte_offset / sizeof(float));
    for (int64_t i = 0; i < layout.dims[0] * layout.dims[1]; i++) {
      offsets.push_back(origin + i / layout.dims[1] * layout.strides[0] +
                        i % layout.dims[1] * layout.strides[1]);
    }
  }
  clrs_layout layout;
  std::vector<size_t> offsets;
};

/* Q K^T / sqrt(channels) to dense [batch, heads, tokens, tokens]. */
CLBlastStatusCode attention_scores(const clreshape::tensor &q, const clreshape::tensor &k,
                                   const clreshape::tensor &scores, cl_command_queue queue) {
  const matrices a(q), b(k), c(scores);
  const size_t tokens = a.layout.dims[2], channels = a.layout.dims[3], count = a.offsets.size();
  const std::vector<float> alpha(count, 1 / std::sqrt(static_cast<float>(channels))), beta(count);
  return CLBlastSgemmBatched(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeYes, tokens,
                             tokens, channels, alpha.data(), q.storage().buffer, a.offsets.data(),
                             a.layout.strides[2], k.storage().buffer, b.offsets.data(),
                             b.layout.strides[2], beta.data(), scores.storage().buffer,
                             c.offsets.data(), c.layout.strides[2], count, &queue, nullptr);
}
