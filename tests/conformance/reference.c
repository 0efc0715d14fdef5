#include "reference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct { const char *suffix; size_t size; } types[REF_TYPE_COUNT] = {
  {"i8", 1}, {"u8", 1}, {"i16", 2}, {"u16", 2}, {"i32", 4}, {"u32", 4}, {"i64", 8}, {"u64", 8},
  {"f32", 4}, {"f64", 8}, {"f16", 2}, {"bf16", 2}, {"f16x2", 4}, {"bf16x2", 4},
};

const char *ref_suffix(ref_type type) { return types[type].suffix; }
size_t ref_size(ref_type type) { return types[type].size; }
bool ref_is_float(ref_type type) { return type >= REF_F32; }
bool ref_is_signed(ref_type type) { return type == REF_I8 || type == REF_I16 || type == REF_I32 || type == REF_I64; }

uint64_t ref_trim(ref_type type, uint64_t bits) {
  size_t size = ref_size(type);
  return size == 8 ? bits : bits & ((UINT64_C(1) << (8 * size)) - 1);
}

static bool is_pair(ref_type type) { return type == REF_F16X2 || type == REF_BF16X2; }
static ref_type element(ref_type type) { return type == REF_F16X2 ? REF_F16 : REF_BF16; }

/* Bits of the fraction of a floating-point type, and of its exponent. */
static int fraction_bits(ref_type type) {
  switch (type) {
    case REF_F32: return 23;
    case REF_F64: return 52;
    case REF_F16: return 10;
    default: return 7;
  }
}
static int exponent_bits(ref_type type) {
  switch (type) {
    case REF_F64: return 11;
    case REF_F16: return 5;
    default: return 8;
  }
}
static uint64_t magnitude(ref_type type, uint64_t bits) {
  return bits & ((UINT64_C(1) << (fraction_bits(type) + exponent_bits(type))) - 1);
}
static bool negative(ref_type type, uint64_t bits) { return ((bits >> (8 * ref_size(type) - 1)) & 1) != 0; }
static uint64_t infinity_bits(ref_type type) { return ((UINT64_C(1) << exponent_bits(type)) - 1) << fraction_bits(type); }
static bool is_nan(ref_type type, uint64_t bits) { return magnitude(type, bits) > infinity_bits(type); }

bool ref_has_nan(ref_type type, uint64_t bits) {
  if (is_pair(type)) return is_nan(element(type), bits & 0xffff) || is_nan(element(type), bits >> 16);
  return ref_is_float(type) && is_nan(type, bits);
}

bool ref_agree(ref_type type, uint64_t want, uint64_t got, bool nan_ok) {
  want = ref_trim(type, want);
  got = ref_trim(type, got);
  if (want == got) return true;
  if (!nan_ok || !ref_is_float(type)) return false;
  if (is_pair(type)) {
    return ref_agree(element(type), want & 0xffff, got & 0xffff, true) && ref_agree(element(type), want >> 16, got >> 16, true);
  }
  return is_nan(type, want) && is_nan(type, got);
}

