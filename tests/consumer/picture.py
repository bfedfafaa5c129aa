#!/usr/bin/env python3
"""Prints one_pass.svg, the picture of README.md: what attention's heads need without and with one pass.
picture.py > one_pass.svg

SPDX-License-Identifier: Apache-2.0
"""

TOKENS, HEADS, WIDE, HIGH = 4, 3, 62, 26
COLOURS = ("#4c78a8", "#59a14f", "#e08214")
WIDTH, HEIGHT = 760, 250
HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">
<!-- SPDX-License-Identifier: Apache-2.0. Made by picture.py -->
<style>text{{font-family:sans-serif;font-size:13px;fill:#222}}.title{{font-weight:bold}}.in{{fill:#fff;\
text-anchor:middle}}.code{{font-family:monospace}}.mid{{text-anchor:middle}}</style>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto">\
<path d="M0,0 L8,4 L0,8 z" fill="#444"/></marker></defs>"""


def text(x, y, style, words):
    return f'<text x="{x}" y="{y}" class="{style}">{words}</text>'


def cell(x, y, token, head):
    """The channels of a head of a token."""
    return (f'<rect x="{x}" y="{y}" width="{WIDE - 3}" height="{HIGH - 3}" rx="3" fill="{COLOURS[head]}"/>'
            + text(x + WIDE // 2 - 1, y + 17, "in", f"t{token} h{head}"))


def arrow(x1, y1, x2, y2):
    return f'<path d="M{x1},{y1} L{x2},{y2}" stroke="#444" stroke-width="1.5" marker-end="url(#tip)"/>'


def draw():
    left, right, top = 20, 480, 50
    parts = [HEAD, text(left, 24, "title", "hidden [tokens, heads x channels]"),
             text(right, 24, "title", "heads [heads, tokens, channels]")]
    for token in range(TOKENS):
        for head in range(HEADS):
            parts.append(cell(left + head * WIDE, top + token * HIGH, token, head))
            parts.append(cell(right + token * WIDE, top + 13 + head * HIGH, token, head))
    middle = top + TOKENS * HIGH // 2
    parts += [arrow(left + HEADS * WIDE + 12, middle, right - 14, middle),
              text(343, middle - 12, "mid title", "one kernel"),
              text(343, middle + 22, "mid", "each element is read once"),
              text(343, middle + 40, "mid", "and written once"),
              text(left, 196, "code", "rearrange=t (h d) -> h t d, h=3"),
              text(left, 226, "", "Casts, means, slices and further transposes of the chain join the same kernel. "
                   "No temporary buffer is made.")]
    return "\n".join([*parts, "</svg>"])


print(draw())
