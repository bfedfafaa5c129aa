#!/usr/bin/env python3
"""Writes _layout.py, the package's description of the C headers.

    generate_layout.py INCLUDE OUTPUT COMPILER [OPTION...]

INCLUDE is the folder that holds clreshape/*.h. The structs, enums and functions are read from the
preprocessed headers. Sizes and offsets are read from an object file of the compiler. So all numbers
are the compiler's, also of a compiler for another machine.

SPDX-License-Identifier: Apache-2.0
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

INTEGERS = {"int", "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t", "size_t"}
# The words of _layout.py for types of the headers. OpenCL fixes the widths of OpenCL's types.
PLAIN = {name: name for name in INTEGERS | {"double", "bool", "char"}} | {
    "_Bool": "bool", "unsigned char": "char", "cl_int": "int32_t", "cl_uint": "uint32_t",
    "cl_ulong": "uint64_t", "cl_mem_flags": "uint64_t", "void": "void"}
MARK = 0xC1E5_4A9E_0DD5_1DE5  # the number before the numbers in the object file
TARGET = "-DCL_TARGET_OPENCL_VERSION=120"
HANDLES = re.compile(
    r"cl_(mem|context|device_id|command_queue|event)|clrs_(allocate|release|observe)_fn")


class Headers:
    """The declarations of the preprocessed headers."""

    def __init__(self, text):
        self.enums = {name: re.findall(r"\b(CLRS_\w+)", body) for body, name in
                      re.findall(r"typedef enum \w+ \{(.*?)\} (\w+);", text, re.S)}
        self.structs, self.opaque = {}, []
        for name, body in re.findall(r"typedef struct (clrs_\w+) \{(.*?)\} \1;", text, re.S):
            if "{" in body:  # a union inside, which Python does not read
                self.opaque.append(name)
            else:
                self.structs[name] = list(self._fields(body))
        self.functions = {name: self._signature(result, parameters) for result, name, parameters in
                          re.findall(r"([\w\s*]+?)\b(clrs_[a-z0-9_]+)\(([^()]*)\);", text)}

    def kind(self, base, stars):
        """Returns the word of _layout.py for a C type: a plain type, a struct, or a pointer to
        either."""
        base = re.sub(r"\b(const|extern|struct)\b", "", base).strip()
        if stars and (base == "char" or base in self.structs):
            return base + "*" * stars if stars == 1 else "void*"
        if HANDLES.fullmatch(base) or base in self.opaque or stars > 1:
            return "void*"
        plain = "int" if base in self.enums else PLAIN.get(base)
        if stars:
            return plain + "*" if plain in INTEGERS or plain in ("double", "bool") else "void*"
        if plain is None and base not in self.structs:
            sys.exit(f"generate_layout.py does not know the type {base!r}")
        return plain or base

    def _fields(self, body):
        for declaration in re.sub(r"\b(const|struct)\b", "", body).split(";")[:-1]:
            base, rest = re.fullmatch(r"\s*((?:unsigned )?\w+)\s+(.*?)\s*", declaration,
                                      re.S).groups()
            for one in rest.split(","):
                stars, name, array = re.fullmatch(r"\s*([*\s]*)(\w+)\s*(\[.*\])?", one).groups()
                stars = stars.replace(" ", "")
                yield name, self.kind(base, len(stars)), array is not None

    def _signature(self, result, parameters):
        kinds = [self._parameter(one) for one in parameters.split(",") if one.strip() != "void"]
        return self.kind(*self._apart(result)), tuple(kinds)

    def _parameter(self, text):
        text = re.sub(r"(\w+)\s*\[.*\]", r"*\1", text)  # an array parameter is a pointer
        base, stars = self._apart(re.sub(r"\w+\s*$", "", text))
        return self.kind(base, stars)

    @staticmethod
    def _apart(text):
        """Returns a type's name, and the number of stars behind the name."""
        text = re.sub(r"\s+", " ", text)
        return re.sub(r"\*|\*const", "", text).strip(), text.count("*")


def includes(include):
    """Returns the #include lines of all headers, except the header of clreshape::onnx, which the
    package does not load."""
    names = sorted(path.name for path in pathlib.Path(include, "clreshape").glob("*.h")
                   if path.name != "onnx.h")
    return "".join(f"#include <clreshape/{name}>\n" for name in names)


def preprocess(compiler, include, *options):
    command = [*compiler, "-I", include, "-D__attribute__(x)=", TARGET, "-E", *options]
    return subprocess.run([*command, "-x", "c", "-"], input=includes(include),
                          stdout=subprocess.PIPE, text=True, check=True).stdout


