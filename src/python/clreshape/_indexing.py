"""array[index] as a chain: slices, integers, None and an ellipsis.

SPDX-License-Identifier: Apache-2.0
"""

import operator

from ._errors import IndexingError


def _spelled(part):
    """Returns a bound or a step of a slice in the notation of a chain, which follows Python's
    rules."""
    if part is None:
        return ""
    try:
        return str(min(max(operator.index(part), -2**63), 2**63 - 1))
    except TypeError:
        raise IndexingError(f"{part!r} is no bound of a slice: integers and None are") from None


def _whole_index(index, rank):
    """Returns the parts of the index: one for each dim, and each None."""
    parts = list(index) if isinstance(index, tuple) else [index]
    named = sum(part is not None and part is not Ellipsis for part in parts)
    dots = sum(part is Ellipsis for part in parts)
    if named > rank or dots > 1:
        raise IndexingError(f"the index {index!r} is for {named} dims, the array has {rank}")
    if not dots:
        parts.append(Ellipsis)
    at = next(i for i, part in enumerate(parts) if part is Ellipsis)
    return parts[:at] + [slice(None)] * (rank - named) + parts[at + 1:]


def _integer(part, dim, extent):
    try:
        if type(part).__name__ in ("bool", "bool_"):
            raise TypeError("NumPy takes a bool for a mask")
        number = operator.index(part)
    except TypeError:
        raise IndexingError(f"{part!r} is no index: integers, slices, None, ..., and lists of integers or of "
                            "bools are") from None
    if not -extent <= number < extent:
        raise IndexingError(f"index {number} is out of range for dim {dim} of {extent}")
    return number % extent


def chain_of_index(index, shape):
    """Returns the text of a chain equal to NumPy's basic indexing."""
    slices, gone, new = [], [], []
    for part in _whole_index(index, len(shape)):
        dim = len(slices)
        if part is None:
            new.append(dim - len(gone) + len(new))
        elif isinstance(part, slice):
            slices.append(":".join(map(_spelled, (part.start, part.stop, part.step))))
        else:
            number = _integer(part, dim, shape[dim])
            slices.append(f"{number}:{number + 1}:")
            gone.append(dim)
    steps = [("slice", slices), ("squeeze", gone), ("unsqueeze", new)]
    return " ".join(f"{name}={','.join(map(str, values))}" for name, values in steps if values)
