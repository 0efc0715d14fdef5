/* Rows H1, H2, F1, F2. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float f32(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, sizeof f);
  return f;
}
static uint64_t f32_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
static double f64(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
static uint64_t f64_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

/* ---- H ---- */

enum { F16_FROM, BF16_FROM, FROM_F16, FROM_BF16, MAKE_PAIR, GET };

/* To 16 bits: also values in the middle between two neighbours, and one float beside it. */
static void draw_half(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    w->arg[l] = rng_below(r, 2);
    if (op->param > BF16_FROM || rng_chance(r, 40)) continue;
    bool brain = op->param == BF16_FROM;
    uint64_t h = rng_u64(r) & 0x7fff; /* the middle between h and the next one: decode both in double, exactly */
    double middle = (ref_decode16(brain, h) + ref_decode16(brain, h + 1)) / 2;
    if (isnan(middle) || isinf(middle)) middle = brain ? 3.3961775292304601e38 : 65520; /* the middle below infinity */
    uint64_t bits = f32_bits((float)middle);
    bits += (uint64_t)rng_below(r, 3) - 1;
    w->v[l] = ref_trim(REF_F32, rng_chance(r, 50) ? bits : bits ^ 0x80000000);
  }
}

static void expect_half(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    switch (op->param) {
      case F16_FROM: conf_want(w, l, 0, ref_encode16(false, (double)f32(w->v[l])), RULE_NAN_OK); break;
      case BF16_FROM: conf_want(w, l, 0, ref_encode16(true, (double)f32(w->v[l])), RULE_NAN_OK); break;
      case FROM_F16: conf_want(w, l, 0, f32_bits((float)ref_decode16(false, w->v[l])), RULE_NAN_OK); break;
      case FROM_BF16: conf_want(w, l, 0, f32_bits((float)ref_decode16(true, w->v[l])), RULE_NAN_OK); break;
      case MAKE_PAIR: conf_want(w, l, 0, w->v[l] | w->mem[l] << 16, RULE_EXACT); break;
      default: conf_want(w, l, 0, w->arg[l] == 0 ? w->v[l] & 0xffff : w->v[l] >> 16, RULE_EXACT); break;
    }
  }
}

/* ---- launches over lists of values, for H1 over all 65536 and for F2 ---- */

/* Runs a kernel of the usual parameters over n values (n a multiple of 64); out gets n * outs elements. */
static bool run_list(conf_run *run, const char *kernel, ref_type type, const void *v, ref_type out_type, int outs, int n,
                     void *out) {
  conf_device *d = run->device;
  wp_buffer *b[6] = {NULL};
  size_t count = (size_t)n, size[6] = {8 * count, 4 * count, 4 * count, ref_size(type) * count, ref_size(type) * count,
                                       ref_size(out_type) * (size_t)outs * count};
  wp_kernel *k = NULL;
  bool ok = conf_ok(run, wp_kernel_find(d->device, kernel, &k), kernel);
  for (int i = 0; i < 6 && ok; i++) {
    ok = conf_ok(run, wp_buffer_create(d->device, size[i], &b[i]), "buffer") &&
         conf_ok(run, i == 3 || i == 4 ? wp_buffer_write(b[i], 0, v, size[i]) : wp_buffer_fill(b[i], 0xff), "write");
  }
  if (ok) {
    wp_arg args[8] = {wp_arg_buffer(b[0]), wp_arg_buffer(b[1]), wp_arg_buffer(b[2]), wp_arg_buffer(b[3]),
                      wp_arg_buffer(b[4]), wp_arg_buffer(b[5]), wp_arg_i32(n), wp_arg_i32(0)};
    wp_launch_config c = {{(unsigned)n / 64, 1, 1}, {64, 1, 1}, NULL};
    run->result->launches++;
    ok = conf_ok(run, wp_launch(k, &c, args, 8), "launch") && conf_ok(run, wp_device_synchronize(d->device), "launch") &&
         conf_ok(run, wp_buffer_read(b[5], 0, out, size[5]), "read");
  }
  for (int i = 0; i < 6; i++) if (b[i]) wp_buffer_destroy(b[i]);
  return ok;
}

static void every_half(const conf_op *op, ref_type type, conf_run *run) {
  static uint16_t in[65536];
  static uint32_t out[65536];
  char kernel[64];
  snprintf(kernel, sizeof kernel, "%s_%s", op->kernel, ref_suffix(type));
  for (int i = 0; i < 65536; i++) in[i] = (uint16_t)i;
  if (!run_list(run, kernel, type, in, REF_F32, 1, 65536, out)) return;
  for (int i = 0; i < 65536; i++) {
    char who[64];
    snprintf(who, sizeof who, "of 0x%04x", (unsigned)i);
    conf_check(run, REF_F32, f32_bits((float)ref_decode16(type == REF_BF16, (uint64_t)i)), out[i], true, who);
  }
}

/* ---- F1 ---- */