def constants(macros):
    """Returns the names of macros that are one integer."""
    return sorted(re.findall(r"#define (CLRS_\w+) (?:\d+|UINT32_MAX)$", macros, re.M))


def initial(macros):
    """Returns the structs that have a macro CLRS_*_INIT."""
    return [name.lower() for name in re.findall(r"#define (CLRS_\w+)_INIT\b", macros)]


def questions(headers, numbers):
    """Returns {key: C expression} for each number that the compiler decides."""
    asked = {name: name for name in numbers}
    for names in headers.enums.values():
        asked |= {name: name for name in names}
    for name in [*headers.structs, *headers.opaque]:
        asked |= {f"sizeof {name}": f"sizeof({name})", f"alignof {name}": f"_Alignof({name})"}
    for name, fields in headers.structs.items():
        for field, _, is_array in fields:
            member = f"(({name} *)0)->{field}"
            asked[f"{name}.{field}"] = f"offsetof({name}, {field})"
            length = f"sizeof {member} / sizeof {member}[0]" if is_array else "0"
            asked[f"{name}.{field}[]"] = length
    return asked


def source(asked, initials):
    """Returns a file whose object file has all numbers behind MARK, and each CLRS_*_INIT behind a
    mark of the struct."""
    values = "".join(f",\n  (uint64_t)({value})" for value in asked.values())
    lines = ["#include <stddef.h>", f"const uint64_t numbers[] = {{{MARK:#x}{values}}};"]
    lines += [f"const struct {{ uint64_t mark; {name} init; }} init_{mark:x} = "
              f"{{{mark:#x}, {name.upper()}_INIT}};" for mark, name in enumerate(initials, MARK + 1)]
    return "\n".join([*lines, ""])


def answers(compiler, include, asked, initials):
    """Returns {key: number} and {struct: bytes of CLRS_*_INIT}. Nothing is run, so the compiler may
    be for another machine."""
    with tempfile.TemporaryDirectory() as folder:
        text, binary = pathlib.Path(folder, "ask.c"), pathlib.Path(folder, "ask.o")
        text.write_text(includes(include) + source(asked, initials), "utf-8")
        subprocess.run([*compiler, "-std=c11", "-w", TARGET, "-I", include, "-c", text, "-o",
                        binary], check=True)
        said = binary.read_bytes()
    order = next(order for order in "<>" if struct.pack(f"{order}Q", MARK) in said)

    def behind(mark):
        return said.index(struct.pack(f"{order}Q", mark)) + 8

    numbers = dict(zip(asked, struct.unpack_from(f"{order}{len(asked)}Q", said, behind(MARK))))
    return numbers, {name: said[behind(mark):][:numbers[f"sizeof {name}"]]
                     for mark, name in enumerate(initials, MARK + 1)}


def table(name, rows):
    lines = (f"    {key!r}: {value!r}," for key, value in rows)
    return "\n".join([f"{name} = {{", *lines, "}", ""])


def layout(headers, numbers, said, initial_bytes):
    """Returns the text of _layout.py."""
    structs = [(name, (said[f"sizeof {name}"], said[f"alignof {name}"], tuple(
        (field, kind, said[f"{name}.{field}[]"], said[f"{name}.{field}"])
        for field, kind, _ in fields))) for name, fields in headers.structs.items()]
    version = tuple(said[f"CLRS_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH"))
    return "\n".join([
        '"""Written by generate_layout.py from the headers: not to be changed by hand.',
        "", "STRUCTS has (size, alignment, fields), a field being (name, type, length of the array",
        "or 0, offset); INITIAL has the bytes of CLRS_*_INIT; FUNCTIONS has (type of the result,",
        "types of the arguments).",
        '"""', "", f"VERSION = {version!r}",
        table("CONSTANTS", [(name, said[name]) for name in numbers]),
        table("ENUMS", [(enum, {name: said[name] for name in names})
                        for enum, names in headers.enums.items()]),
        table("STRUCTS", structs),
        table("OPAQUE", [(name, said[f"sizeof {name}"]) for name in headers.opaque]),
        table("INITIAL", initial_bytes.items()),
        table("FUNCTIONS", headers.functions.items())])


def main():
    include, output, *compiler = sys.argv[1:]
    headers = Headers(preprocess(compiler, include, "-P"))
    macros = preprocess(compiler, include, "-dM")
    numbers, initials = constants(macros), initial(macros)
    said = answers(compiler, include, questions(headers, numbers), initials)
    pathlib.Path(output).write_text(layout(headers, numbers, *said), "utf-8")


if __name__ == "__main__":
    main()
