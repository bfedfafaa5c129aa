"""A kernel program as compilers for GPUs see the program, and facts from the compilers' output.

Debian's clang compiles the source for AMD (machine code), NVIDIA (PTX, which `ptxas` assembles
where a CUDA toolkit is installed) and SPIR-V. All calls are inlined, as the vendors' OpenCL
compilers do. AMD's compilers follow clang: ROCm 6.2 is clang 18. Therefore one AMD target has a
newer clang, which unrolls fewer loops than clang 15. Intel's compiler, `ocloc`, makes machine code
if installed, or if CLRS_OCLOC in the environment names the folder of the unpacked package. SPIR-V
is judged in the LLVM code that llvm-spirv would translate, word for word: an `alloca` is a variable
of Function storage. In SPIR-V the arguments count too: arguments arrive in private memory, and a
non-constant index keeps arguments there.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = "clang-15"
NEWER_CLANG = {"gfx942": "clang-19"}
AMD = ("gfx90a", "gfx1030", "gfx942")  # lock-step groups of 64, of 32, and of 64
UNPACKED = os.environ.get("CLRS_OCLOC")
OCLOC = os.path.join(UNPACKED, "usr/bin/ocloc") if UNPACKED else shutil.which("ocloc")
INTEL = ("dg2",) if OCLOC else ()
TARGETS = (*AMD, "nvptx", "spirv", *INTEL)
PTXAS = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
PTXAS_ARCH = "sm_90"

COMMON = ["-x", "cl", "-O3", "-S", "-w", "-nogpulib", "-DNATIVE_CODE=0", "-mllvm",
          "-inline-threshold=1000000"]
# An array that clang moves to local memory, separate for each work-item, still counts as private.
STAYS_PRIVATE = ["-mllvm", "-disable-promote-alloca-to-lds"]
HEADER = ["-finclude-default-header"]
# For spir64 clang inlines less, whatever the threshold, and functions left out of line would not be
# seen.
ALL_INLINE = "-Dinline=inline __attribute__((always_inline))"
NVPTX = ["-target-cpu", "sm_70", "-target-feature", "+ptx70"]


def command(target, options):
    """Flags of clang, except the files."""
    words = [NEWER_CLANG.get(target, CLANG), *COMMON, *(w for word in HEADER for w in ("-Xclang", word)), *options]
    if target == "spirv":
        return [*words, "-target", "spir64", "-emit-llvm", ALL_INLINE]
    words += ["-include", os.path.join(HERE, "builtins.cl")]
    if target == "nvptx":
        flags = [w for word in NVPTX for w in ("-Xclang", word)]
        return [*words, "-target", "nvptx64-nvidia-nvcl", *flags]
    return [*words, "-target", "amdgcn-amd-amdhsa", "-mcpu=" + target, *STAYS_PRIVATE]


def run(words, **environment):
    done = subprocess.run(words, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise RuntimeError(" ".join(words) + "\n" + done.stderr[:2000])
    return done.stderr


# ---- AMD ----

AMD_WIDTHS = {"ubyte": 8, "sbyte": 8, "u8": 8, "i8": 8, "b8": 8, "byte": 8, "ushort": 16,
              "sshort": 16, "short": 16, "u16": 16, "i16": 16, "b16": 16, "dword": 32, "b32": 32,
              "dwordx2": 64, "b64": 64, "dwordx3": 96, "b96": 96, "dwordx4": 128, "b128": 128}


def amd_widest(text, kind):
    names = re.findall(rf"^\s+(?:global|flat)_{kind}_(?:d16_)?(?:hi_)?(\w+)", text, re.M)
    return max((AMD_WIDTHS.get(name.replace("_d16_hi", "").replace("_d16", ""), 0)
                for name in names), default=0)


def amd_touches_private(text):
    """Does the kernel access private memory? clang 19 also reserves private memory for scalar
    registers that it then keeps in lanes of a vector register."""
    kernel = re.search(r"^\s+\.amdhsa_kernel (\w+)", text, re.M).group(1)
    body = text.split(f"\n{kernel}:", 1)[1].split(".amdhsa_kernel", 1)[0]
    return re.search(r"^\s+(scratch|buffer)_(load|store)_", body, re.M) is not None


def amd_facts(text):
    def number(name):
        return int(re.search(rf"^\s+\.{name}:\s+(\d+)", text, re.M).group(1))
    private = number("private_segment_fixed_size") if amd_touches_private(text) else 0
    return {"private": private, "registers": number("vgpr_count"),
            "local": number("group_segment_fixed_size"), "calls": "s_swappc" in text,
            "load": amd_widest(text, "load"), "store": amd_widest(text, "store")}


# ---- NVIDIA ----

def ptx_widest(text, kind):
    accesses = re.findall(rf"\b{kind}\.(?:\w+\.)*?global\.(?:nc\.)?(?:v(\d)\.)?[a-z](\d+)", text)
    return max((int(count or 1) * int(bits) for count, bits in accesses), default=0)


def ptx_facts(text, path):
    depots = re.findall(r"\.local\s.*__local_depot\w*\[(\d+)\]", text)
    facts = {"private": sum(map(int, depots)), "calls": bool(re.search(r"^\s+call\b", text, re.M)),
             "load": ptx_widest(text, "ld"), "store": ptx_widest(text, "st"), "registers": None,
             "local": sum(map(int, re.findall(r"\.shared\s.*\[(\d+)\]", text)))}
    if PTXAS is not None:
        said = run([PTXAS, "-arch=" + PTXAS_ARCH, "-v", "-O3", "-o", os.devnull, path])
        facts["registers"] = int(re.search(r"Used (\d+) registers", said).group(1))
        stack = int(re.search(r"(\d+) bytes stack frame", said).group(1))
        facts["private"] = max(facts["private"], stack)
    return facts


# ---- SPIR-V ----

def kernel_body(text):
    """Names of the parameters that arrive by value, and the lines of the kernel's body."""
    found = re.search(r"^define [^\n]*spir_kernel ([^\n]*)\{\n(.*?)^\}", text, re.M | re.S)
    return set(re.findall(r"byval\([^)]*\)[^%,]*(%\w+)", found.group(1))), \
        found.group(2).splitlines()


