/* Runs a grid of AMD wavefronts, one instruction after the other. What an instruction does is code that the instruction emulator
 * has compiled (emulate.py hands it over when a program counter is first reached); this file only keeps the order, and does a few
 * things that the emulator (August 2026) does not do right, by the text of the ISA manuals:
 *   - DPP operands (CDNA 3 ISA, "Data Parallel Primitives"; RDNA 3 ISA, "DPP"): the source lanes are gathered first, then the plain instruction runs. The
 *     emulator reads a lane after it was overwritten where source and destination are one register, ignores whether the source
 *     lane is enabled, writes lanes that keep their value, reads lane 16 for row_bcast:15, and has no row_newbcast, row_share,
 *     row_xmask, DPP8.
 *   - ds_swizzle_b32, which the emulator lacks; ds_bpermute_b32, where it forgets to take the lane modulo the wavefront;
 *     v_permlane16 and v_permlanex16, whose literal operands it does not see.
 *   - LDS addresses of lanes that are off, which it uses, and word accesses at odd addresses, which it rounds;
 *     the 64-bit compare-and-swap, which compares with the wrong registers.
 *   - Scratch memory by buffer instructions (gfx90a), which it takes for other buffers.
 *   - LDS through flat addresses (src_shared_base is 0 there).
 *   - Registers numbered by m0 (v_movrels, v_movreld, s_set_gpr_idx_on) and v_mad_f32 (gfx906, gfx90a), which it does not have. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LITERAL = 255, SGPRS = 260, VGPRS = 256, EXEC = 126, PC = 256, SCRATCH_STRIDE = 259, BUFFERS = 6, WAVES = 128 };
enum { PLAIN, DPP16, DPP8, SWIZZLE, BPERMUTE, PERMLANE16, PERMLANEX16, LDS, GLOBAL, CAS64, NOTHING, SCRATCH_BUFFER, MOV, INDEX, MAD, MOV_SHARED_BASE };
enum { EMU_OK, EMU_NO_CODE, EMU_ENDLESS, EMU_OUTSIDE, EMU_MEMORY, EMU_BAD_DPP, EMU_WILD, EMU_INDEX };
/* Where LDS lies for flat accesses: the upper half of an address tells it from other memory, and src_shared_base is that half (s_mov_b64
 * copies it). Being LDS's real address, it needs no translation. */
#define SHARED ((uint64_t)0x300000000000)
#define POISON 0xa5c3f00du /* registers and LDS at first: anything but a lucky zero */

