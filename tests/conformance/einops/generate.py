#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks the einops package for the meaning of patterns and writes answers.txt.

    python3 -m venv packages
    packages/bin/pip install numpy einops==0.8.2
    packages/bin/python generate.py answers answers.txt
    packages/bin/python generate.py answer 17    # einops's answer to question 17

The tests need no package. The tests read answers.txt and the questions, which are made anew:

    python3 generate.py questions FILE

A question is a line of two columns, separated by a tab: the dims of the input, and the operation as
a chain writes the operation. The order is: patterns of einops' documentation and tests, patterns
that break one rule of einops each, random patterns, and random patterns with one or two typing
errors.

answers.txt has the versions of the packages, the SHA-256 of the questions, and a line for every
BLOCK questions. A line has the digest of the block and a letter for each question. The letter is
the question's digest modulo 62, or a minus sign if einops refuses.

The digest of a question is FNV-1a over the words rank, dims, and the positions in the input of the
result's elements. The digest is 0 if einops refuses. The digest of a block is FNV-1a over the
digests of the questions.
"""

import hashlib
import math
import os
import random
import string
import sys
import warnings

BLOCK = 80
LETTERS = string.ascii_letters + string.digits
ANSWERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "answers.txt")

# From the docstrings, the tutorials and einops/tests: operation, dims, pattern, lengths.
DOCUMENTED = [
    ("rearrange", [32, 30, 40, 3], "b h w c -> b h w c", {}),
    ("rearrange", [32, 30, 40, 3], "b h w c -> b c h w", {}),
    ("rearrange", [32, 30, 40, 3], "b h w c -> (b h) w c", {}),
    ("rearrange", [32, 30, 40, 3], "b h w c -> h (b w) c", {}),
    ("rearrange", [32, 30, 40, 3], "b h w c -> b (c h w)", {}),
    ("rearrange", [32, 30, 40, 3], "b (h1 h) (w1 w) c -> (b h1 w1) h w c", {"h1": 2, "w1": 2}),
    ("rearrange", [32, 30, 40, 3], "b (h h1) (w w1) c -> b h w (c h1 w1)", {"h1": 2, "w1": 2}),
    ("rearrange", [6, 2, 9, 4], "b (c h1 w1) h w -> b c (h h1) (w w1)", {"h1": 1, "w1": 2}),
    ("rearrange", [2, 6, 4, 4], "b c (h h1) (w w1) -> b (h1 w1 c) h w", {"h1": 2, "w1": 2}),
    ("rearrange", [2, 6, 4, 4], "b (c g) h w -> g b c h w", {"g": 2}),
    ("rearrange", [2, 6, 4, 4], "b (c1 c2) h w-> b (c2 c1) h w", {"c1": 3, "c2": 2}),
    ("rearrange", [2, 6, 4], "b c (t stride) -> (stride b) c t", {"stride": 2}),
    ("rearrange", [5, 4], "anchor dim -> dim () anchor () ()", {}),
    ("rearrange", [5, 4, 1, 1], "y x () () -> x y", {}),
    ("rearrange", [7], "h -> () () h ()", {}),
    ("rearrange", [12, 8], "b (anchor prediction) -> prediction b anchor", {"anchor": 4}),
    ("rearrange", [2, 16, 48], "b t (h d) -> (b h) t d", {"h": 12}),
    ("rearrange", [2, 16, 48], "b t (qkv h d) -> qkv b h t d", {"qkv": 3, "h": 4}),
    ("rearrange", [2, 4, 16, 12], "b h t d -> b t (h d)", {}),
    ("rearrange", [1, 3, 8, 8], "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", {"p1": 4, "p2": 4}),
    ("rearrange", [4, 5, 6, 3], "(a a2) b c ... -> b (c a2) (a ...)", {"a2": 2}),
    ("rearrange", [3, 2, 24], "i ... (j alpha) -> ... j (alpha i)", {"alpha": 4, "i": 3}),
    ("rearrange", [1, 2, 3, 5, 7], "a aa aa1 a1a1 aaaa -> a aa aa1 a1a1 aaaa", {}),
    ("rearrange", [1, 2, 3, 5, 7, 4], "a b c d e f -> (f e) d (c b a)", {}),
    ("rearrange", [1, 2, 3, 5, 7, 4], "a b c d e f -> a (b) (c d e) f", {}),
    ("rearrange", [2, 3, 4, 5, 6], "...->...", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a b c d e-> a b c d e", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a b c d e ...-> ... a b c d e", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a b c d e ...-> a ... b c d e", {}),
    ("rearrange", [2, 3, 4, 5, 6], "... a b c d e -> ... a b c d e", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a ... e-> a ... e", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a ... -> a ... ", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a ... c d e -> a (...) c d e", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a b ... -> (a b) ... ", {}),
    ("rearrange", [2, 3, 4, 5, 6], "... c d e -> ... (c d) e", {}),
    ("rearrange", [2, 3, 4, 5, 6], "... ->  (...)", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a b ... -> b (...) a", {}),
    ("rearrange", [2, 3, 4, 5, 6], "a b ... e -> b (a ...) e", {}),
    ("rearrange", [1, 1, 1, 1, 1], "a b c d ... ->  a b c ... d", {}),
    ("rearrange", [], " -> ", {}),
    ("rearrange", [], "->", {}),
    ("rearrange", [], "... -> ...", {}),
    ("rearrange", [], " -> () 1 (1)", {}),
    ("rearrange", [1, 1], "1 () -> ", {}),
    ("rearrange", [4, 3], "in is -> is in", {}),
    ("rearrange", [4, 3], "under_scored cApiTaLs -> cApiTaLs under_scored", {}),
    ("rearrange", [4, 3], "a b -> b a", {"a": 4, "b": 3}),
    ("rearrange", [1, 3], "a (b) -> (a b 1)", {}),
    ("rearrange", [0, 6], "a (b c) -> c (a b)", {"c": 2}),
    ("rearrange", [0, 6], "(a x) b -> a b x", {"x": 4}),
    ("rearrange", [0, 6], "(a x) b -> a b x", {"x": 4, "a": 0}),
    ("repeat", [30, 40], "h w -> h w c", {"c": 3}),
    ("repeat", [30, 40], "h w -> (repeat h) w", {"repeat": 2}),
    ("repeat", [30, 40], "h w -> h (tile w)", {"tile": 2}),
    ("repeat", [30, 40], "h w -> (h2 h) (w3 w)", {"h2": 2, "w3": 3}),
    ("repeat", [30, 40], "h w -> (h h2) (w w2)", {"h2": 2, "w2": 2}),
    ("repeat", [2, 3, 5], "a b c -> c a b", {}),
    ("repeat", [2, 3, 5], "a b c -> (c copy a b)", {"copy": 2, "a": 2, "b": 3, "c": 5}),
    ("repeat", [2, 3, 5], "a b c -> (a copy) b c ", {"copy": 1}),
    ("repeat", [2, 3, 5], "a b c -> (c a) (copy1 b copy2)", {"a": 2, "copy1": 1, "copy2": 2}),
    ("repeat", [2, 3, 5], "a ...  -> a ... copy", {"copy": 4}),
    ("repeat", [2, 3, 5], "... c -> ... (copy1 c copy2)", {"copy1": 1, "copy2": 2}),
    ("repeat", [2, 3, 5], "...  -> ... ", {}),
    ("repeat", [2, 3, 5], " ...  -> copy1 ... copy2 ", {"copy1": 2, "copy2": 3}),
    ("repeat", [2, 3, 5], "a b c  -> copy1 a copy2 b c () ", {"copy1": 2, "copy2": 1}),
    ("repeat", [2, 3, 5], "a b c  -> a none b c", {"none": 0}),
    ("repeat", [1, 2, 4, 6], "a b c d -> c a d b", {}),
    ("repeat", [1, 2, 4, 6], "a b c d -> (c 2 d a b)", {"a": 1, "c": 4, "d": 6}),
    ("repeat", [1, 2, 4, 6], "1 b c d -> (d copy 1) 3 b c ", {"copy": 3}),
    ("repeat", [1, 2, 4, 6], "1 ...  -> 3 ... ", {}),
    ("repeat", [1, 2, 4, 6], "() ... d -> 1 (copy1 d copy2) ... ", {"copy1": 2, "copy2": 3}),
    ("repeat", [1, 2, 4, 6], "1 b c d -> (1 1) (1 b) 2 c 3 d (1 1)", {}),
    ("repeat", [], " -> 2 (3 n)", {"n": 2}),
    ("repeat", [2], "a -> 02 a 01", {}),
]

# Patterns that einops refuses, a line for each error message.
REFUSED = [
    ("rearrange", [2, 3], "a b b a", {}),  # no arrow, or two
    ("rearrange", [2, 3], "a b -> b -> a", {}),
    ("rearrange", [2, 3], "a b - > b a", {}),
    ("rearrange", [2, 3], "a a -> a a", {}),  # duplicates
    ("rearrange", [2, 3], "a b -> a b a", {}),
    ("rearrange", [4, 3], "(a a) b -> a b", {"a": 2}),
    ("rearrange", [2, 3], "a b -> a", {}),  # one side only
    ("rearrange", [2, 3], "a b -> a b c", {}),
    ("rearrange", [2, 3], "a b -> a b c", {"c": 2}),
    ("rearrange", [2, 3], "a b -> a b ...", {}),
    ("rearrange", [2, 3], "a b ... -> a b", {}),
    ("repeat", [2, 3], "a b -> b 2", {}),
    ("repeat", [2, 3], "a b ... -> a b 2", {}),
    ("repeat", [2, 3], "a b -> a b ... 2", {}),
    ("rearrange", [2, 3, 4], "(a ...) -> a ...", {}),  # ellipses
    ("rearrange", [2, 3, 4], "(...) -> (...)", {}),
    ("rearrange", [2, 3, 4], "... a ... -> a ...", {}),
    ("rearrange", [2, 3, 4], "... a -> ... (a ...)", {}),
    ("rearrange", [2, 3], "a .. -> .. a", {}),
    ("rearrange", [2, 3], "a .... -> .... a", {}),
    ("rearrange", [2, 3], "a... -> ...a", {}),
    ("rearrange", [2, 3], "a . . . -> a . . .", {}),
    ("rearrange", [4, 3], "((a b)) c -> a b c", {"a": 2}),  # parentheses
    ("rearrange", [4, 3], "(a (b)) c -> a b c", {"a": 2}),
    ("rearrange", [4, 3], "(a b c -> a b c", {"a": 2}),
    ("rearrange", [4, 3], "a b) c -> a b c", {"a": 2}),
    ("rearrange", [4, 3], "a b -> (a b", {}),
    ("rearrange", [4, 3], "a b -> a b)", {}),
    ("rearrange", [2, 3], "_a b -> b _a", {}),  # names
    ("rearrange", [2, 3], "a_ b -> b a_", {}),
    ("rearrange", [2, 3], "_ b -> b _", {}),
    ("rearrange", [2, 3], "1a b -> b 1a", {}),
    ("rearrange", [2, 3], "a? b -> b a?", {}),
    ("rearrange", [2, 3], "a-b b -> b a-b", {}),
    ("rearrange", [2, 3], "2 b -> b 2", {}),  # anonymous axes
    ("rearrange", [2, 3], "a b -> a b 2", {}),
    ("rearrange", [2, 3], "a b -> a b 0", {}),
    ("rearrange", [6, 3], "(a 2) b -> b a", {}),
    ("repeat", [2, 3], "2 b -> b 2", {}),
    ("repeat", [2, 3], "2 b -> b", {}),
    ("repeat", [2, 3], "a b -> a b 0", {}),
    ("repeat", [2, 3], "a b -> a b 2x", {}),
    ("repeat", [2, 3], "a b -> a b -2", {}),
    ("repeat", [2, 3], "a b -> a b c", {}),  # lengths
    ("repeat", [2, 3], "a b -> a b c", {"d": 2}),
    ("rearrange", [2, 3], "a b -> b a", {"c": 2}),
    ("rearrange", [2, 3], "a b -> b a", {"a": 3}),
    ("rearrange", [2, 3], "a b -> b a", {"a": -1}),
    ("rearrange", [2, 3], "a b -> b a", {"_a": 2}),
    ("rearrange", [2, 3], "a b -> b a", {"1": 2}),
    ("rearrange", [4, 3], "(a c) b -> b a c", {}),
    ("rearrange", [24, 3], "(a c d) b -> b a c d", {"a": 2}),
    ("rearrange", [4, 3], "(a c) b -> b a c", {"a": 3}),
    ("rearrange", [4, 3], "(a c) b -> b a c", {"a": 2, "c": 3}),
    ("rearrange", [4, 3], "(a c) b -> b a c", {"a": 0}),
    ("rearrange", [4, 3], "(a c) b -> b a c", {"a": -2}),
    ("rearrange", [0, 3], "(a c) b -> b a c", {"a": 0}),
    ("repeat", [2, 3], "a b -> a b c", {"c": -1}),
    ("rearrange", [2, 3], "1 b -> b", {}),
    ("rearrange", [2, 3], "() b -> b", {}),
    ("rearrange", [2, 3], "a -> a", {}),  # ranks
    ("rearrange", [2, 3], "a b c -> c b a", {}),
    ("rearrange", [2, 3], "a b c ... -> c b a ...", {}),
    ("rearrange", [], "a -> a", {}),
    ("rearrange", [2], " -> ", {}),
]

# U+2026 is the name of an axis. einops uses U+2026 internally for "...".
SIGN = [(operation, dims, pattern, lengths) for operation in ("rearrange", "repeat")
        for dims in ([2, 3], [2, 3, 4]) for pattern, lengths in [
            ("a \u2026 -> \u2026 a", {}), ("a b \u2026 -> (\u2026 a) b", {}),
            ("(a \u2026) ... -> ... \u2026 a", {"a": 2}), ("(a \u2026) b -> a \u2026 b", {"a": 1}),
            ("a ... -> \u2026 a", {}), ("a ... -> (\u2026) a", {}), ("a ... -> ... \u2026 a", {}),
            ("a \u2026 -> ... a", {}), ("... \u2026 -> \u2026 ...", {}), ("\u2026 ... -> ... \u2026", {}),
            ("\u2026 \u2026 -> \u2026", {}), ("a\u2026 b -> b a\u2026", {}), ("a \u2026 -> a", {}),
            ("a b -> a b \u2026", {}), ("a \u2026 -> \u2026 a", {"\u2026": 3})]]


def fnv(values):
    """FNV-1a over 64-bit words."""
    value = 0xCBF29CE484222325
    for word in values:
        value = ((value ^ word) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def answer(operation, dims, pattern, lengths):
    """The dims of the result and the positions in the result, or None."""
    import einops
    import numpy as np

    source = np.arange(math.prod(dims), dtype=np.int64).reshape(dims)
    try:
        result = getattr(einops, operation)(source, pattern, **lengths)
    except (einops.EinopsError, ValueError, ZeroDivisionError):  # the last two are NumPy's and its own
        return None
    return result.shape, result.ravel().tolist()


def spelled(operation, dims, pattern, lengths):
    given = "".join(f", {name}={length}" for name, length in lengths.items())
    return ",".join(map(str, dims)) + f"\t{operation}={pattern}{given}\n"


def grouped(rng, words):
    """The words, with parentheses around some runs of words, and with dims of 1 between."""
    result, left = [], list(words)
    while left:
        if rng.random() < 0.06:
            result.append([rng.choice(["1", "()", "(1)"])])
        size = rng.choice([1, 1, 1, 2, 2, 3])
        part, left = left[:size], left[size:]
        result.append(part)
    if rng.random() < 0.1:
        result.append([rng.choice(["1", "()"])])
    return result


def spelled_group(rng, group):
    if len(group) == 1 and (not group[0].isidentifier() or rng.random() < 0.9):
        return group[0]
    inside = list(group)
    if rng.random() < 0.08:
        inside.insert(rng.randint(0, len(inside)), "1")
    return "(" + " ".join(inside) + ")"


def make_pattern(rng):
    """A valid pattern and matching dims. All lengths of axes that cannot be inferred are given."""
    operation = rng.choice(["rearrange", "repeat"])
    names = rng.sample(["a", "b", "c", "h", "w", "x1", "dim", "b2b", "flip", "A"], rng.randint(0, 6))
    extents = {name: rng.choice([1, 2, 2, 3, 3, 4]) for name in names}
    if names and rng.random() < 0.03:
        extents[names[0]] = 0
    groups, dims, lengths, left = grouped(rng, names), [], {}, []
    for group in groups:
        known = [name for name in group if name in extents]
        dims.append(math.prod(extents[name] for name in known))
        spare = rng.choice(known) if known and rng.random() < 0.9 else None
        lengths.update({name: extents[name] for name in known if name != spare})
        left.append(spelled_group(rng, group))
    words = rng.sample(names, len(names))
    if operation == "repeat":
        for new in ["new", "r", "3", "2", "1"][: rng.randint(0, 3)]:
            words.insert(rng.randint(0, len(words)), new)
            if new.isidentifier():
                lengths[new] = rng.randint(0 if rng.random() < 0.05 else 1, 3)
    if rng.random() < 0.35:
        place = rng.randint(0, len(left))
        left.insert(place, "...")
        dims[place:place] = [rng.randint(1, 3) for _ in range(rng.randint(0, 3))]
        words.insert(rng.randint(0, len(words)), "...")
    right = [spelled_group(rng, group) for group in grouped(rng, words)]
    gap = rng.choice([" -> ", " -> ", "->", "  ->"])
    ordered = sorted(lengths.items(), key=lambda _: rng.random())
    return operation, dims, " ".join(left) + gap + " ".join(right), dict(ordered)


def misspell(rng, pattern):
    """The pattern with one or two characters added, removed or changed. No character has a meaning
    of its own in a chain."""
    text = list(pattern)
    for _ in range(rng.randint(1, 2)):
        place = rng.randrange(len(text) + 1)
        kind = rng.random()
        if kind < 0.5:
            text.insert(place, rng.choice(" ()().->ab12_0?"))
        elif place < len(text) and kind < 0.8:
            del text[place]
        elif place < len(text):
            text[place] = rng.choice(" ()abhw123._-")
    return "".join(text)


def fits(dims, pattern, lengths):
    total = math.prod(max(v, 1) for v in [*dims, *lengths.values()])
    return total <= 20000 and pattern


def change_lengths(rng, lengths):
    """The lengths, with a length removed, changed or added."""
    changed = dict(lengths)
    if changed and rng.random() < 0.7:
        name = rng.choice(list(changed))
        if rng.random() < 0.5:
            del changed[name]
        else:
            changed[name] += rng.choice([-1, 1, 2])
    else:
        changed[rng.choice(["a", "w", "zz"])] = rng.randint(1, 3)
    return changed


def random_questions(rng, count):
    while count > 0:
        operation, dims, pattern, lengths = make_pattern(rng)
        kind = rng.random()
        if kind < 0.2:
            pattern = misspell(rng, pattern)
        elif kind < 0.27:
            lengths = change_lengths(rng, lengths)
        elif kind < 0.3 and dims:
            dims[rng.randrange(len(dims))] += 1
        if fits(dims, pattern, lengths):
            yield operation, dims, pattern, lengths
            count -= 1


def all_questions():
    drawn = random_questions(random.Random("clreshape einops"), 5000)
    return DOCUMENTED + REFUSED + SIGN + list(drawn)


def checksum(questions):
    return hashlib.sha256("".join(spelled(*q) for q in questions).encode()).hexdigest()


def digest(said):
    return 0 if said is None else fnv([len(said[0]), *said[0], *said[1]])


def write_answers(questions, path):
    from importlib.metadata import version

    warnings.simplefilter("ignore")  # about axes named like keywords
    said = [answer(*question) for question in questions]
    rules = len(DOCUMENTED) + len(REFUSED)
    if None in said[: len(DOCUMENTED)] or said[len(DOCUMENTED) : rules] != [None] * len(REFUSED):
        sys.exit("a documented pattern is refused, or a pattern that breaks a rule is not")
    digests = [digest(what) for what in said]
    letters = "".join(LETTERS[d % len(LETTERS)] if d else "-" for d in digests)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"einops {version('einops')}, numpy {version('numpy')}; generate.py wrote this\n")
        file.write(checksum(questions) + "\n")
        for at in range(0, len(letters), BLOCK):
            file.write(f"{fnv(digests[at : at + BLOCK]):016x} {letters[at : at + BLOCK]}\n")
    print(f"{letters.count('-')} of {len(letters)} are refused")


def write_questions(questions, path):
    with open(ANSWERS, encoding="ascii") as file:
        if checksum(questions) != file.read().split("\n")[1]:
            sys.exit("these are not the questions of answers.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(spelled(*question) for question in questions)


def main():
    what, argument = sys.argv[1:]
    questions = all_questions()
    if what == "answer":
        question = questions[int(argument) - 1]
        print(spelled(*question) + str(answer(*question)))
    else:
        {"answers": write_answers, "questions": write_questions}[what](questions, argument)


if __name__ == "__main__":
    main()
