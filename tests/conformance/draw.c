#include "draw.h"

rng rng_from(uint64_t seed, const char *text) {
  rng r = {seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
  for (; *text; text++) r.state = (r.state ^ (unsigned char)*text) * UINT64_C(0x100000001b3); /* FNV-1a */
  return r;
}

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014) */
uint64_t rng_u64(rng *r) {
  uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

int rng_below(rng *r, int n) { return (int)((rng_u64(r) >> 33) % (uint64_t)n); }
bool rng_chance(rng *r, int percent) { return rng_below(r, 100) < percent; }

/* A floating-point value of either sign from exponent field and fraction. */
static uint64_t make_float(rng *r, ref_type type, uint64_t exponent, uint64_t fraction) {
  int f = type == REF_F32 ? 23 : type == REF_F64 ? 52 : type == REF_F16 ? 10 : 7;
  uint64_t sign = rng_u64(r) << 63 >> (64 - 8 * ref_size(type));
  return sign | exponent << f | (fraction & ((UINT64_C(1) << f) - 1));
}

static uint64_t draw_float(rng *r, ref_type type, draw_mode mode) {
  int e = type == REF_F64 ? 11 : type == REF_F16 ? 5 : 8;
  int f = type == REF_F32 ? 23 : type == REF_F64 ? 52 : type == REF_F16 ? 10 : 7;
  uint64_t top = (UINT64_C(1) << e) - 1, bias = top >> 1, quiet = UINT64_C(1) << (f - 1), any = rng_u64(r);
  switch (mode) {
    case DRAW_BITS: return ref_trim(type, any);
    case DRAW_MODERATE: return make_float(r, type, bias - 3 + (uint64_t)rng_below(r, 7), any);
    case DRAW_SMALL: return make_float(r, type, (uint64_t)rng_below(r, 3) / 2, rng_chance(r, 50) ? any : any & 3);
    case DRAW_NANS: return make_float(r, type, top, rng_chance(r, 50) ? quiet | any : (any & (quiet - 1)) | 1);
    case DRAW_ZEROS: return make_float(r, type, 0, 0);
    case DRAW_WIDE: return make_float(r, type, (uint64_t)rng_below(r, (int)top), any);
    default: break;
  }
  switch (rng_below(r, 12)) {
    case 0: case 1: return make_float(r, type, 0, 0);
    case 2: return make_float(r, type, top, 0);                        /* infinity */
    case 3: return make_float(r, type, top, quiet);                    /* the usual quiet NaN */
    case 4: return make_float(r, type, top, quiet | any);              /* quiet NaN, payload */
    case 5: return make_float(r, type, top, (any & (quiet - 1)) | 1);  /* signalling NaN */
    case 6: return make_float(r, type, 0, 1);                          /* least denormal */
    case 7: return make_float(r, type, 0, any | 1);                    /* denormal */
    case 8: return make_float(r, type, 1, 0);                          /* least normal */
    case 9: return make_float(r, type, top - 1, ~UINT64_C(0));         /* largest finite */
    case 10: return make_float(r, type, bias, 0);                      /* one */
    default: return make_float(r, type, bias, 1);                      /* one and an ulp */
  }
}

static uint64_t draw_integer(rng *r, ref_type type, draw_mode mode) {
  uint64_t all = ref_trim(type, ~UINT64_C(0)), top = all ^ (all >> 1), any = rng_u64(r);
  switch (mode) {
    case DRAW_MODERATE: return ref_trim(type, (uint64_t)rng_below(r, 19) - 9);
    case DRAW_SMALL: case DRAW_ZEROS: return ref_trim(type, (uint64_t)rng_below(r, 3) - 1);
    case DRAW_WIDE: case DRAW_NANS: return ref_trim(type, (rng_chance(r, 50) ? top : 0) + (uint64_t)rng_below(r, 5) - 2);
    case DRAW_SPECIAL: break;
    default: return ref_trim(type, any);
  }
  switch (rng_below(r, 8)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return all;
    case 3: return top;
    case 4: return top - 1;
    case 5: return ref_trim(type, (1u << 24) + 1u + (uint64_t)rng_below(r, 1000) * 2); /* no float holds these */
    case 6: return ref_trim(type, UINT64_C(1) << rng_below(r, 64));
    default: return ref_trim(type, any);
  }
}

uint64_t draw_value(rng *r, ref_type type, draw_mode mode) {
  if (type == REF_F16X2 || type == REF_BF16X2) {
    ref_type element = type == REF_F16X2 ? REF_F16 : REF_BF16;
    uint64_t low = draw_float(r, element, mode);
    return low | draw_float(r, element, mode) << 16;
  }
  return ref_is_float(type) ? draw_float(r, type, mode) : draw_integer(r, type, mode);
}

void draw_values(rng *r, ref_type type, int count, uint64_t *v) {
  /* Weights: order-sensitive sums and specials matter most. */
  static const draw_mode modes[] = {DRAW_BITS, DRAW_BITS, DRAW_MODERATE, DRAW_MODERATE, DRAW_MODERATE, DRAW_SPECIAL, DRAW_SPECIAL,
                                    DRAW_POOL, DRAW_POOL, DRAW_SMALL, DRAW_NANS, DRAW_ZEROS, DRAW_WIDE, DRAW_WIDE};
  draw_mode mode = modes[rng_below(r, (int)(sizeof modes / sizeof *modes))];
  if (mode == DRAW_POOL) {
    uint64_t pool[4];
    int n = 1 + rng_below(r, 4);
    for (int i = 0; i < n; i++)
      pool[i] = draw_value(r, type, (draw_mode[]){DRAW_BITS, DRAW_SPECIAL, DRAW_ZEROS}[rng_below(r, 3)]);
    for (int i = 0; i < count; i++) v[i] = pool[rng_below(r, n)];
    return;
  }
  for (int i = 0; i < count; i++) v[i] = draw_value(r, type, mode);
}

const char *draw_part_name(draw_part part) {
  static const char *const names[PART_COUNT] = {"full",  "prefix", "every other lane", "holes", "one lane", "cluster",
                                                "split", "none"};
  return names[part];
}

uint64_t draw_subset(rng *r, uint64_t set) {
  uint64_t bits = rng_u64(r);
  switch (rng_below(r, 4)) {
    case 0: return set & bits & rng_u64(r);
    case 1: return set & (bits | rng_u64(r));
    default: return set & bits;
  }
}

int draw_member(rng *r, uint64_t set) { return ref_nth(set, rng_below(r, ref_count(set))); }

void draw_groups(rng *r, draw_part part, int lanes, uint64_t present, uint64_t *mask) {
  uint64_t set = present;
  int width = 1;
  switch (part) {
    case PART_FULL: break;
    case PART_PREFIX: set &= ref_lanes(1 + rng_below(r, ref_count(present))); break;
    case PART_ALTERNATE: set &= UINT64_C(0x5555555555555555) << (lanes > 1 ? rng_below(r, 2) : 0); break;
    case PART_HOLES: set = draw_subset(r, present); break;
    case PART_SINGLE: set = UINT64_C(1) << draw_member(r, present); break;
    case PART_CLUSTER:
      while (width < lanes && rng_chance(r, 60)) width *= 2;
      set &= ref_lanes(width) << (draw_member(r, present) / width * width);
      break;
    case PART_SPLIT: {
      uint64_t rest = rng_chance(r, 50) ? present : draw_subset(r, present);
      for (int l = 0; l < lanes; l++) mask[l] = 0;
      for (int g = 0; rest != 0; g++) {
        uint64_t group = g == 4 ? rest : draw_subset(r, rest);
        for (int l = 0; l < lanes; l++) if (ref_in(group, l)) mask[l] = group;
        rest &= ~group;
      }
      return;
    }
    default: set = 0; break;
  }
  if (set == 0 && part != PART_NONE) set = UINT64_C(1) << draw_member(r, present);
  for (int l = 0; l < lanes; l++) mask[l] = ref_in(set, l) ? set : 0;
}

int32_t draw_any_int(rng *r, int lanes) {
  static const int32_t odd[] = {INT32_MIN, INT32_MAX, INT32_MIN + 1, INT32_MAX - 1, -1,  31,  32,  33,  63,
                                64,        65,        127,           128,           -31, -32, -33, -64, 256,
                                1 << 16,   1 << 24,   1 << 30,       -(1 << 30)};
  int kind = rng_below(r, 100);
  if (kind < 40) return rng_below(r, lanes);
  if (kind < 65) return rng_below(r, 4 * lanes) - 2 * lanes;
  if (kind < 80) return odd[rng_below(r, (int)(sizeof odd / sizeof *odd))];
  if (kind < 90) return (rng_below(r, 200) - 100) * lanes + rng_below(r, 3) - 1;
  return (int32_t)(uint32_t)rng_u64(r);
}

/* arg + a multiple of width, still an int */
static int32_t wrap_more(rng *r, int64_t arg, int width) {
  int64_t periods = rng_chance(r, 50) ? 0 : (int64_t)(int32_t)(uint32_t)rng_u64(r) / width;
  if (rng_chance(r, 30)) periods %= 3;
  arg += periods * width;
  while (arg > INT32_MAX) arg -= width;
  while (arg < INT32_MIN) arg += width;
  return (int32_t)arg;
}

int32_t draw_shuffle_arg(rng *r, ref_move move, int lane, int lanes, int width, uint64_t mask) {
  int first = lane / width * width;
  uint64_t segment = ref_lanes(width) << first & mask;
  for (int attempt = 0; attempt < 4; attempt++) {
    int32_t arg = draw_any_int(r, lanes);
    if (move == REF_MOVE_XOR) arg &= width - 1;
    if (ref_in(mask, ref_source(move, lane, width, arg))) return arg;
  }
  int source = draw_member(r, segment);
  switch (move) {
    case REF_MOVE_INDEX: return wrap_more(r, source - first, width);
    case REF_MOVE_ROTATE: return wrap_more(r, source - lane, width);
    case REF_MOVE_XOR: return (source - first) ^ (lane - first);
    case REF_MOVE_UP: return source <= lane ? lane - source : width;
    default: return source >= lane ? source - lane : width;
  }
}