typedef void code(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

/* One instruction; filled by emulate.py (the same layout there). */
typedef struct entry {
  code *run;
  uint8_t use[BUFFERS]; /* which buffer each parameter is */
  uint8_t kind, barrier;
  uint8_t bytes; /* of the instruction */
  uint8_t source0, source1, has_source1, temp0, temp1; /* VGPRs */
  uint8_t vdst, half; /* half: modifiers act on 16 bits */
  uint32_t plain[4];  /* DPP: the plain instruction; `run` reads its operands' numbers at the program counter */
  uint32_t control;   /* DPP word, or the offset of a swizzle or bpermute */
  uint8_t indexed;    /* would be changed by s_set_gpr_idx_on */
} entry;

typedef struct launch {
  uint64_t code, code_bytes; /* address and size of the text */
  entry *entries;            /* one for each 4 bytes */
  uint64_t start;
  uint32_t blocks[3], threads[3];
  uint32_t wave, lds_bytes, scratch_bytes; /* scratch: a lane */
  uint32_t user_count, user[32];
  uint32_t id_sgprs; /* bit k: workgroup id k follows the user SGPRs; bit 3: ids are in ttmp registers (gfx12); bit 4: thread ids
                       * are in a register each (gfx908 and before) */
  uint32_t newbcast; /* control 0x15n: only row_newbcast, which does what row_share does */
  int (*compile)(uint64_t pc); /* 0: done */
  uint64_t instructions, budget; /* executed; allowed for one wavefront */
  uint64_t fault; /* program counter of a failure */
} launch;

typedef struct wave {
  uint32_t sgpr[SGPRS];
  uint32_t *vgpr, *acc;
  uint8_t *scratch;
  uint32_t index, index_of; /* s_set_gpr_idx_on: added to a register's number; bit 0: of source 0, bit 3: of the destination */
  bool done;
} wave;

static bool bit(uint64_t mask, int lane) { return mask >> lane & 1; }

/* Source lane of a DPP16 control; -1 where it lies outside. */
static int dpp_source(int control, int lane, int wave) {
  int row = lane & ~15, i = lane & 15, n = control & 15;
  if (control < 0x100) return (lane & ~3) | (control >> 2 * (lane & 3) & 3); /* quad_perm */
  switch (control & 0x1f0) {
    case 0x100: return n && i + n <= 15 ? row + i + n : -1;                  /* row_shl */
    case 0x110: return n && i >= n ? row + i - n : -1;                       /* row_shr */
    case 0x120: return row + ((i - n) & 15);                                 /* row_ror */
    case 0x150: return row + n;                                              /* row_newbcast, row_share */
    case 0x160: return wave == 32 ? row + (i ^ n) : -2;                      /* row_xmask: gfx10 and later */
    default: break;
  }
  switch (control) {
    case 0x140: return row + 15 - i;                 /* row_mirror */
    case 0x141: return row + (i ^ 7);                /* row_half_mirror */
    default: break;
  }
  if (wave != 64) return -2;
  switch (control) {                                 /* gfx8, gfx9 */
    case 0x130: return lane < 63 ? lane + 1 : -1;    /* wave_shl:1 */
    case 0x134: return (lane + 1) & 63;              /* wave_rol:1 */
    case 0x138: return lane - 1;                     /* wave_shr:1 */
    case 0x13c: return (lane - 1) & 63;              /* wave_ror:1 */
    case 0x142: return row - 1;                      /* row_bcast:15 */
    case 0x143: return lane >= 32 ? 31 : -1;         /* row_bcast:31 */
    default: return -2;
  }
}

static uint32_t modify(uint32_t v, bool absolute, bool negate, bool half) {
  uint32_t sign = half ? 0x8000u : 0x80000000u;
  if (absolute) v &= ~sign;
  return negate ? v ^ sign : v;
}

static void call(const entry *e, wave *w, uint64_t lds) {
  uint64_t buffers[BUFFERS] = {(uint64_t)(uintptr_t)w->sgpr, (uint64_t)(uintptr_t)w->vgpr, 0, lds, (uint64_t)(uintptr_t)w->scratch,
                               (uint64_t)(uintptr_t)w->acc};
  e->run(buffers[e->use[0]], buffers[e->use[1]], buffers[e->use[2]], buffers[e->use[3]], buffers[e->use[4]], buffers[e->use[5]]);
}

static bool run_dpp(const launch *l, const entry *e, wave *w, uint64_t lds) {
  int lanes = (int)l->wave;
  size_t bytes = (size_t)lanes * 4;
  uint64_t exec = lanes == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC], write = 0;
  uint32_t old0[64], old1[64], gathered[64], other[64];
  uint32_t *v0 = w->vgpr + (size_t)e->temp0 * l->wave, *v1 = w->vgpr + (size_t)e->temp1 * l->wave;
  const uint32_t *s0 = w->vgpr + (size_t)e->source0 * l->wave, *s1 = w->vgpr + (size_t)e->source1 * l->wave;
  uint32_t c = e->control;
  bool dpp8 = e->kind == DPP8;
  int control = (int)(c >> 8 & 0x1ff);
  bool fetch_inactive = dpp8 ? (c & 1) != 0 : (c >> 18 & 1) != 0, zero = !dpp8 && (c >> 19 & 1) != 0;
  for (int i = 0; i < lanes; i++) {
    int from = dpp8 ? (i & ~7) | (int)(c >> (8 + 3 * (i & 7)) & 7) : dpp_source(control, i, lanes);
    bool enabled = dpp8 || ((c >> (28 + i / 16) & 1) != 0 && (c >> (24 + i / 4 % 4) & 1) != 0);
    if (from == -2) return false;
    bool valid = from >= 0 && (fetch_inactive || bit(exec, from));
    /* RDNA: DPP8 reads 0 from a lane that is off */
    if (enabled && (valid || zero || dpp8)) write |= (uint64_t)1 << i;
    gathered[i] = valid ? s0[from] : 0;
    if (!dpp8) gathered[i] = modify(gathered[i], c >> 21 & 1, c >> 20 & 1, e->half);
    other[i] = s1[i];
    if (!dpp8) other[i] = modify(other[i], c >> 23 & 1, c >> 22 & 1, e->half);
  }
  memcpy(old0, v0, bytes);
  memcpy(old1, v1, bytes);
  memcpy(v0, gathered, bytes);
  if (e->has_source1) memcpy(v1, other, bytes);
  w->sgpr[EXEC] = (uint32_t)(exec & write);
  if (lanes == 64) w->sgpr[EXEC + 1] = (uint32_t)((exec & write) >> 32);
  call(e, w, lds);
  w->sgpr[EXEC] = (uint32_t)exec;
  if (lanes == 64) w->sgpr[EXEC + 1] = (uint32_t)(exec >> 32);
  memcpy(v0, old0, bytes);
  if (e->has_source1) memcpy(v1, old1, bytes);
  return true;
}