def copies_from(inside, call):
    """Is the line a call of LLVM's copy, with a known number of bytes and such a source?"""
    found = re.search(r"@llvm\.memcpy\.[^(]*\((.*?), [^,]*? (%[\w.]+), i64 \d+, ", call)
    return found is not None and found.group(2) in inside and \
        not any(name in inside for name in re.findall(r"%[\w.]+", found.group(1)))


def keeps_arguments(by_value, lines):
    """Does an index that is known only at run time, or a pointer that goes elsewhere, keep the
    arguments in memory? Follows the pointers into the arguments line by line."""
    inside = set(by_value)
    for line in lines:
        found = re.match(r"\s*(?:(%[\w.]+) = )?(?:tail )?(\w+) (.*)", line)
        if not found or not any(name in inside for name in re.findall(r"%[\w.]+", found.group(3))):
            continue
        result, operation, rest = found.groups()
        if operation == "getelementptr":
            if re.search(r", i\d+ %", rest):
                return True
            inside.add(result)
        elif operation == "bitcast":
            inside.add(result)
        elif operation != "load" and not copies_from(inside, rest):
            return True
    return False


def spirv_facts(text):
    by_value, lines = kernel_body(text)
    # vload_half and vstore_half take variables of 16 bits, which drivers make registers (Intel's does).
    arrays = sum(" = alloca " in line and " = alloca i16," not in line for line in lines)
    calls = any(re.search(r"call spir_func .*@(?!_Z\d)", line) for line in lines)
    return {"private": arrays + keeps_arguments(by_value, lines), "calls": calls,
            "registers": None, "load": None, "store": None, "local": None}


# ---- Intel ----

def intel_facts(text):
    """Reads the description in the binary, which is text. Calls, registers and how wide accesses
    are stand in machine code only."""
    sizes = re.findall(r"^ +usage: +(?:private_space|spill_fill_space|single_space)\n +size: +(\d+)",
                       text, re.M)
    return {"private": sum(map(int, sizes)), "calls": False, "registers": None,
            "load": None, "store": None, "local": None}


def compile_for_intel(base, target, options):
    """A program that needs doubles is compiled for a device with doubles."""
    device = "pvc" if os.path.exists(base + ".needs") else target
    found = {"LD_LIBRARY_PATH": os.path.join(UNPACKED, "usr/lib/x86_64-linux-gnu")} if UNPACKED else {}
    output = f"{base}.{target}"
    run([OCLOC, "compile", "-file", base + ".cl", "-device", device, "--format", "zebin",
         "-output_no_suffix", "-output", os.path.basename(output),
         "-out_dir", os.path.dirname(output),
         "-options", " ".join([*options, "-DNATIVE_CODE=0"])], **found)
    with open(output, encoding="latin-1") as file:
        text = file.read()
    if "\nkernels:" not in text:
        raise RuntimeError(output + " describes no kernels")
    return intel_facts(text)


def compile_program(base, target):
    """The facts of the program base.cl with base.options, also for a file base.TARGET."""
    with open(base + ".options", encoding="utf-8") as file:
        options = file.read().split()
    output = f"{base}.{target}"
    if target in INTEL:
        return compile_for_intel(base, target, options)
    run([*command(target, options), "-o", output, base + ".cl"])
    with open(output, encoding="utf-8") as file:
        text = file.read()
    if target == "spirv":
        return spirv_facts(text)
    return ptx_facts(text, output) if target == "nvptx" else amd_facts(text)
