# The picture of compare.py: a row for each case, with clreshape as a bar and each peer as a dot.
# Both are fractions of the copy, on a logarithmic scale, because peers are slower by large factors.
#
# SPDX-License-Identifier: Apache-2.0
import math
from xml.sax.saxutils import escape

ROW, HEAD, FOOT, MARGIN, LABEL, WIDTH = 14, 100, 20, 20, 250, 560
LEAST, MOST = 0.005, 2.0
MARKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
COLOURS = ("#2e7d5b", "#c8503c", "#3b6fb6", "#8e5aa8", "#e0a030", "#555555")
STYLE = ("text{font-family:sans-serif;font-size:11px;fill:#222}.title{font-size:16px;"
         "font-weight:bold}.under{fill:#555}.id{text-anchor:end}.group{font-weight:bold}"
         ".axis{text-anchor:middle;fill:#777;font-size:10px}")


def place(fraction):
    share = math.log(min(max(fraction, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return MARGIN + LABEL + share * WIDTH


def text(x, y, style, words):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{escape(words)}</text>'


def draw_key(names):
    parts, x = [], MARGIN
    for name, colour in zip(names, COLOURS):
        parts.append(f'<circle cx="{x + 5}" cy="65" r="4.5" fill="{colour}"/>')
        parts.append(text(x + 14, 69, "under", name))
        x += 30 + 8 * len(name)
    return parts


def draw_axis(bottom):
    parts = []
    for mark in MARKS:
        x, colour = place(mark), "#111" if mark == 1 else "#ddd"
        parts.append(f'<line x1="{x:.1f}" y1="{HEAD - 4}" x2="{x:.1f}" y2="{bottom}" '
                     f'stroke="{colour}"/>')
        parts.append(text(x, HEAD - 8, "axis", "copy" if mark == 1 else f"{mark:g}"))
    return parts


def draw_row(y, name, fractions, names):
    parts = [text(MARGIN + LABEL - 6, y + ROW - 4, "id", name)]
    ours = fractions.get(names[0])
    if ours is not None:
        parts.append(f'<rect x="{place(LEAST):.1f}" y="{y + 3}" fill="{COLOURS[0]}" '
                     f'width="{place(ours) - place(LEAST):.1f}" height="{ROW - 6}"/>')
    for peer, colour in list(zip(names, COLOURS))[1:]:
        if fractions.get(peer) is not None:
            parts.append(f'<circle cx="{place(fractions[peer]):.1f}" cy="{y + ROW / 2}" r="4" '
                         f'fill="{colour}" stroke="#fff" stroke-width="0.8"/>')
    return parts


def draw(path, figures, names, machine):
    """figures: (id, suite, {name: fraction or None}). names[0] is drawn as bars."""
    slots = len(figures) + len({suite for _, suite, _ in figures})
    bottom, parts, suite_before, y = HEAD + slots * ROW, [], None, HEAD
    for name, suite, fractions in sorted(figures, key=lambda figure: figure[1]):
        if suite != suite_before:
            parts.append(text(MARGIN + LABEL, y + ROW - 4, "group", suite))
            suite_before, y = suite, y + ROW
        parts += draw_row(y, name, fractions, names)
        y += ROW
    width, height = 2 * MARGIN + LABEL + WIDTH, bottom + FOOT
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">',
            "<!-- SPDX-License-Identifier: Apache-2.0 -->", f"<style>{STYLE}</style>",
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            text(MARGIN, 24, "title", "clreshape (bars) and peers (dots) against a plain copy"),
            text(MARGIN, 44, "under", f"{machine}; logarithmic scale")]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*head, *draw_key(names), *draw_axis(bottom), *parts, "</svg>"]))
        file.write("\n")
