#!/usr/bin/env python3
"""The filter through which Doxygen reads the public headers: reference.py HEADER prints the header with
comments in Doxygen's form.

    /* ---- title     a section, up to the next section, becomes a group
    /* text           in front of a declaration documents the declaration
    x, y; /* text     behind declarations documents the declarations of the line
    an indented table keeps its columns

A comment documents all declarations up to the next blank line or comment, except declarations with a comment
behind.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)
SECTION = re.compile(r"/\* -{9,} ([^\n*]+)")
TABLE = re.compile(r"(?:^ {2,}\S.*\n(?:\n(?= {2,}\S))?)+", re.M)
LEFT_OUT = re.compile(r"clang-format|takes over|SPDX-License-Identifier.*")


def text_of(comment):
    """The comment without stars. Tables are set as they stand."""
    lines = comment[2:-2].rstrip("\n ").split("\n")
    text = "\n".join([lines[0].strip(), *(re.sub(r"^\s*\* ?", "", line) for line in lines[1:])]) + "\n"
    return TABLE.sub(lambda found: f"@verbatim\n{found[0]}@endverbatim\n", text)


class Header:
    def __init__(self, path):
        self.name, self.group, self.count = os.path.basename(path), None, 0

    def section(self, title, text):
        end = "/** @} */ " if self.group else ""
        self.count += 1
        self.group = f"{re.sub('[^a-z]', '_', self.name)}_{self.count}"
        return f"{end}/** @defgroup {self.group} {self.name}: {title}\n{text}@{{ */"

    def form(self, found, text, start):
        """The comment as Doxygen takes the comment, from the place in the header."""
        comment = found[0]
        before = text[text.rfind("\n", 0, found.start()) + 1:found.start()].strip()
        behind = text[found.end():found.end() + 2]
        if LEFT_OUT.match(comment[3:]) or re.match(r"#(if|endif|else)", before):
            return ""
        if found.start() == start:
            return f"/** @file\n{text_of(comment).split('SPDX')[0]}*/"
        is_apart = behind == "\n\n"
        if SECTION.match(comment):
            title, _, rest = comment[3:].lstrip("- ").partition("\n")
            body = text_of("/*\n" + rest) if rest else ""
            return self.section(title.removesuffix("*/").strip(), body) + (
                "" if is_apart else f"\n/** {body}*/")
        if before:
            return f"/**< {text_of(comment)}*/"
        if is_apart and self.group:  # of the whole section
            return f"/** @}} */ /** @addtogroup {self.group}\n{text_of(comment)}@{{ */"
        return f"/** {text_of(comment)}*/"


def apart(text):
    """The text with `x, y; /* text` as two declarations, because Doxygen gives the comment to one of them."""
    return re.sub(r"^ *(\w+) ([\w\[\]]+(?:, [\w\[\]]+)+); +/\*\*< (.*?)\*/",
                  lambda found: "".join(f"{found[1]} {name}; /**< {found[3]}*/\n" for name in found[2].split(", ")),
                  text, flags=re.S | re.M)


def shared(text):
    """The text with a comment repeated for each declaration that shares the comment."""
    parts = re.split(r"(?<=\n)(/\*\* (?!@).*?\*/\n)", text, flags=re.S)
    for i in range(1, len(parts), 2):
        block, blank, rest = parts[i + 1].partition("\n\n")
        begins = re.compile(r"(?:(?<=[;}]\n)|(?<=\*/\n)|(?<=\d\n))(?=[A-Za-z#])")
        first, *others = begins.split(block)
        others = [other if "/**<" in other else parts[i] + other for other in others]
        parts[i + 1] = "".join([first, *others]) + blank + rest
    return "".join(parts)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    header, start = Header(sys.argv[1]), COMMENT.search(text).start()
    formed = COMMENT.sub(lambda found: header.form(found, text, start), text)
    print(shared(apart(formed)) + ("/** @} */" if header.group else ""))


if __name__ == "__main__":
    main()
