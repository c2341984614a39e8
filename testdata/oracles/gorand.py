"""Go's generator math/rand/v2 PCG, so that an oracle can draw the rows that the library draws.

The draws follow the Go 1 compatibility promise: PCG is specified by its seed, and Rand's methods keep their streams.
"""
M64, M128 = (1 << 64) - 1, (1 << 128) - 1


class Rand:
    """model.Rand(seed, stream)."""

    def __init__(self, seed, stream):
        self.state = ((seed & M64) << 64) | ((stream & M64) ^ 0x9e3779b97f4a7c15)

    def uint64(self):
        self.state = (self.state * 0x2360ed051fc65da44385df649fccf645 + 0x5851f42d4c957f2d14057b7ef767814f) & M128
        hi, lo = self.state >> 64, self.state & M64
        hi ^= hi >> 32
        hi = hi * 0xda942042e4dd58b5 & M64
        hi ^= hi >> 48
        return hi * (lo | 1) & M64

    def intn(self, n):
        """IntN for n below 2^32. Its rejection of one draw in 2^32 is left out."""
        return self.uint64() & (n - 1) if n & (n - 1) == 0 else self.uint64() * n >> 64

    def float64(self):
        return (self.uint64() & ((1 << 53) - 1)) / (1 << 53)

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.intn(i + 1)
            items[i], items[j] = items[j], items[i]

    def perm(self, n):
        items = list(range(n))
        self.shuffle(items)
        return items
