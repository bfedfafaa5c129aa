"""Element types of the library, under NumPy's names and the library's names.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import contextlib
import functools
import re
from typing import TYPE_CHECKING, Any

from . import _library, _structs
from ._errors import ClreshapeError, KindError

if TYPE_CHECKING:
    import numpy

    from ._types import DTypeLike

ENUM = _structs.enum("clrs_dtype")
NUMBERS = {name[len("CLRS_"):].lower(): number for name, number in ENUM.items()
           if name != "CLRS_DTYPE_COUNT"}
NAMES = {number: name for name, number in NUMBERS.items()}

# Names of NumPy and ml_dtypes that differ from the library's names.
NUMPY_NAMES = {
    "bool": "bool", "complex64": "c64", "complex128": "c128", "bfloat16": "bf16",
    "float8_e4m3fn": "f8e4m3fn", "float8_e4m3fnuz": "f8e4m3fnuz", "float8_e5m2": "f8e5m2",
    "float8_e5m2fnuz": "f8e5m2fnuz", "float8_e8m0fnu": "f8e8m0", "float4_e2m1fn": "f4e2m1",
    "float6_e2m3fn": "f6e2m3", "float6_e3m2fn": "f6e3m2"}
NUMPY_NAMES |= {f"{long}{name[1:]}": name for short, long in
                (("i", "int"), ("u", "uint"), ("f", "float"))
                for name in NUMBERS if name[0] == short and name[1:].isdigit()}
BY_NUMPY_NAME = {name: NUMBERS[ours] for name, ours in NUMPY_NAMES.items()}
NUMPY_NAME = {number: name for name, number in BY_NUMPY_NAME.items()}
# NumPy's names that count bytes and have no other meaning in the library.
BY_NUMPY_NAME |= {short: BY_NUMPY_NAME[name] for short, name in (
    ("f2", "float16"), ("f4", "float32"), ("f8", "float64"), ("c8", "complex64"),
    ("c16", "complex128"), ("i1", "int8"), ("b1", "bool"))}


class DType:
    """An element type.

    name: the name in NumPy or ml_dtypes ("float16", "bfloat16", "int4"), else in the library.
    bits: width of an element. Elements below 8 bits are packed, several to a byte.

    Compares equal to other spellings: `array.dtype == "float16"`, `== np.float16`. NumPy accepts
    the object as a dtype if NumPy has the type.
    """

    __slots__ = ("number", "bits")

    number: int
    bits: int

    def __init__(self, number: int) -> None:
        self.number = number
        self.bits = _library.function("dtype_bits")(number)

    @property
    def name(self) -> str:
        return NUMPY_NAME.get(self.number, NAMES[self.number])

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        if self.bits % 8:
            raise KindError(f"elements of {self.name} are packed: they have {self.bits} bits")
        return self.bits // 8

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The NumPy dtype. numpy.dtype() looks for an attribute of this name."""
        import numpy
        if self.bits % 8 or self.name not in BY_NUMPY_NAME:
            if self.name.startswith("bits") and self.bits >= 8:
                return numpy.dtype(f"V{self.bits // 8}")
            raise KindError(f"NumPy has no type for {self.name} of {self.bits} bits an element: cast() to "
                            "another, or tobytes() for the bits")
        try:
            return numpy.dtype(self.name)
        except TypeError:
            import ml_dtypes
            return numpy.dtype(getattr(ml_dtypes, self.name))

    def __eq__(self, other: object) -> bool:
        _check_meaning(other)
        try:
            return self.number == dtype(other).number
        except (KindError, TypeError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        return f"clreshape.dtype({self.name!r})"


_made = {}


def numbered(number):
    """Returns the element type of a clrs_dtype."""
    return _made.get(number) or _made.setdefault(number, DType(number))


# The library's names, which count bits, that are also NumPy's for other types, as NumPy counts bytes.
AMBIGUOUS = {f"{letter}{count}": (f"{word}{count}", f"{word}{8 * count}")
             for letter, word, counts in (("i", "int", (2, 4, 8)), ("u", "uint", (1, 2, 4, 8)))
             for count in counts}


def _check_meaning(spec):
    if isinstance(spec, str) and spec in AMBIGUOUS:
        ours, numpys = AMBIGUOUS[spec]
        raise KindError(f"{spec!r} is {ours} to the library and {numpys} to NumPy: write {ours!r} or "
                        f"{numpys!r}")


def dtype(spec: DTypeLike) -> DType:
    """The element type of a name, of a NumPy dtype, or of any argument of numpy.dtype().

    Names are names of NumPy and ml_dtypes ("float32", "f4", "bfloat16", "float8_e4m3fn", "int4")
    and names of the library ("f32", "bf16", "i64", "bits8"). The library's names count bits and
    NumPy's names count bytes. The names i2, i4, i8, u1, u2, u4 and u8 are therefore refused. Types
    below 8 bits, such as `int4`, are packed here, though ml_dtypes gives each element a byte.
    """
    if isinstance(spec, DType):
        return spec
    if not isinstance(spec, str):
        import numpy
        given = numpy.dtype(spec)
        _check_byte_order(given)
        spec = given.name
    _check_meaning(spec)
    number = BY_NUMPY_NAME.get(spec, NUMBERS.get(spec))
    if number is None:
        raise KindError(f"no element type has the name {spec!r}")
    return numbered(number)


_TYPE_IN_CHAIN = re.compile(r"(?:^|(?<=[\s;]))(?:cast|round|bitcast|quantize|dequantize)=([^\s;,]+)")


def named_in_chain(text):
    """Returns the text of a chain with the library's names of types. Names are as in dtype(). After
    a comma, `cast=3` is the length of an axis of a pattern, and is unchanged."""
    def named(found):
        name = found[1]
        if text[:found.start()].rstrip(" \t\r\n").endswith(","):
            return found[0]
        _check_meaning(name)
        number = None if name in NUMBERS else BY_NUMPY_NAME.get(name)
        return found[0] if number is None else found[0].replace(f"={name}", f"={NAMES[number]}")
    return _TYPE_IN_CHAIN.sub(named, text)


def _check_byte_order(given):
    if not given.isnative:
        raise KindError(f"elements of {given.str} have another byte order than the host's: on the host, "
                        f"array.astype({given.newbyteorder('=').str!r}) has the host's")


def _is_swapped(given):
    return not getattr(given, "isnative", True) and given.names is None


@contextlib.contextmanager
def byte_order_named(*given):
    """Makes an error about elements that are bits name the byte order of these NumPy dtypes, if the
    byte order is the reason."""
    try:
        yield
    except ClreshapeError as error:
        for one in given:
            if _is_swapped(one) and of_numpy(one).name in str(error):
                _check_byte_order(one)
        raise


def check_same_numbers(first, second):
    """Raises KindError if two different NumPy dtypes are the same bits to the library, such as >f4
    and >i4, and so would not be cast."""
    if _is_swapped(first) and _is_swapped(second) and first != second and first.itemsize == second.itemsize:
        _check_byte_order(first)


@functools.lru_cache(maxsize=64)
def known(given):
    """Returns the element type of a NumPy dtype. Raises KindError if the dtype does not tell the
    element type."""
    found = of_numpy(given)
    if NUMPY_NAME.get(found.number) == given.name or (given.kind == "V" and given.names is None):
        return found
    _check_byte_order(given)
    raise KindError(f"NumPy's {given} is no element type here: dtype={found.name!r} takes its bytes")


@functools.lru_cache(maxsize=64)
def of_numpy(given):
    """Returns the library's type for elements of a NumPy dtype, or bits if the library has no such
    type."""
    found = BY_NUMPY_NAME.get(given.name) if given.isnative else None
    if found is not None and numbered(found).bits == 8 * given.itemsize:
        return numbered(found)
    bits = NUMBERS.get(f"bits{8 * given.itemsize}")
    if bits is None:
        raise KindError(f"elements of {given} have {given.itemsize} bytes, which is no power of "
                        "two up to 16")
    return numbered(bits)
