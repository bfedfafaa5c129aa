"""The machine that runs ptx.py's kernels: work-items, memory, and the counts of a launch.

SPDX-License-Identifier: Apache-2.0
"""

import collections
import re
from functools import partial

import numpy as np

from floats import compare_floats, compute_floats, is_of_floats
from ptx import (COMPARE, LOGIC, U64, WARP, Unknown, arithmetic, bits_of, mask_of, narrow, pack,
                 words_in)

SECTOR, ATOM, BANKS = 32, 64, 32


def distinct(rows):
    """Number of different values in each row. Negative numbers stand for no value."""
    rows = np.sort(rows, axis=1)
    new = np.ones(rows.shape, bool)
    new[:, 1:] = rows[:, 1:] != rows[:, :-1]
    return (new & (rows >= 0)).sum(axis=1)


def bank_turns(addresses, active, width):
    """Turns that accesses to shared memory take, and turns without conflicts. A warp's 32
    work-items go together if each has a word or less, 16 work-items with two words, 8 with four
    words. Each bank gives a single word per turn, to every work-item that wants that word."""
    lanes = WARP if width <= 4 else WARP * 4 // width
    active = active.reshape(-1, lanes)
    used = active.any(axis=1)
    words = (addresses.reshape(-1, lanes) // 4)[:, :, None] + np.arange(max(1, width // 4))
    words = np.where(active[:, :, None], words, -1).reshape(len(active), -1)[used]
    turns = np.zeros(len(words), np.int64)
    for bank in range(BANKS):
        turns = np.maximum(turns, distinct(np.where(words % BANKS == bank, words, -1)))
    return int(turns.sum()), len(words)


class Launch:
    """A launch while running. `groups` has both dimensions, and `buffers` are {address: bytes}. For
    a large launch only a window runs: (first group, groups). Bytes are then optional: `buffers` is
    a function from addresses to loaded bytes, and stores are dropped."""

    def __init__(self, kernel, group_items, groups, arguments, buffers, window=None):
        self.kernel, self.buffers = kernel, buffers
        first, self.groups = window or (0, groups[0] * groups[1])
        self.count = group_items * self.groups
        if group_items % WARP != 0:
            raise Unknown(f"groups of {group_items} work-items")
        self.item = np.arange(self.count)
        self.group = self.item // group_items
        self.special = {
            "%tid.x": (self.item % group_items).astype(U64), "%tid.y": U64(0),
            "%ctaid.x": ((self.group + first) % groups[0]).astype(U64),
            "%ctaid.y": ((self.group + first) // groups[0]).astype(U64),
            "%ntid.x": U64(group_items), "%ntid.y": U64(1),
            "%nctaid.x": U64(groups[0]), "%nctaid.y": U64(groups[1])}
        self.registers = {}
        self.arguments = np.frombuffer(arguments, np.uint8)
        self.shared = np.zeros((self.groups, kernel.shared_bytes), np.uint8)
        self.private = np.zeros((self.count, kernel.local_bytes), np.uint8)
        self.executed = np.zeros(len(kernel.code), np.int64)  # by warps
        self.totals = collections.Counter()
        self.touched = {"ld": [], "st": []}  # (group, address, width) of global memory
        self.trace = []  # what the warp in the middle ran
        self.traced = self.count // WARP // 2

    # ---- operands ----

    def value(self, word):
        """Value of a register, a name or a number. A register without a value is undefined, and
        only discarded results depend on such a register."""
        if word in self.special:
            return self.special[word]
        if word[0] == "%":
            return self.registers.get(word, U64(0))
        if word in self.kernel.parameters:
            return U64(self.kernel.parameters[word][0])
        if word in self.kernel.arrays:
            return U64(self.kernel.arrays[word])
        if word[:2] == "0f":  # the bits of a float
            return U64(int(word[2:], 16))
        return U64(int(word, 0) & 0xffffffffffffffff)

    def predicate(self, word):
        is_negated = word[0] == "!"
        word = word.lstrip("!")
        value = np.asarray(self.registers.get(word, False) if word[0] == "%" else word != "0")
        return ~value if is_negated else value

    def put(self, name, value, mask):
        if name == "_":
            return
        if not mask.all():
            value = np.where(mask, value, self.registers.get(name, np.zeros_like(value)))
        self.registers[name] = value

    def address_of(self, word):
        base, offset = re.match(r"\[([^+\]]+?)(?:\+(-?\d+))?\]", word.replace(" ", "")).groups()
        at = self.value(base).astype(np.int64) + int(offset or 0)
        return np.broadcast_to(at, (self.count,))

    # ---- memory ----

    def place(self, space, at, mask):
        """The bytes of that memory, and the offsets in the memory that these work-items access."""
        at = at[mask]
        if space == "param":
            return self.arguments, at
        if space == "shared":
            return self.shared.reshape(-1), self.group[mask] * self.kernel.shared_bytes + at
        if space == "local":
            return self.private.reshape(-1), self.item[mask] * self.kernel.local_bytes + at
        if callable(self.buffers):
            return None, at
        for base, data in self.buffers.items():
            if (at >= base).all() and (at < base + len(data)).all():
                return data, at - base
        raise Unknown("work-items of one instruction reach for both buffers, or for neither")

    def access(self, instruction, mask):
        at = self.address_of(instruction.address)
        if (at[mask] % instruction.width).any():
            raise Unknown(f"misaligned: {instruction.text}")
        self.note(instruction, at, mask)
        data, index = self.place(instruction.space, at, mask)
        size = bits_of(instruction.type) // 8
        for k, name in enumerate(instruction.values):
            places = index[:, None] + k * size + np.arange(size)
            if data is None and instruction.base == "st":
                return
            if instruction.base == "st":
                value = np.broadcast_to(self.value(name), (self.count,))[mask]
                data[places] = value.astype("<u8")[:, None].view(np.uint8)[:, :size]
            else:
                loaded = np.zeros((len(index), 8), np.uint8)
                loaded[:, :size] = self.buffers(places) if data is None else data[places]
                value = np.zeros(self.count, U64)
                value[mask] = narrow(loaded.view("<u8")[:, 0], instruction.type)
                self.put(name, value, mask)

    def note(self, instruction, at, mask):
        """Counts an access."""
        by_warp = mask.reshape(-1, WARP)
        used = by_warp.any(axis=1)
        base, width, total = instruction.base, instruction.width, self.totals
        if instruction.space == "global":
            sectors = np.where(by_warp, at.reshape(-1, WARP) // SECTOR, -1)[used]
            total[base + " sectors"] += int(distinct(sectors).sum())
            total[base + " bytes"] += int(mask.sum()) * width
            self.touched[base].append((self.group[mask], at[mask], width))
        elif instruction.space == "shared":
            turns, ideal = bank_turns(at.reshape(-1, WARP)[used], by_warp[used], width)
            total["bank turns"] += turns
            total["bank ideal"] += ideal
        elif instruction.space == "local":
            total["private bytes"] += int(mask.sum()) * width

    # ---- running ----

    def compute(self, instruction, mask):
        parts, words = instruction.parts, instruction.operands
        if instruction.base == "setp":
            a, b = (narrow(self.value(word), parts[2 if len(parts) == 3 else 3])
                    for word in words[1:3])
            if instruction.type[0] == "s":
                a, b = a.astype(np.int64), b.astype(np.int64)
            compare = partial(compare_floats, parts[1]) if instruction.type == "f32" else \
                COMPARE[parts[1]]
            result = compare(a, b)
            if len(parts) == 4:
                result = LOGIC[parts[2]](result, self.predicate(words[3]))
            self.put(words[0].split("|")[0], result, mask)
        elif instruction.type == "pred":
            values = [self.predicate(word) for word in words[1:]]
            result = {"not": lambda: ~values[0], "mov": lambda: values[0]}.get(
                parts[0], lambda: LOGIC[parts[0]](*values))()
            self.put(words[0], result, mask)
        elif parts[0] == "selp":
            self.put(words[0], np.where(self.predicate(words[3]), self.value(words[1]),
                                        self.value(words[2])), mask)
        elif is_of_floats(parts):
            self.put(words[0], compute_floats(parts, [self.value(word) for word in words[1:]]), mask)
        elif parts[0] in ("cvt", "cvta"):
            value = self.value(words[1])
            if parts[0] == "cvt":
                value = narrow(narrow(value, parts[-1]), "u" + str(bits_of(parts[-2])))
            self.put(words[0], value, mask)
        else:
            self.compute_integer(instruction, mask)

    def compute_integer(self, instruction, mask):
        parts, words = instruction.parts, instruction.operands
        bits = bits_of(instruction.type)
        values = [pack([self.value(each) for each in words_in(word)], bits)
                  if word[0] == "{" else self.value(word) for word in words[1:]]
        if words[0][0] == "{":  # a mov that takes a register apart
            names = words_in(words[0])
            for k, name in enumerate(names):
                part = bits // len(names)
                self.put(name, values[0] >> U64(k * part) & mask_of(part), mask)
            return
        if parts[0] in ("mul", "mad", "min", "max", "popc", "div", "rem"):
            values[:2] = [narrow(value, instruction.type) for value in values[:2]]
        bits *= 2 if "wide" in parts else 1
        with np.errstate(over="ignore", divide="ignore"):  # where nobody is
            result = arithmetic(parts, values) & mask_of(bits)
        self.put(words[0], result, mask)

    def run_block(self, first, where):
        """Runs from `first` on, for the work-items there. Returns the next place of each work-item.
        """
        code, mask = self.kernel.code, where
        warps = mask.reshape(-1, WARP).any(axis=1)
        count, is_traced = int(warps.sum()), bool(warps[self.traced])
        i = first
        while i < len(code):
            instruction = code[i]
            self.executed[i] += count
            if is_traced:
                self.trace.append(i)
            does = mask
            if instruction.guard:
                holds = np.broadcast_to(self.predicate(instruction.guard), mask.shape)
                does = mask & (~holds if instruction.negated else holds)
            if instruction.base == "ret":
                return np.where(does, len(code), i + 1)
            if instruction.base == "bra":
                return np.where(does, self.kernel.labels[instruction.operands[-1]], i + 1)
            if instruction.is_access:
                if does.any():
                    self.access(instruction, does)
            elif instruction.base not in ("bar", "barrier"):
                self.compute(instruction, does)
            i += 1
            if i in self.kernel.leaders:
                break
        return i

    def next_block(self, at):
        """The place of the work-items that go on next: the lowest place, except that a work-item at
        a barrier waits until no work-item is elsewhere. All work-items of a group must then be at
        the same barrier, or done."""
        end = len(self.kernel.code)
        waits = self.kernel.is_barrier[at]
        runs = ~waits & (at < end)
        if runs.any():
            return int(at[runs].min())
        first = int(at.min())
        if first < end:
            by_group = np.sort(at.reshape(self.groups, -1), axis=1)
            if (by_group[:, 0] != by_group[:, -1]).any():
                raise Unknown("work-items of one group are at different barriers, or done")
        return first

    def run(self):
        at = np.zeros(self.count, np.int64)
        while (first := self.next_block(at)) < len(self.kernel.code):
            where = at == first
            at = np.where(where, self.run_block(first, where), at)
        return self

    # ---- what it comes to ----

    def waits(self):
        """How often the traced warp waits for loads: before a store that follows loads."""
        waits, is_loading = 0, False
        for i in self.trace:
            each = self.kernel.code[i]
            is_global = each.is_access and each.space == "global"
            if is_global and each.base == "ld":
                is_loading = True
            elif each.is_access and each.base == "st" and is_loading:
                waits, is_loading = waits + 1, False
        return waits

    def pieces(self, base, size, by_group):
        """Different pieces of that size which were touched, by all together or by each group."""
        if not self.touched[base]:
            return 0
        keys = [at // size + (group << 44 if by_group else 0)
                for group, at, _ in self.touched[base]]
        return len(np.unique(np.concatenate(keys)))

    def written_again(self):
        """Partly written sectors, which are read first."""
        parts = [at[:, None] + np.arange(width) for _, at, width in self.touched["st"]]
        if not parts:
            return 0
        written = np.unique(np.concatenate([part.reshape(-1) for part in parts]))
        return int((np.unique(written // SECTOR, return_counts=True)[1] < SECTOR).sum())
