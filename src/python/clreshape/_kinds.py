"""The kinds of arrays that the functions take and return.

A kind wraps an object of another package as an Array. A kind also shows a view as such an object if
possible, and makes a new object for a result that has to be moved.

SPDX-License-Identifier: Apache-2.0
"""

from . import _array, _context, _dlpack, _dtypes, _moves, _pyopencl, _umat
from ._errors import ArgumentError, KindError


class OwnKind:
    """Arrays of this package, which hold any view, also a view that is not computed yet."""

    name = "clreshape"

    @staticmethod
    def matches(thing):
        return isinstance(thing, _array.Array)

    @staticmethod
    def wrap(thing, queue):
        del queue
        return thing

    @staticmethod
    def show(array, like, must):
        del like, must
        return array

    @staticmethod
    def new(like, dims, dtype, queue):
        """Returns an array to move into, and a function that returns the caller's object after the
        move is enqueued."""
        del like
        made = _array.result(dims, dtype, queue)
        return made, lambda: made


KINDS = (OwnKind, _pyopencl.PyopenclKind, _umat.UMatKind, _dlpack.CapsuleKind,
         _dlpack.ProducerKind)
BY_NAME = {kind.name: kind for kind in KINDS if kind.name}


def kind_of(thing):
    for kind in KINDS:
        if kind.matches(thing):
            return kind
    raise KindError(f"a {type(thing).__module__}.{type(thing).__name__} is no tensor in an OpenCL "
                    "buffer: clreshape takes its own Array, pyopencl.array.Array, cv2.UMat, and "
                    "DLPack capsules and producers (to_device has NumPy arrays)")


def is_array(thing):
    return any(kind.matches(thing) for kind in KINDS)


class Taken:
    """An argument: the kind, the caller's object, and the object as an Array."""

    def __init__(self, thing, queue=None):
        self.kind, self.thing = kind_of(thing), thing
        self.array = self.kind.wrap(thing, queue)


class Wanted:
    """The wanted kind of a result, without an argument of that kind."""

    def __init__(self, name):
        if name not in BY_NAME:
            raise ArgumentError(f"there is no kind {name!r}; there are {', '.join(BY_NAME)}, numpy")
        self.kind, self.thing = BY_NAME[name], None


def dtype_of(thing):
    """Returns the element type in the array's own package, or None."""
    owner = thing._origin.owner if isinstance(thing, _array.Array) else thing
    return getattr(owner, "dtype", None)


def check_same_numbers(first, second):
    """Raises KindError for arrays whose packages have different types for the same bits, such as
    >f4 and >i4."""
    _dtypes.check_same_numbers(dtype_of(first), dtype_of(second))


def make_new(taken, array, queue, wait_for):
    """Moves the array's elements, dense, to a new object of the argument's kind."""
    queue = _moves.queue_for(queue, array)
    target, result = taken.kind.new(taken.thing, array.shape, array.dtype, queue)
    _moves.move(array, target, queue, wait_for)
    return result()


def out_of(out, queue):
    """Returns the Array of the caller's out=, or None."""
    return None if out is None else Taken(out, queue).array


def check_out(target, array, dims, dtype=None):
    """Raises an error unless a result of these dims and of the array's elements fits the target. With
    `dtype` the elements are computed."""
    if dtype in (None, array.dtype):
        dtype = array.dtype
        check_same_numbers(array, target)
    if (target.shape, target.dtype) != (tuple(dims), dtype):
        raise ArgumentError(f"out is {target.dtype.name} of shape {target.shape}; the result is "
                            f"{dtype.name} of shape {tuple(dims)}")


def _move_to(out, array, copy, queue, wait_for):
    if copy is False:
        raise ArgumentError("out= is moved to, and copy=False")
    target = out_of(out, queue)
    check_out(target, array, array.shape)
    _moves.move(array, target, _moves.queue_for(queue, array, target), wait_for)
    return out


def give(taken, array, options):
    """Returns the array as the argument's kind: a view if a view is possible and the caller allows
    a view. Options are (copy, out, queue, wait_for)."""
    copy, out, queue, wait_for = options
    if copy not in (None, True, False):
        raise ArgumentError(f"copy is None, True or False, not {copy!r}")
    if out is not None:
        return _move_to(out, array, copy, queue, wait_for)
    if copy is False and array._tensor.layout() is None:
        _moves.refuse_copy(array)
    for event in () if copy else wait_for:
        array.add_event(event)  # the result may be a view, and readers of the view wait
    shown = None if copy else taken.kind.show(array, taken.thing, copy is False)
    if shown is not None:
        return shown
    if copy is False:
        raise KindError(f"a {type(taken.thing).__name__} cannot be the view, and copy=False")
    return make_new(taken, array, queue, wait_for)


def convert(array, name, queue=None, wait_for=(), copy=None):
    """Returns the array as the kind of that name."""
    if name == "numpy":
        return array.get(queue, wait_for)
    return give(Wanted(name), array, (copy, None, _context.as_queue(queue), wait_for))