/* RDNA 3 ISA, DS_SWIZZLE_B32 */
static void run_swizzle(const launch *l, const entry *e, wave *w) {
  int lanes = (int)l->wave;
  uint64_t exec = lanes == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC];
  uint32_t result[64], c = e->control;
  uint32_t *d = w->vgpr + (size_t)e->vdst * l->wave;
  const uint32_t *s = w->vgpr + (size_t)e->source0 * l->wave;
  for (int i = 0; i < lanes; i++) {
    int j = i & 31, n;
    if (c >= 0xc000) { /* rotate; 0xe000 and up, FFT, is not used */
      n = (int)(c >> 5 & 31);
      if (c >> 10 & 1) n = -n;
      j = (j & (int)(c & 31)) | ((j + n) & ~(int)(c & 31) & 31);
    } else if (c & 0x8000) { /* quads */
      j = (j & ~3) | (int)(c >> 2 * (j & 3) & 3);
    } else {
      j = ((j & (int)(c & 31)) | (int)(c >> 5 & 31)) ^ (int)(c >> 10 & 31);
    }
    j |= i & 32;
    result[i] = bit(exec, j) ? s[j] : 0;
  }
  for (int i = 0; i < lanes; i++) if (bit(exec, i)) d[i] = result[i];
}

/* RDNA 3 ISA, DS_BPERMUTE_B32 */
static void run_bpermute(const launch *l, const entry *e, wave *w) {
  int lanes = (int)l->wave;
  uint64_t exec = lanes == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC];
  uint32_t result[64];
  uint32_t *d = w->vgpr + (size_t)e->vdst * l->wave;
  const uint32_t *address = w->vgpr + (size_t)e->source0 * l->wave, *data = w->vgpr + (size_t)e->source1 * l->wave;
  for (int i = 0; i < lanes; i++) {
    int j = (int)((address[i] + e->control) / 4 % (uint32_t)lanes);
    result[i] = bit(exec, j) ? data[j] : 0;
  }
  for (int i = 0; i < lanes; i++) if (bit(exec, i)) d[i] = result[i];
}

/* RDNA 3 ISA, V_PERMLANE16_B32 and V_PERMLANEX16_B32. source1 and control: operand numbers of the lane selectors; plain[0]: literal */
static void run_permlane(const launch *l, const entry *e, wave *w) {
  int lanes = (int)l->wave;
  uint64_t exec = w->sgpr[EXEC], select[2] = {e->source1, e->control};
  uint32_t result[64];
  uint32_t *d = w->vgpr + (size_t)e->vdst * l->wave;
  const uint32_t *s = w->vgpr + (size_t)e->source0 * l->wave;
  for (int k = 0; k < 2; k++) select[k] = select[k] == LITERAL ? e->plain[0] : w->sgpr[select[k]];
  uint64_t nibbles = select[1] << 32 | select[0];
  bool fetch_inactive = e->half & 1, zero = e->half & 2;
  for (int i = 0; i < lanes; i++) {
    int j = ((i & ~15) ^ (e->kind == PERMLANEX16 ? 16 : 0)) | (int)(nibbles >> 4 * (i & 15) & 15);
    result[i] = fetch_inactive || bit(exec, j) ? s[j] : zero ? 0 : d[i];
  }
  for (int i = 0; i < lanes; i++) if (bit(exec, i)) d[i] = result[i];
}

