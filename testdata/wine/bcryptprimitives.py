"""Writes a bcryptprimitives.dll for a wine that has none (before version 9): bcryptprimitives.py FILE.

Programs of Go call ProcessPrng of it when they start. The library has no code: its
one export leads on to SystemFunction036 (RtlGenRandom) of advapi32, which takes the
same arguments. The layout is that of Microsoft's "PE Format".
"""

import pathlib
import struct
import sys

SECTION, FILE_ALIGNMENT = 0x1000, 0x200


def exports():
    """The export section: directory, three tables of one entry, and the strings."""
    strings, at = b"", SECTION + 40 + 4 + 4 + 2
    where = []
    for s in (b"bcryptprimitives.dll", b"ProcessPrng", b"advapi32.SystemFunction036"):
        where.append(at + len(strings))
        strings += s + b"\0"
    library, name, forward = where
    functions, names, ordinals = SECTION + 40, SECTION + 44, SECTION + 48
    directory = struct.pack("<IIHH7I", 0, 0, 0, 0, library, 1, 1, 1, functions, names, ordinals)
    return directory + struct.pack("<IIH", forward, name, 0) + strings


def library():
    section = exports()
    size = len(section)
    section = section.ljust(FILE_ALIGNMENT, b"\0")
    dos = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    # amd64, one section, 240 bytes of optional header; a library with 64-bit addresses
    coff = b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 1, 0, 0, 0, 240, 0x2022)
    optional = struct.pack("<HBBIIIII", 0x20B, 1, 0, 0, len(section), 0, 0, SECTION)
    optional += struct.pack("<QII", 0x180000000, SECTION, FILE_ALIGNMENT)
    optional += struct.pack("<6HIIIIHH", 6, 0, 0, 0, 6, 0, 0, 2 * SECTION, FILE_ALIGNMENT, 0, 3, 0x100)
    optional += struct.pack("<4QII", 1 << 20, 1 << 12, 1 << 20, 1 << 12, 0, 16)
    optional += struct.pack("<II", SECTION, size).ljust(16 * 8, b"\0")
    header = struct.pack("<8sIIIIIIHHI", b".edata", size, SECTION, len(section), FILE_ALIGNMENT, 0, 0, 0, 0, 0x40000040)
    return (dos + coff + optional + header).ljust(FILE_ALIGNMENT, b"\0") + section


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_bytes(library())
