#!/usr/bin/env python3
"""Prints src/base/powers_of_five.inc: the first 128 bits of 5^q, which decimal.c multiplies with.

usage: powers_of_five.py > src/base/powers_of_five.inc

Powers that are whole numbers are cut off after 128 bits; the others, 1 / 5^-q, are cut off and one is added to the last
bit, so that the true value lies less than one unit below. That is what the proof of decimal.c asks for.
"""

MOST = 64


def leading_bits(numerator, denominator):
    """floor(2^s numerator / denominator) with exactly 128 bits."""
    shift = 128 - numerator.bit_length() + denominator.bit_length()
    for s in (shift - 1, shift, shift + 1):
        value = (numerator << s) // denominator if s >= 0 else (numerator >> -s) // denominator
        if value.bit_length() == 128:
            return value
    raise AssertionError


print("/* SPDX-License-Identifier: BSD-3-Clause */")
print("/* The first 128 bits of 5^q, high and low half. Made by tools/powers_of_five.py. */")
for q in range(-MOST, MOST + 1):
    bits = leading_bits(5**q, 1) if q >= 0 else leading_bits(1, 5**-q) + 1
    print(f"{{0x{bits >> 64:016x}, 0x{bits & (2**64 - 1):016x}}}, /* {q} */")
