#!/usr/bin/env python3
"""Runs AMD code objects on a CPU for the stand-in HIP runtime (standin.c), whose child this is.

Every instruction is compiled to host code by the instruction emulator of tinygrad (test/mockgpu/amd/emu.py), in the checkout that
TINYGRAD_DIR names; nothing of it is part of this repository. wave.c runs them. Memory is shared with the parent: an arena mapped
at the same address in both, so pointers need no translation.

Requests, one a line: load ID ADDRESS BYTES; unload ID; launch ID KERNEL BX BY BZ TX TY TZ SHARED KERNARG BYTES; clocks.
Answers, one a line: ok [numbers], or error TEXT.
"""
import ctypes
import mmap
import os
import re
import struct
import sys

ARENA = 0x200000000000
os.environ["DEV"] = "CPU"
os.environ["CC"] = os.environ.get("WARPPORT_EMULATOR_CC", "clang")  # it takes $CC for a clang
os.environ.setdefault("CACHELEVEL", "2")

# (architecture of the emulator, lanes, preloaded ids in ttmp registers) by the processor's name
ARCHITECTURES = {"gfx906": "cdna", "gfx90a": "cdna", "gfx940": "cdna", "gfx941": "cdna", "gfx942": "cdna", "gfx950": "cdna",
                 "gfx11": "rdna3", "gfx12": "rdna4"}
STATUS = {1: "an instruction that the emulator cannot execute", 2: "too many instructions: an endless loop?",
          3: "the program counter left the code", 4: "no memory or too many threads",
          5: "a DPP control that this chip does not have", 6: "an access outside of memory",
          7: "a register number in a register that is too large, or an instruction that is not prepared for one"}


class Entry(ctypes.Structure):
    _fields_ = [("run", ctypes.c_void_p), ("use", ctypes.c_uint8 * 6), ("kind", ctypes.c_uint8), ("barrier", ctypes.c_uint8),
                ("bytes", ctypes.c_uint8), ("source0", ctypes.c_uint8), ("source1", ctypes.c_uint8),
                ("has_source1", ctypes.c_uint8), ("temp0", ctypes.c_uint8), ("temp1", ctypes.c_uint8), ("vdst", ctypes.c_uint8),
                ("half", ctypes.c_uint8), ("plain", ctypes.c_uint32 * 4), ("control", ctypes.c_uint32), ("indexed", ctypes.c_uint8)]


COMPILE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)


class Launch(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint64), ("code_bytes", ctypes.c_uint64), ("entries", ctypes.c_void_p), ("start", ctypes.c_uint64),
                ("blocks", ctypes.c_uint32 * 3), ("threads", ctypes.c_uint32 * 3), ("wave", ctypes.c_uint32),
                ("lds_bytes", ctypes.c_uint32), ("scratch_bytes", ctypes.c_uint32), ("user_count", ctypes.c_uint32),
                ("user", ctypes.c_uint32 * 32), ("id_sgprs", ctypes.c_uint32), ("newbcast", ctypes.c_uint32), ("compile", COMPILE),
                ("instructions", ctypes.c_uint64), ("budget", ctypes.c_uint64), ("fault", ctypes.c_uint64)]


# VGPRs that are borrowed for the operands of a DPP instruction. Below 128: in a 16-bit instruction the emulator takes the others for
# high halves, as gfx11's are.
SPARE = (127, 126, 125, 124, 123, 122)
(PLAIN, DPP16, DPP8, SWIZZLE, BPERMUTE, PERMLANE16, PERMLANEX16, LDS, GLOBAL, CAS64, NOTHING, SCRATCH_BUFFER, MOV, INDEX, MAD,
 MOV_SHARED_BASE) = range(16)


def unpack_message(data, at=0):
    """MessagePack, as far as code object metadata uses it: returns (value, next position)."""
    c = data[at]
    at += 1
    if c < 0x80:
        return c, at
    if c >= 0xE0:
        return c - 256, at
    if c in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[c], at
    if c < 0xC0:
        kind, n = ("map", c & 15) if c < 0x90 else ("array", c & 15) if c < 0xA0 else ("text", c & 31)
    else:
        kind, size = {0xCC: ("int", 1), 0xCD: ("int", 2), 0xCE: ("int", 4), 0xCF: ("int", 8), 0xD0: ("int", 1), 0xD1: ("int", 2),
                      0xD2: ("int", 4), 0xD3: ("int", 8), 0xD9: ("text", 1), 0xDA: ("text", 2), 0xDB: ("text", 4),
                      0xDC: ("array", 2), 0xDD: ("array", 4), 0xDE: ("map", 2), 0xDF: ("map", 4)}[c]
        n = int.from_bytes(data[at:at + size], "big")
        at += size
    if kind == "int":
        return n, at
    if kind == "text":
        return data[at:at + n].decode(), at + n
    values = []
    for _ in range(n * 2 if kind == "map" else n):
        value, at = unpack_message(data, at)
        values.append(value)
    return (dict(zip(values[::2], values[1::2])) if kind == "map" else values), at


