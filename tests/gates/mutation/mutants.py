"""The mutants of a C file: copies with a single small fault each.

SPDX-License-Identifier: Apache-2.0
"""
import re
from typing import NamedTuple

TOKEN = re.compile(r"""
    /\*.*?\*/ | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \n[ \t]*\#[^\n]*   # never looked into
  | [A-Za-z_]\w* | \d\w* | \s+
  | <<=|>>=|->|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|<<|>> | .
""", re.VERBOSE | re.DOTALL)

# clang-format puts a space on each side of a binary operator, but not of a sign or a pointer.
BINARY = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
          "==": ("!=",), "!=": ("==",), "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",),
          "%": ("/",), "&&": ("||",), "||": ("&&",), "&": ("|",), "|": ("&",), "<<": (">>",),
          ">>": ("<<",), "+=": ("-=",), "-=": ("+=",), "*=": ("+=",), "/=": ("*=",), "|=": ("&=",)}
WORDS = {"true": ("false",), "false": ("true",), "continue": ("break",)}


class Mutant(NamedTuple):
    """The text from `begin` to `end` replaced by `text`."""
    begin: int
    end: int
    text: str


def tokens_of(source):
    return [(match.start(), match.group()) for match in TOKEN.finditer(source)]


def bodies(tokens):
    """The indices of tokens inside function bodies: a brace after a closing parenthesis at depth 0."""
    inside, depth, before, in_body = [], 0, "", False
    for index, (_, text) in enumerate(tokens):
        if text == "{":
            in_body = in_body if depth else before == ")"
            depth += 1
        elif text == "}":
            depth -= 1
        elif depth and in_body:
            inside.append(index)
        if not text.isspace() and not text.startswith("/*"):
            before = text
    return inside


def of_tokens(tokens, inside):
    for index in inside:
        begin, text = tokens[index]
        end = begin + len(text)
        spaced = tokens[index - 1][1].isspace() and tokens[index + 1][1].isspace()
        if spaced and text in BINARY:
            yield from (Mutant(begin, end, other) for other in BINARY[text])
        elif text in WORDS:
            yield from (Mutant(begin, end, other) for other in WORDS[text])
        elif text in ("++", "--"):
            yield Mutant(begin, end, "--" if text == "++" else "++")
        elif text == "!":
            yield Mutant(begin, end, "")
        elif text.isdigit():
            yield Mutant(begin, end, str(int(text) + 1))
            if text not in ("0", "8"):
                yield Mutant(begin, end, str(int(text) - 1))


def closing(source, opening):
    """Index of the parenthesis that closes the parenthesis at `opening`. Strings here have no
    unbalanced parenthesis."""
    depth = 0
    for match in TOKEN.finditer(source, opening):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth == 0:
            return match.start()
    raise ValueError("a parenthesis that is not closed")


def of_conditions(source, tokens, inside):
    for index in inside:
        begin, text = tokens[index]
        if text in ("if", "while"):
            opening = source.index("(", begin)
            end = closing(source, opening)
            yield Mutant(opening + 1, end, "!(" + source[opening + 1:end] + ")")


STATEMENT = re.compile(r"^ +(?!return\b|case\b|default\b|if\b|for\b|while\b|switch\b|else\b|do\b|goto\b|const\b"
                       r"|static\b|struct\b|[\w ]+ \**\w+(?:\[\w*\])*(?: =|;|,))[\w*(][^;{}]*;$",
                       re.MULTILINE)


def of_statements(source, first):
    """Leaves out a statement that is not a declaration and has separate lines."""
    for match in STATEMENT.finditer(source, first):
        if "/*" not in match.group():
            yield Mutant(match.start(), match.end(), ";")


def mutants_of(source):
    tokens = tokens_of(source)
    inside = bodies(tokens)
    if not inside:
        return []
    found = [*of_tokens(tokens, inside), *of_conditions(source, tokens, inside),
             *of_statements(source, tokens[inside[0]][0])]
    return sorted(set(found))
