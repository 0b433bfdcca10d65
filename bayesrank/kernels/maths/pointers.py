"""Memory by its address, for code that is called from C and must compile fast.

Numba takes ten times as long to compile a function of arrays as one of pointers, most of it for
slices, shapes and the sentences of errors. A pointer is indexed as an array is; it has neither a
length nor a check. So these are for the inside of kernels only, behind doors that have checked.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

__all__ = [
    "address_of",
    "ahead",
    "as_wholes",
    "caller",
    "keep",
    "pointer",
    "positions",
    "reals",
    "singles",
    "wholes",
]

REALS, WHOLES = types.CPointer(types.float64), types.CPointer(types.int64)


@intrinsic
def pointer(typing_context, array):
    """Return where the numbers of a contiguous array are; others are refused when compiled."""
    if array.layout != "C":
        raise TypingError("Only contiguous arrays have one pointer to all of their numbers.")

    def codegen(context, builder, signature, args):
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), codegen


@intrinsic
def keep(typing_context, array):
    """Keep an array until here.

    Numba frees an array after its last use, and does not know of pointers to it: whoever takes one
    of an array that was made in the same function calls this when the pointer is done with.
    """

    def codegen(context, builder, signature, args):
        return context.get_dummy_value()

    return types.void(array), codegen


@intrinsic
def ahead(typing_context, start, count):
    """Return the pointer that is some numbers further on."""

    def codegen(context, builder, signature, args):
        return builder.gep(args[0], [args[1]])

    return start(start, types.intp), codegen


@intrinsic
def address_of(typing_context, start):
    """Return where a pointer points, as a whole number."""

    def codegen(context, builder, signature, args):
        return builder.ptrtoint(args[0], context.get_value_type(types.int64))

    return types.int64(start), codegen


@intrinsic
def as_wholes(typing_context, start):
    """Return the same memory as room for int64 numbers."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(WHOLES))

    return WHOLES(start), codegen


def _at_address(kind):
    def typed(typing_context, address):
        def codegen(context, builder, signature, args):
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), codegen

    return intrinsic(typed)


reals = _at_address(types.float64)
"""Return a pointer to the float64 numbers at an address."""

wholes = _at_address(types.int64)
"""Return a pointer to the int64 numbers at an address."""

singles = _at_address(types.float32)
"""Return a pointer to the float32 numbers at an address."""

positions = _at_address(types.uint32)
"""Return a pointer to the uint32 numbers at an address: positions, which are never negative."""


def caller(signature):
    """Return a function that calls the C function of this signature at an address.

    So one compiled function serves all that it may call, and is compiled without them. The address
    comes first, then the arguments.
    """

    def typed(typing_context, address, arguments):
        def codegen(context, builder, typed_signature, args):
            kinds = [context.get_value_type(kind) for kind in signature.args]
            function = ir.FunctionType(context.get_value_type(signature.return_type), kinds)
            call = builder.inttoptr(args[0], function.as_pointer())
            return builder.call(call, cgutils.unpack_tuple(builder, args[1]))

        return signature.return_type(types.int64, types.Tuple(signature.args)), codegen

    return intrinsic(typed)