class CodeObject:
    def __init__(self, data):
        phoff, shoff = struct.unpack_from("<QQ", data, 0x20)
        flags, = struct.unpack_from("<I", data, 0x30)
        phsize, phnum, shsize, shnum, _ = struct.unpack_from("<HHHHH", data, 0x36)
        segments, self.kernels, text = [], {}, None
        for i in range(phnum):
            kind, prot, off, va, _, fsize, msize, _ = struct.unpack_from("<IIQQQQQQ", data, phoff + i * phsize)
            if kind == 1:
                segments.append((off, va, fsize, msize))
                if prot & 1:
                    text = va, msize
            if kind == 4:
                self._notes(data[off:off + fsize])
        size = max(va + msize for _, va, _, msize in segments)
        self.memory = mmap.mmap(-1, size + 4096)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for off, va, fsize, _ in segments:
            self.memory[va:va + fsize] = data[off:off + fsize]
        self.code, self.code_bytes = self.base + text[0], text[1]
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * shsize) for i in range(shnum)]
        self.symbols = {}
        for sec in sections:
            if sec[1] in (2, 11):
                strings = sections[sec[6]][4]
                for at in range(sec[4], sec[4] + sec[5], 24):
                    name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, at)
                    self.symbols[data[strings + name:data.index(b"\0", strings + name)].decode()] = value
        self.entries = (Entry * (self.code_bytes // 4 + 1))()

    def _notes(self, data):
        at = 0
        while at + 12 <= len(data):
            names, size, kind = struct.unpack_from("<III", data, at)
            at += 12 + (names + 3) // 4 * 4
            if kind == 32:
                metadata, _ = unpack_message(data[at:at + size])
                self.target = metadata["amdhsa.target"].split("-")[-1]
                for k in metadata["amdhsa.kernels"]:
                    self.kernels[k[".name"]] = k
            at += (size + 3) // 4 * 4


class Emulator:
    def __init__(self, library, arena):
        sys.path.insert(0, os.environ["TINYGRAD_DIR"])
        from test.mockgpu.amd import emu
        self.emu = emu
        # Does an atomic return the old value? The emulator asks for the bit by its name on RDNA 3 only.
        attribute = emu._iattr
        emu._iattr = lambda inst, name, default=0: (
            attribute(inst, "glc") or attribute(inst, "sc0") or attribute(inst, "th") & 1 if name == "glc" else attribute(inst, name, default))
        self.library = ctypes.CDLL(library)
        self.objects, self.distinct, self.total, self.arena = {}, set(), 0, arena

    @staticmethod
    def architecture(target):
        for name, arch in ARCHITECTURES.items():
            if target.startswith(name):
                return arch
        raise RuntimeError(f"the emulator has no {target}; it has {' '.join(sorted(ARCHITECTURES))}")

    def compile(self, o, arch, pc):
        e = o.entries[(pc - o.code) // 4]
        raw = bytes((ctypes.c_char * 16).from_address(pc).raw)
        w0, w1, w2 = struct.unpack_from("<III", raw)
        kind, temps, half = PLAIN, (0, 0), None
        if arch == "rdna3" and w0 in (0xE0AC0000, 0xE0B00000):  # buffer_gl0_inv, buffer_gl1_inv: there are no caches here
            e.kind, e.bytes = NOTHING, 8
            self.distinct.add("BUFFER_GL_INV")
            return
        if arch == "cdna" and (w0 >> 16 == 0xD1C1):  # v_mad_f32, which gfx942 has not, but gfx906 and gfx90a have
            if w0 & 0xF800 or w1 >> 27 & 3:
                raise RuntimeError("v_mad_f32 with an output modifier")
            e.kind, e.bytes, e.vdst, e.control, e.plain = MAD, 8, w0 & 0xFF, w1 & 0x7FFFFFF, (w0 >> 8 & 7, w1 >> 29, 0, 0)
            self.distinct.add("V_MAD_F32")
            return
        if arch == "cdna" and (w0 >> 16 == 0xBF11 or w0 == 0xBF9C0000):  # s_set_gpr_idx_on, s_set_gpr_idx_off
            e.kind, e.bytes, e.control, e.plain = INDEX, 4, w0 & 0xFF, (0, 0, 0, 0) if w0 == 0xBF9C0000 else (1, w0 >> 8 & 15, 0, 0)
            self.distinct.add("S_SET_GPR_IDX")
            return
        if arch == "cdna" and w0 >> 26 == 0b110111 and w0 >> 14 & 3 == 0:  # flat accesses have no base; the emulator looks for one
            ctypes.c_uint32.from_address(pc + 4).value |= 0x7F << 16
            raw = bytes((ctypes.c_char * 16).from_address(pc).raw)
            w1, = struct.unpack_from("<I", raw, 4)
        inst = self.emu.decode_inst(raw, arch)
        name = self.emu._op_name(inst)
        if name == "S_MOV_B64" and w0 & 0xFF == 235:
            e.kind, e.bytes, e.vdst = MOV_SHARED_BASE, 4, w0 >> 16 & 0x7F
            self.distinct.add("SRC_SHARED_BASE")
            return
        source = w0 & 0x1FF
        readable = source >= 256 or source <= 208 or 240 <= source <= 248
        if re.fullmatch("V_MOV(REL[DS])?_B32(_E32)?", name) and inst.size() == 4 and readable:
            # Registers numbered by m0, of which the emulator does not know; the plain move may stand where s_set_gpr_idx_on acts.
            relative = {0x02: 0, 0x84: 2, 0x86: 1}[w0 >> 8 & 0xFE]
            e.kind, e.bytes, e.vdst, e.control, e.plain = MOV, 4, w0 >> 17 & 0xFF, source, (relative, 124 if arch == "cdna" else 125, 0, 0)
            self.distinct.add(name)
            return
        size = inst.size()
        if name in ("GLOBAL_INV", "GLOBAL_WB", "GLOBAL_WBINV"):  # nor here
            e.kind, e.bytes = NOTHING, size
            self.distinct.add(name)
            return
        plain = raw
        vop2 = not w0 >> 31  # VOP1, VOP2 and VOPC
        if vop2 and (w0 & 0x1FF) in (250, 233, 234):
            kind = DPP16 if (w0 & 0x1FF) == 250 else DPP8
            size = 8
            vop1 = w0 >> 25 == 0x3F
            source1 = w0 >> 9 & 0xFF
            used = {w0 >> 17 & 0xFF, (w0 >> 17 & 0xFF) + 1, source1, source1 + 1}
            temps = [r for r in SPARE if r not in used][:2]
            w0 = w0 & ~0x1FF | 256 + temps[0]
            if not vop1:
                w0 = w0 & ~(0xFF << 9) | temps[1] << 9
            e.source0, e.source1, e.has_source1 = w1 & 0xFF, 0 if vop1 else source1, not vop1
            e.control = w1 if kind == DPP16 else w1 & ~0xFF | (inst is not None and (struct.unpack_from("<I", raw)[0] & 0x1FF) == 234)
            plain = struct.pack("<I", w0) + bytes(12)
        elif w0 >> 26 == 0b110101 and arch != "cdna" and (w1 & 0x1FF) in (250, 233, 234):  # VOP3
            kind = DPP16 if (w1 & 0x1FF) == 250 else DPP8
            size = 12
            used = {w0 & 0xFF, (w0 & 0xFF) + 1, w1 >> 9 & 0xFF, w1 >> 18 & 0xFF}
            temps = [r for r in SPARE if r not in used][:2]
            e.source0, e.has_source1 = w2 & 0xFF, 0
            e.control = w2 & ~(15 << 20) if kind == DPP16 else w2 & ~0xFF | ((w1 & 0x1FF) == 234)
            w1 = w1 & ~0x1FF | 256 + temps[0]
            plain = struct.pack("<II", w0, w1) + bytes(8)
        elif name in ("DS_SWIZZLE_B32", "DS_BPERMUTE_B32"):
            e.source0, e.source1, e.vdst, e.control = w1 & 0xFF, w1 >> 8 & 0xFF, w1 >> 24, w0 & 0xFFFF
            kind = SWIZZLE if name == "DS_SWIZZLE_B32" else BPERMUTE
        elif name in ("V_PERMLANE16_B32", "V_PERMLANEX16_B32"):
            kind = PERMLANE16 if name == "V_PERMLANE16_B32" else PERMLANEX16
            e.vdst, e.source0, e.source1, e.control = w0 & 0xFF, w1 & 0xFF, w1 >> 9 & 0x1FF, w1 >> 18 & 0x1FF
            e.plain, half = (w2, 0, 0, 0), w0 >> 11 & 3  # op_sel: fetch inactive, bound_ctrl
        elif match := re.fullmatch("BUFFER_(LOAD|STORE)_(UBYTE|SBYTE|BYTE|USHORT|SSHORT|SHORT|DWORD)(X[234])?(_D16)?(_HI)?", name):
            kind, width = SCRATCH_BUFFER, 1 if "BYTE" in match[2] else 2 if "SHORT" in match[2] else 4 * int((match[3] or "X1")[1])
            d16 = match[4] or (match[1] == "LOAD" and match[2] == "SHORT")
            flags = (match[1] == "STORE") << 8 | (match[2] in ("SBYTE", "SSHORT")) << 9 | bool(d16) << 10 | bool(match[5]) << 11
            if w0 >> 13 & 1:
                raise RuntimeError("a buffer index")
            e.source0, e.vdst, e.plain = w1 & 0xFF, w1 >> 8 & 0xFF, (w0 & 0xFFF, w0 >> 12 & 1, w1 >> 24, width | flags)
        elif name.startswith("DS_"):
            e.source0, kind = w1 & 0xFF, LDS
        elif match := re.fullmatch("(GLOBAL|FLAT)_(LOAD|STORE|ATOMIC_CMPSWAP)_(DWORD(X[234])?|X2|B(32|64|96|128))", name):
            # wave.c does what is not aligned to words, of which the emulator does not know, and the 64-bit compare-and-swap
            store, cas = match[2] == "STORE", match[2] == "ATOMIC_CMPSWAP"
            words = int(match[4][1]) if match[4] else int(match[5]) // 32 if match[5] else 1
            if arch == "rdna4":
                saddr, offset, wants = w0 & 0x7F, w2 >> 8, self.emu._iattr(inst, "glc")
                e.source0, data, vdst = w2 & 0xFF, w1 >> 23 & 0xFF, w1 & 0xFF
                offset -= (offset & 0x800000) << 1
            else:
                saddr, offset, wants = w1 >> 16 & 0x7F, w0 & 0x1FFF, self.emu._iattr(inst, "glc")
                e.source0, data, vdst = w1 & 0xFF, w1 >> 8 & 0xFF, w1 >> 24
                offset -= (offset & 0x1000) << 1
            e.control = saddr
            if not cas:
                kind, e.vdst, e.source1, e.plain = GLOBAL, data if store else vdst, words, (offset & 0xFFFFFFFF, store, 0, 0)
            elif match[3] in ("X2", "B64"):
                kind, e.vdst, e.source1, e.plain = CAS64, vdst, data, (offset & 0xFFFFFFFF, wants, 0, 0)
        if kind < SWIZZLE or kind in (LDS, GLOBAL):
            inst = self.emu.decode_inst(plain, arch)
            program, runtime = self.emu._get_runner(bytes(plain[:inst.size() + 4]), arch)
            e.run = runtime.addr
            if kind in (DPP16, DPP8):
                e.plain = struct.unpack_from("<4I", plain)
            for i, buffer in enumerate(program.arg.globals):
                e.use[i] = buffer
        e.indexed = name.startswith("V_")
        e.temp0, e.temp1 = temps
        e.half = "F16" in name and "F32" not in name if half is None else half
        op = getattr(inst, "op", None)
        e.barrier = op in self.emu._BARRIER_OPS
        e.kind = kind
        e.bytes = size
        self.distinct.add(name)
        if os.environ.get("WARPPORT_EMULATOR_TRACE"):
            print(f"{pc - o.base:#x}: {inst!r} kind {kind}", file=sys.stderr)

    def launch(self, o, name, blocks, threads, shared, kernarg, kernarg_bytes):
        info = o.kernels[name]
        arch = self.architecture(o.target)
        wave = info[".wavefront_size"]
        raw = bytes(o.memory[o.symbols[name + ".kd"]:o.symbols[name + ".kd"] + 64])
        lds, private, _ = struct.unpack_from("<III", raw, 0)
        entry, = struct.unpack_from("<q", raw, 16)
        rsrc1, rsrc2 = struct.unpack_from("<II", raw, 48)
        properties, = struct.unpack_from("<H", raw, 56)
        if (rsrc1 >> 16 & 15) != 15:
            raise RuntimeError("the kernel asks for denormals to be flushed, which the emulator is not set up for")

        args = bytearray(info[".kernarg_segment_size"] + 256)
        args[:kernarg_bytes] = ctypes.string_at(kernarg, kernarg_bytes)
        hidden = {"hidden_grid_dims": 3}
        for i, c in enumerate("xyz"):
            hidden["hidden_block_count_" + c] = blocks[i]
            hidden["hidden_group_size_" + c] = threads[i]
            hidden["hidden_remainder_" + c] = 0
            hidden["hidden_global_offset_" + c] = 0
        hidden["hidden_dynamic_lds_size"] = shared
        for a in info.get(".args", []):
            if a[".value_kind"] in hidden:
                args[a[".offset"]:a[".offset"] + a[".size"]] = hidden[a[".value_kind"]].to_bytes(a[".size"], "little")
        buffer = (ctypes.c_char * len(args)).from_buffer(args)
        packet = (ctypes.c_char * 64)()
        struct.pack_into("<HHHHHHIIIII", packet, 0, 0, 3, *threads, 0, *(b * t for b, t in zip(blocks, threads)), private, lds + shared)

        user = []
        for bit, value in enumerate([[0] * 4, ctypes.addressof(packet), 0, ctypes.addressof(buffer), 0, 0, [private]]):
            if properties >> bit & 1:
                user += value if isinstance(value, list) else [value & 0xFFFFFFFF, value >> 32]
        count = rsrc2 >> 1 & 31
        if len(user) > count:
            raise RuntimeError(f"{name}: {len(user)} user SGPRs, the descriptor has {count}")
        user += [0] * (count - len(user))

        error = []

        @COMPILE
        def compile_at(pc):
            try:
                self.compile(o, arch, pc)
                return 0
            except Exception as e:  # crosses the C frames as a status
                error.append(f"{type(e).__name__}: {e}")
                return 1

        call = Launch(code=o.code, code_bytes=o.code_bytes, entries=ctypes.addressof(o.entries),
                      start=o.base + o.symbols[name + ".kd"] + entry, blocks=tuple(blocks), threads=tuple(threads), wave=wave,
                      lds_bytes=(lds + shared + 3) // 4 * 4, scratch_bytes=private, user_count=len(user), user=tuple(user),
                      id_sgprs=8 if arch == "rdna4" else rsrc2 >> 7 & 7 | (16 if o.target.startswith("gfx906") else 0),
                      compile=compile_at, budget=200_000_000)
        status = self.library.emulate(ctypes.byref(call))
        self.total += call.instructions
        if status:
            raise RuntimeError(f"{name} at {call.fault - o.base:#x}: {STATUS[status]} {' '.join(error)}")
        return call.instructions

    def request(self, line):
        word = line.split()
        if word[0] == "load":
            self.objects[word[1]] = CodeObject(ctypes.string_at(int(word[2]), int(word[3])))
        elif word[0] == "unload":
            del self.objects[word[1]]
        elif word[0] == "launch":
            n = [int(x) for x in word[3:]]
            return self.launch(self.objects[word[1]], word[2], n[0:3], n[3:6], n[6], n[7], n[8])
        elif word[0] == "clocks":
            return f"{self.total} {len(self.distinct)}"
        else:
            raise RuntimeError("no such request")
        return ""


def main():
    fd, size, library = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    got = libc.mmap(ARENA, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | 0x100000, fd, 0)  # MAP_FIXED_NOREPLACE
    answer = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what imported code prints is no answer
    if got != ARENA:
        print("error the shared memory is not free at its address in this process", file=answer)
        return
    try:
        emulator = Emulator(library, ARENA)
    except Exception as e:
        print(f"error {type(e).__name__}: {e}".replace("\n", " "), file=answer)
        return
    print("ok", file=answer)
    for line in sys.stdin:
        try:
            print("ok", emulator.request(line), file=answer)
        except Exception as e:
            print(f"error {type(e).__name__}: {e}".replace("\n", " "), file=answer)


if __name__ == "__main__":
    main()
