"""XXH64, the checksum of dcpn's files, from its specification; for files that are made up."""

MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotate(x, r):
    return ((x << r) | (x >> (64 - r))) & MASK


def step(lane, word):
    return rotate((lane + word * P2) & MASK, 31) * P1 & MASK


def words(data, size):
    return [int.from_bytes(data[at:at + size], "little") for at in range(0, len(data) - size + 1, size)]


def xxh64(data):
    whole = len(data) // 32 * 32
    if whole:
        lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        for k, word in enumerate(words(data[:whole], 8)):
            lanes[k % 4] = step(lanes[k % 4], word)
        h = sum(rotate(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            h = ((h ^ step(0, lane)) * P1 + P4) & MASK
    else:
        h = P5
    h, rest = (h + len(data)) & MASK, data[whole:]
    for word in words(rest, 8):
        h = (rotate(h ^ step(0, word), 27) * P1 + P4) & MASK
    rest = rest[len(rest) // 8 * 8:]
    for word in words(rest[:4], 4):
        h = (rotate(h ^ word * P1 & MASK, 23) * P2 + P3) & MASK
    for byte in rest[len(rest) // 4 * 4:]:
        h = rotate(h ^ byte * P5 & MASK, 11) * P1 & MASK
    h = (h ^ h >> 33) * P2 & MASK
    h = (h ^ h >> 29) * P3 & MASK
    return h ^ h >> 32
