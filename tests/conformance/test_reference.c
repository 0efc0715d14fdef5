/* The reference itself, against values worked out by hand from docs/spec.md. */
#include "reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint64_t f32(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static void sources(void **state) {
  (void)state;
  /* S1: modulo width, never negative, within the caller's segment */
  assert_int_equal(ref_source(REF_MOVE_INDEX, 13, 8, -1), 15);
  assert_int_equal(ref_source(REF_MOVE_INDEX, 13, 8, 8), 8);
  assert_int_equal(ref_source(REF_MOVE_INDEX, 13, 8, INT32_MIN), 8);
  assert_int_equal(ref_source(REF_MOVE_INDEX, 13, 8, INT32_MAX), 15);
  assert_int_equal(ref_source(REF_MOVE_INDEX, 5, 1, 33), 5);
  /* S2, S3: own value outside the segment and for negative deltas */
  assert_int_equal(ref_source(REF_MOVE_UP, 9, 8, 1), 8);
  assert_int_equal(ref_source(REF_MOVE_UP, 9, 8, 2), 9);
  assert_int_equal(ref_source(REF_MOVE_UP, 9, 8, 33), 9);
  assert_int_equal(ref_source(REF_MOVE_UP, 9, 8, -1), 9);
  assert_int_equal(ref_source(REF_MOVE_DOWN, 9, 8, 6), 15);
  assert_int_equal(ref_source(REF_MOVE_DOWN, 9, 8, 7), 9);
  assert_int_equal(ref_source(REF_MOVE_DOWN, 9, 8, INT32_MAX), 9);
  assert_int_equal(ref_source(REF_MOVE_DOWN, 9, 8, -3), 9);
  /* S4, S5 */
  assert_int_equal(ref_source(REF_MOVE_XOR, 9, 8, 7), 14);
  assert_int_equal(ref_source(REF_MOVE_ROTATE, 9, 8, -2), 15);
  assert_int_equal(ref_source(REF_MOVE_ROTATE, 9, 8, 15), 8);
  assert_int_equal(ref_source(REF_MOVE_ROTATE, 63, 64, INT32_MAX), 62);
  /* G1-G4: no wrapping; absent sources */
  assert_int_equal(ref_source_or(REF_MOVE_INDEX, 9, 8, -1, ~UINT64_C(0)), -1);
  assert_int_equal(ref_source_or(REF_MOVE_INDEX, 9, 8, 8, ~UINT64_C(0)), -1);
  assert_int_equal(ref_source_or(REF_MOVE_INDEX, 9, 8, 7, UINT64_C(0x8000)), 15);
  assert_int_equal(ref_source_or(REF_MOVE_INDEX, 9, 8, 6, UINT64_C(0x8000)), -1);
  assert_int_equal(ref_source_or(REF_MOVE_UP, 9, 8, -1, ~UINT64_C(0)), -1);
  assert_int_equal(ref_source_or(REF_MOVE_DOWN, 9, 8, 0, ~UINT64_C(0)), 9);
  assert_int_equal(ref_source_or(REF_MOVE_XOR, 9, 8, 8, ~UINT64_C(0)), -1);
  assert_int_equal(ref_source_or(REF_MOVE_XOR, 9, 8, -1, ~UINT64_C(0)), -1);
}

static void masks(void **state) {
  (void)state;
  assert_true(ref_lanes(0) == 0 && ref_lanes(1) == 1 && ref_lanes(32) == 0xffffffff && ref_lanes(64) == ~UINT64_C(0));
  assert_int_equal(ref_lowest(UINT64_C(1) << 63), 63);
  assert_int_equal(ref_highest(0), -1);
  assert_int_equal(ref_rank(0xb, 3), 2);
  assert_int_equal(ref_nth(0xb, 2), 3);
  assert_int_equal(ref_nth(0xb, 3), -1);
}

/* An operator that writes down what it combines: each value is an expression of lanes. */
static char texts[4096][160];
static int text_count;
static ref_pair note(const ref_operator *self, ref_pair a, ref_pair b) {
  (void)self;
  ref_pair r = {{(uint64_t)text_count, 0}};
  assert_true(text_count < 4096);
  char text[2 * sizeof texts[0]];
  int length = snprintf(text, sizeof text, "(%s%s)", texts[a.w[0]], texts[b.w[0]]);
  assert_in_range(length, 0, sizeof texts[0] - 1);
  memcpy(texts[text_count], text, (size_t)length + 1);
  text_count++;
  return r;
}
static ref_operator letters(ref_pair *v, int lanes) {
  ref_operator o = {note, REF_ADD, REF_U32};
  for (int l = 0; l < lanes; l++) {
    texts[l][0] = (char)('a' + l);
    texts[l][1] = 0;
    v[l].w[0] = (uint64_t)l;
    v[l].w[1] = 0;
  }
  text_count = lanes;
  return o;
}

