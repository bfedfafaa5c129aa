"""Frequent chains of PyTorch models, as PyTorch writes the chains.

Each chain has the shapes of the inputs, with the batch first, and the number of launches. The
number is 1, or one for each output, or 0 if the result is a view whose elements lie in order. A
concat takes one launch for each part. A concat of parts that are evenly spaced in one tensor takes
fewer launches: exporters write windows so.

SPDX-License-Identifier: Apache-2.0
"""
import torch
import torch.nn.functional as F


def attention_split(x):
    b, s, c = x.shape
    return x.view(b, s, 4, c // 4).transpose(1, 2).reshape(b * 4, s, c // 4)


def attention_merge(x):
    b, h, s, d = x.shape
    return x.transpose(1, 2).reshape(b, s, h * d)


def qkv(x):
    b, s, c = x.shape
    q, k, v = x.reshape(b, s, 3, 2, c // 6).permute(2, 0, 3, 1, 4).unbind(0)
    return q, k.transpose(-2, -1), v


def qkv_by_index(x):
    b, s, c = x.shape
    y = x.reshape(b, s, 3, 2, c // 6).permute(2, 0, 3, 1, 4)
    return y[0], y[1], y[-1]


def qkv_chunks(x):
    b, s, c = x.shape
    return tuple(part.view(b, s, 2, c // 6).transpose(1, 2) for part in x.chunk(3, dim=-1))


def gqa_repeat(x):
    b, h, s, d = x.shape
    return x[:, :, None].expand(b, h, 3, s, d).reshape(b, h * 3, s, d)


def window_partition(x):
    b, h, w, c = x.shape
    x = x.view(b, h // 2, 2, w // 3, 3, c)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, 2, 3, c)


def window_reverse(x):
    b = x.shape[0] // 4
    x = x.view(b, 2, 2, 2, 3, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(b, 4, 6, -1)


def window_shift(x):
    return torch.roll(x, shifts=(-1, -2), dims=(1, 2))


def patchify(x):
    b, c, h, w = x.shape
    x = x.reshape(b, c, h // 2, 2, w // 2, 2)
    return x.permute(0, 2, 4, 3, 5, 1).reshape(b, (h // 2) * (w // 2), 4 * c)


def unpatchify(x):
    b = x.shape[0]
    x = x.reshape(b, 3, 2, 2, 2, 2)
    return x.permute(0, 5, 1, 3, 2, 4).reshape(b, 2, 6, 4)


def tokens(x):
    return x.flatten(2).transpose(1, 2)


def tokens_to_image(x):
    b, s, c = x.shape
    return x.transpose(1, 2).reshape(b, c, 3, s // 3)


def channel_shuffle(x):
    b, c, h, w = x.shape
    return x.view(b, 3, c // 3, h, w).transpose(1, 2).reshape(b, c, h, w)


def last_around_reshape(x):
    b, c, h, w = x.shape
    x = x.permute(0, 2, 3, 1).reshape(b, h * w, c // 2, 2)
    return x.permute(0, 3, 2, 1).reshape(b, c, h, w)


def cache_blocks(x):
    b, h, s, d = x.shape
    return x.view(b, h, s // 2, 2, d // 2, 2).permute(0, 2, 1, 4, 3, 5)


def cache_append(past, new):
    return torch.cat([past, new.transpose(1, 2)], dim=2)


def image_to_planes(x):
    return x.flip(-1).permute(0, 3, 1, 2)


def folded_weight(x):
    return x.reshape(x.shape[0], 2, -1).transpose(1, 2).flatten(1)


def merge_patches(x):
    parts = [x[:, i::2, j::2, :] for j in (0, 1) for i in (0, 1)]
    return torch.cat(parts, -1).flatten(1, 2)


def class_token(x):
    return x[:, 0], x[:, 1:].transpose(1, 2)


def stacked(x):
    return torch.stack([x.transpose(1, 2), x.transpose(1, 2)], dim=1)


def padded(x):
    return F.pad(x.permute(0, 2, 1), (1, 2))


def tiled(x):
    return x.repeat(1, 2, 3)


def frames(x):
    return x.unfold(1, 4, 2).transpose(1, 2)


def im2col(x):
    b, c, h, w = x.shape
    x = x.unfold(2, 2, 1).unfold(3, 2, 1)
    return x.permute(0, 1, 4, 5, 2, 3).reshape(b, c * 4, (h - 1) * (w - 1))


# name: (function, shapes for batch 2, launches)
CHAINS = {
    "attention_split": (attention_split, [(2, 3, 8)], 1),
    "attention_merge": (attention_merge, [(2, 4, 3, 2)], 1),
    "qkv": (qkv, [(2, 3, 12)], 3),
    "qkv_by_index": (qkv_by_index, [(2, 3, 12)], 3),
    "qkv_chunks": (qkv_chunks, [(2, 3, 12)], 3),
    "gqa_repeat": (gqa_repeat, [(2, 2, 3, 2)], 1),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2), [(2, 8, 3, 2)], 1),
    "pixel_unshuffle": (lambda x: F.pixel_unshuffle(x, 2), [(2, 2, 6, 4)], 1),
    "window_partition": (window_partition, [(2, 4, 6, 2)], 1),
    "window_reverse": (window_reverse, [(8, 2, 3, 2)], 1),
    "window_shift": (window_shift, [(2, 4, 6, 2)], 4),
    "patchify": (patchify, [(2, 3, 4, 6)], 1),
    "unpatchify": (unpatchify, [(2, 6, 8)], 1),
    "tokens": (tokens, [(2, 3, 4, 2)], 1),
    "tokens_to_image": (tokens_to_image, [(2, 6, 4)], 1),
    "channel_shuffle": (channel_shuffle, [(2, 6, 2, 3)], 1),
    "last_around_reshape": (last_around_reshape, [(2, 4, 2, 3)], 1),
    "cache_blocks": (cache_blocks, [(2, 2, 4, 4)], 1),
    "cache_append": (cache_append, [(2, 2, 3, 4), (2, 1, 2, 4)], 2),
    "image_to_planes": (image_to_planes, [(2, 3, 4, 3)], 1),
    "folded_weight": (folded_weight, [(2, 4, 6)], 1),
    "merge_patches": (merge_patches, [(2, 4, 6, 2)], 1),
    "class_token": (class_token, [(2, 5, 4)], 2),
    "stacked": (stacked, [(2, 3, 4)], 1),
    "padded": (padded, [(2, 3, 4)], 3),
    "tiled": (tiled, [(2, 3, 4)], 1),
    "frames": (frames, [(2, 10)], 1),
    "im2col": (im2col, [(2, 2, 3, 4)], 1),
}