static void run_lds(const launch *l, const entry *e, wave *w, uint64_t lds) {
  int lanes = (int)l->wave;
  uint64_t exec = lanes == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC];
  uint32_t before[64], *address = w->vgpr + (size_t)e->source0 * l->wave;
  memcpy(before, address, (size_t)lanes * 4);
  for (int i = 0; i < lanes; i++) if (!bit(exec, i)) address[i] = 0;
  call(e, w, lds);
  for (int i = 0; i < lanes; i++) if (!bit(exec, i)) address[i] = before[i];
}

/* Addresses of a global access: source0: address register; control: SGPR pair of the base, from 124 on none; plain[0]: offset. */
static void addresses(const launch *l, const entry *e, const wave *w, uint64_t *at) {
  const uint32_t *low = w->vgpr + (size_t)e->source0 * l->wave, *high = low + l->wave;
  for (uint32_t i = 0; i < l->wave; i++) {
    at[i] = e->control < 124 ? ((uint64_t)w->sgpr[e->control + 1] << 32 | w->sgpr[e->control]) + low[i] : (uint64_t)high[i] << 32 | low[i];
    at[i] += (uint64_t)(int64_t)(int32_t)e->plain[0];
  }
}

/* global_atomic_cmpswap of 64 bits: source1: data registers, new value and then the one to compare with; plain[1]: wants the old one */
static void run_cas64(const launch *l, const entry *e, wave *w) {
  uint64_t exec = l->wave == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC], at[64];
  addresses(l, e, w, at);
  for (uint32_t i = 0; i < l->wave; i++) {
    if (!bit(exec, (int)i)) continue;
    const uint32_t *data = w->vgpr + (size_t)e->source1 * l->wave + i;
    uint32_t *result = w->vgpr + (size_t)e->vdst * l->wave + i;
    uint64_t value = (uint64_t)data[l->wave] << 32 | data[0], compare = (uint64_t)data[3 * l->wave] << 32 | data[2 * l->wave], old;
    memcpy(&old, (void *)(uintptr_t)at[i], 8);
    if (old == compare) memcpy((void *)(uintptr_t)at[i], &value, 8);
    if (e->plain[1]) {
      result[0] = (uint32_t)old;
      result[l->wave] = (uint32_t)(old >> 32);
    }
  }
}

/* Buffer loads and stores, of which only those to scratch memory occur: a lane's own bytes, at VGPR (if offen) + SGPR + constant.
 * source0: address register; vdst: data; plain: constant, offen, operand number of the SGPR, bytes | FLAGS */
enum { BUFFER_STORE = 1 << 8, BUFFER_SIGNED = 1 << 9, BUFFER_D16 = 1 << 10, BUFFER_HIGH = 1 << 11 };
static bool run_scratch(const launch *l, const entry *e, wave *w) {
  uint64_t exec = l->wave == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC];
  uint32_t bytes = e->plain[3] & 255, flags = e->plain[3];
  for (uint32_t i = 0; i < l->wave; i++) {
    if (!bit(exec, (int)i)) continue;
    uint32_t at = e->plain[0] + w->sgpr[e->plain[2]] + (e->plain[1] ? w->vgpr[(size_t)e->source0 * l->wave + i] : 0);
    if (at > l->scratch_bytes || bytes > l->scratch_bytes - at) return false;
    uint8_t *memory = w->scratch + (size_t)i * l->scratch_bytes + at;
    for (uint32_t k = 0; 4 * k < bytes; k++) {
      uint32_t *data = w->vgpr + (size_t)(e->vdst + k) * l->wave + i, n = bytes < 4 ? bytes : 4, v = 0;
      if (flags & BUFFER_STORE) {
        v = flags & BUFFER_HIGH ? *data >> 16 : *data;
        memcpy(memory + 4 * k, &v, n); /* little-endian, as the chips are */
        continue;
      }
      memcpy(&v, memory + 4 * k, n);
      if (flags & BUFFER_SIGNED) v = n == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
      if (flags & BUFFER_HIGH) v = (*data & 0xffffu) | v << 16;
      else if (flags & BUFFER_D16) v = (*data & 0xffff0000u) | (v & 0xffffu);
      *data = v;
    }
  }
  return true;
}

