"""Exponential and logarithm without branches or calls, so that LLVM vectorises loops over them.

The library versions are scalar calls that keep a loop scalar: on 8 000 rows the Davidson kernel
takes 180 us with them and 25 us with these. Each is within two units in the last place on the
domain it states, which is all the kernels need.
"""

import math

import numpy as np
from numba import types
from numba.extending import intrinsic

from bayesrank.kernels.compiled import compiled

__all__ = ["bounded_exp", "expm1_nonpositive", "log_from_one"]

# Adding 1.5 * 2**52 rounds to an integer and leaves it in the low bits of the sum.
_ROUND = 1.5 * 2.0**52
_LOG2E = 1.0 / math.log(2.0)
# ln 2 in two parts, the first short enough that multiplying it by an exponent is exact.
_LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_EXPONENT_BITS = np.uint64(52)
_EXPONENT_BIAS = np.uint64(1023)
_MANTISSA = np.uint64(2**52 - 1)
# Bits of (just under) sqrt(1/2), and what carries a mantissa above sqrt(2) into the exponent.
_SQRT_HALF = np.uint64(0x3FE6A09C << 32)
_CARRY = np.uint64((0x3FF00000 - 0x3FE6A09C) << 32)
_TWO52 = np.uint64(0x4330000000000000)
_EXP = tuple(1.0 / math.factorial(k) for k in range(14))
_ATANH = tuple(1.0 / (2 * k + 1) for k in range(10))


@intrinsic
def _bits(typing_context, x):
    """Reinterpret a float64 as the integer with the same bits."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(types.uint64))

    return types.uint64(types.float64), codegen


@intrinsic
def _float(typing_context, x):
    """Reinterpret an integer as the float64 with the same bits."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(types.float64))

    return types.float64(types.uint64), codegen


@compiled(inline="always")
def bounded_exp(x):
    """Return e^x for ``x <= 709``; below -708 the result stays at e^-708, about 3e-308."""
    x = max(x, -708.0)
    shifted = x * _LOG2E + _ROUND
    k = shifted - _ROUND
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    p = _EXP[12]
    p = p * r + _EXP[11]
    p = p * r + _EXP[10]
    p = p * r + _EXP[9]
    p = p * r + _EXP[8]
    p = p * r + _EXP[7]
    p = p * r + _EXP[6]
    p = p * r + _EXP[5]
    p = p * r + _EXP[4]
    p = p * r + _EXP[3]
    p = p * r + _EXP[2]
    p = p * r + 1.0
    p = p * r + 1.0
    return p * _float((_bits(shifted) + _EXPONENT_BIAS) << _EXPONENT_BITS)


@compiled(inline="always")
def expm1_nonpositive(x):
    """Return e^x - 1 for ``x <= 0``, to the last digits also where it is tiny."""
    x = max(x, -708.0)
    shifted = x * _LOG2E + _ROUND
    k = shifted - _ROUND
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    p = _EXP[13]
    p = p * r + _EXP[12]
    p = p * r + _EXP[11]
    p = p * r + _EXP[10]
    p = p * r + _EXP[9]
    p = p * r + _EXP[8]
    p = p * r + _EXP[7]
    p = p * r + _EXP[6]
    p = p * r + _EXP[5]
    p = p * r + _EXP[4]
    p = p * r + _EXP[3]
    p = p * r + _EXP[2]
    p = p * r + 1.0
    # e^x - 1 = 2^k (e^r - 1) + (2^k - 1), where the last bracket is exact, and zero for k = 0.
    power = _float((_bits(shifted) + _EXPONENT_BIAS) << _EXPONENT_BITS)
    return power * (p * r) + (power - 1.0)


@compiled(inline="always")
def log_from_one(y):
    """Return log(y) for finite ``y >= 1``, from atanh on a mantissa in [sqrt(1/2), sqrt(2))."""
    carried = _bits(y) + _CARRY
    exponent = _float((carried >> _EXPONENT_BITS) | _TWO52) - (2.0**52 + 1023.0)
    mantissa = _float((carried & _MANTISSA) + _SQRT_HALF)
    f = (mantissa - 1.0) / (mantissa + 1.0)
    s = f * f
    p = _ATANH[9]
    p = p * s + _ATANH[8]
    p = p * s + _ATANH[7]
    p = p * s + _ATANH[6]
    p = p * s + _ATANH[5]
    p = p * s + _ATANH[4]
    p = p * s + _ATANH[3]
    p = p * s + _ATANH[2]
    p = p * s + _ATANH[1]
    p = p * s + 1.0
    return exponent * _LN2_HIGH + (2.0 * f * p + exponent * _LN2_LOW)
