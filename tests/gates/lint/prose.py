"""Measures the sentences of comments, docstrings and pages:
prose.py ROOT            every folder of LIMITED, fails if a figure is over its limit
prose.py ROOT WORST N    prints the N worst sentences below WORST, a folder or a file
prose.py --test          shows that each fault is found

Four figures are counted for each folder: pronouns in 100 words, and the shares of sentences that open
inverted ("Of these, ..."), that hold a semicolon, and that have more than 32 words. Code, tables and
headings are left out. A sentence of fewer than five words is a label, and is left out.

SPDX-License-Identifier: Apache-2.0
"""

import io
import os
import re
import sys
import tokenize

LIMITED = ("include", "src", "kernels", "tests", "README.md", "CHANGELOG.md")
MADE = ("tests/portability/MATRIX.md",)  # by a script
LIMITS = {"pronouns in 100 words": 1.8, "% inverted": 0.3, "% with a semicolon": 1.5, "% over 32 words": 2.5}
LONG, FEWEST = 32, 5

WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
PRONOUN = re.compile(r"\b(its?|they|them|theirs?|those|these|ones?|others|what|who|whose|none|such)\b", re.I)
INVERTED = re.compile(r"(of|what|who|whose|those|one that|the same of|nor|so (are|is)|such)\b", re.I)
C_COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
ITEM = re.compile(r"(^|\n)\s*[-*] ")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
NO_SENTENCE = re.compile(r"SPDX-License-Identifier.*|`[^`]*`|-{4,}.*")


def c_comments(text):
    for found in C_COMMENT.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, re.sub(r"^\s*\*", " ", found[1], flags=re.M)


def python_comments(text):
    """Docstrings, and lines of # that follow each other."""
    lines, first, last = [], 0, -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and token.string.startswith('"""'):
            yield token.start[0], token.string.strip('"')
        elif token.type == tokenize.COMMENT:
            if lines and token.start[0] != last + 1:
                yield first, "\n".join(lines)
                lines = []
            first, last = (first if lines else token.start[0]), token.start[0]
            lines.append(token.string.lstrip("# "))
    if lines:
        yield first, "\n".join(lines)


def paragraphs(text):
    """The paragraphs of a page, without code, tables and headings."""
    lines, first, is_code = [], 0, False
    for number, line in enumerate([*text.split("\n"), ""], 1):
        is_code ^= line.lstrip().startswith("```")
        if is_code or not line.strip() or line.lstrip().startswith(("|", "#", "```")):
            if lines:
                yield first, "\n".join(lines)
            lines = []
        else:
            first = first if lines else number
            lines.append(line.strip(" >"))


READERS = {".c": c_comments, ".h": c_comments, ".cl": c_comments, ".hpp": c_comments, ".cc": c_comments,
           ".py": python_comments, ".md": paragraphs}


def sentences(path, text):
    """(line of the comment, sentence). An item of a list begins a sentence."""
    for line, block in READERS[os.path.splitext(path)[1]](text):
        for sentence in SENTENCE_END.split(ITEM.sub(". X ", NO_SENTENCE.sub(" x ", block))):
            sentence = re.sub(r"\s+", " ", re.sub(r"^X ", "", sentence)).strip()
            if len(WORD.findall(sentence)) >= FEWEST:
                yield line, sentence


def faults(sentence):
    """Pronouns, is it inverted, has it a semicolon, is it long."""
    is_inverted = bool(INVERTED.match(sentence)) and not sentence.endswith("?")
    return (len(PRONOUN.findall(sentence)), is_inverted, ";" in sentence,
            len(WORD.findall(sentence)) > LONG)


def files(root, below):
    """The files that are read, relative to the root."""
    if os.path.isfile(os.path.join(root, below)):
        return [below]
    found = []
    for folder, _, names in os.walk(os.path.join(root, below)):
        found += (os.path.relpath(os.path.join(folder, name), root) for name in names)
    return sorted(path for path in found if os.path.splitext(path)[1] in READERS and path not in MADE)


def read_all(root, below):
    """(path, line, sentence, its faults)"""
    for path in files(root, below):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for line, sentence in sentences(path, file.read()):
                yield path, line, sentence, faults(sentence)


def figures(measured):
    measured = list(measured)
    words = sum(len(WORD.findall(sentence)) for _, _, sentence, _ in measured)
    sums = [sum(found[k] for *_, found in measured) for k in range(4)]
    return [100 * sums[0] / max(words, 1), *(100 * count / max(len(measured), 1) for count in sums[1:])]


def worst(measured, count):
    ranked = sorted(measured, key=lambda of: of[3][0] + 3 * of[3][1] + of[3][2] + 3 * of[3][3], reverse=True)
    for path, line, sentence, _ in ranked[:count]:
        print(f"{path}:{line}: {sentence[:200]}")


def judge(root):
    is_well = True
    for below in LIMITED:
        measured = list(read_all(root, below))
        found = figures(measured)
        print(f"{below}: " + ", ".join(f"{value:.1f} {name}" for value, name in zip(found, LIMITS)))
        if not measured or any(value > limit for value, limit in zip(found, LIMITS.values())):
            print(f"{below} is over its limit; the worst sentences:")
            worst(measured, 20)
            is_well = False
    return is_well


def test():
    text = ("/* Of these it takes what they have; the words of the launch. The kernel reads a row, a column, a "
            "place, a byte, a word, a line, a lane, a block, a chunk, a box, a run, a piece, a part, a unit, a "
            "code, a step and a tile. */\n")
    found = [fault for _, _, *fault in ((0, 0, *faults(s)) for _, s in sentences("a.c", text))]
    assert found == [[4, True, True, False], [0, False, False, True]], found
    assert [line for line, _ in sentences("a.md", "# Of a head\n\nThis is a line of a page.\n")] == [3]
    assert [line for line, _ in sentences("a.py", "x = 1\n# What it is, of one of those.\n")] == [2]
    assert len(list(sentences("a.md", "- The first item of this list\n- the second item of this list\n"))) == 2
    assert list(sentences("a.md", "```\nThis is a line of some code.\n```\n")) == []
    print("each fault is found")


def main(arguments):
    if arguments == ["--test"]:
        test()
        return 0
    if len(arguments) == 3:
        worst(read_all(arguments[0], arguments[1]), int(arguments[2]))
        return 0
    return 0 if judge(*arguments) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