/* Global loads and stores of words, where a lane's address is not a multiple of 4: the chips allow that, the emulator does not know.
 * vdst: first data register; source1: words; plain[1]: is it a store? */
static bool run_misaligned(const launch *l, const entry *e, wave *w) {
  int lanes = (int)l->wave;
  uint64_t exec = lanes == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC], at[64];
  bool misaligned = false;
  addresses(l, e, w, at);
  for (int i = 0; i < lanes; i++) misaligned = misaligned || (bit(exec, i) && (at[i] & 3) != 0);
  if (!misaligned) return false;
  for (int i = 0; i < lanes; i++) {
    for (uint32_t k = 0; bit(exec, i) && k < e->source1; k++) {
      uint32_t *data = w->vgpr + (size_t)(e->vdst + k) * l->wave + i;
      void *memory = (void *)(uintptr_t)(at[i] + 4 * k);
      if (e->plain[1]) memcpy(memory, data, 4);
      else memcpy(data, memory, 4);
    }
  }
  return true;
}

/* v_mov_b32 where s_set_gpr_idx_on may act (Vega ISA, "VGPR Indexing"); v_movrels_b32, v_movreld_b32 (RDNA 3 ISA). control: source
 * operand; plain: 1: source, 2: destination is relative to m0; m0's number */
static bool run_mov(const launch *l, const entry *e, wave *w) {
  uint64_t exec = l->wave == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC];
  uint32_t m0 = w->sgpr[e->plain[1]], to = e->vdst, from = e->control;
  if (e->plain[0] == 1) from += m0;
  if (e->plain[0] == 2) to += m0;
  if (from >= 256 && (w->index_of & 1)) from += w->index;
  if (w->index_of & 8) to += w->index;
  if (to >= VGPRS || from >= 256 + VGPRS) return false;
  for (uint32_t i = 0; i < l->wave; i++) {
    if (bit(exec, (int)i)) w->vgpr[(size_t)to * l->wave + i] = from >= 256 ? w->vgpr[(size_t)(from - 256) * l->wave + i] : w->sgpr[from];
  }
  return true;
}

static float flushed(float x) { return x != 0 && x < 0x1p-126f && x > -0x1p-126f ? x * 0.0f : x; }
/* v_mad_f32 (Vega ISA): product and sum rounded one by one, denormals flushed. control: operands; plain: absolute values, signs */
static void run_mad(const launch *l, const entry *e, wave *w) {
  uint64_t exec = l->wave == 64 ? (uint64_t)w->sgpr[EXEC + 1] << 32 | w->sgpr[EXEC] : w->sgpr[EXEC];
  for (uint32_t i = 0; i < l->wave; i++) {
    float x[3], product;
    if (!bit(exec, (int)i)) continue;
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t n = e->control >> 9 * k & 511, v = n >= 256 ? w->vgpr[(size_t)(n - 256) * l->wave + i] : w->sgpr[n];
      v = modify(v, e->plain[0] >> k & 1, e->plain[1] >> k & 1, false);
      memcpy(&x[k], &v, 4);
      x[k] = flushed(x[k]);
    }
    product = x[0] * x[1];
    product = flushed(flushed(product) + x[2]);
    memcpy(&w->vgpr[(size_t)e->vdst * l->wave + i], &product, 4);
  }
}

static uint64_t pc_of(const wave *w) { return (uint64_t)w->sgpr[PC + 1] << 32 | w->sgpr[PC]; }
static void advance(wave *w, uint64_t bytes) {
  uint64_t pc = pc_of(w) + bytes;
  w->sgpr[PC] = (uint32_t)pc;
  w->sgpr[PC + 1] = (uint32_t)(pc >> 32);
}