enum { SQRT, FMA, FABS, FLOOR, CEIL, FMIN, FMAX };
static void expect_free(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) if (w->mask[l] != 0) conf_want(w, l, 0, 0, RULE_FREE);
}

static void check_f1(const conf_op *op, ref_type type, conf_launch *l) {
  uint64_t *v = malloc(sizeof *v * (size_t)l->threads);
  if (!v) abort();
  for (int i = 0; i < l->warp_count; i++) {
    const conf_warp *w = &l->warps[i];
    for (int lane = 0; lane < w->lanes && ref_in(w->present, lane); lane++) v[w->first + lane] = w->v[lane];
  }
  for (int i = 0; i < l->warp_count; i++) {
    const conf_warp *w = &l->warps[i];
    for (int lane = 0; lane < w->lanes; lane++) {
      if (w->mask[lane] == 0) continue;
      uint64_t a = w->v[lane], b = w->mem[lane], c = v[l->threads - 1 - w->first - lane], want = 0;
      bool single = type == REF_F32, nan_ok = true;
      switch (op->param) {
        case SQRT: want = single ? f32_bits(sqrtf(f32(a))) : f64_bits(sqrt(f64(a))); break;
        case FMA: want = single ? f32_bits(fmaf(f32(a), f32(b), f32(c))) : f64_bits(fma(f64(a), f64(b), f64(c))); break;
        case FABS: want = a & (single ? 0x7fffffff : ~(UINT64_C(1) << 63)); break;
        case FLOOR: want = single ? f32_bits(floorf(f32(a))) : f64_bits(floor(f64(a))); break;
        case CEIL: want = single ? f32_bits(ceilf(f32(a))) : f64_bits(ceil(f64(a))); break;
        case FMIN: want = ref_apply(REF_MIN, type, a, b); break;
        default: want = ref_apply(REF_MAX, type, a, b); break;
      }
      char who[200], x[64], y[64], z[64];
      ref_format(type, a, x, sizeof x);
      ref_format(type, b, y, sizeof y);
      ref_format(type, c, z, sizeof z);
      snprintf(who, sizeof who, "of %s, %s, %s", x, y, z);
      conf_check(l->run, type, want, conf_load(type, l->out, (size_t)(w->first + lane)), nan_ok, who);
    }
  }
  free(v);
}

/* ---- F2: within the bound of the exact value, and the same bits on every device of this run; the checksum compares runs ---- */

enum { EXP, EXP2, LOG, SINCOSPI, F2_COUNT };
#define LIST 65536

/* |got - exact| in units of the last place of exact, rounded to float */
static double error_in_ulp(long double exact, float got) {
  if (isnan((double)exact)) return isnan(got) ? 0 : HUGE_VAL;
  float nearest = (float)exact;
  if (isinf(nearest)) return isinf(got) && (got > 0) == (nearest > 0) ? 0 : got >= 3.4028e38f ? 1 : HUGE_VAL;
  if (isnan(got) || isinf(got)) return isinf(got) && fabsl(exact) > 3.4028233e38L && (got > 0) == (exact > 0) ? 1 : HUGE_VAL;
  int e;
  (void)frexp((double)nearest, &e);
  if (nearest == 0 || e < -125) e = -125; /* denormals have the least normal's unit */
  return (double)(fabsl(exact - (long double)got) / ldexpl(1, e - 24));
}

