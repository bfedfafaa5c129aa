"""Checks that tests/harness/negative has a row for every parameter of every public function, and
for every field of a struct that a parameter points to.

  negative.py EXCEPTIONS LIST... -- HEADER...

A LIST is the output of a program of tests/harness/negative with the argument list: a function and a
parameter per line. EXCEPTIONS are lines `function parameter: reason`. A `*` stands for any text.

SPDX-License-Identifier: Apache-2.0
"""
import fnmatch
import json
import re
import subprocess
import sys


def read_tags(headers):
    """The prototypes and the members of structs, from ctags."""
    text = subprocess.run(
        ["ctags", "--languages=C", "--language-force=C", "--kinds-C=pm", "--fields=+Sst",
         "-D", "CLRS_API=", "-D", "CLRS_CHECKED=", "--output-format=json", "-o", "-", *headers],
        check=True, capture_output=True, text=True).stdout
    tags = [json.loads(line) for line in text.splitlines()]
    functions = {tag["name"]: tag["signature"] for tag in tags if tag["kind"] == "prototype"}
    members = {}
    for tag in tags:
        if tag["kind"] == "member":
            kind = tag.get("typeref", "").partition(":")[2]
            members.setdefault(tag["scope"], {})[tag["name"]] = kind
    return functions, members


def parameters_of(signature):
    """(type, name) of each."""
    for text in signature.strip("()").split(","):
        found = re.fullmatch(r"\s*(.*?)\s*(\w+)\s*", text)
        if found and text.strip() != "void":
            yield found.group(1), found.group(2)


def fields_of(struct, members):
    """The paths to the fields. Members of a field that is a struct count separately."""
    for name, kind in members[struct].items():
        if kind in members:
            yield from (f"{name}.{path}" for path in fields_of(kind, members))
        else:
            yield name


def needed_rows(functions, members):
    """Outputs have no fields that could be wrong. Outputs are neither const nor first."""
    for function, signature in functions.items():
        for place, (kind, name) in enumerate(parameters_of(signature)):
            yield function, name
            struct = re.fullmatch(r"(const )?(\w+) \*", kind)
            if struct and struct.group(2) in members and (struct.group(1) or place == 0):
                for path in fields_of(struct.group(2), members):
                    yield function, f"{name}->{path}"


def read_rows(lists):
    """The parameters with rows, without the suffixes that tell types apart, and without places in
    arrays."""
    rows = set()
    for path in lists:
        for line in open(path, encoding="utf-8"):
            function, parameter = line.split()
            parameter = re.sub(r"(__\w+?|_out)(?=$|->)|\[\d+\]", "", parameter)
            parts = re.split(r"(->|\.)", parameter)
            rows.update((function, "".join(parts[:end])) for end in range(1, len(parts) + 1, 2))
    return rows


def main():
    exceptions, *rest = sys.argv[1:]
    lists, headers = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    patterns = [line.partition(":")[0].split() for line in open(exceptions, encoding="utf-8")
                if line.strip() and not line.startswith("#")]
    functions, members = read_tags(headers)
    rows = read_rows(lists)
    if not functions or not rows:
        sys.exit("no function, or no row")
    used, missing = set(), []
    for function, parameter in needed_rows(functions, members):
        if (function, parameter) in rows:
            continue
        excused = [index for index, (f, p) in enumerate(patterns)
                   if fnmatch.fnmatchcase(function, f) and fnmatch.fnmatchcase(parameter, p)]
        used.update(excused)
        if not excused:
            missing.append(f"{function} {parameter}: no row in tests/harness/negative, no exception")
    missing += [f"{' '.join(pattern)}: an exception that nothing needs"
                for index, pattern in enumerate(patterns) if index not in used]
    missing += [f"{function}: rows, but no such function"
                for function in sorted({row[0] for row in rows} - set(functions))
                if not function.startswith("clrs__")]  # the value of a chain's text
    print("\n".join(missing) or f"{len(functions)} functions, {len(rows)} parameters and fields")
    sys.exit(bool(missing))


main()