/* Until the wavefront ends or waits at a barrier. */
static int run(launch *l, wave *w, uint64_t lds) {
  for (uint64_t n = 0; n < l->budget; n++) {
    uint64_t pc = pc_of(w);
    if (pc == UINT64_MAX) {
      w->done = true;
      return EMU_OK;
    }
    l->fault = pc;
    if (pc < l->code || pc - l->code >= l->code_bytes || (pc & 3) != 0) return EMU_OUTSIDE;
    entry *e = &l->entries[(pc - l->code) / 4];
    if (e->bytes == 0 && l->compile(pc) != 0) return EMU_NO_CODE;
    l->instructions++;
    if (w->index_of && e->indexed) return EMU_INDEX;
    switch (e->kind) {
      case PLAIN: call(e, w, lds); break;
      case SWIZZLE: run_swizzle(l, e, w); advance(w, e->bytes); break;
      case BPERMUTE: run_bpermute(l, e, w); advance(w, e->bytes); break;
      case PERMLANE16:
      case PERMLANEX16: run_permlane(l, e, w); advance(w, e->bytes); break;
      case LDS: run_lds(l, e, w, lds); break;
      case GLOBAL:
        if (run_misaligned(l, e, w)) advance(w, e->bytes);
        else call(e, w, lds);
        break;
      case CAS64: run_cas64(l, e, w); advance(w, e->bytes); break;
      case SCRATCH_BUFFER:
        if (!run_scratch(l, e, w)) return EMU_WILD;
        advance(w, e->bytes);
        break;
      case MOV:
        if (!run_mov(l, e, w)) return EMU_INDEX;
        advance(w, e->bytes);
        break;
      case INDEX: /* on (gfx9: m0 is register 124) or off */
        w->index = w->sgpr[e->control] & 255;
        w->index_of = e->plain[0] ? e->plain[1] : 0;
        if (w->index_of) w->sgpr[124] = (w->sgpr[124] & ~0xf0ffu) | w->index | w->index_of << 12;
        advance(w, e->bytes);
        break;
      case MOV_SHARED_BASE:
        w->sgpr[e->vdst] = 0;
        w->sgpr[e->vdst + 1] = SHARED >> 32;
        advance(w, e->bytes);
        break;
      case MAD: run_mad(l, e, w); advance(w, e->bytes); break;
      case NOTHING: advance(w, e->bytes); break;
      default:
        w->sgpr[PC] = (uint32_t)(uintptr_t)e->plain;
        w->sgpr[PC + 1] = (uint32_t)((uint64_t)(uintptr_t)e->plain >> 32);
        if (!run_dpp(l, e, w, lds)) return EMU_BAD_DPP;
        w->sgpr[PC] = (uint32_t)pc;
        w->sgpr[PC + 1] = (uint32_t)(pc >> 32);
        advance(w, e->bytes);
        break;
    }
    if (e->barrier) return EMU_OK;
  }
  return EMU_ENDLESS;
}

static void start(const launch *l, wave *w, const uint32_t *block, uint32_t first, uint32_t threads) {
  static const uint32_t inline_float[9] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000,
                                           0xc0800000, 0x3e22f983};
  uint32_t lanes = threads - first < l->wave ? threads - first : l->wave, at = l->user_count;
  for (int i = 0; i < 106; i++) w->sgpr[i] = POISON;
  for (int i = 106; i < SGPRS; i++) w->sgpr[i] = 0;
  for (uint32_t i = 0; i <= 64; i++) w->sgpr[128 + i] = i; /* inline constants */
  for (uint32_t i = 0; i < 16; i++) w->sgpr[193 + i] = ~i;
  for (int i = 0; i < 9; i++) w->sgpr[240 + i] = inline_float[i];
  for (uint32_t i = 0; i < l->user_count; i++) w->sgpr[i] = l->user[i];
  if (l->id_sgprs & 8) {
    w->sgpr[108 + 9] = block[0];
    w->sgpr[108 + 7] = (block[1] & 0xffff) | block[2] << 16;
  } else {
    for (int k = 0; k < 3; k++) if (l->id_sgprs >> k & 1) w->sgpr[at++] = block[k];
  }
  w->sgpr[EXEC] = lanes >= 32 ? ~0u : (1u << lanes) - 1u;
  if (l->wave == 64) w->sgpr[EXEC + 1] = lanes >= 64 ? ~0u : lanes > 32 ? (1u << (lanes - 32)) - 1u : 0;
  w->sgpr[PC] = (uint32_t)l->start;
  w->sgpr[PC + 1] = (uint32_t)(l->start >> 32);
  w->sgpr[SCRATCH_STRIDE] = l->scratch_bytes;
  for (uint32_t i = 0; i < VGPRS * l->wave; i++) w->vgpr[i] = POISON;
  for (uint32_t i = 0; i < lanes; i++) {
    uint32_t t = first + i, x = t % l->threads[0], y = t / l->threads[0] % l->threads[1], z = t / (l->threads[0] * l->threads[1]);
    if (l->id_sgprs & 16) {
      w->vgpr[i] = x;
      w->vgpr[l->wave + i] = y;
      w->vgpr[2 * l->wave + i] = z;
    } else {
      w->vgpr[i] = x | y << 10 | z << 20; /* gfx90a and later, gfx11 and later: packed */
    }
  }
  w->index = w->index_of = 0;
  w->done = false;
}