static float as_f32(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, sizeof f);
  return f;
}
static double as_f64(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
static uint64_t from_f32(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
static uint64_t from_f64(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}
static int64_t as_signed(ref_type type, uint64_t bits) {
  switch (ref_size(type)) {
    case 1: return (int8_t)(uint8_t)bits;
    case 2: return (int16_t)(uint16_t)bits;
    case 4: return (int32_t)(uint32_t)bits;
    default: return (int64_t)bits;
  }
}

double ref_decode16(bool brain, uint64_t bits) {
  ref_type type = brain ? REF_BF16 : REF_F16;
  int fraction = fraction_bits(type), bias = (1 << (exponent_bits(type) - 1)) - 1;
  uint64_t m = magnitude(type, bits);
  int exponent = (int)(m >> fraction);
  double f = (double)(m & ((UINT64_C(1) << fraction) - 1)), value;
  if (m > infinity_bits(type)) value = NAN;
  else if (m == infinity_bits(type)) value = INFINITY;
  else if (exponent == 0) value = ldexp(f, 1 - bias - fraction);
  else value = ldexp(f + (double)(1 << fraction), exponent - bias - fraction);
  return negative(type, bits) ? -value : value;
}

uint64_t ref_encode16(bool brain, double value) {
  ref_type type = brain ? REF_BF16 : REF_F16;
  int fraction = fraction_bits(type), bias = (1 << (exponent_bits(type) - 1)) - 1;
  uint64_t sign = signbit(value) ? 0x8000 : 0;
  if (isnan(value)) return sign | infinity_bits(type) | (UINT64_C(1) << (fraction - 1));
  if (isinf(value)) return sign | infinity_bits(type);
  if (value == 0) return sign;
  int e;
  (void)frexp(value, &e); /* |value| = f * 2^e with f in [0.5, 1) */
  int quantum = e - 1 - fraction, least = 1 - bias - fraction;
  if (quantum < least) quantum = least;
  double scaled = ldexp(fabs(value), -quantum), whole = floor(scaled), rest = scaled - whole;
  uint64_t n = (uint64_t)whole;
  if (rest > 0.5 || (rest == 0.5 && (n & 1) != 0)) n++;
  /* With the hidden bit in n, adding the exponent field minus one to it gives the encoding; a carry moves up by itself. */
  uint64_t bits = n + ((uint64_t)(quantum - least) << fraction);
  return sign | (bits > infinity_bits(type) ? infinity_bits(type) : bits);
}

static double to_double(ref_type type, uint64_t bits) {
  switch (type) {
    case REF_F32: return (double)as_f32(bits);
    case REF_F64: return as_f64(bits);
    default: return ref_decode16(type == REF_BF16, bits);
  }
}

void ref_format(ref_type type, uint64_t bits, char *text, size_t size) {
  int digits = (int)(2 * ref_size(type));
  bits = ref_trim(type, bits);
  if (is_pair(type)) {
    snprintf(text, size, "0x%0*" PRIx64 " (%g, %g)", digits, bits, to_double(element(type), bits & 0xffff),
             to_double(element(type), bits >> 16));
  } else if (ref_is_float(type)) {
    snprintf(text, size, "0x%0*" PRIx64 " (%.17g)", digits, bits, to_double(type, bits));
  } else if (ref_is_signed(type)) {
    snprintf(text, size, "0x%0*" PRIx64 " (%" PRId64 ")", digits, bits, as_signed(type, bits));
  } else {
    snprintf(text, size, "0x%0*" PRIx64 " (%" PRIu64 ")", digits, bits, bits);
  }
}

const char *ref_op_name(ref_op op) {
  static const char *const names[REF_OP_COUNT] = {"add", "mul", "min", "max", "and", "or", "xor"};
  return names[op];
}

/* Row R2: a < b with -0 below +0, neither a NaN. */
static bool below(ref_type type, uint64_t a, uint64_t b) {
  bool na = negative(type, a), nb = negative(type, b);
  if (na != nb) return na;
  return na ? magnitude(type, a) > magnitude(type, b) : magnitude(type, a) < magnitude(type, b);
}

static bool integer_below(ref_type type, uint64_t a, uint64_t b) {
  if (ref_is_signed(type)) return as_signed(type, a) < as_signed(type, b);
  return ref_trim(type, a) < ref_trim(type, b);
}

uint64_t ref_apply(ref_op op, ref_type type, uint64_t a, uint64_t b) {
  if (is_pair(type)) {
    ref_type e = element(type);
    return ref_apply(op, e, a & 0xffff, b & 0xffff) | ref_apply(op, e, (a >> 16) & 0xffff, (b >> 16) & 0xffff) << 16;
  }
  if (op == REF_AND) return a & b;
  if (op == REF_OR) return a | b;
  if (op == REF_XOR) return a ^ b;
  if (!ref_is_float(type)) {
    if (op == REF_ADD) return ref_trim(type, a + b);
    if (op == REF_MUL) return ref_trim(type, a * b);
    bool less = integer_below(type, a, b);
    return (op == REF_MIN) == less ? a : b;
  }
  if (op == REF_MIN || op == REF_MAX) {
    if (is_nan(type, a)) return b;
    if (is_nan(type, b)) return a;
    return (op == REF_MIN) == below(type, a, b) ? a : b;
  }
  if (type == REF_F32) return from_f32(op == REF_ADD ? as_f32(a) + as_f32(b) : as_f32(a) * as_f32(b));
  if (type == REF_F64) return from_f64(op == REF_ADD ? as_f64(a) + as_f64(b) : as_f64(a) * as_f64(b));
  /* 16 bits: double holds the sum and the product of two of them so well that rounding twice equals rounding once
   * (53 >= 2 * 11 + 2 bits; products are exact). */
  double x = to_double(type, a), y = to_double(type, b);
  return ref_encode16(type == REF_BF16, op == REF_ADD ? x + y : x * y);
}

uint64_t ref_identity(ref_op op, ref_type type) {
  if (is_pair(type)) {
    uint64_t one = ref_identity(op, element(type));
    return one | one << 16;
  }
  if (ref_is_float(type)) {
    uint64_t sign = UINT64_C(1) << (8 * ref_size(type) - 1);
    uint64_t bias = (UINT64_C(1) << (exponent_bits(type) - 1)) - 1;
    switch (op) {
      case REF_ADD: return sign;
      case REF_MUL: return bias << fraction_bits(type);
      case REF_MIN: return infinity_bits(type);
      default: return sign | infinity_bits(type);
    }
  }
  uint64_t all = ref_trim(type, ~UINT64_C(0)), top = all ^ (all >> 1);
  switch (op) {
    case REF_MUL: return 1;
    case REF_MIN: return ref_is_signed(type) ? all >> 1 : all;
    case REF_MAX: return ref_is_signed(type) ? top : 0;
    case REF_AND: return all;
    default: return 0;
  }
}

/* ---- trees ---- */

static ref_pair combine_builtin(const ref_operator *self, ref_pair a, ref_pair b) {
  ref_pair r = {{ref_apply(self->op, self->type, a.w[0], b.w[0]), 0}};
  return r;
}

ref_operator ref_builtin(ref_op op, ref_type type) {
  ref_operator o = {combine_builtin, op, type};
  return o;
}

typedef struct part {
  bool has;
  ref_pair value;
} part;

static part join(const ref_operator *op, part left, part right) {
  if (!left.has) return right;
  if (!right.has) return left;
  part p = {true, op->combine(op, left.value, right.value)};
  return p;
}

/* The value of the block of `size` lanes from `first` on. */
static part block(const ref_operator *op, uint64_t mask, const ref_pair *v, int first, int size) {
  if (size == 1) {
    part p = {ref_in(mask, first), v[first]};
    return p;
  }
  return join(op, block(op, mask, v, first, size / 2), block(op, mask, v, first + size / 2, size / 2));
}

ref_pair ref_reduce(const ref_operator *op, int lanes, uint64_t mask, const ref_pair *v) {
  return block(op, mask, v, 0, lanes).value;
}

void ref_scan(const ref_operator *op, int lanes, uint64_t mask, const ref_pair *v, ref_pair *result, bool *has) {
  part now[64], next[64];
  for (int l = 0; l < lanes; l++) {
    now[l].has = ref_in(mask, l);
    now[l].value = v[l];
  }
  for (int offset = 1; offset < 16; offset *= 2) {
    for (int l = 0; l < lanes; l++) next[l] = l % 16 >= offset ? join(op, now[l - offset], now[l]) : now[l];
    memcpy(now, next, sizeof(part) * (size_t)lanes);
  }
  for (int size = 16; size < lanes; size *= 2) {
    for (int l = 0; l < lanes; l++) next[l] = (l & size) != 0 ? join(op, now[l / size * size - 1], now[l]) : now[l];
    memcpy(now, next, sizeof(part) * (size_t)lanes);
  }
  for (int l = 0; l < lanes; l++) {
    result[l] = now[l].value;
    has[l] = now[l].has;
  }
}

ref_pair ref_scan_segmented(const ref_operator *op, int lanes, uint64_t mask, uint64_t heads, const ref_pair *v, int lane) {
  ref_pair result[64];
  bool has[64];
  int first = ref_highest(heads & mask & ref_lanes(lane + 1));
  ref_scan(op, lanes, first < 0 ? mask : mask & ~ref_lanes(first), v, result, has);
  return result[lane];
}

int ref_argbest(ref_type type, bool largest, int lanes, uint64_t mask, const uint64_t *v) {
  int best = -1;
  for (int l = 0; l < lanes; l++) {
    if (!ref_in(mask, l) || ref_has_nan(type, v[l])) continue;
    if (best >= 0) {
      uint64_t a = largest ? v[best] : v[l], b = largest ? v[l] : v[best];
      if (!(ref_is_float(type) ? below(type, a, b) : integer_below(type, a, b))) continue;
    }
    best = l;
  }
  return best < 0 ? ref_lowest(mask) : best;
}

/* ---- lanes ---- */

uint64_t ref_lanes(int n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }
bool ref_in(uint64_t mask, int64_t lane) { return lane >= 0 && lane < 64 && ((mask >> lane) & 1) != 0; }
int ref_count(uint64_t mask) {
  int n = 0;
  for (int l = 0; l < 64; l++) n += ref_in(mask, l);
  return n;
}
int ref_lowest(uint64_t mask) {
  for (int l = 0; l < 64; l++) if (ref_in(mask, l)) return l;
  return -1;
}
int ref_highest(uint64_t mask) {
  for (int l = 63; l >= 0; l--) if (ref_in(mask, l)) return l;
  return -1;
}
int ref_rank(uint64_t mask, int64_t lane) {
  int n = 0;
  for (int l = 0; l < 64 && l < lane; l++) n += ref_in(mask, l);
  return n;
}
int ref_nth(uint64_t mask, int64_t k) {
  for (int l = 0; l < 64; l++) {
    if (ref_in(mask, l) && k-- == 0) return l;
  }
  return -1;
}

/* n mod m, never negative */
static int64_t mod(int64_t n, int64_t m) { return ((n % m) + m) % m; }

int ref_source(ref_move move, int lane, int width, int32_t arg) {
  int64_t s = lane % width, first = lane - s, from;
  switch (move) {
    case REF_MOVE_INDEX: from = mod(arg, width); break;
    case REF_MOVE_UP: from = s - arg; break;
    case REF_MOVE_DOWN: from = s + arg; break;
    case REF_MOVE_XOR: from = s ^ arg; break;
    default: from = mod(s + arg, width); break;
  }
  if ((move == REF_MOVE_UP || move == REF_MOVE_DOWN) && arg < 0) return lane;
  return from < 0 || from >= width ? lane : (int)(first + from);
}

int ref_source_or(ref_move move, int lane, int width, int32_t arg, uint64_t mask) {
  int64_t s = lane % width, first = lane - s, from;
  switch (move) {
    case REF_MOVE_UP: from = arg < 0 ? -1 : s - arg; break;
    case REF_MOVE_DOWN: from = arg < 0 ? -1 : s + arg; break;
    case REF_MOVE_XOR: from = s ^ arg; break;
    default: from = arg; break;
  }
  return from < 0 || from >= width || !ref_in(mask, first + from) ? -1 : (int)(first + from);
}

bool ref_before(ref_type type, uint64_t a, uint64_t b) {
  /* IEEE 754-2019 section 5.10: for one sign, totalOrder is the order of the encodings. */
  return ref_is_float(type) ? below(type, a, b) : integer_below(type, a, b);
}

void ref_sort_lanes(ref_type type, int lanes, uint64_t mask, const uint64_t *v, int *lane_of) {
  for (int l = 0; l < lanes; l++) {
    if (!ref_in(mask, l)) continue;
    int place = 0;
    for (int o = 0; o < lanes; o++) {
      if (!ref_in(mask, o) || o == l) continue;
      if (ref_before(type, v[o], v[l]) || (o < l && !ref_before(type, v[l], v[o]))) place++;
    }
    lane_of[ref_nth(mask, place)] = l;
  }
}
