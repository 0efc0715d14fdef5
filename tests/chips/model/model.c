/* The guards and the index arithmetic for all inputs: any warp size, lane, mask, width, and any 32-bit argument. Each function is an
 * entry point for CBMC (model.sh). What is expected is written in 64-bit arithmetic, in the words of docs/spec.md. */
#include <warpport/shuffle.h>
#include <warpport/vote.h>

int model_lane, model_size, model_threads;
wp_u64 model_mask;
wp_u32 model_value[64];

int nondet_int(void);
wp_u32 nondet_u32(void);
wp_u64 nondet_u64(void);

static int width, arg;
static wp_u32 fallback;

static wp_u64 low_bits(int n) { return n == 64 ? ~(wp_u64)0 : ((wp_u64)1 << n) - 1; }

static void any_input(void) {
  int log_size = nondet_int(), log_width = nondet_int();
  __CPROVER_assume(log_size >= 0 && log_size <= 6);
  __CPROVER_assume(log_width >= 0 && log_width <= log_size);
  model_size = 1 << log_size;
  width = 1 << log_width;
  model_lane = nondet_int();
  __CPROVER_assume(model_lane >= 0 && model_lane < model_size);
  model_threads = nondet_int();
  __CPROVER_assume(model_threads > model_lane && model_threads <= 1024);
  model_mask = nondet_u64() & low_bits(model_size);
  __CPROVER_assume((model_mask >> model_lane & 1u) != 0);
  arg = nondet_int();
  fallback = nondet_u32();
  for (int i = 0; i < 64; i++) model_value[i] = nondet_u32();
}

/* The value of lane source of the caller's segment if it is there and in the mask. */
static wp_u32 member_or(long long source, bool inside, wp_u32 otherwise) {
  long long lane = (model_lane / width) * width + source;
  if (!inside || source < 0 || source >= width) return otherwise;
  return (model_mask >> lane & 1u) != 0 ? model_value[lane] : otherwise;
}

void shfl_or(void) {
  any_input();
  wp_u32 got = wp_shfl_or_u32(model_mask, model_value[model_lane], arg, fallback, width);
  __CPROVER_assert(got == member_or(arg, true, fallback), "G1");
}
void up_or(void) {
  any_input();
  wp_u32 got = wp_shfl_up_or_u32(model_mask, model_value[model_lane], arg, fallback, width);
  __CPROVER_assert(got == member_or((long long)(model_lane % width) - arg, arg >= 0, fallback), "G2");
}
void down_or(void) {
  any_input();
  wp_u32 got = wp_shfl_down_or_u32(model_mask, model_value[model_lane], arg, fallback, width);
  __CPROVER_assert(got == member_or((long long)(model_lane % width) + arg, arg >= 0, fallback), "G3");
}
void xor_or(void) {
  any_input();
  wp_u32 got = wp_shfl_xor_or_u32(model_mask, model_value[model_lane], arg, fallback, width);
  __CPROVER_assert(got == member_or((model_lane % width) ^ arg, arg >= 0 && arg < width, fallback), "G4");
}
void safe(void) { /* a partial warp: the lanes that exist, fallback 0, full width */
  any_input();
  width = model_size;
  model_mask = low_bits(model_threads < model_size ? model_threads : model_size);
  wp_u32 got = wp__safe_shfl_u32(model_value[model_lane], arg);
  __CPROVER_assert(got == member_or(arg, true, 0), "G5");
}

/* Plain shuffles: sources in the mask. */
static int wrapped(long long x) { return (int)(((x % width) + width) % width); }
static void source_is_there(int source) { __CPROVER_assume((model_mask >> ((model_lane / width) * width + source) & 1u) != 0); }
void shfl(void) {
  any_input();
  source_is_there(wrapped(arg));
  __CPROVER_assert(wp_shfl_u32(model_mask, model_value[model_lane], arg, width) == member_or(wrapped(arg), true, 0), "S1");
}
void up(void) {
  any_input();
  long long source = (long long)(model_lane % width) - arg;
  if (arg < 0 || source < 0) source = model_lane % width;
  source_is_there((int)source);
  __CPROVER_assert(wp_shfl_up_u32(model_mask, model_value[model_lane], arg, width) == member_or(source, true, 0), "S2");
}
void down(void) {
  any_input();
  long long source = (long long)(model_lane % width) + arg;
  if (arg < 0 || source >= width) source = model_lane % width;
  source_is_there((int)source);
  __CPROVER_assert(wp_shfl_down_u32(model_mask, model_value[model_lane], arg, width) == member_or(source, true, 0), "S3");
}
void exclusive_or(void) {
  any_input();
  __CPROVER_assume(arg >= 0 && arg < width);
  source_is_there((model_lane % width) ^ arg);
  __CPROVER_assert(wp_shfl_xor_u32(model_mask, model_value[model_lane], arg, width) == member_or((model_lane % width) ^ arg, true, 0), "S4");
}
void rotate(void) {
  any_input();
  int source = wrapped((long long)(model_lane % width) + arg);
  source_is_there(source);
  __CPROVER_assert(wp_rotate_u32(model_mask, model_value[model_lane], arg, width) == member_or(source, true, 0), "S5");
}

/* M2, M3, M7-M9, M11: no shift by the width of the type, whatever the argument. */
void masks(void) {
  any_input();
  wp_u64 first = wp_mask_first(arg);
  int n = arg < 0 ? 0 : arg > model_size ? model_size : arg;
  __CPROVER_assert(first == low_bits(n), "M2");
  __CPROVER_assert(wp_mask_lane(arg) == (arg >= 0 && arg < model_size ? (wp_u64)1 << arg : 0), "M3");
  __CPROVER_assert(wp_mask_has(model_mask, arg) == (arg >= 0 && arg < model_size && (model_mask >> arg & 1u) != 0), "M7");
  __CPROVER_assert(wp_mask_segment(width) == low_bits(width) << (model_lane / width * width), "M11");
  __CPROVER_assert((wp_mask_lt() | wp_mask_ge()) == low_bits(model_size) && (wp_mask_lt() & wp_mask_ge()) == 0, "M4");
}

/* The ballot derived from exchanges reads no lane outside the mask, for any mask of any warp. */
void derived_ballot(void) {
  any_input();
  wp_u64 set = wp_ballot(model_mask, (nondet_int() & 1) != 0);
  (void)set;
}

/* The macro in circulation, shuffle inside the test. In one warp, two lanes that the full mask names must both make the call. */
void copied_macro(void) {
  int source_of_one = nondet_int(), source_of_another = nondet_int();
  bool one_calls = source_of_one < 32, another_calls = source_of_another < 32;
  __CPROVER_assert(one_calls == another_calls, "all lanes of the full mask make the call");
}
void copied_macro_negative(void) {
  int source = nondet_int();
  if (source < 32) __CPROVER_assert(source >= 0, "the source lane exists");
}