static int run_block(launch *l, wave *waves, uint32_t count, const uint32_t *block, uint8_t *lds) {
  uint32_t threads = l->threads[0] * l->threads[1] * l->threads[2], left = count;
  for (uint32_t i = 0; i < l->lds_bytes / 4; i++) memcpy(lds + 4 * i, &(uint32_t){POISON}, 4);
  for (uint32_t i = 0; i < count; i++) start(l, &waves[i], block, i * l->wave, threads);
  while (left > 0) {
    left = 0;
    for (uint32_t i = 0; i < count; i++) {
      if (waves[i].done) continue;
      int status = run(l, &waves[i], (uint64_t)(uintptr_t)lds);
      if (status != EMU_OK) return status;
      left += !waves[i].done;
    }
  }
  return EMU_OK;
}

/* An access outside of this process's memory. */
static sigjmp_buf back;
static void wild(int number) {
  (void)number;
  siglongjmp(back, 1);
}

__attribute__((visibility("default"))) int emulate(launch *l) {
  uint32_t threads = l->threads[0] * l->threads[1] * l->threads[2], count = (threads + l->wave - 1) / l->wave;
  volatile uint32_t block[3];
  volatile int status = EMU_OK;
  if (count > WAVES) return EMU_MEMORY;
  wave *waves = calloc(count, sizeof *waves);
  uint8_t *lds = mmap((void *)SHARED, l->lds_bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (!waves || lds != (void *)SHARED) status = EMU_MEMORY;
  for (uint32_t i = 0; status == EMU_OK && i < count; i++) {
    waves[i].vgpr = malloc((size_t)VGPRS * l->wave * 4);
    waves[i].acc = l->wave == 64 ? calloc(VGPRS, (size_t)l->wave * 4) : waves[i].vgpr;
    waves[i].scratch = calloc(1, (size_t)l->scratch_bytes * l->wave + 4096);
    if (!waves[i].vgpr || !waves[i].acc || !waves[i].scratch) status = EMU_MEMORY;
  }
  struct sigaction act = {.sa_handler = wild}, before;
  sigaction(SIGSEGV, &act, &before);
  if (sigsetjmp(back, 1) != 0) status = EMU_WILD;
  for (block[2] = status == EMU_WILD ? l->blocks[2] : 0; block[2] < l->blocks[2]; block[2]++)
    for (block[1] = 0; block[1] < l->blocks[1]; block[1]++)
      for (block[0] = 0; block[0] < l->blocks[0]; block[0]++)
        if (status == EMU_OK) status = run_block(l, waves, count, (uint32_t[]){block[0], block[1], block[2]}, lds);
  sigaction(SIGSEGV, &before, NULL);
  for (uint32_t i = 0; waves && i < count; i++) {
    if (waves[i].acc != waves[i].vgpr) free(waves[i].acc);
    free(waves[i].vgpr);
    free(waves[i].scratch);
  }
  if (lds != MAP_FAILED) munmap(lds, l->lds_bytes + 4096);
  free(waves);
  return status;
}