static void reduce_tree(void **state) {
  (void)state;
  ref_pair v[64];
  ref_operator o = letters(v, 8);
  assert_string_equal(texts[ref_reduce(&o, 8, 0xff, v).w[0]], "(((ab)(cd))((ef)(gh)))");
  assert_string_equal(texts[ref_reduce(&o, 8, 0xb6, v).w[0]], "((bc)((ef)h))");
  assert_string_equal(texts[ref_reduce(&o, 8, 0x40, v).w[0]], "g");
}

static void scan_tree(void **state) {
  (void)state;
  ref_pair v[64], result[64];
  bool has[64];
  ref_operator o = letters(v, 8);
  ref_scan(&o, 8, 0xff, v, result, has);
  assert_string_equal(texts[result[2].w[0]], "(a(bc))");
  assert_string_equal(texts[result[3].w[0]], "((ab)(cd))");
  assert_string_equal(texts[result[6].w[0]], "((a(bc))((de)(fg)))");
  ref_scan(&o, 8, 0xd2, v, result, has); /* b e g h */
  assert_false(has[0]);
  assert_string_equal(texts[result[3].w[0]], "b");
  assert_string_equal(texts[result[4].w[0]], "(be)");
  assert_string_equal(texts[result[6].w[0]], "(b(eg))");
  assert_string_equal(texts[result[7].w[0]], "(b(e(gh)))");
  assert_string_equal(texts[ref_scan_segmented(&o, 8, 0xff, 0x20, v, 7).w[0]], "(f(gh))");
  assert_string_equal(texts[ref_scan_segmented(&o, 8, 0xff, 0x20, v, 4).w[0]], "(a((bc)(de)))");
  /* beyond 16 lanes: the total of the preceding block on the left */
  o = letters(v, 26);
  ref_scan(&o, 32, 0x50002, v, result, has); /* b q s */
  assert_string_equal(texts[result[18].w[0]], "(b(qs))");
  ref_scan(&o, 32, 0x50000, v, result, has);
  assert_string_equal(texts[result[18].w[0]], "(qs)");
  /* beyond 32: block by block; sums tell the order apart from other trees here */
  ref_operator add = ref_builtin(REF_ADD, REF_F32);
  for (int l = 0; l < 64; l++) v[l].w[0] = f32(l == 0 ? 16777216.0f : l % 16 == 0 ? 1.0f : 0.0f);
  ref_scan(&add, 64, UINT64_C(0x0000000100010001), v, result, has);
  assert_true(result[32].w[0] == f32(16777216.0f)); /* (2^24 + 1) + 1 */
  ref_scan(&add, 64, UINT64_C(0x0001000100000001), v, result, has);
  assert_true(result[48].w[0] == f32(16777218.0f)); /* 2^24 + (1 + 1) */
}

static void operators(void **state) {
  (void)state;
  const uint64_t nan = 0x7fc00000, minus_zero = 0x80000000;
  assert_true(ref_apply(REF_MIN, REF_F32, nan, f32(3)) == f32(3));
  assert_true(ref_apply(REF_MAX, REF_F32, f32(3), nan) == f32(3));
  assert_true(ref_apply(REF_MIN, REF_F32, 0, minus_zero) == minus_zero);
  assert_true(ref_apply(REF_MAX, REF_F32, minus_zero, 0) == 0);
  assert_true(ref_apply(REF_MIN, REF_F32, f32(-1), f32(-2)) == f32(-2));
  assert_true(ref_apply(REF_MIN, REF_I8, 0x80, 0x7f) == 0x80);
  assert_true(ref_apply(REF_MIN, REF_U8, 0x80, 0x7f) == 0x7f);
  assert_true(ref_apply(REF_ADD, REF_I16, 0x7fff, 1) == 0x8000);
  assert_true(ref_apply(REF_ADD, REF_F16, 0x3c00, 0x1000) == 0x3c00);   /* 1 + 2^-11: a tie, to even */
  assert_true(ref_apply(REF_ADD, REF_F16, 0x3c01, 0x1000) == 0x3c02);
  assert_true(ref_apply(REF_ADD, REF_F16X2, 0x3c003c01, 0x10001000) == 0x3c003c02);
  assert_true(ref_identity(REF_ADD, REF_BF16X2) == 0x80008000);
  assert_true(ref_identity(REF_MAX, REF_F16) == 0xfc00);
  assert_true(ref_identity(REF_MIN, REF_I32) == 0x7fffffff);
  assert_true(ref_identity(REF_MAX, REF_U64) == 0);
  const uint64_t v[4] = {nan, f32(2), f32(1), f32(1)}, nans[2] = {nan, nan}, zeros[3] = {0, minus_zero, minus_zero};
  assert_int_equal(ref_argbest(REF_F32, false, 4, 0xf, v), 2);
  assert_int_equal(ref_argbest(REF_F32, true, 4, 0xf, v), 1);
  assert_int_equal(ref_argbest(REF_F32, true, 2, 0x2, nans), 1);
  assert_int_equal(ref_argbest(REF_F32, false, 3, 0x7, zeros), 1);
}

