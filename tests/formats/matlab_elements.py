"""MATLAB files of version 5, byte by byte, so that they can say what no MATLAB would write."""

import struct

from converter import np

CELL, STRUCT, OBJECT, CHAR, SPARSE, DOUBLE = range(1, 7)
COMPLEX = 0x800
_TYPES = {"i1": 1, "u1": 2, "i2": 3, "u2": 4, "i4": 5, "u4": 6, "f4": 7, "f8": 9}
_MATRIX = 14


def element(kind, data):
    """A tag of type and size, and data, filled up to a multiple of 8 bytes."""
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def numbers(values, dtype="f8"):
    return element(_TYPES[dtype], np.asarray(values, "<" + dtype).tobytes(order="F"))


def array(name, kind, shape, *parts):
    head = numbers([kind, 0], "u4") + numbers(shape, "i4") + element(1, name.encode())
    return element(_MATRIX, head + b"".join(parts))


def full(name, values, dtype="f8"):
    values = np.asarray(values)
    return array(name, DOUBLE, values.shape, numbers(values, dtype))


def sparse(name, shape, rows, pointers, values):
    """By columns: the rows of the values, and where each column starts among them."""
    return array(name, SPARSE, shape, numbers(rows, "i4"), numbers(pointers, "i4"), numbers(values))


def text(name, characters):
    return array(name, CHAR, (1, len(characters)), numbers([ord(c) for c in characters], "u2"))


def file(*arrays):
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + b"".join(arrays)