static void f2(const conf_op *op, ref_type type, conf_run *run) {
  static uint32_t first[F2_COUNT][2 * LIST]; /* what the first device of this run said */
  static bool known[F2_COUNT];
  static char known_from[64];
  static uint32_t in[LIST], out[2 * LIST];
  static const float corners[] = {
    0.0f,        -0.0f,      1.0f,       -1.0f,     0.5f,       0.25f,  -0.25f,          0.75f,          1.5f,
    2.0f,        2.5f,       88.72284f,  88.7229f,  127.99999f, 128.0f, -126.0f,         -149.0f,        -149.5f,
    -150.0f,     -151.0f,    -87.33655f, -103.97f,  -104.0f,    1e-45f, 1.17549435e-38f, 3.40282347e38f, -3.40282347e38f,
    16777216.0f, 8388607.5f, INFINITY,   -INFINITY, NAN};
  int outs = op->param == SINCOSPI ? 2 : 1, corner_count = (int)(sizeof corners / sizeof *corners);
  (void)type;
  rng r = rng_from(1, op->name); /* always the same numbers, so that checksums of different runs compare */
  for (int i = 0; i < LIST; i++) {
    float x = f32(draw_value(&r, REF_F32, DRAW_WIDE));
    if (i < corner_count) x = corners[i];
    else if (i % 4 != 0) { /* where the function is neither 0 nor infinite */
      double u = (double)(rng_u64(&r) >> 11) * 0x1p-53;
      if (op->param == EXP) x = (float)(u * 200 - 105);
      else if (op->param == EXP2) x = (float)(u * 280 - 151);
      else if (op->param == LOG) x = i % 4 == 1 ? (float)(u * 2) : fabsf(x);
      else x = (float)((u - 0.5) * (i % 4 == 1 ? 4 : 4096));
    }
    in[i] = (uint32_t)f32_bits(x);
  }
  char kernel[64];
  snprintf(kernel, sizeof kernel, "%s_f32", op->kernel);
  if (!run_list(run, kernel, REF_F32, in, REF_F32, outs, LIST, out)) return;

  const long double pi = 3.14159265358979323846264338327950288L;
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < LIST * outs; i++) {
    float x = f32(in[i / outs]), got = f32(out[i]);
    char who[64];
    bool good;
    snprintf(who, sizeof who, "of %.9g%s", (double)x, outs == 1 ? "" : i % 2 == 0 ? ", sine" : ", cosine");
    run->result->checks++;
    long double exact;
    if (op->param == SINCOSPI) {
      if (isnan(x) || isinf(x)) {
        exact = NAN;
        good = isinf(x) || isnan(got); /* of infinity: not said */
      } else {
        long double y = fmodl((long double)x, 2) * pi;
        exact = i % 2 == 0 ? sinl(y) : cosl(y);
        good = fabsl(exact - (long double)got) <= 2e-7L;
      }
    } else {
      exact = op->param == EXP ? expl((long double)x) : op->param == EXP2 ? exp2l((long double)x) : logl((long double)x);
      good = error_in_ulp(exact, got) <= 2;
    }
    if (!good) conf_fail(run, "%s: exact %.12Lg, got %.9g (0x%08x), out of bounds", who, exact, (double)got, (unsigned)out[i]);
    uint32_t bits = isnan(got) ? 0x7fc00000 : out[i];
    for (int k = 0; k < 4; k++) sum = (sum ^ (bits >> (8 * k) & 255)) * UINT64_C(0x100000001b3);
    if (known[op->param]) {
      char place[160];
      snprintf(place, sizeof place, "%s, compared with %s", who, known_from);
      conf_check(run, REF_F32, first[op->param][i], bits, false, place);
    } else {
      first[op->param][i] = bits;
    }
  }
  if (!known[op->param]) snprintf(known_from, sizeof known_from, "%s", run->result->device);
  known[op->param] = true;
  run->result->checksum = sum;
}

#define H(row, name, kernel, type, out, param) \
  { row, name, kernel, REF_BIT(type), out, 1, 0, param, 0, draw_half, expect_half, 0, 0 }
#define F1(name, kernel, param) \
  {"F1", name, kernel, REF_BIT(REF_F32) | REF_BIT(REF_F64), -1, 1, 0, param, 0, 0, expect_free, check_f1, 0}
#define F2(name, kernel, param) {"F2", name, kernel, REF_BIT(REF_F32), -1, 1, 0, param, 0, 0, 0, 0, f2}
const conf_op conf_rows_math[] = {
  H("H1", "wp_f16_from_f32", "conf_f16_from", REF_F32, REF_F16, F16_FROM),
  H("H1", "wp_bf16_from_f32", "conf_bf16_from", REF_F32, REF_BF16, BF16_FROM),
  H("H1", "wp_f32_from_f16", "conf_f32_from", REF_F16, REF_F32, FROM_F16),
  H("H1", "wp_f32_from_bf16", "conf_f32_from", REF_BF16, REF_F32, FROM_BF16),
  {"H1", "wp_f32_from_f16, all 65536", "conf_f32_from", REF_BIT(REF_F16), REF_F32, 1, 0, 0, 0, 0, 0, 0, every_half},
  {"H1", "wp_f32_from_bf16, all 65536", "conf_f32_from", REF_BIT(REF_BF16), REF_F32, 1, 0, 0, 0, 0, 0, 0, every_half},
  H("H2", "wp_f16x2_make", "conf_make", REF_F16, REF_F16X2, MAKE_PAIR),
  H("H2", "wp_bf16x2_make", "conf_make", REF_BF16, REF_BF16X2, MAKE_PAIR),
  H("H2", "wp_f16x2_get", "conf_get", REF_F16X2, REF_F16, GET),
  H("H2", "wp_bf16x2_get", "conf_get", REF_BF16X2, REF_BF16, GET),
  F1("wp_sqrt", "conf_sqrt", SQRT),
  F1("wp_fma", "conf_fma", FMA),
  F1("wp_fabs", "conf_fabs", FABS),
  F1("wp_floor", "conf_floor", FLOOR),
  F1("wp_ceil", "conf_ceil", CEIL),
  F1("wp_min", "conf_fmin", FMIN),
  F1("wp_max", "conf_fmax", FMAX),
  F2("wp_exp_f32", "conf_exp", EXP),
  F2("wp_exp2_f32", "conf_exp2", EXP2),
  F2("wp_log_f32", "conf_log", LOG),
  F2("wp_sincospi_f32", "conf_sincospi", SINCOSPI),
  {0},
};