static void halves(void **state) {
  (void)state;
  assert_true(ref_decode16(false, 0x3555) == 0.333251953125);
  assert_true(ref_decode16(false, 1) == ldexp(1, -24));
  assert_true(ref_decode16(true, 0x4049) == 3.140625);
  assert_true(ref_encode16(false, 65519.99) == 0x7bff);
  assert_true(ref_encode16(false, 65520) == 0x7c00);
  assert_true(ref_encode16(false, ldexp(1, -25)) == 0);
  assert_true(ref_encode16(false, ldexp(1.0001, -25)) == 1);
  assert_true(ref_encode16(false, ldexp(3, -25)) == 2); /* 1.5 units: to even */
  assert_true(ref_encode16(false, ldexp(2047, -25)) == 0x0400); /* the largest denormal and a half */
  assert_true(ref_encode16(true, -1.00390625) == 0xbf80); /* a tie, to even */
  for (uint64_t h = 0; h < 0x10000; h++) { /* there and back */
    for (int brain = 0; brain < 2; brain++) {
      double value = ref_decode16(brain != 0, h);
      if (isnan(value)) assert_true(ref_has_nan(brain ? REF_BF16 : REF_F16, h));
      else assert_true(ref_encode16(brain != 0, value) == h);
    }
  }
}

static void agreement(void **state) {
  (void)state;
  assert_true(ref_agree(REF_F32, 0x7fc00000, 0xffc01234, true));
  assert_false(ref_agree(REF_F32, 0x7fc00000, 0xffc01234, false));
  assert_false(ref_agree(REF_F32, 0x7fc00000, 0x7f800000, true));
  assert_false(ref_agree(REF_F32, 0, 0x80000000, true));
  assert_true(ref_agree(REF_F16X2, 0x7e003c00, 0xfe013c00, true));
  assert_false(ref_agree(REF_F16X2, 0x7e003c00, 0xfe013c01, true));
  assert_true(ref_agree(REF_I8, 0xffffff80, 0x80, false));
}

static void order(void **state) {
  (void)state;
  /* -NaN < -inf < -1 < -0 < +0 < 1 < inf < NaN (signalling below quiet) */
  const uint64_t v[] = {0xffc00000, 0xff800001, 0xff800000, 0xbf800000, 0x80000000,
                        0,          0x3f800000, 0x7f800000, 0x7f800001, 0x7fc00000};
  for (int i = 0; i < 10; i++) {
    for (int j = 0; j < 10; j++) assert_int_equal(ref_before(REF_F32, v[i], v[j]), i < j);
  }
  const uint64_t w[6] = {5, 9, 5, 1, 5, 9};
  int lane[6] = {-1, -1, -1, -1, -1, -1};
  ref_sort_lanes(REF_U32, 6, 0x37, w, lane); /* lanes 0 1 2 4 5: 5 9 5 5 9 */
  const int want[6] = {0, 2, 4, -1, 1, 5};
  assert_memory_equal(lane, want, sizeof want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(sources), cmocka_unit_test(masks), cmocka_unit_test(reduce_tree), cmocka_unit_test(scan_tree),
    cmocka_unit_test(operators), cmocka_unit_test(halves), cmocka_unit_test(agreement), cmocka_unit_test(order),
  };
  return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
